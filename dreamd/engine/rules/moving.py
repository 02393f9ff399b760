"""Move lines from the index into topic files, with the headings that they need."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from pathlib import PurePosixPath

from dreamd.domain.tree import INDEX
from dreamd.engine.rules.edit import Edit, Insertion, Refusals, Removal
from dreamd.engine.rules.grouping import Home
from dreamd.engine.rules.hollow import hollowed
from dreamd.engine.rules.listing import Entry, place
from dreamd.engine.rules.orient import Memory
from dreamd.engine.rules.outline import Node
from dreamd.engine.rules.topics import Style, frontmatter_rows, kind_of
from dreamd.engine.rules.worth import Scale
from dreamd.text.markdown.markdown import Block, BlockKind
from dreamd.text.markdown.pointers import href

RULE = "index over its limits"
STEP = "moved {line} out of the index"


def moves(
    memory: Memory,
    scale: Scale,
    found: Sequence[Home],
    refusals: Refusals,
    minor: AbstractSet[Block],
) -> list[Edit]:
    """Return one edit per file: its lines go there unchanged, and the index points to it.

    A heading or label goes with the last of what it stands over; until then it is repeated in
    the file. That a section lacks no more than `minor` lines is not said below it.
    """
    index = scale.index
    where = {part: home.path for home in found for part in home.group.blocks}
    leaving = frozenset(where)
    for group in hollowed(index, leaving, refusals, scale.root).groups:
        path = next(where[part] for part in group if part in leaving)
        where |= {part: path for part in group if part not in leaving}
    target = place(index, refusals, frozenset(where))
    gone = {line for part in where for line in range(part.start, part.end)}
    pointed_to = {memory.destination(p, INDEX) for p in index.links if p.line not in gone}
    new = [home for home in found if home.path not in pointed_to]
    rows = target.rows([Entry(home.path, home.group.title, home.hook) for home in new])
    pointers = {home.path: [row] for home, row in zip(new, rows, strict=True)}
    if new:
        pointers[new[0].path][:0] = target.lead
        pointers[new[-1].path] += target.tail
    owners = {part: node for node in scale.root.walk() for part in (*node.content(), *node.tail)}
    more = list(_more(scale, where, leaving - minor, found))
    style = Style.of(memory)
    edits = []
    for home in found:
        mine = sorted((p for p in where if where[p] == home.path), key=lambda part: part.start)
        lines = [line for part in mine for line in range(part.start, part.end)]
        rules = [part for part in mine if part.kind is BlockKind.RULE]
        blocks = sorted({*home.group.blocks, *rules}, key=lambda part: part.start)
        body = list(_single_spaced(_body(scale, owners, blocks)))
        insertions = [_into(scale, home, body, style)]
        insertions += [insertion for path, insertion in more if path == home.path]
        if home.path in pointers:
            insertions.append(Insertion(INDEX, target.at, tuple(pointers[home.path])))
        removals = tuple(Removal(INDEX, line, home.path) for line in lines)
        count = sum(bool(index.rows[line].strip()) for line in lines)
        edits.append(Edit(RULE, STEP, removals, tuple(insertions), count))
    return edits


def _body(scale: Scale, owners: dict[Block, Node], blocks: Iterable[Block]) -> Iterator[str]:
    """Yield lines for a file, each below its headings and its label."""
    index = scale.index
    shown: set[Block] = set()
    for part in blocks:
        node = owners[part]
        trail = [at.heading for at in node.upwards() if at.heading and not at.is_top]
        for above in (*reversed(trail), node.labels.get(part)):
            if above and above not in shown:
                yield from ("", *index.body(above))
                shown.add(above)
        if part in shown:
            continue
        if part.kind is BlockKind.RULE or (part.start and not index.rows[part.start - 1].strip()):
            yield ""
        yield from index.body(part)


def _into(scale: Scale, home: Home, body: Sequence[str], style: Style) -> Insertion:
    if home.note is not None:
        tail = home.note.rows[-1:] or ("",)
        gap = ("",) if tail[0].strip() else ()
        return Insertion(home.path, len(home.note.rows), (*gap, *body))
    is_headed = body[0].startswith("#") and body[0].strip("# ") and len(home.group.nodes) == 1
    title = () if is_headed else (f"# {home.group.title}", "")
    kind = kind_of(scale.index, home.group.title, home.group.blocks)
    head = frontmatter_rows(home.path, home.hook, kind, style, is_moved=True)
    return Insertion(home.path, 0, (*head, *title, *body))


def _single_spaced(rows: Iterable[str]) -> Iterator[str]:
    before = ""
    for row in rows:
        if row.strip() or before.strip():
            yield row
        before = row


def _more(
    scale: Scale,
    where: dict[Block, PurePosixPath],
    leaving: AbstractSet[Block],
    found: Sequence[Home],
) -> Iterator[tuple[PurePosixPath, Insertion]]:
    """Yield a line for each section that keeps some of its passages, pointing to the others.

    Standing instructions do not count: that they stay is no sign that something else left. Nor
    do pointers: the list that they are gets the new one.
    """
    titles = {home.path: home.group.title for home in found}
    for node in scale.root.walk():
        stays = [part for part in node.own if part not in where]
        if node.is_top or all(p.start in scale.pointing or scale.is_standing(p) for p in stays):
            continue
        for path in dict.fromkeys(where[part] for part in node.own if part in leaving):
            target = f"]({href(path)})"
            if any(target in row for part in stays for row in scale.index.body(part)):
                continue
            more = f"More: [{titles[path]}{target}"
            is_item = stays[-1].kind is BlockKind.ITEM
            yield path, Insertion(INDEX, stays[-1].end, (f"- {more}",) if is_item else ("", more))
