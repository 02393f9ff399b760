"""Merge duplicates and near-duplicates into one line; the earliest place stays.

A near-duplicate has the same content words and values in the same order, and the same small
words that change a meaning. Two lines are compared only below the same heading and label, or
where both are whole sentences below headings that add nothing to them.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from dreamd.domain.tree import INDEX
from dreamd.engine.rules.edit import Edit, Refusals, Removal
from dreamd.engine.rules.listing import firsts
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.outline import hollowed, is_lead
from dreamd.engine.rules.worth import is_ordered
from dreamd.text import lexicon
from dreamd.text.clause import Mood, clauses
from dreamd.text.late import late
from dreamd.text.markdown.inline import plain
from dreamd.text.markdown.markdown import Block, BlockKind
from dreamd.text.statement import leans
from dreamd.text.stems import beginnings, content
from dreamd.text.tokens import tokens

RULE = "duplicate"
STEP = "merged {duplicate}"
NEAR = ("near-duplicate", "merged {near-duplicate}")
_FEWEST_WORDS = 4
_LONGEST = 400  # characters of a line that is compared by its words
_MARKER = late(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_LABEL = late(r"(?:\[[ xX]\]\s+)?(\*\*|__)[^*_]+(?::\1|\1\s*:)")
_DAY = late(r"\d{4}-\d\d-\d\d")
_WHOLE = {BlockKind.ITEM, BlockKind.PARAGRAPH, BlockKind.TABLE}
_ARTICLES = frozenset({"a", "an", "the"})
_KINDS = lexicon.of("heading")


@dataclass(frozen=True)
class Unit:
    """Blocks that are one thing: a list item, a numbered list, a paragraph, a table.

    `place` are the headings and the label above it.
    """

    note: Note
    blocks: tuple[Block, ...]
    place: tuple[str, ...]
    is_pointer: bool = False

    @cached_property
    def words(self) -> tuple[str, ...]:
        """The lines without the leading bullet and surrounding white space."""
        rows = [
            (_MARKER.sub("", row) if line == part.start else row).strip()
            for part in self.blocks
            for line, row in enumerate(self.note.body(part), part.start)
        ]
        return tuple(row for row in rows if row)

    @cached_property
    def meaning(self) -> tuple[str, ...] | None:
        """All words and marks of one short line in order, but for articles and the full stop."""
        text = " ".join(self.words)
        if len(self.words) != 1 or len(text) > _LONGEST or self.is_pointer:
            return None
        found = tokens(plain(text).rstrip(" .!;"))
        said = tuple(each.low for each in found if each.low not in _ARTICLES)
        return said if len(said) >= _FEWEST_WORDS else None

    @cached_property
    def is_alone(self) -> bool:
        """Whether the sentence means the same in any place."""
        text = " ".join(self.words)
        first = clauses(text[:_LONGEST])
        if len(self.words) != 1 or not first or not first[0].verb or leans(text[:_LONGEST]):
            return False
        has_subject = bool(content(first[0].subject)) and not first[0].subject.startswith("the ")
        return len(content(text)) >= _FEWEST_WORDS and (
            first[0].mood is Mood.ORDERED or has_subject
        )

    def stands_for(self, other: Unit) -> bool:
        """Whether this place may replace another one that says the same."""
        if self.note.path != INDEX == other.note.path:
            return False  # a conversation loads no other file by itself
        if self.is_pointer or self.place == other.place:
            return True
        own = content(" ".join(self.words)) | _kinds()
        around = content(" ".join((*self.place, *other.place)))
        return self.is_alone and around <= own and not _DAY.search(" ".join(other.place))


def _kinds() -> frozenset[str]:
    return content(" ".join(sorted(_KINDS)))


class Units:
    """The units of notes, each note read once for as long as it stays the same."""

    def __init__(self) -> None:
        self._found: dict[PurePosixPath, tuple[Note, tuple[Unit, ...]]] = {}

    def of(self, memory: Memory) -> Iterator[Unit]:
        """Walk what may be a duplicate, in the order of reading; daily notes are left out."""
        for path in memory.order():
            if _DAY.match(path.stem):
                continue
            note = memory.notes[path]
            if path not in self._found or self._found[path][0] is not note:
                self._found[path] = (note, tuple(_units(note)))
            yield from self._found[path][1]


def duplicates(memory: Memory, refusals: Refusals, seen: Units) -> tuple[Edit, ...]:
    """Return the edits that leave each exact duplicate in one place only.

    An exact copy of a pointer line in the index always goes. What only introduced duplicates
    goes with them: a label, a heading. No note loses all it says; daily notes stay as they are.
    """
    groups: dict[object, list[Unit]] = {}
    for unit in seen.of(memory):
        groups.setdefault((unit.is_pointer, unit.words), []).append(unit)
    return _merged(memory, groups.values(), refusals, (RULE, STEP))


def near_duplicates(memory: Memory, refusals: Refusals, seen: Units) -> tuple[Edit, ...]:
    """Return the edits that leave one of several lines with the same words in another dress."""
    alike: dict[object, list[Unit]] = {}
    for unit in seen.of(memory):
        if len(unit.words) == 1:
            alike.setdefault(beginnings(unit.words[0]), []).append(unit)
    groups: dict[object, list[Unit]] = {}
    for same in alike.values():
        for unit in same if len(same) > 1 else ():
            if (meaning := unit.meaning) is not None:
                groups.setdefault(meaning, []).append(unit)
    return _merged(memory, groups.values(), refusals, NEAR)


def _merged(
    memory: Memory,
    groups: Iterable[list[Unit]],
    refusals: Refusals,
    named: tuple[str, str],
) -> tuple[Edit, ...]:
    gone: dict[PurePosixPath, list[tuple[Unit, Unit]]] = {}
    for same in groups:
        for going, kept in _leaving(same, refusals):
            gone.setdefault(going.note.path, []).append((going, kept))
    edits: list[Edit] = []
    for path in memory.order():
        pairs = sorted(gone.get(path, ()), key=lambda pair: pair[0].blocks[0].start)
        if pairs:
            edits += _edits(memory.notes[path], pairs, refusals, named)
    return tuple(edits)


def _leaving(same: Sequence[Unit], refusals: Refusals) -> Iterator[tuple[Unit, Unit]]:
    """Yield (going, staying) of the places that say the same, given in the order of reading."""
    by_place: dict[object, Unit] = {}
    alone: Unit | None = None  # the first whose words mean the same anywhere
    for unit in same:
        kept = by_place.get(unit.is_pointer or unit.place)
        if kept is None and alone is not None and alone.stands_for(unit):
            kept = alone
        if kept is not None and kept.stands_for(unit):
            if not refusals.of_removing(unit.note.path, unit.note.body(unit.blocks[0])):
                yield unit, kept
            continue
        by_place.setdefault(unit.is_pointer or unit.place, unit)
        if alone is None and len(same) > 1 and unit.is_alone:
            alone = unit


def _edits(
    note: Note,
    pairs: Sequence[tuple[Unit, Unit]],
    refusals: Refusals,
    named: tuple[str, str],
) -> Iterator[Edit]:
    """Yield one edit per unit that goes, or per heading or label that goes with all below it."""
    gone: Mapping[Block, Unit] = {part: kept for going, kept in pairs for part in going.blocks}
    hollow = hollowed(note, frozenset(gone), refusals)
    if hollow.is_all:
        return
    done: set[Block] = set()
    singles = [going.blocks for going, _ in pairs if set(going.blocks) <= hollow.going]
    for group in (*hollow.groups, *singles):
        if group[0] in done:
            continue
        done.update(group)
        removals = []
        for part in group:
            kept = gone[part] if part in gone else next(gone[p] for p in group if p in gone)
            says = kept.words[0] if part in gone and named is NEAR else ""
            for line in range(part.start, part.end):
                stands = part in gone or note.rows[line] in kept.note.rows
                to = kept.note.path if stands else None
                removals.append(Removal(note.path, line, to, says))
        count = sum(going.blocks[0] in group for going, _ in pairs)
        yield Edit(*named, tuple(removals), count=count)


def _units(note: Note) -> Iterator[Unit]:
    """Walk the units of a note; items of one numbered list are one unit, for order matters."""
    pointing = firsts(note) if note.path == INDEX else {}
    run: list[Block] = []
    label = ""
    for part in note.parts:
        place = (*(title.casefold() for title in part.headings), label)
        if part.kind is BlockKind.ITEM and is_ordered(note.rows[part.start]):
            run.append(part)
            continue
        if part.kind is BlockKind.BLANK:
            continue
        yield from _numbered(note, run, place)
        run = []
        if part.kind is BlockKind.HEADING:
            label = ""
        elif is_lead(note, part):
            label = note.rows[part.end - 1].strip().casefold()
        elif part.kind in _WHOLE:
            yield from _worth_it(Unit(note, (part,), place, part.start in pointing))
        if part.kind is BlockKind.PARAGRAPH and not is_lead(note, part):
            label = ""
    yield from _numbered(note, run, (label,))


def _numbered(note: Note, run: Sequence[Block], place: tuple[str, ...]) -> Iterator[Unit]:
    if run:
        above = (*(title.casefold() for title in run[0].headings), place[-1])
        yield from _worth_it(Unit(note, tuple(run), above))


def _worth_it(unit: Unit) -> Iterator[Unit]:
    if any(unit.note.holds_fence(part) for part in unit.blocks):
        return
    said = unit.words
    if not unit.is_pointer:
        is_label = not said or said[-1].endswith(":") or _LABEL.fullmatch(said[0]) is not None
        if is_label or len(" ".join(said).split()) < _FEWEST_WORDS:
            return
    yield unit
