"""Choose the topic file of each passage: few files, each of one subject or one span of time."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from dreamd.engine.rules import hooks
from dreamd.engine.rules.days import Day
from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.outline import Node
from dreamd.engine.rules.topics import free_path, slug, took_lines
from dreamd.engine.rules.worth import Scale, dated, heading_day
from dreamd.text.markdown.inline import plain
from dreamd.text.markdown.markdown import Block, is_closed

LARGEST = 12_000  # bytes of a file that a reader opens at ease; a longer log is cut by time
_SMALL = 1_500  # bytes; smaller sections of one parent share a file
_SPANS: tuple[Callable[[Day], str], ...] = (
    lambda day: f"{day.year:04}",
    lambda day: f"{day.year:04} Q{day.quarter}",
    lambda day: f"{day.year:04}-{day.month:02}",
    str,
)


@dataclass(frozen=True, slots=True)
class Group:
    """Blocks for one topic file, in order; `nodes` are the sections they come from.

    `names` are those of files that took such lines before, the best first.
    """

    title: str
    blocks: tuple[Block, ...]
    nodes: tuple[Node, ...]
    series: str = ""
    names: tuple[str, ...] = ()
    day: Day | None = None


@dataclass(frozen=True, slots=True)
class Home:
    """A group with the file it goes to; `note` is that file where it is there already."""

    group: Group
    path: PurePosixPath
    note: Note | None
    hook: str


_Entry = tuple[Day, Node, Block]


def grouped(scale: Scale, leaving: AbstractSet[Block], minor: AbstractSet[Block]) -> list[Group]:
    """Return the groups of all blocks that leave: subjects, then logs, newest first, then `minor`.

    Small subjects of one parent share a file, and so does a log, as far as there is room.
    """
    subjects: dict[Node, list[Block]] = {}
    logs: dict[Node, list[_Entry]] = {}
    least: list[tuple[Node, Block]] = []
    for node in scale.root.walk():
        at = dated(node)
        for part in node.content():
            if part in minor:
                least.append((node, part))
            elif part not in leaving:
                continue
            elif day := scale.day_of(node, part):
                parent = at.parent if at and at.parent else node
                logs.setdefault(parent, []).append((day, at or node, part))
            else:
                subjects.setdefault(_subject(node, leaving), []).append(part)
    shared: dict[Node, list[Node]] = {}
    for node, blocks in subjects.items():
        is_small = not node.is_top and _size(scale, blocks) < _SMALL
        shared.setdefault((node.parent or node) if is_small else node, []).append(node)
    groups = [
        _group(nodes[0] if len(nodes) == 1 else home, nodes, subjects)
        for home, nodes in shared.items()
    ]
    timed = [group for parent, found in logs.items() for group in _logs(scale, parent, found)]
    groups += sorted(timed, key=lambda group: group.day or Day(0, 0), reverse=True)
    if least:
        nodes = tuple(dict.fromkeys(node for node, _ in least))
        series = next((hooks.stem(node.title) for node in nodes if heading_day(node)), "") or "Log"
        details = tuple(part for _, part in least)
        groups.append(Group(f"{series}: minor details", details, nodes, series))
    return [part for group in groups for part in _parted(scale, group)]


def _size(scale: Scale, blocks: Iterable[Block]) -> int:
    return sum(len(row.encode()) + 1 for part in blocks for row in scale.index.body(part))


def _subject(node: Node, leaving: AbstractSet[Block]) -> Node:
    """Return the outermost section around that leaves whole, else the section itself."""
    gone = [at for at in node.upwards() if not at.is_top and at.is_gone(leaving)]
    return gone[-1] if gone else node


def _group(home: Node, nodes: Sequence[Node], subjects: dict[Node, list[Block]]) -> Group:
    title = "" if home.is_top else plain(home.title)
    blocks = sorted((p for node in nodes for p in subjects[node]), key=lambda part: part.start)
    return Group(title or "More notes", tuple(blocks), tuple(nodes))


def _logs(
    scale: Scale, parent: Node, found: Sequence[_Entry], spans: tuple[str, ...] = ()
) -> Iterator[Group]:
    """Yield one group a year, where that is too large one a quarter, a month, a day."""
    buckets: dict[str, list[_Entry]] = {}
    for each in sorted(found, key=lambda each: (each[0], each[2].start)):
        buckets.setdefault(_SPANS[len(spans)](each[0]), []).append(each)
    for span, bucket in buckets.items():
        within = (*spans, span)
        blocks = tuple(sorted((part for *_, part in bucket), key=lambda part: part.start))
        if _size(scale, blocks) > LARGEST and len(within) < len(_SPANS):
            yield from _logs(scale, parent, bucket, within)
            continue
        nodes = tuple(dict.fromkeys(node for _, node, _ in bucket))
        series = _series(parent, nodes)
        is_one = len(nodes) == 1 and heading_day(nodes[0]) is not None
        title = plain(nodes[0].title) if is_one else f"{series} {span}"
        names = tuple(slug(f"{series} {each}") for each in reversed(within))
        yield Group(title, blocks, nodes, series, names, bucket[-1][0])


def _series(parent: Node, nodes: Sequence[Node]) -> str:
    """Return the common name of the dated headings, else the heading above them."""
    names = Counter(name for n in nodes if heading_day(n) and (name := hooks.stem(n.title)))
    if names:
        return names.most_common(1)[0][0]
    return "Log" if parent.is_top else plain(parent.title)


def _parted(scale: Scale, group: Group) -> Iterator[Group]:
    """Yield a group as it is, or where it is far too large for one file in numbered parts."""
    if _size(scale, group.blocks) <= 2 * LARGEST:
        yield group
        return
    pieces: list[list[Block]] = [[]]
    for part in group.blocks:
        if pieces[-1] and _size(scale, [*pieces[-1], part]) > LARGEST:
            pieces.append([])
        pieces[-1].append(part)
    for number, piece in enumerate(pieces, 1):
        nodes = tuple(node for node in group.nodes if not set(piece).isdisjoint(node.whole))
        yield replace(group, title=f"{group.title} {number}", blocks=tuple(piece), nodes=nodes)


def homes(
    memory: Memory, groups: Sequence[Group], refusals: Refusals, scale: Scale | None
) -> list[Home]:
    """Give each group a file: one that took such lines before and has room, else a new one.

    Without a scale the hooks are stand-ins of the greatest length.
    """
    taken = memory.names | refusals.paths
    found = []
    for group in groups:
        said = "x" * hooks.LONGEST
        if scale:
            said = hooks.hook(scale, group.series, group.nodes, group.blocks)
        names = (*group.names, slug(group.title))
        note = next((note for name in names if (note := _with_room(memory, name, group))), None)
        path = note.path if note else free_path(slug(group.title), taken)
        taken |= {path}
        found.append(Home(group, path, note, said))
    return found


def _with_room(memory: Memory, name: str, group: Group) -> Note | None:
    note = memory.notes.get(PurePosixPath(f"{name}.md"))
    if note is None or not took_lines(note):
        return None
    if note.parts and not is_closed(note.rows, note.parts[-1]):
        return None
    size = sum(part.end - part.start for part in group.blocks) * 80  # bytes, roughly
    return note if len(note.text) + size < 2 * LARGEST else None
