"""Look up whether a value occurs in a set of texts."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Iterator
from functools import cache
from itertools import islice

from msgspec import Struct

from dreamd.text import lexicon
from dreamd.text.late import late
from dreamd.text.time.dates import MONTHS, NUMBER_WORDS
from dreamd.text.values.figures import all_forms
from dreamd.text.values.value import APART, UNITS, Value, ValueKind, unaccented

_WORD = late(r"[^\W_]+")
_COMPOUND = late(r"(?<![^\W_])[^\W_]+(?:[._'’&+-][^\W_]+)+")
_ORDINALS = {word: str(number) for number, word in enumerate(lexicon.listed("ordinal"), 1)}
_SPELT = NUMBER_WORDS | _ORDINALS | {"dozen": "12"}
_PARTS = {"half an hour": "30 min", "quarter of an hour": "15 min"}
_NEAR = 80  # characters before and after a number in which its unit may stand
_COUNTED = late(r"[ \u00a0-]([^\W\d_]{1,30})")
_NO_NOUNS = {"was", "has", "this", "does", "plus", "minus", "always"}
_MOST = 5_000  # of one number that are looked at


class Grounds(Struct, frozen=True, eq=False):
    """All that some texts say. `text` is in lower case, its paths with slashes."""

    words: frozenset[str]
    forms: frozenset[str]
    text: str

    def __contains__(self, form: str) -> bool:
        """Whether a value in a form that `values` gives occurs; 80 does not in 8080."""
        if form in self.forms or form in self.words:
            return True
        if form[:1] in {"`", '"'}:
            inner = form[1:-1]
            whole = [part for part in _WORD.findall(inner)[1:-1] if not part.isdecimal()]
            return self.words.issuperset(whole) and inner in self.text
        number, blank, _ = form.partition(" ")
        if blank and number[:1].isdigit():
            return f"{number} " in self.forms
        return any(mark in form for mark in "/.@") and self._has(form)

    def holds(self, value: Value) -> bool:
        """Whether a value occurs, in any of its forms or in all of its parts."""
        if value.parts and self.words.issuperset(value.parts):
            return True
        if any(form in self for form in value.forms):
            return True
        if value.kind in {ValueKind.PATH, ValueKind.ADDRESS} and self._has(value.forms[0]):
            return True
        last = value.forms[-1]
        return value.kind is ValueKind.NAME and " " in last and last in self.text

    def _has(self, form: str) -> bool:
        """Whether a path or an address stands there to the letter, or inside a longer one."""
        whole = late(rf"(?<![^\W_])(?<!\d\.){re.escape(form)}(?![^\W_])(?!\.\d)")
        return whole.search(self.text) is not None

    def uses(self, unit: str) -> bool:
        """Whether a unit is said at all, however it is written."""
        return _spelling(unit).search(self.text) is not None

    def measures(self, number: str, unit: str, *, is_usual: bool) -> bool:
        """Whether a number (in its normal form) is said bare where this unit may be meant.

        Not in `12 replicates`, which it counts; but in `2 GB free of 80`, and wherever the unit
        `is_usual`.
        """
        around = _bare(self.text, number, unit)
        return any(is_usual or _spelling(unit).search(near) for near in around)


def grounds(texts: Iterable[str]) -> Grounds:
    """Return what texts say, to be asked about values; 10 MB take some seconds."""
    low, tokens = tuple(unicodedata.normalize("NFC", text).lower() for text in texts), set[str]()
    for text in low:
        tokens.update(text.split())
    joined = "\n".join(tokens)
    words = set(_WORD.findall(joined))
    words.update("".join(_WORD.findall(each)) for each in set(_COMPOUND.findall(joined)))
    words.update([unaccented(word) for word in words if not word.isascii()])
    words = {word for word in words if not word.isdecimal()}  # of `3.7.1`, 7 is no value
    forms = set(all_forms(low))
    for word in _SPELT.keys() & words:
        forms.update((_SPELT[word], f"{_SPELT[word]} "))
    forms.update(f"--{number:02}" for number, month in enumerate(MONTHS, 1) if month in words)
    forms.update(form for part, form in _PARTS.items() if any(part in text for text in low))
    return Grounds(frozenset(words), frozenset(forms), APART.join(low).replace("\\", "/"))


@cache
def _spelling(unit: str) -> re.Pattern[str]:
    """Return what finds a unit in lower-case text, however it is written."""
    spellings = [word for word, short in UNITS.items() if short == unit] or [unit]
    every = "|".join(map(re.escape, sorted(spellings, key=len, reverse=True)))
    return late(rf"(?<![^\W\d_])(?:{every})(?![^\W\d_])")


def _bare(text: str, number: str, unit: str) -> Iterator[str]:
    """Yield what is around a number, however it is written, that counts nothing else."""
    whole, dot, rest = number.partition(".")
    writings = [number, f"{whole},{rest}" if dot or len(whole) > 20 else f"{int(whole):,}"]
    writings += [word for word, meant in _SPELT.items() if meant == number]
    for written in dict.fromkeys(map(re.escape, writings)):
        zeros = "0*" if dot else ""  # 18.50
        apart = late(rf"{written}(?<![^\W_]{written}){zeros}(?![^\W_])")
        for match in islice(apart.finditer(text), _MOST):
            behind = _COUNTED.match(text, match.end())
            if not (behind and _is_counted(behind[1], unit)):
                before = text[max(match.start() - _NEAR, 0) : match.start()].rpartition(APART)[2]
                yield before + text[match.start() : match.end() + _NEAR].partition(APART)[0]


def _is_counted(word: str, unit: str) -> bool:
    """Whether what follows a number is another unit, or things in the plural."""
    is_plural = len(word) > 3 and word.endswith("s") and word not in _NO_NOUNS
    return UNITS[word] != unit if word in UNITS else is_plural
