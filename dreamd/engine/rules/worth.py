"""Rank what can leave an index: the passage that is worth least goes first."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from enum import IntEnum
from itertools import groupby
from math import log
from typing import NamedTuple

from dreamd.engine.rules import days
from dreamd.engine.rules.days import Day
from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.listing import firsts
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.outline import Node, outline
from dreamd.engine.rules.telling import Telling
from dreamd.engine.rules.vocabulary import (
    CURRENT,
    CURRENT_OF_A_DAY,
    LASTING,
    OVER,
    STANDING,
    words,
)
from dreamd.text.late import late
from dreamd.text.markdown.inline import plain
from dreamd.text.markdown.markdown import Block, BlockKind

_SPOKEN = 500  # characters; of a longer one only the beginning counts
_LONG_INTRODUCTION = 30  # items; more below the title are the notes themselves
_SMALL = 25  # lines; an undated section up to here stays together
_MANY = 12  # items below one label; more may be parted, and the label is repeated
_DATED = 0.6  # share of the blocks of a section from which it is a log
_STEP = 1.1  # logs that say about as much, within a tenth, go by their age
_LEAST = 1e-9
_UPDATED = late(r"\b(?:updated?|as of|since|reviewed|valid)\b[\s:]*$", re.IGNORECASE)
_STANDING = late(
    r"(?:always|never|do not|don['’]t|must|prefers?|avoid)\b"  # noqa: RUF001
    r"|.*\bI (?:(?:always|strongly|really|generally|usually) )?prefer\b"
    r"|.*\b(?:user|they|we|you) (?:always |strongly )?(?:prefers?|wants?|insists?|must|should)\b"
    r"|.*\bmust (?:not|always|never)\b",
    re.IGNORECASE,
)
_ORDERED = late(r"[ \t]*\d{1,9}[.)](?:[ \t]|$)")
_MARKER = late(r"[ \t]*(?:[-*+]|\d{1,9}[.)])?[ \t]*(?:\*\*[^*]+\*\*:?[ \t]*)?")


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
    is_newest: bool = False  # of the last day that the index speaks of
    step: int = 0  # of a log: how much it says that the rest does not; else 0
    day: Day = Day(9999, 0)
    worth: float = 0.0
    line: int = 0


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
    said = row[match.end() :] if (match := _MARKER.match(row)) else row
    return _STANDING.match(plain(said[:_SPOKEN])) is not None


def heading_day(node: Node) -> Day | None:
    """Return the day a section is a log of; "(updated 2026-03-30)" is a current state instead."""
    found = days.find(node.title)
    if not found or _UPDATED.search(node.title[: found[0].start]):
        return None
    return found[0].day


def dated(node: Node) -> Node | None:
    """Return the nearest dated section, this or one around it."""
    return next((at for at in node.upwards() if heading_day(at)), None)


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
        around = dated(node)
        if around:
            return heading_day(around)
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
        """Return what may go, the least useful first; a label goes with the last below it.

        A dated section is one with all below it; of a larger undated one each part is. Standing
        instructions stay where the log they stand in goes, and go by themselves, later.
        """
        found = []
        for node, whole in self._sections(self.root):
            labels = {label for at in node.walk() for label in at.labels.values()}
            free = [
                part
                for part in whole
                if part not in labels
                and not refusals.of_removing(self.index.path, self.index.body(part))
            ]
            rank = self._of_section(node, whole)
            if rank.tier < Tier.CURRENT:
                alone = [part for part in free if self.is_line(part) and self.is_standing(part)]
                free = [part for part in free if part not in set(alone)]
                ranks = [self._of_part(node, (part,)) for part in alone]
                found += [Passage(r, r, (p,)) for r, p in zip(ranks, alone, strict=True)]
            rank = self._rank(rank.tier, rank.day, free) if free else rank
            for at in node.walk():
                for group in self._clusters(at, set(free)):
                    found.append(Passage(rank, self._of_part(at, group), group))
        return sorted(found)

    def _sections(self, node: Node) -> Iterator[tuple[Node, Sequence[Block]]]:
        is_small = sum(part.end - part.start for part in node.whole) <= _SMALL
        is_mixed = any(heading_day(inner) for inner in node.walk())  # a log within something else
        is_one = not node.children or heading_day(node) is not None or (is_small and not is_mixed)
        if is_one and not node.is_top:
            yield node, node.whole
            return
        if node.own:
            yield node, node.own
        for child in node.children:
            yield from self._sections(child)

    def _clusters(self, node: Node, free: set[Block]) -> Iterator[tuple[Block, ...]]:
        """Cut what stands right below a heading into what makes sense alone.

        What one label introduces goes together, unless that is long; a numbered list does too.
        """

        def key(part: Block) -> int:
            if part in node.labels:
                return node.labels[part].start
            return -1 if self._is_numbered(part) else part.start

        for _, run in groupby((part for part in node.content() if part in free), key):
            group = tuple(run)
            if len(group) > _MANY and not any(map(self._is_numbered, group)):
                yield from ((part,) for part in group)
            else:
                yield group

    def _is_numbered(self, part: Block) -> bool:
        return part.kind is BlockKind.ITEM and is_ordered(self.index.rows[part.start])

    def _of_section(self, node: Node, blocks: Sequence[Block]) -> Rank:
        said = words(node.title)
        content = [part for part in blocks if part.kind is not BlockKind.RULE]
        half = len(content) / 2
        day = self._day(node, content)
        if sum(part.start in self.pointing for part in content) > half:
            tier = Tier.POINTERS
        elif heading_day(node):
            is_current = said & CURRENT_OF_A_DAY and day == self.newest
            tier = Tier.CURRENT if is_current else Tier.LOGS
            tier = Tier.LASTING if said & STANDING else tier
        elif node.is_top and len(content) < _LONG_INTRODUCTION:
            tier = Tier.CURRENT
        elif said & LASTING or sum(map(self.is_standing, content)) > half:
            tier = Tier.LASTING
        elif said & OVER:
            tier = Tier.OVER
        elif day:
            tier = Tier.LOGS
        else:
            tier = Tier.CURRENT if said & CURRENT else Tier.NOTES
        return self._rank(tier, day, blocks)

    def _day(self, node: Node, content: Sequence[Block]) -> Day | None:
        """Return the day of a section, or the newest of its items if most name one."""
        found = [day for part in content if (day := self.day_of(node, part))]
        return max(found) if found and len(found) >= _DATED * len(content) else None

    def _of_part(self, node: Node, blocks: Sequence[Block]) -> Rank:
        day = self.day_of(node, blocks[0])
        tier = Tier.NOTES if day is None else Tier.LOGS
        if blocks[0].start in self.pointing:
            tier = Tier.POINTERS
        elif self.is_standing(blocks[0]):
            tier = Tier.LASTING
        return self._rank(tier, day, blocks)

    def _rank(self, tier: Tier, day: Day | None, blocks: Iterable[Block]) -> Rank:
        blocks = tuple(blocks)
        is_log = tier is Tier.LOGS
        worth = self.worth.passage(row for part in blocks for row in self.index.body(part))
        step = round(log(max(worth, _LEAST), _STEP)) if is_log else 0
        is_newest = is_log and day == self.newest
        return Rank(tier, is_newest, step, day or Day(9999, 0), worth, blocks[0].start)
