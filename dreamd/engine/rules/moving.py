"""Move lines from the index into topic files, with the headings that they need."""

from __future__ import annotations

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from dreamd.domain.tree import INDEX
from dreamd.engine.rules import hooks
from dreamd.engine.rules.edit import Edit, Insertion, Refusals, Removal
from dreamd.engine.rules.grouping import LARGEST, Group
from dreamd.engine.rules.listing import Entry, firsts, place
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.outline import Node
from dreamd.engine.rules.topics import (
    Style,
    free_path,
    frontmatter_rows,
    kind_of,
    slug,
    took_lines,
)
from dreamd.engine.rules.worth import Scale, is_standing
from dreamd.text.markdown.markdown import Block, BlockKind, is_closed
from dreamd.text.markdown.pointers import href

RULE = "index over its limits"
STEP = "moved {line} out of the index"


@dataclass(frozen=True, slots=True)
class Home:
    """A group with the file it goes to; `note` is that file where it is there already."""

    group: Group
    path: PurePosixPath
    note: Note | None
    hook: str


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
        names = [slug(f"{group.series} {span}") for span in reversed(group.spans)]
        names.append(slug(group.title))
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


def moves(
    memory: Memory,
    root: Node,
    found: Sequence[Home],
    refusals: Refusals,
    minor: frozenset[Block] = frozenset(),
) -> list[Edit]:
    """Return one edit per file: its lines go there unchanged, and the index points to it.

    A heading goes with the last of its content; where some of that stays, or goes elsewhere,
    the heading is repeated in the file. That a section lacks no more than `minor` lines is not
    said below it.
    """
    index = memory.notes[INDEX]
    leaving = frozenset(part for home in found for part in home.group.blocks)
    where = {part: home.path for home in found for part in home.group.blocks}
    framing = dict(_framing(index, root, leaving, where, refusals))
    style = Style.of(memory)
    target = place(index, refusals, leaving | framing.keys())
    known = _pointed_to(memory, index, leaving)
    new = [home for home in found if home.path not in known]
    rows = target.rows([Entry(home.path, home.group.title, home.hook) for home in new])
    pointers = dict(zip((home.path for home in new), rows, strict=True))
    frames: dict[PurePosixPath, list[Block]] = {}
    for part, path in framing.items():
        frames.setdefault(path, []).append(part)
    partly = list(_partly(index, root, leaving, minor))
    edits = []
    for home in found:
        mine = frozenset(home.group.blocks)
        going = [*home.group.blocks, *frames.get(home.path, ())]
        lines = sorted(line for part in set(going) for line in range(part.start, part.end))
        removals = tuple(Removal(INDEX, line, home.path) for line in lines)
        trail = frozenset(at for node in home.group.nodes for at in node.upwards())
        body = tuple(_body(index, root, mine, frozenset(going), trail))
        said = () if mine <= minor else partly
        insertions = [_into(index, home, body, style), *_more(index, said, home)]
        if home in new[:1]:
            removals += tuple(
                Removal(INDEX, line) for line in _after(index, target.at, leaving | framing.keys())
            )
        if row := pointers.get(home.path):
            lead = target.lead if home is new[0] else ()
            tail = target.tail if home is new[-1] else ()
            insertions.append(Insertion(INDEX, target.at, (*lead, row, *tail)))
        count = sum(bool(index.rows[line].strip()) for line in lines)
        edits.append(Edit(RULE, STEP, removals, tuple(insertions), count))
    return edits


def _after(index: Note, at: int, going: Collection[Block]) -> Iterator[int]:
    """Yield the empty lines that an index ends with, where new pointers are to end it."""
    rest = [part for part in index.parts if part.start >= at and part not in going]
    if all(part.kind is BlockKind.BLANK for part in rest):
        yield from (line for part in rest for line in range(part.start, part.end))


def _pointed_to(
    memory: Memory, index: Note, leaving: frozenset[Block]
) -> frozenset[PurePosixPath | None]:
    """Return the notes that what stays in the index points to."""
    gone = {line for part in leaving for line in range(part.start, part.end)}
    stay = [pointer for pointer in index.links if pointer.line not in gone]
    return frozenset(memory.destination(pointer, INDEX) for pointer in stay)


