"""Rank what can leave an index: by its kind, then by how much it says that the rest does not."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from enum import IntEnum
from functools import lru_cache
from itertools import groupby
from math import pow, sqrt  # noqa: A004 - of floats alone, and typed so

from dreamd.domain.tree import INDEX
from dreamd.engine.rules import days
from dreamd.engine.rules import topics as said
from dreamd.engine.rules.days import Day
from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.known import current
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
_WORD = late(r"\d\S{0,30} \w{1,40}|\w{1,40}")  # a figure with the word behind it
_FIGURE = 4  # what a figure is worth beside a word
_BY_SIZE = 0.92  # the power of its length that what a text says is divided by
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


def passages(index: Note, refusals: Refusals) -> list[tuple[Tier, tuple[Block, ...]]]:
    """Return what may go, the least useful first; a numbered list goes as a whole.

    What says as much as another leaves in order of time.
    """
    found = []
    for node in outline(index).walk():
        solid = (part for part in node.content() if part.kind is not BlockKind.RULE)
        free = (part for part in solid if not refusals.of_removing(INDEX, index.body(part)))
        for _, run in groupby(free, lambda p: -1 if is_ordered(index.rows[p.start]) else p.start):
            group = tuple(run)
            day, tier = day_of(index, node, group[0]), _tier(index, node, group[0])
            rows = [row for part in group for row in index.body(part)]
            worth = _worth(index, rows) if tier < Tier.POINTERS else 0
            found.append((tier, worth, day or "", group[0].start, group))
    return [(tier, group) for tier, *_, group in sorted(found)]


def _worth(index: Note, rows: Sequence[str]) -> float:
    """Return how much rows say of today for their length: rare words, and figures most."""
    often, text = _often(index), "\n".join(map(current, rows)).lower()
    words = set(_WORD.findall(text))
    said = sum((_FIGURE if word[0].isdigit() else 1) / sqrt(often[word]) for word in words)
    return round(said / pow(len(text) or 1, _BY_SIZE), 2)


@lru_cache(maxsize=4)
def _often(index: Note) -> Counter[str]:
    return Counter(word for row in index.rows for word in set(_WORD.findall(row.lower())))


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
