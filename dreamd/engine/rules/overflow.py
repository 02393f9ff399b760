"""Bring an index within its limits: move what is least needed into topic files."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Sequence
from pathlib import PurePosixPath

from msgspec.structs import replace

from dreamd.domain.budget import index_sizes, is_over, limits
from dreamd.domain.settings import Budget
from dreamd.domain.tree import INDEX
from dreamd.engine.rules.edit import Edit, Insertion, Refusals, Removal, apply
from dreamd.engine.rules.grouping import Group, grouped, has_room, hook
from dreamd.engine.rules.listing import ListEntry, place
from dreamd.engine.rules.orient import Memory
from dreamd.engine.rules.outline import hollowed, outline
from dreamd.engine.rules.ranking import Tier, passages
from dreamd.engine.rules.topics import free_path, frontmatter_rows, kind_of, slug
from dreamd.text.markdown.inline import plain
from dreamd.text.markdown.markdown import Block, BlockKind

RULE = "index over its limits"
STEP = "moved {line} out of the index"
_FULL = 0.95  # share of each limit that is filled, so that tomorrow's notes have room


def overflow(memory: Memory, budget: Budget, refusals: Refusals) -> tuple[Edit, ...]:
    """Return the edits that bring the index within its limits; none where it is within them.

    What is least needed goes, no more than needed. What may not go stays, even where the index
    is then still over. An index has no more room than all notes together.
    """
    index = memory.notes.get(INDEX)
    budget = replace(budget, index_bytes=min(budget.index_bytes, budget.memory_bytes))
    if index is None or not is_over(index_sizes(index.text, budget), budget):
        return ()
    plan = _Plan(memory, budget, refusals)
    most = len(plan.passages)
    count = bisect_left(range(most), 0.0, key=lambda count: plan.room(plan.edits(count)))
    if count == most and plan.room(plan.edits(most)) < 0:  # in vain: what still matters stays
        count = sum(tier < Tier.CURRENT for tier, _ in plan.passages)
    edits = plan.edits(count)
    added = (came for edit in edits for came in edit.insertions)
    is_refused = any(refusals.of_adding(came.path, came.rows) for came in added)
    return () if is_refused or plan.room(edits) <= plan.room(()) else tuple(edits)


class _Plan:
    """What leaves an index, found by measuring the index that would result."""

    def __init__(self, memory: Memory, budget: Budget, refusals: Refusals) -> None:
        self._memory, self._budget, self._refusals = memory, budget, refusals
        self._index = memory.notes[INDEX]
        self.passages = passages(self._index, refusals)
        self._nodes = {p: node for node in outline(self._index).walk() for p in node.content()}
        growing = {path for path, note in memory.notes.items() if has_room(note)}
        self._taken = memory.names - growing | refusals.paths

    def room(self, edits: Sequence[Edit]) -> float:
        """Return the share of the tightest limit free below the target, negative if over it."""
        sizes = index_sizes(apply({INDEX: self._index.text}, edits)[0][INDEX], self._budget)
        found = (each for each in limits(sizes, self._budget) if each.path == INDEX)
        return _FULL - max(each.value / each.most for each in found)

    def edits(self, count: int) -> list[Edit]:
        """Return one edit per file: the first passages go there unchanged; the index points to it.

        A heading or label goes with the last that it stands over; until then it is repeated in
        the file.
        """
        leaving = frozenset(part for _, group in self.passages[:count] for part in group)
        index, homes = self._index, self._homes(leaving)
        where = {part: path for path, group in homes.items() for part in group.blocks}
        for frame in hollowed(index, leaving, self._refusals):
            path = next(where[part] for part in frame if part in leaving)
            where |= {part: path for part in frame if part not in leaving}
        moved: dict[PurePosixPath, list[Block]] = {path: [] for path in homes}
        for part in sorted(where, key=lambda part: part.start):
            moved[where[part]].append(part)
        entries = [ListEntry(at, group.title, hook(index, group)) for at, group in homes.items()]
        new = [entry for entry in entries if entry.path not in self._memory.notes]
        target = place(index, self._refusals, where.keys())
        edits = []
        for entry in entries:
            parts = moved[entry.path]
            going = [p for p in parts if p in leaving or p.kind is BlockKind.RULE]
            added = self._added(entry, homes[entry.path], self._body(going))
            lines = [line for part in parts for line in range(part.start, part.end)]
            removals = tuple(Removal(INDEX, line, entry.path) for line in lines)
            count = sum(bool(index.rows[line].strip()) for line in lines)
            edits.append(Edit(RULE, STEP, removals, (added,), count))
        if new:
            listed = Insertion(INDEX, target.at, target.framed(target.rows(new)))
            edits.append(Edit(RULE, STEP, (), (listed,), 0))
        return edits

    def _homes(self, leaving: frozenset[Block]) -> dict[PurePosixPath, Group]:
        """Return the groups by their files: one that took such lines before, or a new one."""
        groups = grouped(self._index, leaving)
        if len(groups) > max(self._budget.files - len(self._memory.names_of_notes), 0):
            blocks = sorted(leaving, key=lambda part: part.start)
            nodes = dict.fromkeys(node for group in groups for node in group.nodes)
            groups = [Group("Older notes", tuple(blocks), tuple(nodes))]
        homes: dict[PurePosixPath, Group] = {}
        for group in groups:
            homes[free_path(slug(group.title), {*self._taken, *homes})] = group
        return homes

    def _added(self, entry: ListEntry, group: Group, body: Sequence[str]) -> Insertion:
        """Return what a topic file gets: these lines, if it is new with all that it needs."""
        if note := self._memory.notes.get(entry.path):
            is_apart = bool(note.rows[-1].strip())
            return Insertion(entry.path, len(note.rows), (*("",) * is_apart, *body))
        is_headed = plain(body[0].lstrip("# ")) == group.title
        title = () if is_headed else (f"# {group.title}", "")
        about = entry.path, entry.hook, kind_of(group.title)
        head = frontmatter_rows(*about, self._memory, is_moved=True)
        return Insertion(entry.path, 0, (*head, *title, *body))

    def _body(self, going: Iterable[Block]) -> list[str]:
        """Return lines for a file, each below its headings and its label."""
        shown: set[Block] = set()
        body = [""]
        for part in going:
            for each in dict.fromkeys((*self._nodes[part].headings, part)):
                is_close = each is part and self._index.rows[part.start - 1].strip()
                if each not in shown:
                    body += [""] * (not is_close and body[-1].strip() != "")
                    body += self._index.body(each)
                shown.add(each)
        return body[1:]
