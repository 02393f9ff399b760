"""Find what can leave an index: whole sections, or single passages of a large one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.orient import Note
from dreamd.engine.rules.outline import Node
from dreamd.engine.rules.worth import Rank, Scale, Tier, heading_day, is_ordered, is_standing
from dreamd.text.markdown.markdown import Block, BlockKind

_SMALL = 25  # lines; an undated section up to here stays together
_MANY = 12  # items below one label; more may be parted, and the label is repeated


@dataclass(frozen=True, slots=True, eq=False)
class Passage:
    """Blocks that leave the index together; below `node`, of which they are all or a part."""

    node: Node
    blocks: tuple[Block, ...]
    rank: Rank


def passages(root: Node, scale: Scale, refusals: Refusals) -> list[Passage]:
    """Return the sections that may go, least useful first.

    A dated section is one passage with all below it; of a larger undated one each part is.
    Standing instructions stay where the log they stand in goes, and go by themselves, later.
    """
    found = []
    for passage in _sections(root, scale):
        free = _freed(passage, scale, refusals)
        found.append(free)
        found += _instructions(passage, free, scale, refusals)
    return sorted((each for each in found if each.blocks), key=lambda passage: passage.rank)


def finer(passage: Passage, scale: Scale, refusals: Refusals) -> list[Passage]:
    """Return the parts of a passage that may go one by one, least useful first."""
    node = passage.node
    if node.children and set(passage.blocks) - set(node.content()):
        parts = (
            [Passage(node, node.content(), scale.of_section(node, node.own))] if node.own else []
        )
        for child in node.children:
            parts += _sections(child, scale)
        found = [_freed(each, scale, refusals) for each in parts]
    else:
        found = [
            Passage(node, blocks, scale.of_passage(node, blocks))
            for blocks in _clusters(scale.index, node, frozenset(passage.blocks))
        ]
    return sorted((each for each in found if each.blocks), key=lambda each: each.rank)


def _sections(node: Node, scale: Scale) -> Iterator[Passage]:
    whole = node.whole()
    is_small = sum(part.end - part.start for part in whole) <= _SMALL
    is_mixed = any(heading_day(inner) for inner in node.walk())  # a log within something else
    is_one = not node.children or heading_day(node) is not None or (is_small and not is_mixed)
    if is_one and not node.is_top:
        yield Passage(node, whole, scale.of_section(node, whole))
        return
    if node.own:
        yield Passage(node, node.content(), scale.of_section(node, node.own))
    for child in node.children:
        yield from _sections(child, scale)


def _freed(passage: Passage, scale: Scale, refusals: Refusals) -> Passage:
    """Return the passage without what must stay: refused once, or a standing instruction."""
    index = scale.index
    stays = {
        part
        for part in passage.blocks
        if refusals.of_removing(index.path, index.body(part))
        or (passage.rank.tier < Tier.CURRENT and _is_instruction(index, part))
    }
    if not stays:
        return passage
    for node in passage.node.walk():
        stays |= {node.labels[part] for part in stays & node.labels.keys()}
    free = tuple(part for part in passage.blocks if part not in stays)
    rank = replace(passage.rank, telling=scale.telling(passage.rank.tier, free))
    return Passage(passage.node, free, rank)


def _instructions(
    passage: Passage, free: Passage, scale: Scale, refusals: Refusals
) -> Iterator[Passage]:
    """Yield what stayed for being an instruction, one by one."""
    index = scale.index
    stayed = set(passage.blocks) - set(free.blocks)
    for node in passage.node.walk():
        for part in node.content():
            is_free = part in stayed and not refusals.of_removing(index.path, index.body(part))
            if is_free and _is_instruction(index, part):
                yield Passage(node, (part,), scale.of_passage(node, (part,)))


def _is_instruction(note: Note, part: Block) -> bool:
    row = note.rows[part.start]
    is_line = part.kind is BlockKind.ITEM and part.end == part.start + 1
    return is_line and not is_ordered(row) and is_standing(row)


def _clusters(note: Note, node: Node, blocks: frozenset[Block]) -> Iterator[tuple[Block, ...]]:
    """Cut what stands below a heading into what makes sense alone.

    A label goes with all it introduces, unless that is long; a numbered list is one.
    """
    label = node.labels
    clusters: list[list[Block]] = []
    for part in node.content():
        if part not in blocks:
            continue
        last = clusters[-1][-1] if clusters else None
        is_on = last is not None and (
            label.get(part, part) in {last, label.get(last)}
            if part in label
            else _is_numbered(note, part) and _is_numbered(note, last) and last not in label
        )
        if is_on:
            clusters[-1].append(part)
        else:
            clusters.append([part])
    for cluster in clusters:
        items = [part for part in cluster if part.kind is BlockKind.ITEM]
        if len(items) > _MANY and not any(_is_numbered(note, part) for part in items):
            yield from ((part,) for part in cluster if part not in label.values())
        else:
            yield tuple(cluster)


def _is_numbered(note: Note, part: Block) -> bool:
    return part.kind is BlockKind.ITEM and is_ordered(note.rows[part.start])
