"""Parse a note into a tree of sections, and find those that nothing is left of."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from functools import cached_property

from dreamd.engine.rules import days
from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.orient import Note
from dreamd.text.late import late
from dreamd.text.markdown.markdown import Block, BlockKind

_BOLD = late(r"(\*\*|__)[^*_]+\1:?")
_UPDATED = late(r"(?i)\b(?:updated?|as of|since|reviewed|valid)\b[\s:]*$")
_FOLLOWERS = {BlockKind.ITEM, BlockKind.TABLE, BlockKind.FENCE, BlockKind.COMMENT}
_ROOM = {BlockKind.BLANK, BlockKind.FRONTMATTER}


@dataclass(eq=False)
class Node:
    """A section: its heading, what stands right below it, and its parts; the root has no level.

    `tail` are the rules (`---`) that only part this section from the next; `labels` gives the
    label that a block right below the heading stands under, where it has one.
    """

    heading: Block
    parent: Node | None = None
    own: list[Block] = field(default_factory=list)
    children: list[Node] = field(default_factory=list)
    tail: list[Block] = field(default_factory=list)
    labels: dict[Block, Block] = field(default_factory=dict)

    @property
    def is_top(self) -> bool:
        """Whether it is the whole file, or the one title over it."""
        parent = self.parent
        return parent is None or (self.heading.level == 1 and len(parent.children) == 1)

    @cached_property
    def day(self) -> days.Day | None:
        """The day it is a log of; "(updated 2026-03-30)" is a current state instead."""
        title = self.heading.title
        found = days.find(title)
        return found[0].day if found and not _UPDATED.search(title[: found[0].start]) else None

    @cached_property
    def log(self) -> Node | None:
        """The nearest section with a day, this or one around it."""
        if self.day:
            return self
        return self.parent.log if self.parent else None

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

    def content(self) -> list[Block]:
        """Return what stands right below the heading; of an empty section, the heading itself."""
        return [self.heading] if self.parent and not (self.own or self.children) else self.own

    @cached_property
    def whole(self) -> tuple[Block, ...]:
        """The content of the section and of all below it, in order."""
        return tuple(part for node in self.walk() for part in node.content())

    def is_gone(self, leaving: AbstractSet[Block]) -> bool:
        """Whether nothing but rules stays of the section once these blocks leave."""
        said = {part for part in self.whole if part.kind is not BlockKind.RULE}
        return bool(said) and leaving >= said


def outline(note: Note) -> Node:
    """Return the sections of a note; blank lines and frontmatter belong to none."""
    root = here = Node(Block(0, 0, BlockKind.HEADING))
    for part in note.parts:
        if part.kind is BlockKind.HEADING:
            while here.parent and here.heading.level >= part.level:
                here = here.parent
            here.children.append(Node(part, here))
            here = here.children[-1]
        elif part.kind not in _ROOM:
            here.own.append(part)
    for node in root.walk():
        for child in node.children if node.is_top else node.children[:-1]:
            *_, last = child.walk()
            while last.own and last.own[-1].kind is BlockKind.RULE:
                child.tail.insert(0, last.own.pop())
        node.labels = _labels(note, node)
    return root


def _labels(note: Note, node: Node) -> dict[Block, Block]:
    """Return the label of each block; what is code by its indent may stand under one too."""
    found: dict[Block, Block] = {}
    lead: Block | None = None
    for part in node.own:
        is_code = all(row.startswith(("    ", "\t")) for row in note.body(part))
        if is_lead(note, part):
            lead = part
        elif part.kind not in _FOLLOWERS and not is_code:
            lead = None
        elif lead:
            found[part] = lead
    return found


def is_lead(note: Note, part: Block) -> bool:
    """Whether a paragraph only introduces what follows: it ends in a colon or is all bold."""
    if part.kind is not BlockKind.PARAGRAPH:
        return False
    last = note.rows[part.end - 1].strip()
    is_bold = part.end == part.start + 1 and _BOLD.fullmatch(last) is not None
    return is_bold or last.rstrip("*_").endswith(":")


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
    stays = {part.kind for part in note.parts if part not in going and part.kind not in _ROOM}
    return Hollow(going, groups, stays <= {BlockKind.HEADING, BlockKind.RULE})


def _groups(root: Node, gone: frozenset[Block]) -> Iterator[tuple[Block, ...]]:
    led: dict[Block, list[Block]] = {}
    for node in root.walk():
        for part, lead in node.labels.items():
            led.setdefault(lead, [lead]).append(part)
    empty = [tuple(group) for group in led.values() if gone.issuperset(group[1:])]
    after = gone.union(group[0] for group in empty)
    for node in root.walk():
        if not node.is_top and node.is_gone(after):
            tails = [part for inner in node.walk() for part in inner.tail]
            yield (*(part for at in node.walk() for part in (at.heading, *at.own)), *tails)
    yield from empty
