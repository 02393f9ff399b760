"""The lines of notes that leave open what holds: for the user to decide."""

from __future__ import annotations

from pathlib import PurePosixPath

from dreamd.domain import budget
from dreamd.domain.superseded import current, is_open
from dreamd.domain.tree import INDEX, Tree

_MOST = 44  # characters shown of each of the two
_MARKS = "-*+ \t"


class Undecided:
    """A line that says two things of which one does not hold; `number` counts from 1."""

    __slots__ = ("number", "path", "text")

    def __init__(self, path: PurePosixPath, number: int, text: str) -> None:
        self.path = path
        self.number = number
        self.text = text

    @property
    def short(self) -> str:
        """Where it stands, and how either of the two begins."""
        now = current(self.text).strip()
        other = self.text[len(now) :].strip()
        return f'{self.path}:{self.number} says two things: "{_cut(now)} {_cut(other)}"'

    def as_json(self) -> dict[str, object]:
        """Return the same as one object."""
        return {"path": str(self.path), "line": self.number, "text": self.text}


def undecided(tree: Tree) -> tuple[Undecided, ...]:
    """Return the lines that leave open what holds, those of the index first."""
    found = [
        Undecided(path, number, row.strip().lstrip(_MARKS))
        for path, text in budget.notes(tree).items()
        if is_open(text)
        for number, row in enumerate(text.split("\n"), 1)
        if is_open(row)
    ]
    return tuple(sorted(found, key=lambda each: (each.path != INDEX, each.path, each.number)))


def _cut(text: str) -> str:
    return text if len(text) <= _MOST else f"{text[: _MOST - 1].rstrip()}…"
