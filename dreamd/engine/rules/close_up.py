"""Make room where the index has too many lines: empty lines first, then short facts together."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Sequence
from itertools import pairwise
from math import ceil
from typing import NamedTuple

from dreamd.domain.budget import index_sizes
from dreamd.domain.settings import Budget
from dreamd.domain.tree import INDEX
from dreamd.engine.rules.edit import Edit, Insertion, Refusals, Removal
from dreamd.engine.rules.listing import firsts
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.slots import slots
from dreamd.engine.rules.worth import is_standing
from dreamd.text import lexicon
from dreamd.text.late import late
from dreamd.text.markdown.markdown import BlockKind

LONGEST = 300  # characters of a line that a person reads through
_FULL = 0.95  # share of each limit that is filled, as where detail leaves the index
_ENDS = {BlockKind.ITEM, BlockKind.PARAGRAPH, BlockKind.HEADING}  # what a heading may follow
_ITEM = late(r"[ \t]*[-*+][ \t]+(?!\[[ xX]\])(?P<said>[^\W_].*[.!?][)\"”]?)$")
_NAME = late(r"[^\W\d_a-z][\w'’-]*(?:\.? [^\W\d_a-z][\w'’-]*)*")  # noqa: RUF001
_SMALL = late(r"\b[^\W\dA-Z_][\w'’-]*")  # noqa: RUF001
_POSSESSIVE = late(r"['’]s?$")  # noqa: RUF001


def _too_many(index: Note, budget: Budget) -> int:
    """Return how many lines must go beside those that leave with the detail.

    None must where the index is within its lines, or has so many bytes that the detail that
    leaves it anyway takes enough lines with it.
    """
    sizes = index_sizes(index.text, budget)
    most = min(
        budget.index_bytes / max(sizes.index_bytes, 1),
        budget.index_units / max(sizes.index_units, 1),
    )
    staying = sizes.index_lines * (1.0 if most >= 1 else _FULL * most)  # lines, once bytes fit
    if min(sizes.index_lines, staying) <= budget.index_lines:
        return 0
    return ceil(staying - _FULL * budget.index_lines)


def close_up(memory: Memory, budget: Budget, refusals: Refusals) -> tuple[Edit, ...]:
    """Return the edit that takes the empty lines around headings out of an index over its lines.

    First those below headings, and where that is not enough those above them too. Only where
    all notes together are more than a reader sees, so that each line of the index counts; and
    not where a user took such a change back.
    """
    index = memory.notes.get(INDEX)
    if index is None or (INDEX, "") in refusals.declined.removed:
        return ()
    if sum(len(text.encode()) for text in memory.texts.values()) <= budget.memory_bytes:
        return ()
    needed = _too_many(index, budget)
    lines = list(_empty(index, is_above=False)) if needed else []
    lines = lines if len(lines) >= needed else sorted({*lines, *_empty(index, is_above=True)})
    removals = tuple(Removal(INDEX, line) for line in lines)
    return (Edit("empty lines", "closed up {empty line}", removals, (), len(lines)),) * bool(lines)


def _empty(index: Note, *, is_above: bool) -> Iterator[int]:
    """Yield the empty lines right above or right below the headings."""
    for part, after in pairwise(p for p in index.parts if p.kind is not BlockKind.BLANK):
        is_html = any(row.lstrip().startswith("<") for row in index.body(part))
        if (after.level and part.kind in _ENDS and not is_html) if is_above else part.level:
            yield from range(part.end, after.start)


class _Fact(NamedTuple):
    """A line of the index as an item, where in the row its text begins, and its first name."""

    line: int
    row: str
    bullet: int
    name: str


def together(memory: Memory, budget: Budget, refusals: Refusals) -> tuple[Edit, ...]:
    """Return the edits that put short facts on one line, as many as needed.

    Sentences stay as they are. Items of one list that follow each other are of one subject where
    they begin with the same name. Pointers, standing instructions, dated logs and what is no
    sentence stay as they are; so does what the user took back once.
    """
    index = memory.notes.get(INDEX)
    needed = _too_many(index, budget) if index else 0
    groups: list[list[_Fact]] = []
    for fact in _facts(index, refusals) if index and needed else ():
        group = groups[-1] if groups else []
        row = _joined([*group, fact])
        follows = group and (group[-1].line + 1, *group[-1][2:]) == (fact.line, *fact[2:])
        can_join = needed and len(row) <= LONGEST and not refusals.of_adding(INDEX, (row,))
        if follows and can_join:
            group.append(fact)
            needed -= 1
        else:
            groups.append([fact])
    return tuple(_edit(group) for group in groups if len(group) > 1)


def _joined(facts: Sequence[_Fact]) -> str:
    return " ".join([facts[0].row, *(fact.row[fact.bullet :] for fact in facts[1:])])


def _edit(facts: Sequence[_Fact]) -> Edit:
    removals = tuple(Removal(INDEX, fact.line) for fact in facts)
    came = (Insertion(INDEX, facts[0].line, (_joined(facts),)),)
    return Edit("short facts", "put {short fact} beside another", removals, came, len(facts) - 1)


def _facts(index: Note, refusals: Refusals) -> Iterator[_Fact]:
    """Yield the short facts of the index that may share a line with others, in order."""
    pointing = firsts(index)
    small = {word for row in index.rows for word in _SMALL.findall(row)}
    for part in index.parts:
        row = index.rows[part.start].rstrip()
        item = (
            _ITEM.match(row) if (part.kind, part.end) == (BlockKind.ITEM, part.start + 1) else None
        )
        name = _name(item["said"], small) if item and part.start not in pointing else ""
        is_ours = name and not is_standing(row) and all(slot.kind != "date" for slot in slots(row))
        if item and is_ours and not refusals.of_removing(INDEX, (index.rows[part.start],)):
            yield _Fact(part.start, row, item.start("said"), name)


def _name(said: str, small: Collection[str]) -> str:
    """Return the name that a sentence begins with; a word that is written small is none."""
    found = _NAME.match(said)
    name = _POSSESSIVE.sub("", found[0]) if found else ""
    first = name.partition(" ")[0].rstrip(".").casefold()
    return "" if first in lexicon.STOP or name.casefold() in small else name
