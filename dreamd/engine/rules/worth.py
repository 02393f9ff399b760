"""Rank the passages of an index: the least useful one goes first."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Callable, Iterable, Sequence
from dataclasses import dataclass
from enum import IntEnum
from math import log

from dreamd.engine.rules import days
from dreamd.engine.rules.days import Day
from dreamd.engine.rules.listing import firsts
from dreamd.engine.rules.orient import Note
from dreamd.engine.rules.outline import Node
from dreamd.engine.rules.vocabulary import (
    CURRENT,
    CURRENT_OF_A_DAY,
    FINISHED,
    LASTING,
    OVER,
    STANDING,
    words,
)
from dreamd.text.late import late
from dreamd.text.markdown.inline import plain
from dreamd.text.markdown.markdown import Block, BlockKind

_WORD = late(r"[\u3040-\u30ff\u3400-\u9fff]|[^\W_]+")
_BULK = {BlockKind.TABLE, BlockKind.FENCE}
_NO_CONTENT = {BlockKind.HEADING, BlockKind.RULE, BlockKind.BLANK}
_SPOKEN = 500  # characters; of a longer one only the beginning counts
_LONG_INTRODUCTION = 30  # items; more below the title are the notes themselves
_UPDATED = late(r"\b(?:updated?|as of|since|reviewed|valid)\b[\s:]*$", re.IGNORECASE)
_STANDING = late(
    r"(?:always|never|do not|don['’]t|must|prefers?|avoid)\b"  # noqa: RUF001
    r"|.*\bI (?:(?:always|strongly|really|generally|usually) )?prefer\b"
    r"|.*\b(?:user|they|we|you) (?:always |strongly )?(?:prefers?|wants?|insists?|must|should)\b"
    r"|.*\bmust (?:not|always|never)\b",
    re.IGNORECASE,
)
_STEP = 1.1  # logs that say about as much, within a tenth, go by their age
_LEAST = 1e-9
_ORDERED = late(r"[ \t]*\d{1,9}[.)](?:[ \t]|$)")
_MARKER = late(r"[ \t]*(?:[-*+]|\d{1,9}[.)])?[ \t]*(?:\*\*[^*]+\*\*:?[ \t]*)?")

Density = Callable[[Iterable[str]], float]


class Tier(IntEnum):
    """Kinds of passages, by how soon they leave an index that is over its limits."""

    OVER = 0  # history, what is done
    LOGS = 1  # what happened on a day: what says least first, the last day last
    NOTES = 2
    CURRENT = 3  # the state of things, next steps, decisions; the introduction
    LASTING = 4  # standing instructions, preferences, people
    POINTERS = 5


def density(rows: Iterable[str]) -> Density:
    """Return a measure of how much lines say that the rest of a memory does not.

    Each distinct word counts one over the number of lines that have it, per byte. On logs of
    conversations, dropping the fifth of all bytes that scores lowest lost 4 to 6 % of the facts
    asked for; dropping a random fifth lost 10 to 12 %.
    """
    known = Counter(word for row in rows for word in _words(row))
    measured: dict[str, float] = {}

    def measure(lines: Iterable[str]) -> float:
        text = " ".join(lines)
        if text not in measured:
            weight = sum(1 / max(known[word], 1) for word in sorted(_words(text)))
            measured[text] = weight / max(len(text.encode()), 1)
        return measured[text]

    return measure


def _words(text: str) -> set[str]:
    return {
        w for w in _WORD.findall(text.casefold()) if len(w) > 2 or not w.isascii() or w.isdigit()
    }


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


def day_of(node: Node) -> Day | None:
    """Return the day of the nearest dated section, this or one around it."""
    return next((day for at in node.upwards() if (day := heading_day(at))), None)


@dataclass(frozen=True, slots=True, order=True)
class Rank:
    """What goes first, least first, when the index has no room for all."""

    tier: Tier
    is_newest: bool  # of the last day that the index speaks of
    telling: int  # of a log: how much it says that the rest does not, in steps
    day: tuple[int, int, int]  # far ahead where there is none
    unfinished: bool
    is_text: bool  # rather than tables and code
    density: float
    line: int


class Scale:
    """Ranks the passages of one index against each other."""

    def __init__(self, index: Note, measure: Density, newest: Day | None) -> None:
        self.index = index
        self.measure = measure
        self.pointing = firsts(index)
        self._newest = newest
        self._days: dict[Block, Day | None] = {}

    def is_newest(self, day: Day) -> bool:
        """Whether a day is the last one that the headings speak of."""
        return day == self._newest

    def of_section(self, node: Node, blocks: Sequence[Block]) -> Rank:
        """Rank a section, or what stands right below its heading."""
        day = day_of(node) or self._day_in(blocks)
        said = words(node.title)
        finished = bool(said & FINISHED) or "✅" in node.title
        return self._rank(self._tier(node, blocks, said, day), day, finished, blocks)

    def of_passage(self, node: Node, blocks: Sequence[Block]) -> Rank:
        """Rank one passage of a section that goes in part: an item, a table, a paragraph."""
        row = self.index.rows[blocks[0].start]
        day = self.day_of_item(blocks[0]) or day_of(node)
        tier = Tier.NOTES if day is None else Tier.LOGS
        if blocks[0].start in self.pointing:
            tier = Tier.POINTERS
        elif is_standing(row):
            tier = Tier.LASTING
        return self._rank(tier, day, "✅" in row, blocks)

    def day_of_item(self, part: Block) -> Day | None:
        """Return the day that the first line of a list item names; a pointer is of no day."""
        if part.kind is not BlockKind.ITEM or part.start in self.pointing:
            return None
        if part not in self._days:
            self._days[part] = days.first(self.index.rows[part.start])
        return self._days[part]

    def _rank(self, tier: Tier, day: Day | None, finished: bool, blocks: Sequence[Block]) -> Rank:
        when = (day.year, day.month, day.day) if day else (9999, 0, 0)
        size = sum(part.end - part.start for part in blocks)
        bulk = sum(part.end - part.start for part in blocks if part.kind in _BULK)
        return Rank(
            tier,
            tier is Tier.LOGS and day == self._newest,
            self.telling(tier, blocks),
            when,
            not finished,
            bulk * 2 < size,
            self._density(blocks),
            blocks[0].start,
        )

    def telling(self, tier: Tier, blocks: Sequence[Block]) -> int:
        """Return how much a log says that the rest does not, in steps; others are not compared."""
        if tier is not Tier.LOGS:
            return 0
        return round(log(max(self._density(blocks), _LEAST), _STEP))

    def _density(self, blocks: Sequence[Block]) -> float:
        return self.measure(row for part in blocks for row in self.index.body(part))

    def _tier(
        self, node: Node, blocks: Sequence[Block], said: frozenset[str], day: Day | None
    ) -> Tier:
        content = [part for part in blocks if part.kind not in _NO_CONTENT]
        half = len(content) / 2
        if sum(part.start in self.pointing for part in content) > half:
            return Tier.POINTERS
        if heading_day(node):
            if said & STANDING:
                return Tier.LASTING
            return Tier.CURRENT if said & CURRENT_OF_A_DAY and day == self._newest else Tier.LOGS
        if node.is_top and len(content) < _LONG_INTRODUCTION:
            return Tier.CURRENT
        standing = sum(is_standing(self.index.rows[part.start]) for part in content)
        if said & LASTING or standing > half:
            return Tier.LASTING
        if said & OVER:
            return Tier.OVER
        if day:
            return Tier.LOGS
        if said & CURRENT:
            return Tier.CURRENT
        return Tier.NOTES

    def _day_in(self, blocks: Sequence[Block]) -> Day | None:
        """Return the newest day of a passage most blocks of which are dated."""
        content = [part for part in blocks if part.kind not in _NO_CONTENT]
        found = [days.find(" ".join(self.index.body(part))) for part in content]
        dated = [max(each.day for each in named) for named in found if named]
        return max(dated) if dated and len(dated) >= 0.6 * len(content) else None
