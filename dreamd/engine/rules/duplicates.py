"""Merge duplicates and near-duplicates: the same words, values and marks in the same order.

The earliest place stays. Two lines are compared only below the same heading and label, or where
both are whole sentences below headings that add nothing to them.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import cached_property, lru_cache
from itertools import groupby
from pathlib import PurePosixPath

from msgspec import Struct

from dreamd.domain.tree import INDEX
from dreamd.engine.rules.edit import Edit, Refusals, Removal
from dreamd.engine.rules.listing import firsts
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.outline import hollowed, outline
from dreamd.engine.rules.ranking import is_ordered
from dreamd.text import lexicon
from dreamd.text.clause import Mood, clauses
from dreamd.text.late import late
from dreamd.text.markdown.markdown import Block, BlockKind
from dreamd.text.statement import leans
from dreamd.text.stems import content

EXACT = ("duplicate", "merged {duplicate}")
NEAR = ("near-duplicate", "merged {near-duplicate}")
_FEWEST_WORDS = 4
_LONGEST = 400  # characters that are read for a sentence that needs no heading
_MARKER = late(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_DAY = late(r"\d{4}-\d\d-\d\d")
_WHOLE = {BlockKind.ITEM, BlockKind.PARAGRAPH, BlockKind.TABLE}
_EMPTY = {BlockKind.FRONTMATTER, BlockKind.HEADING, BlockKind.RULE, BlockKind.BLANK}
_ARTICLES = frozenset({"a", "an", "the"})


class Unit(Struct, frozen=True, eq=False, dict=True):
    """A list item, a numbered list, a paragraph or a table, below the headings of its `place`."""

    note: Note
    blocks: tuple[Block, ...]
    place: tuple[str, ...]
    is_pointer: bool

    @cached_property
    def rows(self) -> tuple[str, ...]:
        """The lines without bullets and surrounding white space."""
        rows = (row for part in self.blocks for row in self.note.body(part))
        return tuple(said for row in rows if (said := _MARKER.sub("", row).strip()))

    @cached_property
    def meaning(self) -> tuple[str, ...]:
        """All words and marks of a line but for articles and the full stop; of more, the rows."""
        said: tuple[str, ...] = ()
        if len(self.rows) == 1 and not self.is_pointer:
            low = self.rows[0].replace("**", "").replace("`", "").lower().rstrip(" .!;")
            said = tuple(word for word in low.split() if word not in _ARTICLES)
        return said if len(said) >= _FEWEST_WORDS else ("", *self.rows)

    def can_merge(self) -> bool:
        """Whether it says enough to be a duplicate; code, a label and a short line do not."""
        said = " ".join(self.rows)
        is_label = said.rstrip("*_").endswith(":") or len(said.split()) < _FEWEST_WORDS
        return self.is_pointer or not (is_label or any(map(self.note.holds_fence, self.blocks)))

    @cached_property
    def is_alone(self) -> bool:
        """Whether it is a sentence that means the same in any place."""
        text = self.rows[0][:_LONGEST]
        first = next(iter(clauses(text)), None)
        if len(self.rows) != 1 or first is None or not first.verb or leans(text):
            return False
        has_subject = bool(content(first.subject)) and not first.subject.startswith("the ")
        is_whole = has_subject or first.mood is Mood.ORDERED
        return is_whole and len(content(text)) >= _FEWEST_WORDS

    def stands_for(self, other: Unit) -> bool:
        """Whether this place may replace another one that says the same."""
        if self.note.path != INDEX == other.note.path:
            return False  # a conversation loads no other file by itself
        if self.is_pointer or self.place == other.place:
            return True
        around = content(" ".join((*self.place, *other.place)))
        says = content(self.rows[0]) | content(" ".join(sorted(lexicon.of("heading"))))
        return self.is_alone and around <= says and not _DAY.search(" ".join(other.place))


_Gone = dict[Block, tuple[Unit, Unit]]  # the unit that goes, and the one that stays


def duplicates(memory: Memory, refusals: Refusals) -> tuple[Edit, ...]:
    """Return the edits that leave each duplicate and near-duplicate in one place only.

    An exact copy of a pointer line in the index always goes. What only introduced duplicates
    goes with them: a label, a heading. No note loses all it says; daily notes stay as they are.
    """
    groups: dict[object, list[Unit]] = defaultdict(list)
    for path in memory.order:
        for unit in () if _DAY.match(path.stem) else _units(memory.notes[path]):
            groups[unit.is_pointer, unit.meaning].append(unit)
    gone: dict[PurePosixPath, _Gone] = defaultdict(dict)
    for same in groups.values():
        stays: dict[object, Unit] = {}  # by place; of None, what means the same in any place
        for unit in same if len(same) > 1 else ():
            place = unit.is_pointer or unit.place
            kept = stays.get(place) or stays.get(None)
            if kept is None or not kept.stands_for(unit):
                stays.setdefault(place, unit)
                stays.setdefault(None if unit.is_alone else place, unit)
            elif not refusals.of_removing(unit.note.path, unit.note.body(unit.blocks[0])):
                gone[unit.note.path].update(dict.fromkeys(unit.blocks, (unit, kept)))
    paths = (path for path in memory.order if path in gone)
    return tuple(edit for at in paths for edit in _edits(memory.notes[at], gone[at], refusals))


def _edits(note: Note, gone: _Gone, refusals: Refusals) -> Iterator[Edit]:
    """Yield one edit per block that goes, headings and labels with nothing left below included."""
    going = set(gone).union(*hollowed(note, gone.keys(), refusals))
    stays = {part.kind for part in note.parts if part not in going}
    for part in going if stays - _EMPTY else ():
        unit, kept = gone.get(part, (None, None))
        is_near = bool(unit and kept and unit.rows != kept.rows)
        to, says = (kept.note.path, kept.rows[0] * is_near) if kept else (None, "")
        removals = (Removal(note.path, line, to, says) for line in range(part.start, part.end))
        count = int(unit is not None and part is unit.blocks[0])
        yield Edit(*(NEAR if is_near else EXACT), tuple(removals), count=count)


@lru_cache(maxsize=1 << 12)  # each round of a dream asks for the same notes
def _units(note: Note) -> tuple[Unit, ...]:
    """Return what may be a duplicate; items of one numbered list are one, for order matters."""
    links = firsts(note) if note.path == INDEX else ()
    units = []
    for node in outline(note).walk():
        above = (up.heading for up in node.upwards() if up.parent)
        place = tuple((at.title or note.rows[at.end - 1]).strip().casefold() for at in above)
        for is_step, run in groupby(node.own, lambda part: is_ordered(note.rows[part.start])):
            solid = [part for part in run if part.kind in _WHOLE]
            whole = [tuple(solid)] if is_step and solid else [(part,) for part in solid]
            units += [Unit(note, blocks, place, blocks[0].start in links) for blocks in whole]
    units.sort(key=lambda unit: unit.blocks[0].start)
    return tuple(unit for unit in units if unit.can_merge())
