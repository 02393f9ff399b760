"""The numbers of a line by their digits, however they are written: what no twin of it can lack."""

from __future__ import annotations

import re
import unicodedata
from functools import lru_cache

from dreamd.engine.rules.near.phrases import NUMBERS_SPELT
from dreamd.text.late import late
from dreamd.text.time.calendar_words import MONTHS

_WORDS = {word: number for row in NUMBERS_SPELT.values() for word, number in row.items()} | {
    name: str(number) for number, name in enumerate(MONTHS, 1)
}
_WORDS |= {name[:3]: number for name, number in _WORDS.items() if name in MONTHS}
_WORDS |= {"twice": "2", "thrice": "3", "noon": "12", "midday": "12"}
_WORDS |= {"fortnightly": "2", "fortnight": "2", "quarterly": "3", "quarter": "3"}
STAMP = late(r"\s*\((?P<day>\d{4}-\d\d-\d\d)\)[.。]?\s*$")
_DIGITS = late(r"\d+")
_MARKS = {ord(mark): " " for mark in "-.,;:!?()[]*_/\"'"}
_AFTERNOON = late(
    r"\b(\d{1,2})((?::\d\d)?)\s?(?:p\.?m\b|(?:o'clock )?in the (?:afternoon|evening)\b)"
)
_THOUSANDS = late(r"(?<=\d)[,.](?=\d{3}(?!\d))")


@lru_cache(maxsize=1 << 15)
def numbers(line: str) -> frozenset[str]:
    """Return the numbers of a line in digits, without leading zeros, each as often as it stands.

    Of a date there are the day, the month and the year, `2 pm` is 14, `two` is 2. The day that a
    line was given counts for none.
    """
    if line.endswith((")", ").")):
        line = STAMP.sub("", line)
    if not line.isascii():
        line = unicodedata.normalize("NFKC", line)
    line = line.casefold()
    if "," in line or "." in line:
        line = _THOUSANDS.sub("", line)
    if "pm" in line or "p.m" in line or "in the " in line:
        line = _AFTERNOON.sub(_later, line)
    digits = _DIGITS.findall(line)
    words = line.translate(_MARKS).split()
    if _WORDS.keys().isdisjoint(words):
        found = set(digits)
    else:
        found = {*digits, *(_WORDS[word] for word in words if word in _WORDS)}
    if len(digits) > len(found):
        found |= {f"{each}*{n}" for each in found for n in range(2, digits.count(each) + 1)}
    if any(each[0] == "0" for each in found):
        found = {each.lstrip("0") or "0" for each in found if each[:2] != "00"}  # 14:00 is 2 pm
    return frozenset(found)


def _later(match: re.Match[str]) -> str:
    return f"{int(match[1]) % 12 + 12}{match[2]}"
