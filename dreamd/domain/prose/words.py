"""The words of a text as a set, folded."""

from __future__ import annotations

import re

_WORD = re.compile(r"[^\W_]+")


def words(text: str) -> frozenset[str]:
    """Return the distinct words of a text, folded."""
    return frozenset(_WORD.findall(text.casefold()))
