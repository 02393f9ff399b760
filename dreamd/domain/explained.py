"""The reasons of a dream, none missing: what moved within a note, and what the review wrote."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from dreamd.domain.change import ChangeSet, Why

_Line = tuple[PurePosixPath, str, str]  # path, sign, text
_OTHER = {"+": "-", "-": "+"}


def explained(whys: Iterable[Why], *changes: ChangeSet) -> tuple[Why, ...]:
    """Return the reasons, with one for every line that came or went without.

    An engine gives reasons for what it did. A line that only stands elsewhere in its note may
    have none, nor one that the review added, as the pointer of a note that nobody pointed to.
    """
    given = tuple(whys)
    known = {(why.path, why.sign, why.line) for why in given}
    found: list[Why] = []
    for change in changes:
        lines = dict.fromkeys(_lines(change))
        for path, sign, line in lines:
            if (path, sign, line) not in known and line.strip():
                known.add((path, sign, line))
                moved = (path, _OTHER[sign], line) in lines
                rule = "moved within the note" if moved else "put right by the review"
                found.append(Why(path, line, sign, rule))
    return (*given, *found)


def _lines(changes: ChangeSet) -> Iterator[_Line]:
    for change in changes:
        for line in change.removed:
            yield change.path, "-", line
        for line in change.added:
            yield change.path, "+", line
