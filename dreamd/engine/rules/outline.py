"""Parse an index into a tree of sections."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

from dreamd.engine.rules.orient import Note
from dreamd.text.late import late
from dreamd.text.markdown.markdown import Block, BlockKind

_BOLD = late(r"(\*\*|__)[^*_]+\1:?")

FOLLOWERS = {BlockKind.ITEM, BlockKind.TABLE, BlockKind.FENCE, BlockKind.COMMENT}
_ROOM = {BlockKind.BLANK, BlockKind.FRONTMATTER}


@dataclass(slots=True, eq=False)
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
    _whole: tuple[Block, ...] | None = None  # kept once the tree is built

    @property
    def level(self) -> int:
        """The heading's level, 0 for the whole file."""
        return self.heading.level if self.heading else 0

    @property
    def title(self) -> str:
        """The heading's words."""
        return self.heading.title if self.heading else ""

    @property
    def is_top(self) -> bool:
        """Whether it is the whole file, or the one title over it."""
        if self.parent is None:
            return True
        return self.level == 1 and len(self.parent.children) == 1

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

    def lineage(self) -> tuple[Node, ...]:
        """Return the sections from the outermost that is not the whole file's down to this."""
        above = self.parent.lineage() if self.parent else ()
        return above if self.is_top else (*above, self)

    def content(self) -> tuple[Block, ...]:
        """Return what stands right below the heading; of an empty section, the heading itself."""
        if not self.own and not self.children and self.heading:
            return (self.heading,)
        return tuple(self.own)

    def whole(self) -> tuple[Block, ...]:
        """Return the content of the section and of all sections below it, in order."""
        if self._whole is None:
            self._whole = tuple(part for node in self.walk() for part in node.content())
        return self._whole

    def is_gone(self, leaving: frozenset[Block]) -> bool:
        """Whether nothing of the section stays once these blocks leave."""
        return leaving.issuperset(self.whole()) and bool(self.whole())


def outline(note: Note) -> Node:
    """Return the sections of a note; blank lines and frontmatter belong to none."""
    root = here = Node()
    for part in note.parts:
        if part.kind in _ROOM:
            continue
        if part.kind is not BlockKind.HEADING:
            here.own.append(part)
            continue
        closed = None
        while here.parent and here.level >= part.level:
            closed, here = here, here.parent
        if closed:
            _trim(closed)
        here = Node(part, here)
        if here.parent:
            here.parent.children.append(here)
    while here.parent and not here.is_top:
        closed, here = here, here.parent
        if here.is_top:
            _trim(closed)
    for node in root.walk():
        node.labels = _labels(note, node)
    return root


def _labels(note: Note, node: Node) -> dict[Block, Block]:
    found: dict[Block, Block] = {}
    lead: Block | None = None
    for part in node.own:
        if is_lead(note, part):
            lead = part
        elif part.kind not in FOLLOWERS and not _is_code(note, part):
            lead = None
        elif lead:
            found[part] = lead
    return found


def _is_code(note: Note, part: Block) -> bool:
    """Whether a paragraph is code by its indent; a lead above it governs what follows it too."""
    return all(row.startswith(("    ", "\t")) for row in note.rows[part.start : part.end])


def _trim(section: Node) -> None:
    """Give a section the rules that end it, from the innermost section where they were read."""
    last = section
    while last.children:
        last = last.children[-1]
    while last.own and last.own[-1].kind is BlockKind.RULE:
        section.tail.insert(0, last.own.pop())


def is_lead(note: Note, part: Block) -> bool:
    """Whether a paragraph only introduces what follows: it ends in a colon or is all bold."""
    if part.kind is not BlockKind.PARAGRAPH:
        return False
    last = note.rows[part.end - 1].strip()
    return last.rstrip("*_").endswith(":") or (
        part.end - part.start == 1 and _BOLD.fullmatch(last) is not None
    )
