"""What one person said on one day shares a line, where the notes are full of a chat."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from dreamd.domain.prose.labelled import LABEL
from dreamd.domain.superseded import current
from dreamd.domain.tree import INDEX
from dreamd.engine.rules.edit import Edit, Insertion, Refusals, Removal
from dreamd.engine.rules.gather.place_kind import gathers
from dreamd.engine.rules.gather.place_pointer import retold_as
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.together import LONGEST, RULE, STEP
from dreamd.text.late import late
from dreamd.text.markdown.markdown import BlockKind

_END = (  # of what was said: a mark that ends a sentence in some script, a bracket, an emoji
    r"(?:[.!?…。！？।۔؟)\]\"”»」』）]"  # noqa: RUF001
    "|[\u2300-\u23ff\u2600-\u27bf\u2b50\u2b55\u3297\u3299\U0001f000-\U0001faff\u20e3]\ufe0f?)"
)
_ROW = late(rf"(?P<lead>- {LABEL.pattern})(?P<said>\S.*{_END}) (?P<day>\(\d{{4}}-\d\d-\d\d\))$")


@dataclass(frozen=True, slots=True)
class Spoken:
    """A line of a note by which somebody said something: `- Ros: I moved to Leeds. (2026-05-04)`.

    `lead` goes up to what was said, `day` has its brackets.
    """

    name: str
    lead: str
    said: str
    day: str

    @property
    def row(self) -> str:
        """The line."""
        return f"{self.lead}{self.said} {self.day}"


def spoken(row: str) -> Spoken | None:
    """Return a line as what somebody said on a day; None where it is none, or is past."""
    found = _ROW.match(row)
    if found is None or current(row) != row:
        return None
    return Spoken(found["name"], found["lead"], found["said"], found["day"])


def joined_talk(memory: Memory, refusals: Refusals, own: Collection[str] = ()) -> tuple[Edit, ...]:
    """Return the edits that put what one person said on one day on one line of their note.

    In the order of the lines, as much as a reader reads through; all words stay. Only in the
    index and in files that dreams keep, below one heading, none of the user's `own` lines, and
    nothing that the user took back once.
    """
    notes = [each for each in memory.notes.values() if each.path == INDEX or gathers(each)]
    return tuple(edit for note in notes for edit in _of(memory, note, refusals, own))


def _of(memory: Memory, note: Note, refusals: Refusals, own: Collection[str]) -> Iterator[Edit]:
    groups: list[tuple[Spoken, list[int]]] = []
    open_one: dict[tuple[object, ...], int] = {}  # the one that takes more, by all these
    rows = list(note.rows)
    for part in note.parts:
        is_line = part.kind is BlockKind.ITEM and part.end == part.start + 1
        found = spoken(rows[part.start]) if is_line else None
        if found is None or found.row in own or refusals.of_removing(note.path, (found.row,)):
            continue
        key = (found.name, found.day, *part.headings)
        if key in open_one:
            whole, lines = groups[open_one[key]]
            more = Spoken(whole.name, whole.lead, f"{whole.said} {found.said}", whole.day)
            if len(more.row) <= LONGEST and not refusals.of_adding(note.path, (more.row,)):
                groups[open_one[key]] = (more, [*lines, part.start])
                continue
        open_one[key] = len(groups)
        groups.append((found, [part.start]))
    joined = [(whole, lines) for whole, lines in groups if len(lines) > 1]
    for whole, lines in joined:
        gone = tuple(Removal(note.path, at, note.path, whole.row) for at in lines)
        come = (Insertion(note.path, lines[0], (whole.row,)),)
        yield Edit(RULE, STEP, gone, come, len(lines) - 1)
    if joined and note.path != INDEX:
        into = {lines[0]: whole.row for whole, lines in joined}
        left = {at for _, lines in joined for at in lines[1:]}
        items = [part.start for part in note.parts if part.kind is BlockKind.ITEM]
        yield from retold_as(
            memory, note, [into.get(at, rows[at]) for at in items if at not in left], refusals
        )
