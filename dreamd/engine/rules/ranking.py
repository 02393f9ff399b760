"""Rank what can leave an index: what is over first, then logs, the oldest first."""

from __future__ import annotations

from collections.abc import Sequence
from enum import IntEnum
from itertools import groupby
from typing import NamedTuple

from dreamd.domain.tree import INDEX
from dreamd.engine.rules import days
from dreamd.engine.rules import topics as said
from dreamd.engine.rules.days import Day
from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.listing import firsts
from dreamd.engine.rules.orient import Note
from dreamd.engine.rules.outline import Node, outline
from dreamd.text import lexicon
from dreamd.text.late import late
from dreamd.text.markdown.inline import plain
from dreamd.text.markdown.markdown import Block, BlockKind

_SPOKEN = 500  # characters; of a longer one only the beginning counts
_STANDING = lexicon.pattern("standing")
_ORDERED = late(r"[ \t]*\d{1,9}[.)](?:[ \t]|$)")
_MARKER = late(r"[ \t]*(?:[-*+]|\d{1,9}[.)])?[ \t]*(?:\*\*[^*]+\*\*:?[ \t]*)?")


class Tier(IntEnum):
    """Kinds of passages, by how soon they leave an index that is over its limits."""

    OVER = 0  # history, what is done
    LOGS = 1  # what happened on a day
    NOTES = 2
    CURRENT = 3  # the state of things, next steps, decisions; the introduction
    LASTING = 4  # standing instructions, preferences, people
    POINTERS = 5


class Passage(NamedTuple):
    """Blocks that leave an index together, the lowest passage first."""

    tier: Tier
    day: str
    line: int
    blocks: tuple[Block, ...]


def is_ordered(row: str) -> bool:
    """Whether a line is an item of a numbered list, where the order means something."""
    return _ORDERED.match(row) is not None


def is_standing(row: str) -> bool:
    """Whether a line is a standing instruction or a preference: it holds until it is taken back."""
    words = row[match.end() :] if (match := _MARKER.match(row)) else row
    return _STANDING.search(plain(words[:_SPOKEN]).lower()) is not None


class Scale:
    """Ranks the passages of an index against each other."""

    def __init__(self, index: Note) -> None:
        self.index = index
        self.root = outline(index)
        self.pointing = firsts(index)

    def day_of(self, node: Node, part: Block) -> Day | None:
        """Return the day of a block: of the section around, or that a list item names first."""
        if node.log:
            return node.log.day
        is_item = part.kind is BlockKind.ITEM and part.start not in self.pointing
        return days.first(self.index.rows[part.start]) if is_item else None

    def passages(self, refusals: Refusals) -> list[Passage]:
        """Return what may go, the least useful first; a numbered list goes as a whole."""
        found = []
        rows = self.index.rows
        for node in self.root.walk():
            below = [node, *(child for child in node.children if child.is_label)]
            parts = [] if node.is_label else [part for each in below for part in each.content()]
            tier = self._tier(node, parts)
            solid = (part for part in parts if part.kind is not BlockKind.RULE)
            free = [p for p in solid if not refusals.of_removing(INDEX, self.index.body(p))]
            key = {p: -1 if is_ordered(rows[p.start]) else p.start for p in free}
            for group in (tuple(run) for _, run in groupby(free, key.__getitem__)):
                day, rank = self.day_of(node, group[0]), max(tier, self._tier_of_part(group[0]))
                found.append(Passage(rank, str(day or ""), group[0].start, group))
        return sorted(found)

    def _tier(self, node: Node, parts: Sequence[Block]) -> Tier:
        words = said.words(node.heading.title)
        if words & (said.STANDING if node.log else said.LASTING):
            return Tier.LASTING
        if node.log or node.is_top:
            return Tier.LOGS if node.log else Tier.CURRENT
        if words & said.OVER:
            return Tier.OVER
        if 2 * sum(self.day_of(node, part) is not None for part in parts) > len(parts):
            return Tier.LOGS
        return Tier.CURRENT if words & said.CURRENT else Tier.NOTES

    def _tier_of_part(self, part: Block) -> Tier:
        if part.start in self.pointing:
            return Tier.POINTERS
        return Tier.LASTING if is_standing(self.index.rows[part.start]) else Tier.OVER