def _framing(
    index: Note,
    root: Node,
    leaving: frozenset[Block],
    where: Mapping[Block, PurePosixPath],
    refusals: Refusals,
) -> Iterator[tuple[Block, PurePosixPath]]:
    """Yield the headings and rules that leave with all they frame, and where they go."""
    for node in root.walk():
        if node.is_top or node.heading is None or not node.is_gone(leaving):
            continue
        path = where[node.whole()[0]]
        for part in (node.heading, *node.tail):
            if part not in leaving and not refusals.of_removing(INDEX, index.body(part)):
                yield part, path


def _body(
    index: Note,
    node: Node,
    mine: frozenset[Block],
    going: frozenset[Block],
    trail: frozenset[Node] | None,
) -> Iterator[str]:
    """Yield the lines of a section for a file, each below its headings and its label.

    Only sections on the trail are walked; below its end (None) those with lines for the file.
    """
    if node.heading and not node.is_top:
        yield from ("", *index.body(node.heading))
    shown: Block | None = None
    for part in node.content():
        if part not in mine or part is node.heading:
            continue
        lead = node.labels.get(part)
        if lead and lead not in mine and lead is not shown:
            yield from ("", *index.body(lead))
            shown = lead
        if part.start and not index.rows[part.start - 1].strip():
            yield ""
        yield from index.body(part)
    inner = None if trail is None or trail.isdisjoint(node.children) else trail
    for child in node.children:
        if child in inner if inner is not None else not mine.isdisjoint(child.whole()):
            yield from _body(index, child, mine, going, inner)
    for part in node.tail:
        if part in going:
            yield from ("", *index.body(part))


def _into(index: Note, home: Home, body: Sequence[str], style: Style) -> Insertion:
    rows = list(_single_spaced(body))
    if home.note is not None:
        tail = home.note.rows[-1:] or ("",)
        gap = ("",) if tail[0].strip() else ()
        return Insertion(home.path, len(home.note.rows), (*gap, *rows))
    heading = rows[0].lstrip("# ") if rows and rows[0].startswith("#") else ""
    title = () if heading and len(home.group.nodes) == 1 else (f"# {home.group.title}", "")
    kind = kind_of(index, home.group.title, home.group.blocks)
    head = frontmatter_rows(home.path, home.hook, kind, style, is_moved=True)
    return Insertion(home.path, 0, (*head, *title, *rows))


def _single_spaced(rows: Sequence[str]) -> Iterator[str]:
    before = ""
    for row in rows:
        if row.strip() or before.strip():
            yield row
        before = row


def _partly(
    index: Note, root: Node, leaving: frozenset[Block], minor: frozenset[Block]
) -> Iterator[tuple[Node, list[Block]]]:
    """Yield the sections that keep some of what stands right below them, with what stays.

    Standing instructions do not count: that they stay is no sign that something else left. Nor
    do pointers: the list that they are gets the new one.
    """
    pointing = firsts(index)
    for node in root.walk():
        if node.is_top or (leaving - minor).isdisjoint(node.own) or leaving.issuperset(node.own):
            continue
        stays = [part for part in node.own if part not in leaving]
        if not all(p.start in pointing or is_standing(index.rows[p.start]) for p in stays):
            yield node, stays


def _more(
    index: Note, partly: Sequence[tuple[Node, list[Block]]], home: Home
) -> Iterator[Insertion]:
    """Yield a line for each section that keeps some of its passages, pointing to the others."""
    target = f"]({href(home.path)})"
    for node, stays in partly:
        mine = any(part in home.group.blocks for part in node.own)
        if not mine or any(target in row for part in stays for row in index.body(part)):
            continue
        more = f"More: [{home.group.title}{target}"
        is_list = stays[-1].kind is BlockKind.ITEM
        yield Insertion(INDEX, stays[-1].end, (f"- {more}",) if is_list else ("", more))
