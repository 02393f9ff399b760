"""Values in a sentence, by kind, so that one can be held against another of the same kind."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from dreamd.text.late import late
from dreamd.text.stems import content

_MONTHS = ("jan", "feb", "mar", "apr", "may", "jun", "jul", "aug", "sep", "oct", "nov", "dec")
_MON = (
    r"(?:jan(?:uary)?|feb(?:ruary)?|mar(?:ch)?|apr(?:il)?|may|june?|july?|aug(?:ust)?"
    r"|sept?(?:ember)?|oct(?:ober)?|nov(?:ember)?|dec(?:ember)?)\b\.?"
)
_DAY = r"\d{1,2}(?:st|nd|rd|th)?(?!\d)"
_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_TO_TWELVE = (
    *("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve"),
)
_WORDS = {word: str(number) for number, word in enumerate(_TO_TWELVE, 2)}
_VALUE = late(
    r"(?<![\w.,/-])(?:"
    rf"(?P<date>\d{{4}}-\d\d-\d\d(?!\d)|{_MON}\s{_DAY}(?:,?\s\d{{4}}(?!\d))?"
    rf"|{_DAY}\s(?:of\s)?{_MON}(?:,?\s\d{{4}}(?!\d))?)"
    r"|(?P<time>\d{1,2}:\d\d(?!\d)(?:\s?[ap]\.?m\b)?|\d{1,2}\s?[ap]m\b)"
    rf"|(?P<money>[$€£]\s?(?:{_NUMBER})[km]?\b|(?:{_NUMBER})\s(?:dollars|euros|pounds|usd|eur)\b)"
    rf"|(?P<percent>(?:{_NUMBER})\s?(?:%|percent\b))"
    r"|(?P<version>v\d+(?:\.\d+)*\b|\d+\.\d+(?:\.\d+)+)"
    rf"|(?P<number>(?:{_NUMBER})(?:-(?=[a-z]))?[a-z]{{0,3}}\b|(?:{'|'.join(_WORDS)})\b)"
    r")",
    re.IGNORECASE,
)
_FIGURES = late(r"\d+(?:\.\d+)*")
_UNIT = late(r"[a-z]+$", re.IGNORECASE)
_AROUND = 48  # characters on either side in which stands what a value is a value of
_DIGIT = late(r"\d")
_WORD = late(
    r" (?:t(?:wo|hree|en|welve)|f(?:our|ive)|s(?:ix|even)|e(?:ight|leven)|nine)\b"
)  # in the middle of a sentence: begins with a space, so that most of a text is skipped fast


@dataclass(frozen=True, slots=True)
class Value:
    """Columns `start` to `end` (half-open) of a text hold a value of a kind.

    Kinds are date, time, money, percent, version and number; a number with its unit written onto
    it (`250ms`) is of the kind of that unit. Two values are one where `key` is the same.
    """

    kind: str
    key: str
    start: int
    end: int


def has_values(text: str) -> bool:
    """Whether a text may hold a value; cheap."""
    return _DIGIT.search(text) is not None or _WORD.search(text) is not None


@lru_cache(maxsize=1 << 13)
def values(text: str) -> tuple[Value, ...]:
    """Return the values of a text in order."""
    return tuple(_value(str(match.lastgroup), match[0], match) for match in _VALUE.finditer(text))


def _value(kind: str, said: str, match: re.Match[str]) -> Value:
    plain = said.casefold().replace(",", "")
    if kind == "date":
        return Value(kind, _date_key(plain), match.start(), match.end())
    if plain in _WORDS:
        return Value(kind, _WORDS[plain], match.start(), match.end())
    figures = ":".join(_FIGURES.findall(plain))
    unit = _UNIT.search(plain)
    if kind == "time":
        key = figures + (unit[0][0] if unit else "")
    elif kind == "number" and unit and unit[0] not in {"st", "nd", "rd", "th", "x"}:
        kind, key = f"number of {unit[0]}", figures
    elif kind == "money":
        key = figures + (unit[0] if unit and len(unit[0]) == 1 else "")
    else:
        key = figures
    return Value(kind, key, match.start(), match.end())


def _date_key(plain: str) -> str:
    """Return month and day, with the year where it is said: `4-05` or `2026-4-05`."""
    figures = _FIGURES.findall(plain)
    if plain[:4].isdigit():
        return f"{int(figures[0])}-{int(figures[1])}-{int(figures[2]):02}"
    month = next(n for n, name in enumerate(_MONTHS, 1) if re.search(rf"\b{name}", plain))
    year = f"{figures[1]}-" if len(figures) > 1 else ""
    return f"{year}{month}-{int(figures[0]):02}"


def is_same(one: Value, other: Value) -> bool:
    """Whether two values are the same; a date without a year is that day of any year."""
    if one.kind != other.kind:
        return False
    if one.kind != "date" or one.key.count("-") == other.key.count("-"):
        return one.key == other.key
    longer, shorter = sorted((one.key, other.key), key=len, reverse=True)
    return longer.endswith(f"-{shorter}")


@lru_cache(maxsize=1 << 13)
def around(text: str, start: int, end: int) -> frozenset[str]:
    """Return the folded words beside a value, on both sides: what it is a value of."""
    before = text[max(start - _AROUND, 0) : start]
    after = text[end : end + _AROUND]
    before = before.partition(" ")[2] if start > _AROUND else before
    after = after.rpartition(" ")[0] if end + _AROUND < len(text) else after
    return frozenset(word for word in content(f"{before} {after}") if not word[0].isdigit())
