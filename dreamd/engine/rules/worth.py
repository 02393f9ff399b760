"""Rank what can leave an index: the passage that is worth least goes first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable, Sequence
from enum import IntEnum
from itertools import groupby, pairwise
from math import pow, sqrt  # noqa: A004 - of floats alone, and typed so
from typing import NamedTuple

from dreamd.domain.superseded import current
from dreamd.domain.tree import INDEX
from dreamd.engine.rules import days
from dreamd.engine.rules import topics as said
from dreamd.engine.rules.days import Day
from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.listing import firsts
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.outline import Node, outline
from dreamd.text.late import late
from dreamd.text.markdown.inline import plain
from dreamd.text.markdown.markdown import Block, BlockKind

_SPOKEN = 500  # characters; of a longer one only the beginning counts
_STANDING = late(
    r"(?:always|never|do not|don['’]t|must|prefers?|avoid)\b"
    r"|.*\bI (?:(?:always|strongly|really|generally|usually) )?prefer\b"
    r"|.*\b(?:user|they|we|you) (?:always |strongly )?(?:prefers?|wants?|insists?|must|should)\b"
    r"|.*\bmust (?:not|always|never)\b",
    re.IGNORECASE,
)
_ORDERED = late(r"[ \t]*\d{1,9}[.)](?:[ \t]|$)")
_MARKER = late(r"[ \t]*(?:[-*+]|\d{1,9}[.)])?[ \t]*(?:\*\*[^*]+\*\*:?[ \t]*)?")
_WORD = late(r"[\u3040-\u30ff\u3400-\u9fff]|\d+(?:[.,:]\d+)*|[^\W_]+")
_BY_SIZE = 0.92  # the power of its bytes that what lines say is divided by
_FIGURE = 4.0  # what a figure with the word behind it is worth beside a word


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
    is_newest: bool  # of the last day that the headings name
    worth: float  # how much it says that the rest does not
    day: str
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
        self.pointing = firsts(index)
        rows = (row for note in memory.notes.values() for row in note.rows)
        self._known = Counter(key for row in rows for key in _said(row))
        named = [found.day for part in index.parts for found in days.find(part.title)]
        self._newest = max(named, default=None)
        self.ranks: dict[Block, Rank] = {}

    def worth(self, rows: Iterable[str]) -> float:
        """Return how much lines say for their bytes of what still holds, rare words first.

        Each distinct word counts one over the root of the number of lines that have it, a figure
        together with the word behind it so many times as much.
        """
        text = " ".join(map(current, rows))
        said = sum(worth / sqrt(max(self._known[key], 1)) for key, worth in _said(text).items())
        return said / pow(max(len(text.encode()), 1), _BY_SIZE)

    def day_of(self, node: Node, part: Block) -> Day | None:
        """Return the day of a block: of the section around, or that a list item names first."""
        if node.log:
            return node.log.day
        is_item = part.kind is BlockKind.ITEM and part.start not in self.pointing
        return days.first(self.index.rows[part.start]) if is_item else None

    def passages(self, refusals: Refusals) -> list[Passage]:
        """Return what may go, the least useful first.

        Sections leave one after the other; logs, standing instructions and pointers line by line.
        """
        found = []
        for node in self.root.walk():
            if not node.is_label:
                below = [node, *(child for child in node.children if child.is_label)]
                parts = [part for each in below for part in each.content()]
                tier = self._tier(node, parts)
                solid = (part for part in parts if part.kind is not BlockKind.RULE)
                free = [p for p in solid if not refusals.of_removing(INDEX, self.index.body(p))]
                section = self._rank(tier, node, free or [node.heading])
                rows = self.index.rows  # a numbered list goes as a whole, all else by itself
                key = {p: -1 if is_ordered(rows[p.start]) else p.start for p in free}
                for group in (tuple(run) for _, run in groupby(free, key.__getitem__)):
                    rank = self._rank(max(tier, self._tier_of_part(group[0])), node, group)
                    is_alone = tier is Tier.LOGS or rank.tier is not tier
                    found.append(Passage(rank if is_alone else section, rank, group))
        self.ranks = {part: each.rank for each in found for part in each.blocks}
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

    def _rank(self, tier: Tier, node: Node, parts: Sequence[Block]) -> Rank:
        day = self.day_of(node, parts[0])
        worth = round(self.worth(row for part in parts for row in self.index.body(part)), 2)
        return Rank(tier, day == self._newest, worth, str(day or ""), parts[0].start)


def _said(row: str) -> dict[tuple[str, ...], float]:
    """Return each thing that a line says, in its order, with what its kind is worth."""
    found: dict[tuple[str, ...], float] = {}
    for word, after in pairwise((*_WORD.findall(row.casefold()), "")):
        if word[0].isdigit():
            found |= {(word,): 1.0, (word, after): _FIGURE}
        elif len(word) > 2 or not word.isascii():
            found[(word,)] = 1.0
    return found
