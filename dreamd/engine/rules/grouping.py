"""Choose the topic file of each passage: few files, each of one subject or one span of time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, replace

from dreamd.engine.rules import hooks
from dreamd.engine.rules.days import Day
from dreamd.engine.rules.orient import Note
from dreamd.engine.rules.outline import Node
from dreamd.engine.rules.worth import Scale, heading_day
from dreamd.text.markdown.inline import plain
from dreamd.text.markdown.markdown import Block

LARGEST = 12_000  # bytes of a file that a reader opens at ease; a longer log is cut by time
_SMALL = 1_500  # bytes; smaller sections of one parent share a file
_TINY_FILES = 3  # small sections without a parent that still get files of their own
_SPANS: tuple[Callable[[Day], str], ...] = (
    lambda day: f"{day.year:04}",
    lambda day: f"{day.year:04} Q{day.quarter}",
    lambda day: f"{day.year:04}-{day.month:02}",
    str,
)


@dataclass(frozen=True, slots=True)
class Group:
    """Blocks for one topic file, in order; `nodes` are the sections they come from.

    `spans` are the names of the times it falls into, the longest first; none for a subject.
    """

    title: str
    blocks: tuple[Block, ...]
    nodes: tuple[Node, ...]
    series: str = ""
    spans: tuple[str, ...] = ()
    day: Day | None = None


@dataclass(frozen=True, slots=True)
class _Log:
    """Blocks of one day below one heading."""

    day: Day
    node: Node
    blocks: tuple[Block, ...]
    size: int


def grouped(scale: Scale, root: Node, leaving: frozenset[Block]) -> tuple[Group, ...]:
    """Return the groups of all blocks that leave: subjects in order, then logs, newest first."""
    logs: dict[Node, list[_Log]] = {}
    subjects: dict[Node, list[Block]] = {}
    index = scale.index
    for node in root.walk():
        blocks = [part for part in node.content() if part in leaving]
        if not blocks:
            continue
        dated = next((at for at in node.upwards() if heading_day(at)), None)
        if dated and dated.parent and (day := heading_day(dated)):
            log = _Log(day, dated, tuple(blocks), _size(index, blocks))
            logs.setdefault(dated.parent, []).append(log)
            continue
        rest = []
        for part in blocks:
            if said := scale.day_of_item(part):
                log = _Log(said, node, (part,), _size(index, [part]))
                logs.setdefault(node, []).append(log)
            else:
                rest.append(part)
        if rest:
            subjects.setdefault(_subject(node, leaving), []).extend(rest)
    found = [*_subjects(index, subjects)]
    timed = [group for parent, entries in logs.items() for group in _logs(parent, entries)]
    timed.sort(key=lambda group: group.day or Day(0, 0), reverse=True)
    return tuple(part for group in (*found, *timed) for part in parted(index, group))


def _size(index: Note, blocks: Sequence[Block]) -> int:
    return sum(len(row.encode()) + 1 for part in blocks for row in index.body(part))


def _subject(node: Node, leaving: frozenset[Block]) -> Node:
    """Return the outermost section around that leaves whole, else the section itself."""
    return next((at for at in node.lineage() if at.is_gone(leaving)), node)


def _subjects(index: Note, found: dict[Node, list[Block]]) -> Iterator[Group]:
    """Yield a group per subject; small ones of one parent, and many tiny ones, share one."""
    shared: dict[Node, list[Node]] = {}
    for node, blocks in found.items():
        home = node
        if node.parent and not node.is_top and _size(index, blocks) < _SMALL:
            home = node.parent
        shared.setdefault(home, []).append(node)
    for home, nodes in shared.items():
        if home.is_top and len(nodes) <= _TINY_FILES and home not in nodes:
            parts = [(node.title, [node]) for node in nodes]
        elif home.is_top or len(nodes) > 1:
            parts = [(home.title if not home.is_top else "More notes", nodes)]
        else:
            parts = [(nodes[0].title, nodes)]
        for title, members in parts:
            blocks = [part for node in members for part in found[node]]
            yield Group(plain(title) or "More notes", tuple(blocks), tuple(members))


def _logs(parent: Node, entries: Sequence[_Log], depth: int = 0) -> Iterator[Group]:
    """Yield one group for all, or where that is too large one per year, quarter, month, day."""
    buckets: dict[str, list[_Log]] = {}
    for log in sorted(entries, key=lambda log: log.day):
        buckets.setdefault(_SPANS[depth](log.day), []).append(log)
    for span, bucket in buckets.items():
        if sum(log.size for log in bucket) > LARGEST and depth + 1 < len(_SPANS):
            yield from _logs(parent, bucket, depth + 1)
            continue
        nodes = tuple(dict.fromkeys(log.node for log in bucket))
        blocks = [part for log in bucket for part in log.blocks]
        series = _series(parent, nodes)
        title = plain(nodes[0].title) if len(nodes) == 1 and heading_day(nodes[0]) else ""
        yield Group(
            title or f"{series} {span}",
            tuple(sorted(blocks, key=lambda part: part.start)),
            tuple(sorted(nodes, key=lambda node: node.whole()[0].start)),
            series,
            tuple(name(bucket[0].day) for name in _SPANS[: depth + 1]),
            max(log.day for log in bucket),
        )


def parted(index: Note, group: Group) -> Iterator[Group]:
    """Yield a group as it is, or where it is far too large for one file in numbered parts."""
    if _size(index, group.blocks) <= 2 * LARGEST:
        yield group
        return
    pieces: list[list[Block]] = [[]]
    size = 0
    for part in group.blocks:
        size += _size(index, [part])
        if size > LARGEST and pieces[-1]:
            pieces.append([])
            size = _size(index, [part])
        pieces[-1].append(part)
    for number, piece in enumerate(pieces, 1):
        mine = frozenset(piece)
        nodes = tuple(node for node in group.nodes if not mine.isdisjoint(node.whole()))
        yield replace(group, title=f"{group.title} {number}", blocks=tuple(piece), nodes=nodes)


def _series(parent: Node, nodes: Sequence[Node]) -> str:
    """Return the common name of the dated headings, else the heading above them."""
    names = Counter(
        name for node in nodes if heading_day(node) and (name := hooks.stem(node.title))
    )
    if names:
        return names.most_common(1)[0][0]
    return "Log" if parent.is_top else plain(parent.title)


def joined(groups: Sequence[Group]) -> tuple[Group, ...]:
    """Return one group of all, for a directory that has no room for more files."""
    blocks = sorted((part for group in groups for part in group.blocks), key=lambda p: p.start)
    nodes = dict.fromkeys(node for group in groups for node in group.nodes)
    return (Group("Older notes", tuple(blocks), tuple(nodes)),) if blocks else ()
