"""Bring an index within its limits: move what is worth least into topic files."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import replace

from dreamd.domain.budget import index_sizes, is_over
from dreamd.domain.settings import Budget
from dreamd.domain.tree import INDEX
from dreamd.engine.rules.edit import Edit, Insertion, Refusals, Removal, apply
from dreamd.engine.rules.grouping import Group, grouped, hook, paths
from dreamd.engine.rules.listing import Entry, place
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.outline import Node, hollowed
from dreamd.engine.rules.topics import Style, frontmatter_rows, kind_of
from dreamd.engine.rules.worth import Scale, Tier
from dreamd.text.markdown.inline import plain
from dreamd.text.markdown.markdown import Block, BlockKind

RULE = "index over its limits"
STEP = "moved {line} out of the index"
_FULL = 0.95  # share of each limit that is filled, so that tomorrow's notes have room


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
        refused = {
            removal.line
            for edit in edits
            if any(refusals.of_adding(came.path, came.rows) for came in edit.insertions)
            for removal in edit.removals
        }
        if not refused:
            break
        plan.kept |= {part for part in index.parts if part.start in refused}
    return tuple(edits) if plan.room(leaving) > plan.room(frozenset()) else ()


class _Plan:
    """What leaves an index, found by measuring the index that would result."""

    def __init__(self, memory: Memory, budget: Budget, refusals: Refusals) -> None:
        self._memory, self._budget, self._refusals = memory, budget, refusals
        self._index = memory.notes[INDEX]
        self._scale = Scale(memory, self._index)
        self._passages = self._scale.passages(refusals)
        self.kept: frozenset[Block] = frozenset()

    def leaving(self) -> frozenset[Block]:
        """Return what leaves; where not even all would be enough, what still matters stays."""
        parts = self._passages

        def first(count: int) -> frozenset[Block]:
            return frozenset(block for part in parts[:count] for block in part.blocks) - self.kept

        most = len(parts)
        if self.room(first(most)) < 0:
            return first(sum(part.section.tier < Tier.CURRENT for part in parts))
        return first(bisect_left(range(most), 0.0, key=lambda count: self.room(first(count))))

    def room(self, leaving: frozenset[Block]) -> float:
        """Return the share of the tightest limit free below the target, negative if over it."""
        edits = self.edits(leaving)
        sizes = index_sizes(apply({INDEX: self._index.text}, edits).texts[INDEX], self._budget)
        return _FULL - max(
            sizes.index_lines / self._budget.index_lines,
            sizes.index_bytes / self._budget.index_bytes,
            sizes.index_units / self._budget.index_units,
        )

    def edits(self, leaving: frozenset[Block]) -> list[Edit]:
        """Return the edits by which these blocks leave."""
        groups = grouped(self._scale, leaving)
        if len(groups) > max(self._budget.files - len(self._memory.names_of_notes), 0):
            blocks = sorted(leaving, key=lambda part: part.start)
            nodes = dict.fromkeys(node for group in groups for node in group.nodes)
            groups = [Group("Older notes", tuple(blocks), tuple(nodes))]
        return _moves(self._memory, self._scale, groups, self._refusals)


def _moves(memory: Memory, scale: Scale, groups: Sequence[Group], refusals: Refusals) -> list[Edit]:
    """Return one edit per file: its lines go there unchanged, and the index points to it.

    A heading or label goes with the last of what it stands over; until then it is repeated in
    the file.
    """
    index = scale.index
    homes = paths(memory, groups, refusals)
    where = {part: at for group, at in zip(groups, homes, strict=True) for part in group.blocks}
    leaving = frozenset(where)
    for frame in hollowed(index, leaving, refusals, scale.root).groups:
        path = next(where[part] for part in frame if part in leaving)
        where |= {part: path for part in frame if part not in leaving}
    target = place(index, refusals, where.keys())
    gone = {line for part in where for line in range(part.start, part.end)}
    known = {memory.destination(p, INDEX) for p in index.links if p.line not in gone}
    all_ = [(path, group, hook(scale, group)) for path, group in zip(homes, groups, strict=True)]
    new = [Entry(path, group.title, said) for path, group, said in all_ if path not in known]
    rows = dict(zip((entry.path for entry in new), target.rows(new), strict=True))
    owners = {part: node for node in scale.root.walk() for part in node.content()}
    style = Style.of(memory)
    edits = []
    for path, group, said in all_:
        mine = sorted((p for p in where if where[p] == path), key=lambda part: part.start)
        lines = [line for part in mine for line in range(part.start, part.end)]
        going = [p for p in mine if p in leaving or p.kind is BlockKind.RULE]
        body = _body(index, owners, going)
        if note := memory.notes.get(path):
            is_apart = bool(note.rows[-1].strip())
            insertions = [Insertion(path, len(note.rows), (*("",) * is_apart, *body))]
        else:
            is_headed = plain(body[0].lstrip("# ")) == group.title
            title = () if is_headed else (f"# {group.title}", "")
            kind = kind_of(index, group.title, group.blocks)
            head = frontmatter_rows(path, said, kind, style, is_moved=True)
            insertions = [Insertion(path, 0, (*head, *title, *body))]
        if path in rows:
            lead = target.lead if path == new[0].path else ()
            tail = target.tail if path == new[-1].path else ()
            insertions.append(Insertion(INDEX, target.at, (*lead, rows[path], *tail)))
        removals = tuple(Removal(INDEX, line, path) for line in lines)
        count = sum(bool(index.rows[line].strip()) for line in lines)
        edits.append(Edit(RULE, STEP, removals, tuple(insertions), count))
    return edits


def _body(index: Note, owners: Mapping[Block, Node], going: Iterable[Block]) -> list[str]:
    """Return lines for a file, each below its headings and its label."""
    shown: set[Block] = set()
    body = [""]
    for part in going:
        for each in dict.fromkeys((*owners[part].headings, part)):
            is_close = each is part and index.rows[part.start - 1].strip()
            if each not in shown:
                body += [""] * (not is_close and body[-1].strip() != "")
                body += index.body(each)
            shown.add(each)
    return body[1:]
