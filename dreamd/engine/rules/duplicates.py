"""Merge duplicates and near-duplicates: the same words, values and marks in the same order.

The earliest place stays. Two lines are compared only below the same heading and label, or where
both are whole sentences below headings that add nothing to them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
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

EXACT = ("duplicate", "merged {duplicate}")
NEAR = ("near-duplicate", "merged {near-duplicate}")
_FEWEST_WORDS = 4
_LONGEST = 400  # characters of a line that is compared by its words
_MARKER = late(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_LABEL = late(r"(?:\[[ xX]\]\s+)?(\*\*|__)[^*_]+(?::\1|\1\s*:)")
_DAY = late(r"\d{4}-\d\d-\d\d")
_WHOLE = {BlockKind.ITEM, BlockKind.PARAGRAPH, BlockKind.TABLE}
_ARTICLES = frozenset({"a", "an", "the"})


@dataclass(frozen=True, eq=False)
class Unit:
    """A list item, a numbered list, a paragraph or a table, below the headings of its `place`."""

    note: Note
    blocks: tuple[Block, ...]
    place: tuple[str, ...]
    is_pointer: bool

    @cached_property
    def rows(self) -> tuple[str, ...]:
        """The lines without the leading bullet and surrounding white space."""
        rows = (
            (_MARKER.sub("", row) if line == part.start else row).strip()
            for part in self.blocks
            for line, row in enumerate(self.note.body(part), part.start)
        )
        return tuple(row for row in rows if row)

    @cached_property
    def text(self) -> str:
        """The lines as one."""
        return " ".join(self.rows)

    @cached_property
    def meaning(self) -> tuple[str, ...]:
        """All words and marks of one short line, but for articles and the full stop; else rows."""
        found = tokens(plain(self.text).rstrip(" .!;")) if self.is_short else ()
        said = tuple(each.low for each in found if each.low not in _ARTICLES)
        return said if len(said) >= _FEWEST_WORDS else ("", *self.rows)

    @property
    def is_short(self) -> bool:
        """Whether it is one line that can be compared by its words."""
        return len(self.rows) == 1 and len(self.text) <= _LONGEST and not self.is_pointer

    def can_merge(self) -> bool:
        """Whether it says enough to be a duplicate; code, a label and a short line do not."""
        if self.is_pointer or not self.rows:
            return self.is_pointer
        is_label = self.rows[-1].endswith(":") or _LABEL.fullmatch(self.rows[0]) is not None
        is_code = any(self.note.holds_fence(part) for part in self.blocks)
        return not (is_label or is_code) and len(self.text.split()) >= _FEWEST_WORDS

    @cached_property
    def is_alone(self) -> bool:
        """Whether it is a sentence that means the same in any place."""
        text = self.text[:_LONGEST]
        first = next(iter(clauses(text)), None)
        if len(self.rows) != 1 or first is None or not first.verb or leans(text):
            return False
        has_subject = bool(content(first.subject)) and not first.subject.startswith("the ")
        is_whole = has_subject or first.mood is Mood.ORDERED
        return is_whole and len(content(self.text)) >= _FEWEST_WORDS

    def stands_for(self, other: Unit) -> bool:
        """Whether this place may replace another one that says the same."""
        if self.note.path != INDEX == other.note.path:
            return False  # a conversation loads no other file by itself
        if self.is_pointer or self.place == other.place:
            return True
        around = content(" ".join((*self.place, *other.place)))
        says = content(f"{self.text} {' '.join(sorted(lexicon.of('heading')))}")
        return self.is_alone and around <= says and not _DAY.search(" ".join(other.place))


def duplicates(memory: Memory, refusals: Refusals) -> tuple[Edit, ...]:
    """Return the edits that leave each duplicate and near-duplicate in one place only.

    An exact copy of a pointer line in the index always goes. What only introduced duplicates
    goes with them: a label, a heading. No note loses all it says; daily notes stay as they are.
    """
    alike: dict[object, list[Unit]] = defaultdict(list)
    for path in memory.order():
        for unit in () if _DAY.match(path.stem) else _units(memory.notes[path]):
            alike[beginnings(unit.text) if unit.is_short else unit.rows].append(unit)
    groups: dict[object, list[Unit]] = defaultdict(list)
    for same in alike.values():
        for unit in same if len(same) > 1 else ():
            groups[unit.is_pointer, unit.meaning].append(unit)
    gone: dict[PurePosixPath, dict[Unit, Unit]] = defaultdict(dict)
    for same in groups.values():
        for going, kept in _leaving(same, refusals):
            gone[going.note.path][going] = kept
    paths = (path for path in memory.order() if path in gone)
    return tuple(edit for at in paths for edit in _edits(memory.notes[at], gone[at], refusals))


def _leaving(same: Sequence[Unit], refusals: Refusals) -> Iterator[tuple[Unit, Unit]]:
    """Yield (going, staying) of the places that say the same, given in the order of reading."""
    by_place: dict[object, Unit] = {}
    alone: Unit | None = None  # the first whose words mean the same anywhere
    for unit in same if len(same) > 1 else ():
        place = unit.is_pointer or unit.place
        kept = by_place.get(place) or alone
        if kept is None or not kept.stands_for(unit):
            by_place.setdefault(place, unit)
            alone = alone or (unit if unit.is_alone else None)
        elif not refusals.of_removing(unit.note.path, unit.note.body(unit.blocks[0])):
            yield unit, kept


def _edits(note: Note, pairs: dict[Unit, Unit], refusals: Refusals) -> Iterator[Edit]:
    """Yield one edit per unit that goes, or per heading or label that goes with all below it."""
    gone = {part: (unit, kept) for unit, kept in pairs.items() for part in unit.blocks}
    hollow = hollowed(note, frozenset(gone), refusals)
    if hollow.is_all:
        return
    done: set[Block] = set()
    ordered = sorted(pairs, key=lambda unit: unit.blocks[0].start)
    singles = (unit.blocks for unit in ordered if set(unit.blocks) <= hollow.going)
    for group in (*hollow.groups, *singles):
        if group[0] in done:
            continue
        done.update(group)
        copies = [gone[part] for part in group if part in gone]
        is_near = any(unit.rows != kept.rows for unit, kept in copies)
        removals = []
        for part in group:
            unit, kept = gone.get(part, copies[0])
            says = kept.rows[0] if part in gone and unit.rows != kept.rows else ""
            for line in range(part.start, part.end):
                stands = part in gone or note.rows[line] in kept.note.rows
                removals.append(Removal(note.path, line, kept.note.path if stands else None, says))
        count = len({unit for unit, _ in copies})
        yield Edit(*(NEAR if is_near else EXACT), tuple(removals), count=count)


@lru_cache(maxsize=1 << 12)  # each round of a dream asks for the same notes
def _units(note: Note) -> tuple[Unit, ...]:
    """Return what may be a duplicate; items of one numbered list are one, for order matters."""
    links = firsts(note) if note.path == INDEX else ()
    pointing = {line for line in links if not is_ordered(note.rows[line])}
    runs: list[tuple[list[Block], tuple[str, ...]]] = []
    label, was_step = "", False
    for part in note.parts:
        if part.kind is BlockKind.BLANK:
            continue
        is_step = part.kind is BlockKind.ITEM and is_ordered(note.rows[part.start])
        if is_step and was_step:
            runs[-1][0].append(part)
        elif part.kind is BlockKind.HEADING:
            label = ""
        elif is_lead(note, part):
            label = note.rows[part.end - 1].strip().casefold()
        elif part.kind in _WHOLE:
            runs.append(([part], (*(title.casefold() for title in part.headings), label)))
            label = "" if part.kind is BlockKind.PARAGRAPH else label
        was_step = is_step
    units = (
        Unit(note, tuple(blocks), above, blocks[0].start in pointing) for blocks, above in runs
    )
    return tuple(unit for unit in units if unit.can_merge())
