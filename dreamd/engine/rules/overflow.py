"""Bring an index within its limits: move what is worth least into topic files."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterator
from dataclasses import replace

from dreamd.domain.budget import index_sizes, is_over
from dreamd.domain.settings import Budget
from dreamd.domain.tree import INDEX
from dreamd.engine.rules.edit import Edit, Refusals, apply
from dreamd.engine.rules.grouping import LARGEST, Group, grouped, homes
from dreamd.engine.rules.hooks import LONGEST
from dreamd.engine.rules.moving import moves
from dreamd.engine.rules.orient import Memory
from dreamd.engine.rules.worth import Scale, Tier
from dreamd.text.markdown.markdown import Block

_FULL = 0.95  # share of each limit that is filled, so that tomorrow's notes have room
_WASTE = 0.10  # share of a limit that may be left empty rather than part a section
_WORTH_A_FILE = 400  # bytes over what is seen from which a file of minor lines is worth it
_FEWEST = 20  # such lines; with fewer it is no log of single lines
_POINTER = LONGEST + 60  # bytes of a pointer, about
_HEAD = 250  # bytes of a file before its first line, about


def overflow(memory: Memory, budget: Budget, refusals: Refusals) -> tuple[Edit, ...]:
    """Return the edits that bring the index within its limits; none where it is within them.

    Whole sections go, as few as needed; the last one goes in part where it alone would leave
    much of the index empty. What may not go stays, even where the index is then still over. An
    index has no more room than all notes together.
    """
    index = memory.notes.get(INDEX)
    budget = replace(budget, index_bytes=min(budget.index_bytes, budget.memory_bytes))
    if index is None or not is_over(index_sizes(index.text, budget), budget):
        return ()
    plan = _Plan(memory, budget, refusals)
    while True:
        leaving = plan.leaving()
        edits = plan.edits(leaving)
        refused = [edit for edit in edits if _is_refused(edit, refusals)]
        if not refused:
            break
        lines = {removal.line for edit in refused for removal in edit.removals}
        plan.kept |= {part for part in index.parts if part.start in lines}
    room = plan.room(leaving)
    if room < 0 and refusals.of_removing(INDEX, index.rows):
        return ()  # the user wants these lines here: tearing out others would not help
    return tuple(edits) if room > plan.room(frozenset()) else ()


def _is_refused(edit: Edit, refusals: Refusals) -> bool:
    return any(refusals.of_adding(each.path, each.rows) for each in edit.insertions)


class _Plan:
    """What leaves an index, found by measuring the index that would result."""

    def __init__(self, memory: Memory, budget: Budget, refusals: Refusals) -> None:
        self._memory, self._budget, self._refusals = memory, budget, refusals
        self._index = memory.notes[INDEX]
        self._scale = Scale(memory, self._index)
        self._passages = self._scale.passages(refusals)
        self._minor = self._least()
        self.kept: frozenset[Block] = frozenset()

    def leaving(self) -> frozenset[Block]:
        """Return what leaves, least useful first; of a section all, if that wastes little room.

        Where not even all would be enough, what still matters stays.
        """
        parts = self._passages

        def first(count: int) -> frozenset[Block]:
            blocks = (block for part in parts[:count] for block in part.blocks)
            return self._minor.union(blocks) - self.kept

        most = len(parts)
        if self.room(first(most)) < 0:
            return first(sum(part.section.tier < Tier.CURRENT for part in parts))
        enough = bisect_left(range(most), 0.0, key=lambda count: self.room(first(count)))
        whole = enough
        while 0 < whole < most and parts[whole].section == parts[enough - 1].section:
            whole += 1
        return first(whole if self.room(first(whole)) <= _WASTE else enough)

    def room(self, leaving: frozenset[Block]) -> float:
        """Return the share of the tightest limit free below the target, negative if over it."""
        edits = self.edits(leaving, only_sized=True)
        sizes = index_sizes(apply({INDEX: self._index.text}, edits).texts[INDEX], self._budget)
        return _FULL - max(
            sizes.index_lines / self._budget.index_lines,
            sizes.index_bytes / self._budget.index_bytes,
            sizes.index_units / self._budget.index_units,
        )

    def edits(self, leaving: frozenset[Block], *, only_sized: bool = False) -> list[Edit]:
        """Return the edits by which these blocks leave; `only_sized` with stand-ins for hooks."""
        scale, minor = self._scale, self._minor & leaving
        groups = grouped(scale, leaving - minor, minor)
        if len(groups) > self._budget.files - len(self._memory.names_of_notes):
            blocks = sorted(leaving, key=lambda part: part.start)
            nodes = dict.fromkeys(node for group in groups for node in group.nodes)
            groups = [Group("Older notes", tuple(blocks), tuple(nodes))]
        found = homes(self._memory, groups, self._refusals, None if only_sized else scale)
        return moves(self._memory, scale, found, self._refusals, minor)

    def _least(self) -> frozenset[Block]:
        """Return the lines of logs that say least, as many as a reader comes not to.

        Readers see the index and then the files it points to, in order. Where that is not enough
        for everything, what they do not come to should be what they miss least.
        """
        scale, rows, budget = self._scale, self._index.rows, self._budget
        sizes = index_sizes(self._index.text, budget)
        others = sum(len(n.text.encode()) for p, n in self._memory.notes.items() if p != INDEX)
        lines = budget.index_lines * sizes.index_bytes / max(sizes.index_lines, 1)
        stays = round(_FULL * min(budget.index_bytes, budget.index_units, lines))
        over = sizes.index_bytes - max(budget.memory_bytes - others, stays)
        plain = sorted(self._plain(), key=lambda p: (scale.worth.line(rows[p.start]), p.start))
        if over < _WORTH_A_FILE or len(plain) < _FEWEST:
            return frozenset()
        over += _POINTER * (2 + over // LARGEST) + _HEAD
        least = []
        for part in plain:
            if over <= 0:
                break
            least.append(part)
            over -= len(rows[part.start].encode()) + 1
        return frozenset(least)

    def _plain(self) -> Iterator[Block]:
        """Yield the lines of logs in sections of nothing but lines, those of the last day aside."""
        scale = self._scale
        for node in scale.root.walk():
            is_list = all(scale.is_line(p) and p.start not in scale.pointing for p in node.own)
            for part in node.own if is_list and not node.children else ():
                day = scale.day_of(node, part)
                if day and day != scale.newest and not scale.is_standing(part):
                    yield part
