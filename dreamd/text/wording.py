"""Return the words of a line, for comparing lines."""

from __future__ import annotations

from functools import lru_cache

from dreamd.text.late import late

# Scripts without spaces are read letter by letter, so that a sentence is more than one word.
_WORD = late(r"[\u3040-\u30ff\u3400-\u9fff\uac00-\ud7af\uf900-\ufaff\u0e00-\u0e7f]|[^\W_]+")


@lru_cache(maxsize=4096)
def words(line: str) -> frozenset[str]:
    """Return the words of a line, folded; scripts without spaces letter by letter."""
    return frozenset(_WORD.findall(line.casefold()))


def lowered(text: str) -> str:
    """Return a text in lower case with every character at its place."""
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(one if len(one) == 1 else each for each in text for one in (each.lower(),))
