"""What says least goes to a last file, where all notes together are more than a reader sees."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace

from dreamd.domain.markdown import Block, BlockKind
from dreamd.engine.rules.grouping import Group, parted
from dreamd.engine.rules.orient import Note
from dreamd.engine.rules.outline import Node
from dreamd.engine.rules.worth import Scale, is_ordered

_WORTH_A_FILE = 400  # bytes over the limit from which a file of its own is worth it
_FEWEST = 20  # such lines; with fewer it is no log of single lines
_MOST = 0.5  # of such lines; a log far too long is better cut by time
_FRAME = 1.25  # bytes of such a file per byte of the lines that go there: headings come along


def with_details(scale: Scale, groups: Sequence[Group], seen: int) -> tuple[Group, ...]:
    """Return the groups with the lines that say least in a group of their own, the last.

    Readers see the index and then the files it points to, in order, `seen` bytes in all. Where
    that is not enough for everything, what they do not come to should be what they miss least.
    Only single lines of plain lists can be told apart so; other sections stay whole.
    """
    index = scale.index
    total = len(index.text.encode())
    over = total + 300 * (1 + len(groups)) - seen
    plain = [(group, part) for group in groups if group.day for part in _plain(index, group)]
    if over < _WORTH_A_FILE or len(plain) < _FEWEST:
        return tuple(groups)
    plain.sort(key=lambda each: (scale.measure(index.body(each[1])), each[1].start))
    size = sum(len(index.rows[part.start].encode()) for _, part in plain)
    over = min(over, round(_MOST * _FRAME * size))
    least: list[Block] = []
    for _, part in plain:
        if over <= 0:
            break
        least.append(part)
        over -= round(_FRAME * len(index.rows[part.start].encode()))
    gone = frozenset(least)
    nodes = [node for group in groups for node in group.nodes if not gone.isdisjoint(node.own)]
    rest = [_without(group, gone) for group in groups]
    series = next((group.series for group in groups if group.series), "More")
    blocks = tuple(sorted(least, key=lambda part: part.start))
    details = Group(f"{series}: minor details", blocks, tuple(dict.fromkeys(nodes)), series)
    return (*(group for group in rest if group.blocks), *parted(index, details))


def _plain(index: Note, group: Group) -> list[Block]:
    """Return the one-line items of sections that are nothing but such items."""
    mine = frozenset(group.blocks)
    return [
        part
        for node in group.nodes
        if not node.children and all(_is_line(index, each) for each in node.own)
        for part in node.own
        if part in mine
    ]


def _is_line(index: Note, part: Block) -> bool:
    is_one = part.kind is BlockKind.ITEM and part.end == part.start + 1
    return is_one and not is_ordered(index.rows[part.start])


def _without(group: Group, gone: frozenset[Block]) -> Group:
    blocks = tuple(part for part in group.blocks if part not in gone)
    left = frozenset(blocks)
    nodes: tuple[Node, ...] = tuple(n for n in group.nodes if not left.isdisjoint(n.whole()))
    return replace(group, blocks=blocks, nodes=nodes)
