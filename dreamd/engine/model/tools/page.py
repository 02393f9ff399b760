"""How much of a text goes to the model at once, and how it is told what is lacking."""

from __future__ import annotations

from collections.abc import Sequence

MOST = 25_000  # bytes of one answer
_CUT = "[… cut here; ask for less at once]"


def size(text: str) -> int:
    """Return the length of a text in bytes of UTF-8."""
    return len(text.encode("utf-8", "replace"))


def within(text: str, most: int) -> str:
    """Return a text of at most so many bytes, cut after a whole line and saying so."""
    data = text.encode("utf-8", "replace")
    if len(data) <= most:
        return text
    kept = data[: most - size(_CUT) - 1].decode("utf-8", "ignore")
    return f"{kept[: kept.rfind(chr(10))] if chr(10) in kept else kept}\n{_CUT}"


def count_within(lines: Sequence[str], most: int) -> int:
    """Return how many lines, from the first, fit into so many bytes with their line ends."""
    used = 0
    for count, line in enumerate(lines):
        used += size(line) + 1
        if used > most:
            return count
    return len(lines)


def shortened(line: str, most: int) -> str:
    """Return a line of at most so many characters, saying how many more it has."""
    return line if len(line) <= most else f"{line[:most]} [+{len(line) - most:,} characters]"


def pages(blocks: Sequence[str], most: int) -> list[list[str]]:
    """Return the blocks in pages of at most so many bytes, each block with a line end.

    No block may be larger than a page.
    """
    found: list[list[str]] = [[]]
    used = 0
    for block in blocks:
        more = size(block) + 1
        if used + more > most and found[-1]:
            found.append([])
            used = 0
        found[-1].append(block)
        used += more
    return found
