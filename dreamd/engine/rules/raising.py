"""What was gathered stands in the index itself, best first, while that has much room."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby

from dreamd.domain.budget import index_sizes
from dreamd.domain.settings import Budget
from dreamd.domain.tree import INDEX
from dreamd.engine.rules.edit import Edit, Insertion, Refusals, Removal
from dreamd.engine.rules.gather.place_kind import KEPT, gathers
from dreamd.engine.rules.gather.place_pointer import retold_as, told
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.telling import telling
from dreamd.engine.rules.worth import is_standing
from dreamd.text.markdown.markdown import Block, BlockKind, is_closed, sections

RULE = "room in the index"
STEP = "put {gathered line} into the index"
_SHARE = 0.4  # of each limit of the index; the rest is for what comes
_KINDS = ("feedback", "user", "project", "reference")  # in the order in which a reader needs them
_FEW = 4  # lines of a file that its hook is enough for, while none stands in the index
_MANY = 50  # agreements; more are no list that a person keeps in mind
_FRAME = 4  # lines around a new section: its heading, and the empty ones


@dataclass(frozen=True, slots=True)
class _Line:
    """A line of a gathered file that may stand in the index."""

    note: Note
    part: Block
    name: str  # of the section that it goes to
    rank: tuple[bool, bool, float]  # the best first

    @property
    def row(self) -> str:
        return self.note.rows[self.part.start]


def raised(memory: Memory, index: Note, budget: Budget, refusals: Refusals) -> tuple[Edit, ...]:
    """Return the edits by which lines of gathered files move into the index as far as it has room.

    The index is all that a conversation loads by itself. What a file's hook tells stays in the
    file: the index says it already. Of the rest, what people asked for comes first, then what
    they prefer, then what says most; under the title of its file, in its order there. Agreements
    by the dozen stay together.
    """
    if index.parts and not is_closed(index.rows, index.parts[-1]):
        return ()
    met = memory.order()
    files = sorted(
        ((kind, note) for note in memory.notes.values() if (kind := gathers(note)) in _KINDS),
        key=lambda each: (_KINDS.index(each[0]), met.index(each[1].path)),
    )
    agreed = sum(len(_items(note)) for kind, note in files if kind == "feedback")
    files = [each for each in files if each[0] != "feedback" or agreed <= _MANY]
    if not files:
        return ()
    lines = sorted(
        (line for kind, note in files for line in _lines(index, note, kind, refusals)),
        key=lambda line: line.rank,
    )
    chosen = list(_fitting(index, lines, budget))
    edits: list[Edit] = []
    for kind, group in groupby(files, key=lambda each: each[0]):
        name, lead = KEPT[kind].title, True
        for _, note in group:
            mine = sorted(each.part.start for each in chosen if each.note is note)
            if mine:
                edits += _moved(memory, note, mine, name if lead else "", refusals)
                lead = False
    return tuple(edits)


def free_in_index(index: Note, budget: Budget) -> int:
    """Return how many bytes of gathered lines an index has room for."""
    size, rows = _free(index, budget)
    return size if rows > _FRAME else 0


def _free(index: Note, budget: Budget) -> tuple[int, int]:
    """Return how many bytes and how many lines the index has room for."""
    sizes = index_sizes(index.text, budget)
    most = min(budget.index_bytes, budget.index_units, budget.memory_bytes)
    size = int(_SHARE * most) - sizes.index_bytes
    return size, int(_SHARE * budget.index_lines) - sizes.index_lines


def _lines(index: Note, note: Note, kind: str, refusals: Refusals) -> Iterator[_Line]:
    items = _items(note)
    rows = [note.rows[part.start] for part in items]
    if len(rows) <= _FEW and end_of_list(index, KEPT[kind].title) is None:
        return
    stay = set(told(rows)) or set(rows[:1])
    measure = telling(rows)
    for part, row in zip(items, rows, strict=True):
        is_line = part.end == part.start + 1 and row.startswith("- ")
        if not is_line or row in stay or refusals.of_removing(note.path, (row,)):
            continue
        if not refusals.of_adding(INDEX, (row,)):
            yield _Line(
                note,
                part,
                KEPT[kind].title,
                (kind != "feedback", not is_standing(row), -measure(row)),
            )


def _items(note: Note) -> list[Block]:
    return [part for part in note.parts if part.kind is BlockKind.ITEM]


def _fitting(index: Note, lines: Sequence[_Line], budget: Budget) -> Iterator[_Line]:
    """Yield the lines that fit, the best first."""
    size, rows = _free(index, budget)
    framed = {kept.title for kept in KEPT.values() if end_of_list(index, kept.title) is not None}
    for line in lines:
        is_framed = line.name in framed
        taken = len(line.row.encode()) + 1 + (0 if is_framed else len(line.name.encode()) + 6)
        taken_rows = 1 if is_framed else 1 + _FRAME
        if taken <= size and taken_rows <= rows:
            size, rows = size - taken, rows - taken_rows
            framed.add(line.name)
            yield line


def end_of_list(index: Note, name: str) -> int | None:
    """Return where the list below the heading of this name ends, None where there is none."""
    for section in sections(index.parts):
        if section.title == name and section.level > 1:
            inside = [p for p in index.parts if section.start < p.start < section.end]
            items = [p for p in inside if p.kind is BlockKind.ITEM]
            if items and not any(p.kind is BlockKind.HEADING for p in inside):
                return items[-1].end
    return None


def _moved(
    memory: Memory, note: Note, lines: Sequence[int], name: str, refusals: Refusals
) -> Iterator[Edit]:
    """Yield the edits for the lines of one file; where `name` is given, below a new heading."""
    index = memory.notes[INDEX]
    rows = tuple(note.rows[line] for line in lines)
    at = end_of_list(index, KEPT[gathers(note) or ""].title)
    if at is None:
        written = (part.end for part in index.parts if part.kind is not BlockKind.BLANK)
        at = max(written, default=0)
        rows = ("", f"## {name}", "", *rows) if name else rows
    removals = tuple(Removal(note.path, line, INDEX) for line in lines)
    yield Edit(RULE, STEP, removals, (Insertion(INDEX, at, rows),), len(lines))
    gone = frozenset(lines)
    rest = [part.start for part in _items(note) if part.start not in gone]
    yield from retold_as(memory, note, [note.rows[line] for line in rest], refusals)
