"""Remove empty lines around headings first, when the index has too many lines."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import pairwise

from dreamd.domain.budget import index_sizes
from dreamd.domain.settings import Budget
from dreamd.domain.tree import INDEX
from dreamd.engine.rules.edit import Edit, Refusals, Removal
from dreamd.engine.rules.orient import Memory, Note
from dreamd.text.markdown.markdown import Block, BlockKind

RULE = "empty lines"
STEP = "closed up {empty line}"
_FULL = 0.95  # share of each limit that is filled, as where detail leaves the index
_ENDS = {BlockKind.ITEM, BlockKind.PARAGRAPH, BlockKind.HEADING}  # what a heading may follow


def close_up(memory: Memory, budget: Budget, refusals: Refusals) -> tuple[Edit, ...]:
    """Return the edit that takes the empty lines around headings out of an index over its lines.

    First those below headings, and where that is not enough those above them too. Only where
    all notes together are more than a reader sees, so that each line of the index counts. None
    where it is within its lines, or has so many bytes that the detail that must leave it anyway
    takes enough lines with it; nor where a user took such a change back.
    """
    index = memory.notes.get(INDEX)
    if index is None or (INDEX, "") in refusals.declined.removed:
        return ()
    if sum(len(text.encode()) for text in memory.texts.values()) <= budget.memory_bytes:
        return ()
    sizes = index_sizes(index.text, budget)
    most = min(
        budget.index_bytes / max(sizes.index_bytes, 1),
        budget.index_units / max(sizes.index_units, 1),
    )
    staying = sizes.index_lines * (1.0 if most >= 1 else _FULL * most)  # lines, once bytes fit
    if sizes.index_lines <= budget.index_lines or staying <= budget.index_lines:
        return ()
    below, above = list(_empty(index, is_above=False)), list(_empty(index, is_above=True))
    is_enough = staying - len(below) <= _FULL * budget.index_lines
    lines = sorted(below if is_enough else {*below, *above})
    removals = tuple(Removal(INDEX, line) for line in lines)
    return (Edit(RULE, STEP, removals, (), len(lines)),) if lines else ()


def _empty(index: Note, *, is_above: bool) -> Iterator[int]:
    """Yield the empty lines right above or right below the headings."""
    written = [part for part in index.parts if part.kind is not BlockKind.BLANK]
    for part, after in pairwise(written):
        is_ours = _may_follow(index, part) and after.level if is_above else part.level
        if is_ours:
            yield from range(part.end, after.start)


def _may_follow(index: Note, part: Block) -> bool:
    """Whether a heading right below a block is still one; in HTML it would be text."""
    return part.kind in _ENDS and not any(row.lstrip().startswith("<") for row in index.body(part))
