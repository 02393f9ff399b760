"""Bring an index within its limits: move what is worth least into topic files."""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import replace

from dreamd.domain.budget import index_sizes, is_over
from dreamd.domain.settings import Budget
from dreamd.domain.tree import INDEX
from dreamd.engine.rules.edit import Edit, Insertion, Refusals, Removal, apply
from dreamd.engine.rules.grouping import LARGEST, LONGEST, Group, grouped, hook, paths
from dreamd.engine.rules.listing import Entry, place
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.outline import Node, hollowed
from dreamd.engine.rules.topics import frontmatter_rows, kind_of
from dreamd.engine.rules.worth import Scale, Tier
from dreamd.text.markdown.markdown import Block, BlockKind

RULE = "index over its limits"
STEP = "moved {line} out of the index"
_FULL = 0.95  # share of each limit that is filled, so that tomorrow's notes have room
_WASTE = 0.10  # share of a limit that may be left empty rather than part a section
_WORTH_A_FILE = 400  # bytes over what is seen from which a file of minor lines is worth it
_FILE = 2 * LONGEST + 160  # bytes of its frontmatter and of the pointer to it, about


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
    room = plan.room(leaving)
    if room < 0 and refusals.of_removing(INDEX, index.rows):
        return ()  # the user wants these lines here: tearing out others would not help
    return tuple(edits) if room > plan.room(frozenset()) else ()


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
        if len(groups) > max(self._budget.files - len(self._memory.names_of_notes), 0):
            blocks = sorted(leaving, key=lambda part: part.start)
            nodes = dict.fromkeys(node for group in groups for node in group.nodes)
            groups = [Group("Older notes", tuple(blocks), tuple(nodes))]
        hooks = ["x" * LONGEST if only_sized else hook(scale, group) for group in groups]
        return _moves(self._memory, scale, groups, hooks, self._refusals)

    def _least(self) -> frozenset[Block]:
        """Return the lines of logs that say least, as many as a reader comes not to.

        Readers see the index and then the files it points to, in order. What they do not come to
        should be what they miss least. The log of the last day is not touched.
        """
        scale, rows, budget = self._scale, self._index.rows, self._budget
        lines = {
            part: scale.worth.line(rows[part.start])
            for node in scale.root.walk()
            for part in node.own
            if scale.is_line(part) and part.start not in scale.pointing
            if scale.day_of(node, part) not in {None, scale.newest} and not scale.is_standing(part)
        }
        sizes = index_sizes(self._index.text, budget)
        others = sum(len(n.text.encode()) for p, n in self._memory.notes.items() if p != INDEX)
        stays = round(_FULL * min(budget.index_bytes, budget.index_units))
        over = sizes.index_bytes - max(budget.memory_bytes - others, stays)
        over += _FILE * (2 + over // LARGEST) if over > _WORTH_A_FILE else -over
        least = []
        for part in sorted(lines, key=lambda part: (lines[part], part.start)):
            if over > 0:
                least.append(part)
                over -= len(rows[part.start].encode()) + 1
        return frozenset(least)


def _moves(
    memory: Memory, scale: Scale, groups: Sequence[Group], hooks: Sequence[str], refusals: Refusals
) -> list[Edit]:
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
    all_ = list(zip(homes, groups, hooks, strict=True))
    new = [Entry(path, group.title, said) for path, group, said in all_ if path not in known]
    rows = dict(zip((entry.path for entry in new), target.rows(new), strict=True))
    owners = {part: node for node in scale.root.walk() for part in node.content()}
    edits = []
    for path, group, said in all_:
        mine = sorted((p for p in where if where[p] == path), key=lambda part: part.start)
        lines = [line for part in mine for line in range(part.start, part.end)]
        going = [p for p in mine if p in leaving or p.kind is BlockKind.RULE]
        body = list(_body(index, owners, going))
        if note := memory.notes.get(path):
            is_apart = bool(note.rows[-1].strip())
            insertions = [Insertion(path, len(note.rows), (*("",) * is_apart, *body))]
        else:
            is_headed = body[0].startswith("#") and len(group.nodes) == 1
            title = () if is_headed else (f"# {group.title}", "")
            kind = kind_of(index, group.title, group.blocks)
            head = frontmatter_rows(path, said, kind, memory, is_moved=True)
            insertions = [Insertion(path, 0, (*head, *title, *body))]
        if path in rows:
            lead = target.lead if path == new[0].path else ()
            tail = target.tail if path == new[-1].path else ()
            insertions.append(Insertion(INDEX, target.at, (*lead, rows[path], *tail)))
        removals = tuple(Removal(INDEX, line, path) for line in lines)
        count = sum(bool(index.rows[line].strip()) for line in lines)
        edits.append(Edit(RULE, STEP, removals, tuple(insertions), count))
    return edits


def _body(index: Note, owners: Mapping[Block, Node], going: Iterable[Block]) -> Iterator[str]:
    """Yield lines for a file, each below its headings and its label, no two of them empty."""
    shown: set[Block] = set()
    before = ""
    for part in going:
        node = owners[part]
        rows: list[str] = []
        for above in [at.heading for at in node.upwards() if not at.is_top][::-1]:
            if above not in shown:
                rows += ("", *index.body(above))
                shown.add(above)
        if part not in shown:
            is_apart = part.kind is BlockKind.RULE or not index.rows[part.start - 1].strip()
            rows += ("",) * is_apart + index.body(part)
        for row in rows:
            if row.strip() or before.strip():
                yield row
            before = row
