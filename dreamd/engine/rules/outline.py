"""Parse a note into a tree of sections, and find those that nothing is left of."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from functools import cached_property, lru_cache

from msgspec import Struct, field

from dreamd.engine.rules import days
from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.orient import Note
from dreamd.text.late import late
from dreamd.text.markdown.markdown import Block, BlockKind

_BOLD = late(r"(\*\*|__)[^*_]+\1:?")
_UPDATED = late(r"(?i)\b(?:updated?|as of|since|reviewed|valid)\b[\s:]*$")
_FOLLOWERS = {BlockKind.ITEM, BlockKind.TABLE, BlockKind.FENCE, BlockKind.COMMENT}
_LABEL = 7  # its level, below all headings
_ROOM = {BlockKind.BLANK, BlockKind.FRONTMATTER}


class Node(Struct, eq=False, dict=True):
    """A section: its heading or label, what stands right below it, and its parts.

    The root has neither; at the top are the root and the one title over a file.
    """

    heading: Block
    parent: Node | None = None
    own: list[Block] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)
    is_top: bool = False

    @property
    def is_label(self) -> bool:
        """Whether a paragraph introduces it, and no heading."""
        return self.heading.kind is BlockKind.PARAGRAPH

    @cached_property
    def day(self) -> days.Day | None:
        """The day it is a log of; "(updated 2026-03-30)" is a current state instead."""
        title = self.heading.title
        found = days.find(title)
        return found[0].day if found and not _UPDATED.search(title[: found[0].start]) else None

    @cached_property
    def log(self) -> Node | None:
        """The nearest section with a day, this or one around it."""
        return next((at for at in self.upwards() if at.day), None)

    def walk(self) -> Iterator[Node]:
        """Walk this section and all below it, in order."""
        yield self
        for child in self.children:
            yield from child.walk()

    def upwards(self) -> Iterator[Node]:
        """Walk from this section out to the whole file."""
        yield self
        if self.parent:
            yield from self.parent.upwards()

    @cached_property
    def headings(self) -> tuple[Block, ...]:
        """The headings below the title that it stands under, its own last."""
        return tuple(at.heading for at in self.upwards() if not at.is_top)[::-1]

    def content(self) -> list[Block]:
        """Return what stands right below the heading; of an empty section, the heading itself."""
        return [self.heading] if self.parent and not (self.own or self.children) else self.own

    def is_gone(self, leaving: AbstractSet[Block]) -> bool:
        """Whether nothing but rules stays of the section once these blocks leave."""
        whole = (part for node in self.walk() for part in node.content())
        said = {part for part in whole if part.kind is not BlockKind.RULE}
        return bool(said) and leaving >= said


@lru_cache(maxsize=1 << 12)  # each round of a dream asks for the same notes
def outline(note: Note) -> Node:
    """Return the sections of a note; below a label stand lists, tables and code.

    Blank lines and frontmatter belong to none.
    """
    root = here = Node(Block(0, 0, BlockKind.HEADING), is_top=True)
    for part in note.parts:
        if part.kind is BlockKind.HEADING or is_lead(note, part):
            while here.parent and (here.heading.level or _LABEL) >= (part.level or _LABEL):
                here = here.parent
            here.children.append(Node(part, here))
            here = here.children[-1]
        elif part.kind not in _ROOM:
            if here.is_label and here.parent and part.kind not in _FOLLOWERS:
                here = here.parent
            here.own.append(part)
    heads = [node for node in root.children if not node.is_label]
    for node in heads if len(heads) == 1 else ():
        node.is_top = node.heading.level == 1
    return root


def is_lead(note: Note, part: Block) -> bool:
    """Whether a paragraph only introduces what follows: it ends in a colon or is all bold."""
    if part.kind is not BlockKind.PARAGRAPH:
        return False
    last = note.rows[part.end - 1].strip()
    is_bold = part.end == part.start + 1 and _BOLD.fullmatch(last) is not None
    return is_bold or last.rstrip("*_").endswith(":")


def hollowed(note: Note, gone: AbstractSet[Block], refusals: Refusals) -> list[tuple[Block, ...]]:
    """Return the headings and labels that nothing is left below once these blocks go.

    Each comes first in a group of all that stands below it, an outer group before those inside.
    The one title over a note stays, and so does what the user refused to let go.
    """
    hollow = (node for node in outline(note).walk() if not node.is_top and node.is_gone(gone))
    groups = (tuple(p for at in each.walk() for p in (at.heading, *at.own)) for each in hollow)
    return [g for g in groups if not any(refusals.of_removing(note.path, note.body(p)) for p in g)]
