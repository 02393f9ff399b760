"""Rank what can leave an index: what is over first, then logs, the oldest first."""

from __future__ import annotations

from enum import IntEnum
from itertools import groupby

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


def is_ordered(row: str) -> bool:
    """Whether a line is an item of a numbered list, where the order means something."""
    return _ORDERED.match(row) is not None


def is_standing(row: str) -> bool:
    """Whether a line is a standing instruction or a preference: it holds until it is taken back."""
    words = row[match.end() :] if (match := _MARKER.match(row)) else row
    return _STANDING.search(plain(words[:_SPOKEN]).lower()) is not None


def day_of(index: Note, node: Node, part: Block) -> Day | None:
    """Return the day of a block: of the section around, or with which a list item begins."""
    if node.log:
        return node.log.day
    row = index.rows[part.start]
    found = days.find(row) if part.kind is BlockKind.ITEM else ()
    return found[0].day if found and not any(map(str.isalpha, row[: found[0].start])) else None


def passages(index: Note, refusals: Refusals) -> list[tuple[Block, ...]]:
    """Return what may go, the least useful first; a numbered list goes as a whole."""
    found = []
    for node in outline(index).walk():
        solid = (part for part in node.content() if part.kind is not BlockKind.RULE)
        free = (part for part in solid if not refusals.of_removing(INDEX, index.body(part)))
        for _, run in groupby(free, lambda p: -1 if is_ordered(index.rows[p.start]) else p.start):
            group = tuple(run)
            day, tier = day_of(index, node, group[0]), _tier(index, node, group[0])
            found.append((tier, day or "", group[0].start, group))
    return [group for *_, group in sorted(found)]


def _tier(index: Note, node: Node, part: Block) -> Tier:
    section = node.parent if node.is_label and node.parent else node
    words = said.words(section.heading.title)
    if part.start in firsts(index):
        return Tier.POINTERS
    if words & (said.STANDING if node.log else said.LASTING) or is_standing(index.rows[part.start]):
        return Tier.LASTING
    if node.log:
        return Tier.LOGS
    if words & said.OVER and not section.is_top:
        return Tier.OVER
    if words & said.CURRENT or section.is_top:
        return Tier.CURRENT
    return Tier.LOGS if day_of(index, node, part) else Tier.NOTES
