"""Choose the topic file of what leaves the index: few files, each of one subject or one time."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet
from itertools import accumulate, groupby, islice

from msgspec import Struct

from dreamd.engine.rules import days
from dreamd.engine.rules.known import current
from dreamd.engine.rules.orient import Note
from dreamd.engine.rules.outline import Node, outline
from dreamd.engine.rules.ranking import day_of
from dreamd.engine.rules.topics import took_lines
from dreamd.text.markdown import note
from dreamd.text.markdown.inline import plain
from dreamd.text.markdown.markdown import Block, is_closed
from dreamd.text.secrets import secrets
from dreamd.text.time.relative import relative_phrases

_LARGEST = 20_000  # bytes of a file that a reader opens at ease; a longer one is cut
_SMALL = 1_500  # bytes; smaller sections share a file
_LONGEST = 120  # characters of a hook
_READ = 40  # lines that are read for one
_EDGE = " \t-–—:|/,;.()[]✅🎉🚧❌⚠️"

_Found = list[tuple[Node, Block]]


class Group(Struct, frozen=True):
    """Blocks for one topic file, in order; `nodes` are the sections they come from."""

    title: str
    blocks: tuple[Block, ...]
    nodes: tuple[Node, ...]


def grouped(index: Note, leaving: AbstractSet[Block]) -> list[Group]:
    """Return the groups of all blocks that leave: subjects, then logs, newest first.

    A subject is a section right below the title; small ones share a file. Logs are parted by
    the year, and what is too large for one file is cut into numbered parts.
    """
    subjects: dict[Block | None, _Found] = {}
    logs: dict[tuple[int, Node], _Found] = {}
    for node in outline(index).walk():
        for part in node.content():
            day = day_of(index, node, part) if part in leaving else None
            if day:
                log = node.log or node
                logs.setdefault((-int(day[:4]), log.parent or log), []).append((log, part))
            elif part in leaving:
                head = next((each for each in node.headings if each.level), None)
                subjects.setdefault(head, []).append((node, part))
    small = [head for head, found in subjects.items() if sum(_sizes(index, found)) < _SMALL]
    titled: dict[str, _Found] = {}
    for head, found in subjects.items():
        title = "" if head is None or (head in small and len(small) > 1) else plain(head.title)
        titled.setdefault(title or "More notes", []).extend(found)
    for (year, above), found in sorted(logs.items(), key=lambda log: log[0][0]):
        names = [_parted(node.heading.title)[0] for node, _ in found if node.day]
        series = next(filter(None, names), "" if above.is_top else plain(above.heading.title))
        titled.setdefault(f"{series or 'Log'} {-year}", []).extend(found)
    return [group for title, found in titled.items() for group in _groups(index, title, found)]


def _sizes(index: Note, found: _Found) -> list[int]:
    return [len("\n".join((*index.body(part), "")).encode()) for _, part in found]


def _groups(index: Note, title: str, found: _Found) -> Iterator[Group]:
    starts = accumulate(_sizes(index, found), initial=0)
    for piece, run in groupby(zip(found, starts, strict=False), lambda e: e[1] // _LARGEST):
        nodes, blocks = zip(*(each for each, _ in run), strict=True)
        yield Group(f"{title} {piece + 1}" if piece else title, blocks, tuple(dict.fromkeys(nodes)))


def has_room(note: Note) -> bool:
    """Whether a note took lines of the index before, and may take more."""
    is_small = len(note.text) < _LARGEST
    return is_small and took_lines(note) and is_closed(note.rows, note.parts[-1])


def hook(index: Note, group: Group) -> str:
    """Return one line that says what a file holds: its headings, else how its lines begin."""
    heads = [_parted(node.heading.title) for node in group.nodes]
    headings = (end or ("" if group.title.startswith(start) else start) for start, end in heads)
    said = "; ".join(filter(is_lasting, filter(None, dict.fromkeys(headings))))
    rows = (row for part in group.blocks for row in index.body(part))
    lasting = islice((row for row in rows if current(row) == row and is_lasting(row)), _READ)
    return note.shortened(said, _LONGEST) or note.hook("\n".join(lasting), _LONGEST)


def is_lasting(said: str) -> bool:
    """Whether words may stay in the index: no secret, and no "yesterday"."""
    return not relative_phrases(said) and not secrets.find(said)


def _parted(heading: str) -> tuple[str, str]:
    """Return what a heading says before its day and behind it."""
    found = days.find(heading)
    start, end = (found[0].start, found[-1].end) if found else (len(heading), len(heading))
    if heading[:start].endswith("(") and ")" in heading[end:]:
        end = heading.index(")", end)  # "(2026-03-21/22)"
    return plain(heading[:start]).strip(_EDGE), plain(heading[end:]).strip(_EDGE)
