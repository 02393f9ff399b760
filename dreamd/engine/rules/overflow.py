"""An index over its limits gives up detail, least useful first, into topic files."""

from __future__ import annotations

from collections.abc import Sequence

from dreamd.domain.budget import Sizes, index_sizes, is_over
from dreamd.domain.markdown import Block, BlockKind
from dreamd.domain.settings import Budget
from dreamd.domain.tree import INDEX
from dreamd.engine.rules import dates
from dreamd.engine.rules.details import with_details
from dreamd.engine.rules.edit import Edit, Refusals, apply
from dreamd.engine.rules.grouping import grouped, joined
from dreamd.engine.rules.moving import homes, moves
from dreamd.engine.rules.orient import Memory
from dreamd.engine.rules.outline import leads, outline
from dreamd.engine.rules.passages import Passage, finer, passages
from dreamd.engine.rules.worth import Scale, density

_FULL = 0.95  # share of each limit that is filled, so that tomorrow's notes have room
_WASTE = 0.10  # share of a limit that may be left empty rather than part a section


def overflow(memory: Memory, budget: Budget, refusals: Refusals) -> tuple[Edit, ...]:
    """Return the edits that bring the index within its limits; none where it is within them.

    Whole sections go, as few as needed; the last one goes in part where it alone would leave
    much of the index empty. What may not go stays, even where the index is then still over.
    """
    index = memory.notes.get(INDEX)
    if index is None or not is_over(index_sizes(index.text, budget), budget):
        return ()
    pruning = _Pruning(memory, budget, refusals)
    return tuple(pruning.edits(pruning.chosen(pruning.passages(), frozenset())))


class _Pruning:
    """One attempt to find what leaves, by measuring the index that would result."""

    def __init__(self, memory: Memory, budget: Budget, refusals: Refusals) -> None:
        self.memory = memory
        self.budget = budget
        self.refusals = refusals
        self.index = memory.notes[INDEX]
        self.root = outline(self.index)
        rows = [row for note in memory.notes.values() for row in note.rows]
        self.measure = density(rows)
        days = [found.day for part in self.index.parts for found in dates.find(part.title)]
        self.scale = Scale(self.index, self.measure, max(days, default=None))

    def passages(self) -> list[Passage]:
        """Return all that may leave, least useful first."""
        return passages(self.root, self.scale, self.refusals)

    def chosen(self, parts: Sequence[Passage], base: frozenset[Block]) -> frozenset[Block]:
        """Return what leaves: the first of these passages beside `base`, as few as are enough."""
        low, high = 1, len(parts)
        while low < high:
            middle = (low + high) // 2
            if self.room(self.together(parts[:middle], base)) >= 0:
                high = middle
            else:
                low = middle + 1
        enough = self.together(parts[:low], base)
        room = self.room(enough)
        if parts and room > _WASTE:
            last = parts[low - 1]
            inner = finer(last, self.scale, self.refusals)
            if len(inner) > 1:
                return self.chosen(inner, self.together(parts[: low - 1], base))
        return enough

    def together(self, parts: Sequence[Passage], base: frozenset[Block]) -> frozenset[Block]:
        """Return the blocks of some passages, with the labels that would stand above nothing."""
        leaving = base.union(part for passage in parts for part in passage.blocks)
        empty = set()
        for node in self.root.walk():
            label = leads(self.index, node)
            kept = {label[part] for part in label if part not in leaving}
            empty |= set(label.values()) - kept
        return leaving | empty

    def room(self, leaving: frozenset[Block]) -> float:
        """Return the share of the tightest limit that is free below the target; negative if over."""
        after = apply({INDEX: self.index.text}, self.edits(leaving)).texts[INDEX]
        sizes = index_sizes(after, self.budget)
        return min(
            _FULL - value / most
            for value, most in (
                (sizes.index_lines, self.budget.index_lines),
                (sizes.index_bytes, self.budget.index_bytes),
                (sizes.index_units, self.budget.index_units),
            )
        )

    def edits(self, leaving: frozenset[Block]) -> list[Edit]:
        """Return the edits by which these blocks leave."""
        groups = grouped(self.index, self.root, leaving)
        others = sum(len(n.text.encode()) for p, n in self.memory.notes.items() if p != INDEX)
        groups = with_details(self.index, groups, self.measure, self.budget.memory_bytes - others)
        room = self.budget.files - len(self.memory.names_of_notes)
        groups = groups if len(groups) <= room else joined(groups)
        return moves(
            self.memory, self.root, homes(self.memory, groups, self.measure), self.refusals
        )
