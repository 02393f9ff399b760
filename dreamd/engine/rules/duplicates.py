"""Exact duplicates become one: the same words in the same context, the earliest place wins."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from dreamd.domain.tree import INDEX
from dreamd.engine.rules.context import Context, contexts, is_lead
from dreamd.engine.rules.edit import Edit, Refusals, Removal
from dreamd.engine.rules.hollow import hollowed
from dreamd.engine.rules.listing import firsts
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.subject import names_subject, points_back
from dreamd.engine.rules.worth import is_ordered
from dreamd.text.late import late
from dreamd.text.markdown.markdown import Block, BlockKind

RULE = "duplicate"
STEP = "merged {duplicate}"
_FEWEST_WORDS = 4
_MOST = 20  # places of one sentence that another is held against
_MARKER = late(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_LABEL = late(r"(?:\[[ xX]\]\s+)?(\*\*|__)[^*_]+(?::\1|\1\s*:)")
_WORD = late(r"[\u3040-\u30ff\u3400-\u9fff]{2}|[^\W_]+")
_WHOLE = {BlockKind.ITEM, BlockKind.PARAGRAPH, BlockKind.TABLE}


@dataclass(frozen=True, slots=True)
class Unit:
    """Blocks that are one thing (a list item, a numbered list, a paragraph, a table)."""

    note: Note
    blocks: tuple[Block, ...]
    context: Context
    is_pointer: bool = False

    @property
    def rows(self) -> tuple[str, ...]:
        """The lines as they stand."""
        return tuple(row for part in self.blocks for row in self.note.body(part))

    @property
    def words(self) -> tuple[str, ...]:
        """The lines without the leading bullet and surrounding white space."""
        rows = [
            row
            for part in self.blocks
            for row in (
                _opening(self.note, part),
                *(row.strip() for row in self.note.rows[part.start + 1 : part.end]),
            )
        ]
        return tuple(row for row in rows if row)

    def stands_for(self, other: Unit) -> bool:
        """Whether this place may speak for another one that says the same."""
        if self.note.path != INDEX == other.note.path:
            return False  # a conversation loads no other file by itself
        rows = tuple(" ".join(each.words) for each in (self, other))
        return not all(map(points_back, rows)) and self.context.stands_for(other.context, rows)

    def instead_of(self, row: str) -> str:
        """Return the line that stays for another, nothing where that has the same words."""
        mine = self.words
        return mine[0] if len(mine) == 1 and _MARKER.sub("", row).strip() != mine[0] else ""


def _opening(note: Note, part: Block) -> str:
    """Return the first line of a block without its bullet."""
    row = note.rows[part.start]
    return (_MARKER.sub("", row) if part.kind is BlockKind.ITEM else row).strip()


def duplicates(memory: Memory, refusals: Refusals) -> tuple[Edit, ...]:
    """Return the edits that leave each duplicate in one place only.

    That is the earliest which stands for the other, as `Unit.stands_for` says; an exact copy of a
    pointer line in the index always goes. What only introduced duplicates goes with them: a label,
    a heading. No note loses all it says.
    """
    copies: dict[tuple[bool, tuple[str, ...]], list[Unit]] = {}
    often = _often(memory.notes.values())
    for path in memory.order():
        note = memory.notes[path]
        if any(_opening(note, part) in often for part in note.parts if part.kind in _WHOLE):
            for unit in units(note, often):
                copies.setdefault((unit.is_pointer, unit.words), []).append(unit)
    gone: dict[PurePosixPath, list[tuple[Unit, Unit]]] = {}
    for same in copies.values():
        for going, kept in _leaving(same, refusals):
            gone.setdefault(going.note.path, []).append((going, kept))
    edits: list[Edit] = []
    for path in memory.order():
        pairs = sorted(gone.get(path, ()), key=lambda pair: pair[0].blocks[0].start)
        if pairs:
            blocks = {part: kept for going, kept in pairs for part in going.blocks}
            edits += leaving(memory.notes[path], [pair[0] for pair in pairs], blocks, refusals)
    return tuple(edits)


def _leaving(same: Sequence[Unit], refusals: Refusals) -> Iterator[tuple[Unit, Unit]]:
    """Yield (going, staying) of the places that say the same, given in the order of reading."""
    by_place: dict[tuple[object, ...], Unit] = {}
    staying: list[Unit] = []
    needed: set[int] = set()  # those of them that another went for
    is_alone = bool(same) and not names_subject(" ".join(same[0].words))
    for unit in same:
        place = unit.context.place
        near = [] if is_alone and not unit.is_pointer else staying[-_MOST:]
        kept = by_place.get(place) or next((each for each in near if _is_one(each, unit)), None)
        if kept and _is_one(kept, unit) and not refusals.of_removing(unit.note.path, unit.rows):
            needed.add(id(kept))
            yield unit, kept
            continue
        for one in [each for each in near if id(each) not in needed and _is_one(unit, each)]:
            if not refusals.of_removing(one.note.path, one.rows):
                staying.remove(one)
                needed.add(id(unit))
                yield one, unit
        staying.append(unit)
        by_place[place] = unit


def _often(notes: Iterable[Note]) -> frozenset[str]:
    """Return how more than one block begins, so that the others need not be looked at."""
    seen = Counter(
        _opening(note, part) for note in notes for part in note.parts if part.kind in _WHOLE
    )
    return frozenset(row for row, number in seen.items() if number > 1)


def _is_one(kept: Unit, unit: Unit) -> bool:
    return unit.is_pointer or kept.stands_for(unit)


def leaving(
    note: Note,
    going: Sequence[Unit],
    gone: Mapping[Block, Unit],
    refusals: Refusals,
    named: tuple[str, str] = (RULE, STEP),
) -> Iterator[Edit]:
    """Yield one edit per unit that goes, or per heading or label that goes with all below it.

    `gone` gives for each block the unit that stays, `named` the rule and what it says it did.
    Where that unit has other words, the reason quotes them.
    """
    hollow = hollowed(note, frozenset(gone), refusals)
    if hollow.is_all:
        return
    done: set[Block] = set()
    singles = [unit.blocks for unit in going if set(unit.blocks) <= hollow.going]
    for group in (*hollow.groups, *singles):
        if group[0] in done:
            continue
        done.update(group)
        count = sum(unit.blocks[0] in group for unit in going)
        removals = []
        for part in group:
            kept = (
                gone[part].note if part in gone else next(gone[p].note for p in group if p in gone)
            )
            for line in range(part.start, part.end):
                stands = part in gone or note.rows[line] in kept.rows
                says = gone[part].instead_of(note.rows[line]) if part in gone else ""
                removals.append(Removal(note.path, line, kept.path if stands else None, says))
        yield Edit(*named, tuple(removals), count=count)


def units(note: Note, often: frozenset[str] | None = None) -> Iterator[Unit]:
    """Walk what may be a duplicate; items of one numbered list are one unit, for order matters.

    With `often` only what begins so.
    """
    pointing = firsts(note) if note.path == INDEX else {}
    run: list[tuple[Block, Context]] = []
    for part, context in contexts(note):
        if part.kind is BlockKind.ITEM and is_ordered(note.rows[part.start]):
            run.append((part, context))
        elif part.kind is not BlockKind.BLANK:
            yield from _numbered(note, run)
            run.clear()
            if part.kind in _WHOLE and (often is None or _opening(note, part) in often):
                yield from _worth_it(Unit(note, (part,), context, part.start in pointing))
    yield from _numbered(note, run)


def _numbered(note: Note, run: Sequence[tuple[Block, Context]]) -> Iterator[Unit]:
    if run:
        yield from _worth_it(Unit(note, tuple(part for part, _ in run), run[-1][1]))


def _worth_it(unit: Unit) -> Iterator[Unit]:
    if any(unit.note.holds_fence(part) for part in unit.blocks):
        return
    words = unit.words
    if not unit.is_pointer:
        is_short = len(_WORD.findall(" ".join(words))) < _FEWEST_WORDS
        is_label = not words or words[-1].endswith(":") or _LABEL.match(words[0]) is not None
        if is_short or is_label or is_lead(unit.note, unit.blocks[0]):
            return
    yield unit
