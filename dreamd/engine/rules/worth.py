"""Rank what can leave an index: the passage that is worth least goes first."""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator, Sequence
from enum import IntEnum
from itertools import groupby
from math import log
from typing import NamedTuple

from dreamd.domain.tree import INDEX
from dreamd.engine.rules import days
from dreamd.engine.rules import topics as said
from dreamd.engine.rules.days import Day
from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.listing import firsts
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.outline import Node, outline
from dreamd.engine.rules.telling import Telling
from dreamd.text.late import late
from dreamd.text.markdown.inline import plain
from dreamd.text.markdown.markdown import Block, BlockKind

_SPOKEN = 500  # characters; of a longer one only the beginning counts
_LONG_INTRODUCTION = 30  # items; more below the title are the notes themselves
_MANY = 12  # items below one label; more may be parted, and the label is repeated
_DATED = 0.6  # share of the blocks of a section from which it is a log
_STEP = 1.1  # logs that say about as much, within a tenth, go by their age
_STANDING = late(
    r"(?:always|never|do not|don['’]t|must|prefers?|avoid)\b"  # noqa: RUF001
    r"|.*\bI (?:(?:always|strongly|really|generally|usually) )?prefer\b"
    r"|.*\b(?:user|they|we|you) (?:always |strongly )?(?:prefers?|wants?|insists?|must|should)\b"
    r"|.*\bmust (?:not|always|never)\b",
    re.IGNORECASE,
)
_ORDERED = late(r"[ \t]*\d{1,9}[.)](?:[ \t]|$)")
_MARKER = late(r"[ \t]*(?:[-*+]|\d{1,9}[.)])?[ \t]*(?:\*\*[^*]+\*\*:?[ \t]*)?")
_LEAST = 1e-9
_NEVER = Day("9999")


class Tier(IntEnum):
    """Kinds of passages, by how soon they leave an index that is over its limits."""

    OVER = 0  # history, what is done
    LOGS = 1  # what happened on a day: what says least first, the last day last
    NOTES = 2
    CURRENT = 3  # the state of things, next steps, decisions; the introduction
    LASTING = 4  # standing instructions, preferences, people
    POINTERS = 5


class Rank(NamedTuple):
    """What goes first, least first, when the index has no room for all."""

    tier: Tier
    is_newest: bool  # of the last day that the index speaks of
    worth: float  # how much it says that the rest does not; of a log in steps
    day: Day
    line: int


class Passage(NamedTuple):
    """Blocks that leave together; `section` is the rank of the section that they leave with."""

    section: Rank
    rank: Rank
    blocks: tuple[Block, ...]


def is_ordered(row: str) -> bool:
    """Whether a line is an item of a numbered list, where the order means something."""
    return _ORDERED.match(row) is not None


def is_standing(row: str) -> bool:
    """Whether a line is a standing instruction or a preference: it holds until it is taken back."""
    words = row[match.end() :] if (match := _MARKER.match(row)) else row
    return _STANDING.match(plain(words[:_SPOKEN])) is not None


