"""Choose the topic file of what leaves the index: few files, each of one subject or one time."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from collections.abc import Set as AbstractSet
from dataclasses import dataclass
from itertools import accumulate, count, groupby
from pathlib import PurePosixPath

from dreamd.domain.superseded import current
from dreamd.engine.rules import days
from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.orient import Memory
from dreamd.engine.rules.outline import Node
from dreamd.engine.rules.topics import slug, took_lines
from dreamd.engine.rules.worth import Scale
from dreamd.text.late import late
from dreamd.text.markdown.inline import plain
from dreamd.text.markdown.markdown import Block, BlockKind, is_closed
from dreamd.text.secrets import secrets
from dreamd.text.time.relative import relative_phrases

LARGEST = 12_000  # bytes of a file that a reader opens at ease; a longer log is cut by time
LONGEST = 150  # bytes of a hook
_SMALL = 1_500  # bytes; smaller sections of one parent share a file
_STATEMENT = range(15, 76)  # characters of a statement that a hook can quote whole
_MARKER = late(r"^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|>[ \t]?)")
_RANGE = late(r"[/\d\s–—-]{0,40}[)\]]")  # noqa: RUF001  ("/22)" of "(2026-03-21/22)")
_EDGE = " \t-–—:|/,;.()[]✅🎉🚧❌⚠️"  # noqa: RUF001  (what people put around a heading's words)

_Found = list[tuple[Node, Block]]


@dataclass(frozen=True, slots=True)
class Group:
    """Blocks for one topic file, in order; `nodes` are the sections they come from."""

    title: str
    blocks: tuple[Block, ...]
    nodes: tuple[Node, ...]


def grouped(scale: Scale, leaving: AbstractSet[Block], minor: AbstractSet[Block]) -> list[Group]:
    """Return the groups of all blocks that leave: subjects, then logs, newest first, then `minor`.

    A subject is the outermost section that leaves whole; small ones of one parent share a file.
    A log is cut by the year, and like all that is far too large for one file in numbered parts.
    """
    subjects: dict[Node, _Found] = {}
    logs: dict[tuple[int, Node], _Found] = {}
    least: _Found = []
    for at in scale.root.walk():
        node = at.parent if at.is_label and at.parent else at
        around = [up for up in node.upwards() if not up.is_top and up.is_gone(leaving)]
        subject = around[-1] if around else node
        size = _size(scale, leaving & set(subject.whole))
        home = subject.parent if size < _SMALL and not subject.is_top else subject
        for part in at.content():
            day = scale.day_of(node, part)
            if part in minor:
                least.append((node, part))
            elif part in leaving and day:
                above = (node.log and node.log.parent) or node
                logs.setdefault((day.year, above), []).append((node.log or node, part))
            elif part in leaving:
                subjects.setdefault(home or subject, []).append((subject, part))
    groups: list[Group] = []
    for above, found in subjects.items():
        home = found[0][0] if len({node for node, _ in found}) == 1 else above
        groups += _groups(scale, "" if home.is_top else plain(home.heading.title), found)
    for (year, above), found in sorted(logs.items(), key=lambda log: -log[0][0]):
        groups += _groups(scale, f"{_series(above, found)} {year}", found)
    groups += _groups(scale, f"{_series(scale.root, least)}: minor details", least)
    return groups


def _size(scale: Scale, blocks: Iterable[Block]) -> int:
    return sum(len(row.encode()) + 1 for part in blocks for row in scale.index.body(part))


def _groups(scale: Scale, title: str, found: _Found) -> Iterator[Group]:
    sizes = [_size(scale, [part]) for _, part in found]
    most = LARGEST if sum(sizes) > 2 * LARGEST else sum(sizes) + 1
    for piece, run in groupby(zip(found, accumulate(sizes), strict=True), lambda e: e[1] // most):
        nodes, blocks = zip(*(each for each, _ in run), strict=True)
        name = f"{title} {piece + 1}" if piece else title
        yield Group(name or "More notes", tuple(blocks), tuple(dict.fromkeys(nodes)))


def _series(above: Node, found: _Found) -> str:
    """Return the name of the first dated heading, else the heading above them."""
    names = (_stem(node.heading.title) for node, _ in found if node.day)
    return next(filter(None, names), "" if above.is_top else plain(above.heading.title)) or "Log"


def paths(memory: Memory, groups: Sequence[Group], refusals: Refusals) -> list[PurePosixPath]:
    """Return a file for each group: one that took such lines before and has room, else a new one.

    None is new in which a line was refused.
    """
    taken = {str(path).casefold() for path in memory.names | refusals.paths}
    found: list[PurePosixPath] = []
    for group in groups:
        name = slug(group.title)
        numbered = (f"{name}-{number}.md" if number > 1 else f"{name}.md" for number in count(1))
        path = next(n for n in numbered if n.casefold() not in taken or _has_room(memory, n, group))
        taken.add(path.casefold())
        found.append(PurePosixPath(path))
    return found


def _has_room(memory: Memory, name: str, group: Group) -> bool:
    note = memory.notes.get(PurePosixPath(name))
    if note is None or not took_lines(note) or not is_closed(note.rows, note.parts[-1]):
        return False
    size = sum(part.end - part.start for part in group.blocks) * 80  # bytes, roughly
    return len(note.text) + size < 2 * LARGEST


def hook(scale: Scale, group: Group) -> str:
    """Return one line that says what a file holds: its headings, else what says most in it.

    Statements are quoted whole; nothing is joined from two lines within one clause.
    """
    nodes = group.nodes[0].children if len(group.nodes) == 1 else group.nodes
    headings = (_own_words(node, group.title) for node in nodes if not node.is_top)
    texts = (part for part in group.blocks if part.kind in {BlockKind.ITEM, BlockKind.PARAGRAPH})
    rows = sorted((scale.index.rows[p.start] for p in texts), key=scale.worth.line, reverse=True)
    said = (plain(current(_MARKER.sub("", row))).rstrip(".:; ") for row in rows)
    return _listed(headings) or _listed(each for each in said if len(each) in _STATEMENT)


def is_lasting(said: str) -> bool:
    """Whether words may stay in the index: no secret, and no "yesterday"."""
    return not relative_phrases(said) and not secrets.find(said)


def _stem(heading: str) -> str:
    """Return what a dated heading calls its series: "Fixes" of "Fixes (2026-03-18) - CI"."""
    found = days.find(heading)
    return plain(heading[: found[0].start] if found else heading).strip(_EDGE)


def _own_words(node: Node, title: str) -> str:
    """Return what a heading says behind its day, else before it beside the title of the file."""
    heading, stem = node.heading.title, _stem(node.heading.title)
    found = days.find(heading)
    rest = plain(_RANGE.sub("", heading[found[-1].end :])).strip(_EDGE) if found else ""
    return rest or ("" if title.startswith(stem) else stem)


def _listed(parts: Iterable[str]) -> str:
    """Join what fits into one line and may stay in the index."""
    said = ""
    for part in filter(is_lasting, filter(None, dict.fromkeys(parts))):
        longer = f"{said}; {part}" if said else part
        if len(longer.encode()) > LONGEST - len("; …".encode()):
            cut = part.encode()[: LONGEST - len("…".encode())].decode(errors="ignore")
            return f"{said}; …" if said else (cut.rpartition(" ")[0] or cut).rstrip(_EDGE) + "…"
        said = longer
    return said
