"""Look up whether a value occurs in a set of texts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass

from dreamd.text.late import late
from dreamd.text.time.calendar_words import MONTHS
from dreamd.text.values.addresses import dotted, rows
from dreamd.text.values.figures import all_forms
from dreamd.text.values.names import plain
from dreamd.text.values.units import NUMBER_WORDS, ORDINALS
from dreamd.text.values.value import APART, Kind, Value

_WORD = late(r"[^\W_]+")
_COMPOUND = late(r"[^\W_]+(?:[._'’&+-][^\W_]+)+")  # noqa: RUF001
_SPELT = {**NUMBER_WORDS, **{word: str(n) for n, word in enumerate(ORDINALS, 1)}, "dozen": "12"}
_CLOCK = late(r"(?:half|quarter) (?:(?:of )?an hour|(?:past|to) [^\W_]+)")


@dataclass(frozen=True, slots=True, eq=False)
class Grounds:
    """All that some texts say. `texts` are in lower case, `paths` one per line between slashes."""

    words: frozenset[str]
    forms: frozenset[str]
    paths: str
    texts: tuple[str, ...]
    runs: str  # the words, one per line

    def __contains__(self, form: str) -> bool:
        """Whether a value in a form that `values` gives occurs; 80 does not in 8080."""
        if form in self.forms or form in self.words:
            return True
        if form[:1] in {"`", '"'}:
            inner = form[1:-1]
            parts = [part for part in _WORD.findall(inner) if not part.isdecimal()]
            # What no word holds need not be looked for in texts ten times as long.
            return all(part in self.runs for part in parts) and any(
                inner in text for text in self.texts
            )
        number, blank, _ = form.partition(" ")
        if blank and number[:1].isdigit():
            return f"{number} " in self.forms
        return ("/" in form or "." in form) and f"/{form}/" in self.paths

    def holds(self, value: Value) -> bool:
        """Whether a value occurs, in any of its forms or in all of its parts."""
        if value.parts and self.words.issuperset(value.parts):
            return True
        if any(form in self for form in value.forms):
            return True
        is_spaced = value.kind is Kind.NAME and " " in value.forms[-1]
        return is_spaced and any(value.forms[-1] in text for text in self.texts)


def grounds(texts: Iterable[str]) -> Grounds:
    """Return what texts say, to be asked about values; 10 MB take about a second."""
    low = tuple(unicodedata.normalize("NFC", text).lower() for text in texts)
    tokens: set[str] = set()
    for text in low:
        tokens.update(text.split())
    joined = "\n".join(tokens)
    words = set(_WORD.findall(joined))
    words.update("".join(_WORD.findall(each)) for each in set(_COMPOUND.findall(joined)))
    words.update([plain(word) for word in words if not word.isascii()])
    words = {word for word in words if not word.isdecimal()}  # of `3.7.1`, 7 is no value
    forms = set(all_forms(low, tokens))
    forms.update(dotted(joined))
    for word in _SPELT.keys() & words:
        forms.update((_SPELT[word], f"{_SPELT[word]} "))
    forms.update(f"--{number:02}" for number, month in enumerate(MONTHS, 1) if month in words)
    for text in low:
        forms.update(_spoken_time(match) for match in _CLOCK.finditer(text))
    paths = "\n".join(sorted(set(rows(tokens))))
    runs = "\n".join(words)
    return Grounds(frozenset(words), frozenset(forms), paths, (APART.join(low),), runs)


def _spoken_time(match: re.Match[str]) -> str:
    """Return `half past nine` as `09:30`, `half an hour` as `30 min`, nothing for no time."""
    if match[0].endswith("an hour"):
        return "30 min" if match[0].startswith("half") else "15 min"
    part, side, word = match[0].split()
    hour = NUMBER_WORDS.get(word, word)
    if not (hour.isdecimal() and len(hour) < 3):
        return ""
    minutes = 30 if part == "half" else 15
    total = int(hour) * 60 + (minutes if side == "past" else -minutes)
    return f"{total // 60 % 24:02}:{total % 60:02}"
