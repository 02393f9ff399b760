"""Bring an index within its limits: move the least useful detail into topic files."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dreamd.domain.budget import index_sizes, is_over
from dreamd.domain.settings import Budget
from dreamd.domain.tree import INDEX
from dreamd.engine.rules import days
from dreamd.engine.rules.details import details, minor
from dreamd.engine.rules.edit import Edit, Refusals, apply
from dreamd.engine.rules.grouping import grouped, joined
from dreamd.engine.rules.moving import homes, moves
from dreamd.engine.rules.orient import Memory
from dreamd.engine.rules.outline import outline
from dreamd.engine.rules.passages import Passage, finer, passages
from dreamd.engine.rules.worth import Scale, Tier, density
from dreamd.text.markdown.markdown import Block

_FULL = 0.95  # share of each limit that is filled, so that tomorrow's notes have room
_WASTE = 0.10  # share of a limit that may be left empty rather than part a section


def overflow(memory: Memory, budget: Budget, refusals: Refusals) -> tuple[Edit, ...]:
    """Return the edits that bring the index within its limits; none where it is within them.

    Whole sections go, as few as needed; the last one goes in part where it alone would leave
    much of the index empty. What may not go stays, even where the index is then still over. An
    index has no more room than all notes together.
    """
    index = memory.notes.get(INDEX)
    budget = replace(budget, index_bytes=min(budget.index_bytes, budget.memory_bytes))
    if index is None:
        return ()
    if not is_over(index_sizes(index.text, budget), budget):
        return ()
    pruning = _Pruning(memory, budget, refusals)
    while True:
        leaving = pruning.chosen()
        edits = pruning.edits(leaving)
        refused = [edit for edit in edits if _is_refused(edit, refusals)]
        if not refused:
            break
        pruning.keep(refused)
    room = pruning.room(leaving)
    if room < 0 and refusals.of_removing(INDEX, index.rows):
        return ()  # the user wants these lines here: tearing out others would not help
    return tuple(edits) if room > pruning.room(frozenset()) else ()


def _is_refused(edit: Edit, refusals: Refusals) -> bool:
    return any(refusals.of_adding(each.path, each.rows) for each in edit.insertions)


class _Pruning:
    """One attempt to find what leaves, by measuring the index that would result."""

    def __init__(self, memory: Memory, budget: Budget, refusals: Refusals) -> None:
        self.memory = memory
        self.budget = budget
        self.refusals = refusals
        self.index = memory.notes[INDEX]
        self.root = outline(self.index)
        self.labels = {
            part: label for node in self.root.walk() for part, label in node.labels.items()
        }
        measure = density(row for note in memory.notes.values() for row in note.rows)
        self.kept: frozenset[Block] = frozenset()
        dated = [found.day for part in self.index.parts for found in days.find(part.title)]
        self.scale = Scale(self.index, measure, max(dated, default=None))
        self.minor = minor(self.scale, self.root, self._seen())

    def _seen(self) -> int:
        """Return how many bytes of what stands in the index a reader comes to, here or later."""
        others = sum(len(n.text.encode()) for p, n in self.memory.notes.items() if p != INDEX)
        sizes = index_sizes(self.index.text, self.budget)
        stays = _FULL * min(
            self.budget.index_bytes,
            self.budget.index_units,
            sizes.index_bytes * self.budget.index_lines / max(sizes.index_lines, 1),
        )
        return max(self.budget.memory_bytes - others, round(stays))

    def keep(self, edits: Sequence[Edit]) -> None:
        """Let what these edits would remove stay in the index."""
        lines = {removal.line for edit in edits for removal in edit.removals}
        self.kept |= {part for part in self.index.parts if part.start in lines}

    def chosen(self) -> frozenset[Block]:
        """Return what leaves, least useful first.

        Where not even all would be enough, what still matters stays.
        """
        least = self.together((), self.minor)
        if least and self.room(least) >= 0:
            return least
        parts = passages(self.root, self.scale, self.refusals)
        if self.room(self.together(parts, least)) < 0:
            parts = [part for part in parts if part.rank.tier < Tier.CURRENT]
            return self.together(parts, least)
        return self.first(parts, least)

    def first(self, parts: Sequence[Passage], base: frozenset[Block]) -> frozenset[Block]:
        """Return the first of these passages beside `base`, as few as are enough."""
        low, high = 1, len(parts)
        while low < high:
            middle = (low + high) // 2
            if self.room(self.together(parts[:middle], base)) >= 0:
                high = middle
            else:
                low = middle + 1
        enough = self.together(parts[:low], base)
        if parts and self.room(enough) > _WASTE:
            inner = finer(parts[low - 1], self.scale, self.refusals)
            if len(inner) > 1:
                return self.first(inner, self.together(parts[: low - 1], base))
        return enough

    def together(self, parts: Sequence[Passage], base: frozenset[Block]) -> frozenset[Block]:
        """Return the blocks of some passages, with the labels that would stand above nothing."""
        leaving = base.union(part for passage in parts for part in passage.blocks) - self.kept
        kept = {label for part, label in self.labels.items() if part not in leaving}
        return leaving | (set(self.labels.values()) - kept - self.kept)

    def room(self, leaving: frozenset[Block]) -> float:
        """Return the share of the tightest limit free below the target, negative if over it."""
        after = apply({INDEX: self.index.text}, self.edits(leaving, only_sized=True)).texts[INDEX]
        sizes = index_sizes(after, self.budget)
        return min(
            _FULL - value / most
            for value, most in (
                (sizes.index_lines, self.budget.index_lines),
                (sizes.index_bytes, self.budget.index_bytes),
                (sizes.index_units, self.budget.index_units),
            )
        )

    def edits(self, leaving: frozenset[Block], *, only_sized: bool = False) -> list[Edit]:
        """Return the edits by which these blocks leave; `only_sized` with stand-ins for hooks."""
        least = self.minor & leaving
        groups = grouped(self.scale, self.root, leaving - least)
        groups += details(self.scale, self.root, least)
        room = self.budget.files - len(self.memory.names_of_notes)
        groups = groups if len(groups) <= room else joined(groups)
        found = homes(self.memory, groups, self.refusals, None if only_sized else self.scale)
        return moves(self.memory, self.root, found, self.refusals, least)
