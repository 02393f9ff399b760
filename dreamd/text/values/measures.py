"""Decide whether a number without a unit may be meant in a certain unit."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from functools import cache

from dreamd.text.late import late
from dreamd.text.values.units import NUMBER_WORDS, ORDINALS, UNITS
from dreamd.text.values.value import APART, listed

_NEAR = 80  # characters before and after a number
_COUNTED = late(r"[ \u00a0-]([^\W\d_]+)")
_NO_NOUNS = frozenset(listed("was is has as this does plus minus always"))
_MOST = 5_000  # of one number that are looked at
_WORDS = {number: [word] for word, number in NUMBER_WORDS.items()}
for _number, _word in enumerate(ORDINALS, 1):
    _WORDS[str(_number)].append(_word)


@cache
def spelt(unit: str) -> re.Pattern[str]:
    """Return what finds a unit of `UNITS` in lower-case text, however it is written."""
    spellings = sorted((word for word, short in UNITS.items() if short == unit), key=len)
    every = "|".join(map(re.escape, reversed(spellings or [unit])))
    return late(rf"(?<![^\W\d_])(?:{every})(?![^\W\d_])")


def bare(texts: Iterable[str], number: str, unit: str) -> Iterator[str]:
    """Yield what stands around a number (in its normal form) that may be meant in a unit.

    In `12 replicates` it counts them, so that it is no 12 hours; in `2 GB free of 80` it may be
    meant in the unit beside it.
    """
    for text in texts:
        for written in _writings(number):
            yield from _around(text, written, unit)


def _writings(number: str) -> Iterator[str]:
    yield number
    whole, dot, rest = number.partition(".")
    if dot:
        yield f"{whole},{rest}"
    elif len(whole) > 3:
        yield f"{int(whole):,}"
    yield from _WORDS.get(number, ())


def _around(text: str, written: str, unit: str) -> Iterator[str]:
    at, count = text.find(written), 0
    while at >= 0 and count < _MOST:
        end = at + len(written)
        while "." in written and text[end : end + 1] == "0":
            end += 1  # 18.50
        is_whole = not (text[at - 1 : at].isalnum() or text[end : end + 1].isalnum())
        if is_whole and not _counts_another(text, end, unit):
            before = text[max(at - _NEAR, 0) : at].rpartition(APART)[2]
            yield before + text[at : end + _NEAR].partition(APART)[0]
            count += 1
        at = text.find(written, end)


def _counts_another(text: str, end: int, unit: str) -> bool:
    """Whether what follows a number is another unit, or things in the plural."""
    match = _COUNTED.match(text, end)
    if match is None:
        return False
    word = match[1]
    if word in UNITS:
        return UNITS[word] != unit
    return len(word) > 3 and word.endswith("s") and word not in _NO_NOUNS
