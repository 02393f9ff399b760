"""How much room a text takes, and which rows still fit in what is left."""

from __future__ import annotations

from collections.abc import Sequence

_BYTES = 4  # of UTF-8 to a token, as English text and code come out


def size(text: str) -> int:
    """Return the bytes of a text in UTF-8; half a surrogate pair counts as its replacement."""
    return len(text.encode("utf-8", "replace"))


def tokens(text: str) -> int:
    """Return about how many tokens a text has: its bytes by four, rounded up."""
    return -(-size(text) // _BYTES)


def room(tokens: int) -> int:
    """Return the bytes that so many tokens hold."""
    return tokens * _BYTES


def fitting(rows: Sequence[str], room: int) -> int:
    """Return how many rows, each with its line end, fit one after the other."""
    for number, row in enumerate(rows):
        room -= size(row) + 1
        if room < 0:
            return number
    return len(rows)
