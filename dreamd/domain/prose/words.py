"""The words of a text as a set, folded."""

from __future__ import annotations

from dreamd.text.late import late

_WORD = late(r"[^\W_]+")


def words(text: str) -> frozenset[str]:
    """Return the distinct words of a text, folded."""
    return frozenset(_WORD.findall(text.casefold()))
