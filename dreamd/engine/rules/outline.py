"""Parse a note into a tree of sections."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property

from dreamd.engine.rules.orient import Note
from dreamd.text.late import late
from dreamd.text.markdown.markdown import Block, BlockKind

_BOLD = late(r"(\*\*|__)[^*_]+\1:?")
_FOLLOWERS = {BlockKind.ITEM, BlockKind.TABLE, BlockKind.FENCE, BlockKind.COMMENT}
_ROOM = {BlockKind.BLANK, BlockKind.FRONTMATTER}


@dataclass(eq=False)
class Node:
    """A section: its heading (None for the whole file), what stands right below it, its parts.

    `tail` are the rules (`---`) that only part this section from the next; `labels` gives the
    label that a block right below the heading stands under, where it has one.
    """

    heading: Block | None = None
    parent: Node | None = None
    own: list[Block] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)
    tail: list[Block] = field(default_factory=list)
    labels: dict[Block, Block] = field(default_factory=dict)

    @property
    def title(self) -> str:
        """The heading's words."""
        return self.heading.title if self.heading else ""

    @property
    def is_top(self) -> bool:
        """Whether it is the whole file, or the one title over it."""
        if self.parent is None or self.heading is None:
            return True
        return self.heading.level == 1 and len(self.parent.children) == 1

    def walk(self) -> Iterator[Node]:
        """Walk this section and all below it, in order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def upwards(self) -> Iterator[Node]:
        """Walk from this section out to the whole file."""
        at: Node | None = self
        while at is not None:
            yield at
            at = at.parent

    def content(self) -> list[Block]:
        """Return what stands right below the heading; of an empty section, the heading itself."""
        is_empty = not self.own and not self.children
        return [self.heading] if is_empty and self.heading else self.own

    @cached_property
    def whole(self) -> tuple[Block, ...]:
        """The content of the section and of all below it, in order, when the tree is built."""
        return tuple(part for node in self.walk() for part in node.content())

    def blocks(self) -> Iterator[Block]:
        """Walk every block of the section: heading, content and rules."""
        for node in self.walk():
            yield from ([node.heading] if node.heading else []) + node.own
        for node in self.walk():
            yield from node.tail

    def is_gone(self, leaving: AbstractSet[Block]) -> bool:
        """Whether nothing but rules stays of the section once these blocks leave."""
        said = [part for part in self.whole if part.kind is not BlockKind.RULE]
        return bool(said) and leaving >= set(said)


def outline(note: Note) -> Node:
    """Return the sections of a note; blank lines and frontmatter belong to none."""
    root = here = Node()
    for part in note.parts:
        if part.kind in _ROOM:
            continue
        if part.kind is not BlockKind.HEADING:
            here.own.append(part)
            continue
        while here.heading and here.heading.level >= part.level:
            here = here.parent or root
        if here.children:
            _end(here.children[-1])
        here = Node(part, here)
        (here.parent or root).children.append(here)
    for node in root.walk():
        if node.is_top and node.children:
            _end(node.children[-1])
        node.labels = _labels(note, node)
    return root


def _end(section: Node) -> None:
    """Give a section the rules that end it, from the innermost section where they were read."""
    last = section
    while last.children:
        last = last.children[-1]
    while last.own and last.own[-1].kind is BlockKind.RULE:
        section.tail.insert(0, last.own.pop())


def _labels(note: Note, node: Node) -> dict[Block, Block]:
    """Return the label of each block; what is code by its indent may stand under one too."""
    found: dict[Block, Block] = {}
    lead: Block | None = None
    for part in node.own:
        if is_lead(note, part):
            lead = part
        elif part.kind not in _FOLLOWERS and not all(
            row.startswith(("    ", "\t")) for row in note.body(part)
        ):
            lead = None
        elif lead:
            found[part] = lead
    return found


def is_lead(note: Note, part: Block) -> bool:
    """Whether a paragraph only introduces what follows: it ends in a colon or is all bold."""
    if part.kind is not BlockKind.PARAGRAPH:
        return False
    last = note.rows[part.end - 1].strip()
    return last.rstrip("*_").endswith(":") or (
        part.end - part.start == 1 and _BOLD.fullmatch(last) is not None
    )
