"""Move the least useful lines to last files, when the notes exceed what a reader sees."""

from __future__ import annotations

from collections.abc import Iterator

from dreamd.engine.rules.grouping import LARGEST, Group, parted
from dreamd.engine.rules.hooks import LONGEST, stem
from dreamd.engine.rules.outline import Node
from dreamd.engine.rules.telling import telling
from dreamd.engine.rules.worth import Scale, day_of, heading_day, is_ordered, is_standing
from dreamd.text.markdown.markdown import Block, BlockKind

_WORTH_A_FILE = 400  # bytes over the limit from which a file of its own is worth it
_FEWEST = 20  # such lines; with fewer it is no log of single lines
_POINTER = LONGEST + 60  # bytes of a pointer, about
_HEAD = 250  # bytes of a file before its first line, about


def minor(scale: Scale, root: Node, seen: int) -> frozenset[Block]:
    """Return the lines of logs that say least, as many as a reader of `seen` bytes comes not to.

    Readers see the index and then the files it points to, in order. Where that is not enough
    for everything, what they do not come to should be what they miss least. Only single lines of
    plain lists can be told apart so; other sections stay whole, as do standing instructions and
    the log of the last day.
    """
    index = scale.index
    over = len(index.text.encode()) - seen
    plain = list(_plain(scale, root))
    if over < _WORTH_A_FILE or len(plain) < _FEWEST:
        return frozenset()
    over += _POINTER * (2 + over // LARGEST) + _HEAD
    measure = telling(index.rows)
    plain.sort(key=lambda part: (measure(index.rows[part.start]), part.start))
    least: list[Block] = []
    for part in plain:
        if over <= 0:
            break
        least.append(part)
        over -= len(index.rows[part.start].encode()) + 1
    return frozenset(least)


def details(scale: Scale, root: Node, least: frozenset[Block]) -> tuple[Group, ...]:
    """Return the groups of these lines, the last files of all; in numbered parts where too many."""
    if not least:
        return ()
    nodes = tuple(node for node in root.walk() if not least.isdisjoint(node.own))
    series = next((stem(node.title) for node in nodes if heading_day(node)), "More") or "Log"
    blocks = tuple(sorted(least, key=lambda part: part.start))
    return tuple(parted(scale.index, Group(f"{series}: minor details", blocks, nodes, series)))


def _plain(scale: Scale, root: Node) -> Iterator[Block]:
    """Yield the one-line items of logs in sections that are nothing but such items."""
    index = scale.index
    for node in root.walk():
        if node.children or not all(_is_line(scale, each) for each in node.own):
            continue
        day = day_of(node)
        for part in node.own:
            when = scale.day_of_item(part) or day
            if when and not scale.is_newest(when) and not is_standing(index.rows[part.start]):
                yield part


def _is_line(scale: Scale, part: Block) -> bool:
    is_one = part.kind is BlockKind.ITEM and part.end == part.start + 1
    row = scale.index.rows[part.start]
    return is_one and part.start not in scale.pointing and not is_ordered(row)
