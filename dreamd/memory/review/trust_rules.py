"""Rules about where a line comes from: that it was said or read at all, and not by a tool alone."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from msgspec import Struct

from dreamd.domain.tree import INDEX
from dreamd.memory.review.case import Case, Edit
from dreamd.memory.review.hold import Objection
from dreamd.text.markdown.markdown import bare, lines
from dreamd.text.markdown.note import frontmatter
from dreamd.text.markdown.pointers import pointers

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dreamd.memory.review.grounding import Grounding

_LABELS = {"name", "title", "type", "pinned", "metadata", "tags", "node_type"}


class _Come(Struct, frozen=True):
    """A line that a dream wrote: where, what it says, and the texts that it sums up."""

    path: PurePosixPath
    number: int
    text: str
    summed: tuple[str, ...] = ()


def grounded(case: Case) -> Iterator[Objection]:
    """Every number, date, path and name that came was said, or stands in what was read.

    Lines that stood in a note before are fine wherever they stand now. A hook may say what its
    note does, and a description what its own does.
    """
    for judge, line in _come(case):
        if said := judge.ungrounded(line.text, line.summed, case.after.names):
            yield Objection(line.path, said, added=(line.number,))


def untainted(case: Case) -> Iterator[Objection]:
    """Nothing comes that only a tool, a file or a web page says; orders come from people."""
    for judge, line in _come(case):
        if said := judge.tainted(line.text, line.summed, case.after.names):
            yield Objection(line.path, said, added=(line.number,))


def _come(case: Case) -> Iterator[tuple[Grounding, _Come]]:
    """Yield each line that a dream wrote anew, of an engine that must show its sources."""
    judge = case.grounding
    if judge is None:
        return
    for edit, text in case.come():
        added = [n for n in edit.added if not judge.stood(edit.new.texts[n])]
        if added:
            for line in _lines(case, edit, text, added):
                yield judge, line


def _lines(case: Case, edit: Edit, text: str, added: list[int]) -> Iterator[_Come]:
    rows = [bare(row) for row in lines(text)]
    head = frontmatter(text)
    body = head.end if head else 0
    labels = {
        number
        for field in (head.fields if head else ())
        if field.key.rpartition(".")[2] in _LABELS or field.key.lower().endswith("id")
        for number in range(field.start, field.start + 1 if field.key == "metadata" else field.end)
    }
    aims = _aims(case, text) if edit.path == INDEX else {}
    called = _called(edit.path)
    own = "\n".join([called, *rows[body:]])
    for number in added:
        row = rows[number] if number < len(rows) else ""
        if number >= body:
            goals = aims.get(number, ())
            summed = tuple(_told(case, goal) for goal in goals)
            is_heading = row.lstrip().startswith("#")
            yield _Come(edit.path, number, row, (*summed, *([called] if is_heading else ())))
        elif number not in labels and row.strip("-. "):
            key, colon, value = row.partition(":")
            shown = value if colon and key.strip().isidentifier() else row
            yield _Come(edit.path, number, shown.strip(" \"'"), (own,))


def _aims(case: Case, text: str) -> dict[int, list[PurePosixPath]]:
    """Return the notes that the index points to, by line."""
    found: dict[int, list[PurePosixPath]] = {}
    for pointer in pointers(text):
        goal = case.after.goal(pointer, INDEX)
        if goal is not None and goal != INDEX:
            found.setdefault(pointer.line, []).append(goal)
    return found


def _told(case: Case, goal: PurePosixPath) -> str:
    """Return what a note tells, its name included."""
    return f"{_called(goal)}\n{case.after.texts.get(goal, '')}"


def _called(path: PurePosixPath) -> str:
    """Return the name of a note's file, and the words of it."""
    return f"{path.stem} {path.stem.replace('_', ' ').replace('-', ' ')}"
