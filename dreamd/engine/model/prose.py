"""A person's message as prose: code folded, white space collapsed, cut into sentences."""

from __future__ import annotations

from itertools import groupby

from dreamd.text.sentences import OWN, Kind
from dreamd.text.sentences import sentences as split
from dreamd.text.words import plural

_FENCES = ("```", "~~~")
_FEWEST = 4  # lines in a row that look pasted are folded; fewer may be prose


def folded(text: str) -> tuple[str, ...]:
    """Return the pieces of a message in order: its own lines, each one's white space collapsed.

    A run of code is `[code, 14 lines]`: what stands between fences (one left open runs to the
    end), and four lines or more in a row that look like it.
    """
    pieces: list[str] = []
    at = 0
    for is_code, run in groupby(split(text), key=lambda each: each.kind in _FOLDED):
        found = [*run] if is_code else []
        count = sum(each.text.count("\n") + 1 for each in found)
        if count >= _FEWEST or any(each.kind is Kind.CODE for each in found):
            pieces += [*_lines(text[at : found[0].start]), f"[code, {plural(count, 'line')}]"]
            at = found[-1].end
    return (*pieces, *_lines(text[at:]))


_FOLDED = {Kind.CODE, Kind.PASTED}


def _lines(text: str) -> list[str]:
    rows = (" ".join(row.split()) for row in text.split("\n"))
    return [row for row in rows if row and not row.startswith(_FENCES)]


def sentences(text: str) -> tuple[str, ...]:
    """Return the sentences of a text in a person's own words, in order, each on one line."""
    return tuple(" ".join(each.text.split()) for each in split(text) if each.kind in OWN)


def cut(line: str, most: int) -> str:
    """Return a line of at most so many characters: its beginning up to a word, then `[…]`."""
    if len(line) <= most:
        return line
    head = line[: most - 4]
    space = head.rfind(" ")
    return f"{head[:space] if space > most // 2 else head} […]"


def piece(line: str, what: str, most: int) -> str:
    """Return a line of at most so many characters, or the piece of it around some words."""
    at = line.find(what)
    if len(line) <= most or at < 0 or at + len(what) <= most - 4:
        return cut(line, most)
    start = line.find(" ", max(at - max((most - len(what)) // 2, 9), 0), at) + 1 or at
    return f"[…] {cut(line[start:], most - 4)}"
