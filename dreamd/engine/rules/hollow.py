"""Find labels and headings that have nothing left below them."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass

from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.orient import Note
from dreamd.engine.rules.outline import Node, outline
from dreamd.text.markdown.markdown import Block, BlockKind

_NO_CONTENT = {BlockKind.BLANK, BlockKind.RULE, BlockKind.FRONTMATTER}


@dataclass(frozen=True, slots=True)
class Hollow:
    """Every block that goes; `groups` are headings and labels, each first, with all below them.

    An outer group stands before those inside it. `is_all` says that nothing of the note stays.
    """

    going: frozenset[Block]
    groups: tuple[tuple[Block, ...], ...]
    is_all: bool


def hollowed(
    note: Note, gone: frozenset[Block], refusals: Refusals, root: Node | None = None
) -> Hollow:
    """Return what goes when these blocks go; where the user refused a heading, all below stays.

    The one title over a note stays. `root` is the outline of the note, where it is known.
    """
    root = root or outline(note)
    while True:
        groups = tuple(_groups(root, gone))
        refused = [g for g in groups if refusals.of_removing(note.path, note.body(g[0]))]
        if not refused:
            break
        gone -= set(refused[0])
    going = gone.union(*groups)
    rest = [part for part in note.parts if part.kind not in _NO_CONTENT and part not in going]
    return Hollow(going, groups, all(part.kind is BlockKind.HEADING for part in rest))


def _groups(root: Node, gone: AbstractSet[Block]) -> Iterator[tuple[Block, ...]]:
    led = {lead: [lead] for node in root.walk() for lead in node.labels.values()}
    for node in root.walk():
        for part, lead in node.labels.items():
            led[lead].append(part)
    empty = [group for group in led.values() if gone >= set(group[1:])]
    after = {*gone, *(group[0] for group in empty)}
    yield from (tuple(n.blocks()) for n in root.walk() if not n.is_top and n.is_gone(after))
    yield from map(tuple, empty)