class Scale:
    """Ranks the passages of an index against each other."""

    def __init__(self, memory: Memory, index: Note) -> None:
        self.index = index
        self.root = outline(index)
        self.worth = Telling(row for note in memory.notes.values() for row in note.rows)
        self.pointing = firsts(index)
        named = [found.day for part in index.parts for found in days.find(part.title)]
        self.newest = max(named, default=None)

    def day_of(self, node: Node, part: Block) -> Day | None:
        """Return the day of a block: of the section around, or that a list item names first."""
        if node.log:
            return node.log.day
        is_item = part.kind is BlockKind.ITEM and part.start not in self.pointing
        return days.first(self.index.rows[part.start]) if is_item else None

    def is_line(self, part: Block) -> bool:
        """Whether a block is an item of one line in a list without order."""
        is_one = part.kind is BlockKind.ITEM and part.end == part.start + 1
        return is_one and not is_ordered(self.index.rows[part.start])

    def is_standing(self, part: Block) -> bool:
        """Whether a block begins with a standing instruction."""
        return is_standing(self.index.rows[part.start])

    def passages(self, refusals: Refusals) -> list[Passage]:
        """Return what may go, the least useful first; standing instructions go by themselves."""
        found = []
        for node, whole in self._sections(self.root):
            solid = (part for part in whole if part.kind is not BlockKind.RULE)
            free = [p for p in solid if not refusals.of_removing(INDEX, self.index.body(p))]
            alone = {part for part in free if self.is_line(part) and self.is_standing(part)}
            going = dict.fromkeys(part for part in free if part not in alone)
            section = self._of_section(node, whole, [*going] or whole)
            for at in node.walk():
                groups = self._clusters(at, going)
                found += [Passage(section, self._of_part(at, each), each) for each in groups]
            for part in alone:
                rank = self._of_part(node, (part,))
                found.append(Passage(rank, rank, (part,)))
        return sorted(found)

    def _sections(self, node: Node) -> Iterator[tuple[Node, Sequence[Block]]]:
        """Yield the sections with their content; a dated one with all below it."""
        if node.day and not node.is_top:
            yield node, node.whole
            return
        labelled = [child for child in node.children if child.is_label]
        if whole := [part for at in (node, *labelled) for part in at.content()]:
            yield node, whole
        for child in node.children:
            if not child.is_label:
                yield from self._sections(child)

    def _clusters(self, node: Node, going: Collection[Block]) -> Iterator[tuple[Block, ...]]:
        """Cut what stands right below a heading or label into what makes sense alone.

        What a label introduces goes together, unless that is long; a numbered list does too.
        """

        def is_numbered(part: Block) -> bool:
            return is_ordered(self.index.rows[part.start])

        def key(part: Block) -> int:
            return 0 if node.is_label else -is_numbered(part) or part.start

        for _, run in groupby((part for part in node.content() if part in going), key):
            group = tuple(run)
            is_long = len(group) > _MANY and not any(map(is_numbered, group))
            yield from ((part,) for part in group) if is_long else (group,)

    def _of_section(self, node: Node, whole: Sequence[Block], going: Sequence[Block]) -> Rank:
        words = said.words(node.heading.title)
        found = [day for part in whole if (day := self.day_of(node, part))]
        day = max(found) if found and len(found) >= _DATED * len(whole) else None
        half = len(whole) / 2
        if sum(part.start in self.pointing for part in whole) > half:
            tier = Tier.POINTERS
        elif words & (said.STANDING if node.day else said.LASTING):
            tier = Tier.LASTING
        elif node.day:
            is_current = words & said.CURRENT_OF_A_DAY and day == self.newest
            tier = Tier.CURRENT if is_current else Tier.LOGS
        elif node.is_top and len(whole) < _LONG_INTRODUCTION:
            tier = Tier.CURRENT
        elif sum(map(self.is_standing, whole)) > half:
            tier = Tier.LASTING
        elif words & said.OVER or day:
            tier = Tier.OVER if words & said.OVER else Tier.LOGS
        else:
            tier = Tier.CURRENT if words & said.CURRENT else Tier.NOTES
        return self._rank(tier, day, going)

    def _of_part(self, node: Node, blocks: Sequence[Block]) -> Rank:
        day = self.day_of(node, blocks[0])
        tier = Tier.LOGS if day else Tier.NOTES
        tier = Tier.LASTING if self.is_standing(blocks[0]) else tier
        tier = Tier.POINTERS if blocks[0].start in self.pointing else tier
        return self._rank(tier, day, blocks)

    def _rank(self, tier: Tier, day: Day | None, blocks: Sequence[Block]) -> Rank:
        worth = self.worth.passage(row for part in blocks for row in self.index.body(part))
        is_log = tier is Tier.LOGS
        worth = round(log(worth + _LEAST, _STEP)) if is_log else worth
        return Rank(tier, is_log and day == self.newest, worth, day or _NEVER, blocks[0].start)
