"""What the memory directory holds: every note in one row, the index, and the lines that speak."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator, Sequence
from datetime import UTC, datetime, timedelta
from heapq import heapify, heappop, heappush
from pathlib import Path, PurePosixPath

from msgspec import Struct

from dreamd.domain.budget import notes, reading_order, visible
from dreamd.domain.settings import Budget
from dreamd.domain.tree import INDEX, Entry, Tree
from dreamd.engine.model.page import hidden, size
from dreamd.engine.model.prose import cut
from dreamd.text.late import late
from dreamd.text.markdown import note
from dreamd.text.markdown.markdown import BlockKind, bare, blocks, lines
from dreamd.text.secrets.secrets import redact
from dreamd.text.words import plural

TAG = "material"
_GAP = r"[\s\u200c\u200d]*"  # what may stand inside a mark and still look like one
_FORGED = late(
    rf"[<\uff1c\ufe64\u2039\u3008\u27e8\u276c](?={_GAP}[/\uff0f\u2044\u2215\\]?{_GAP}"
    + _GAP.join(TAG)
    + ")",
    re.IGNORECASE,
)
# Control characters, and what has no width or turns the direction of text, hide words from a
# reader; joiners are kept, for words and emoji need them, and so is what Markdown needs.
_HIDDEN = late(
    r"\x1b\[[0-?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5"
    r"\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    r"\ud800-\udfff\U000e0000-\U000e0fff]"
)
_BREAKS = late("[\u2028\u2029\x85\v\f]")
_SLACK = 8  # bytes by which one count of rows is written longer than another


def shown(text: str) -> str:
    """Return a text as data on one line: nothing hidden in it, and no mark that ends the data."""
    if text.isascii() and text.isprintable() and "<" not in text:
        return text
    return _FORGED.sub("&lt;", _HIDDEN.sub("", _BREAKS.sub(" ", text).replace("\n", " ")))


class Section(Struct, frozen=True):
    """Rows of data, best first, and the words around them.

    `rows` went through `shown`. `lead` says what they are. `rest` says, of how many rows are
    shown, how to get the others. Of the room a section gets a share by its `weight`.
    """

    part: str
    weight: int
    lead: str
    rows: Sequence[str]
    rest: Callable[[int], str]

    def written(self, count: int) -> str:
        """Return the section with its first rows; nothing without one."""
        return self._framed(self.rows[:count], self.rest(count)) if count else ""

    @property
    def frame(self) -> int:
        """The bytes around its rows, at most."""
        rests = [self.rest(count) for count in (0, len(self.rows) // 2, len(self.rows))]
        return size(self._framed((), max(rests, key=size))) + 1 + _SLACK

    def _framed(self, rows: Sequence[str], rest: str) -> str:
        marks = (f'<{TAG} part="{self.part}">', f"</{TAG}>")
        return "\n".join([self.lead, marks[0], *rows, marks[1], *([rest] if rest else []), ""])


def remaining(rows: Sequence[str], noun: str, how: str) -> Callable[[int], str]:
    """Return what says how many rows are not shown; nothing where all are."""
    return lambda count: f"{plural(len(rows) - count, noun)}{how}" if count < len(rows) else ""


def written(sections: Sequence[Section], room: int) -> list[str]:
    """Return every section, all together in at most so many bytes.

    The next row is always that of the section that has the least for its weight, until it has no
    more, or the row does not fit.
    """
    counts = [0] * len(sections)
    waiting = [(0.0, at) for at, each in enumerate(sections) if each.rows]
    heapify(waiting)
    while waiting:
        used, at = heappop(waiting)
        section, count = sections[at], counts[at]
        cost = size(section.rows[count]) + 1 + (0 if count else section.frame)
        if cost > room:
            continue
        room -= cost
        counts[at] += 1
        if counts[at] < len(section.rows):
            heappush(waiting, (used + cost / section.weight, at))
    return [each.written(count) for each, count in zip(sections, counts, strict=True)]


_HOOK = 100  # characters of a description
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_SILENT = {BlockKind.FRONTMATTER, BlockKind.COMMENT, BlockKind.FENCE, BlockKind.BLANK}
_MARKER = late(r"^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|#{1,6}[ \t]+|>[ \t]?)")


class OldLine(Struct, frozen=True):
    """A line of a note without its list marker and without secrets; it counts from 1."""

    path: PurePosixPath
    number: int
    text: str


def old_lines(tree: Tree) -> tuple[OldLine, ...]:
    """Return every line of the notes that says something; no frontmatter, comments or code."""
    return tuple(line for path, text in notes(tree).items() for line in _of_note(path, text))


def _of_note(path: PurePosixPath, text: str) -> Iterator[OldLine]:
    rows = [bare(row) for row in lines(hidden(text))]
    for part in blocks(rows):
        for number in () if part.kind in _SILENT else range(part.start, part.end):
            if said := _MARKER.sub("", rows[number], count=1).strip():
                yield OldLine(path, number + 1, said)


def manifest(tree: Tree, now: datetime) -> Section:
    """Return the notes in the order in which a reader meets them.

    Each with its size, the days since it changed, its type, and what it says it is about.
    """
    texts = notes(tree)
    order = reading_order(tree)
    rows = [shown(" · ".join(_facts(path, texts[path], tree.files[path], now))) for path in order]
    lead = "The notes: file · bytes · last change · type · description."
    return Section("notes", 3, lead, rows, remaining(rows, "more note", ": Glob for **/*.md."))


def _facts(path: PurePosixPath, text: str, entry: Entry, now: datetime) -> Iterator[str]:
    yield redact(str(path))
    yield f"{len(entry.data):,}"
    yield _age(entry.mtime_ns, now)
    if path == INDEX:
        yield "index"
        return
    if kind := note.value(text, "type"):
        yield redact(cut(kind, 20))
    if note.is_pinned(text):
        yield "pinned"
    if path.parts[0] in {"team", "logs"}:
        yield "shared" if path.parts[0] == "team" else "log"
    if said := note.hook(redact(text), _HOOK):
        yield said


def _age(mtime_ns: int, now: datetime) -> str:
    try:
        day = (_EPOCH + timedelta(microseconds=mtime_ns // 1_000)).astimezone(now.tzinfo)
    except OverflowError:
        return "of no day"
    days = (now.date() - day.date()).days
    return "today" if days <= 0 else f"{plural(days, 'day')} ago"


def index(tree: Tree, budget: Budget, memory: Path) -> Section:
    """Return the index as a new conversation sees it, its lines numbered."""
    text = notes(tree).get(INDEX, "")
    seen = visible(text, budget)
    first, last = seen.start, seen.start + len(seen.lines) - 1
    source = [bare(row) for row in lines(hidden(text))]
    rows = [f"{number}\t{shown(source[number - 1])}" for number in range(first, last + 1)]
    lead = "The index, MEMORY.md, as every conversation loads it, its lines numbered."
    if seen.unseen is not None:
        lead += (
            f" From line {seen.unseen} of {len(source)} on no conversation sees it: "
            f"it is cut there by its {seen.cut_by}."
        )

    def rest(count: int) -> str:
        if count == len(rows):
            return ""
        return (
            f"Lines {first + count} to {last} did not fit here: "
            f'Read with file_path "{shown(str(memory / INDEX))}", offset {first + count}.'
        )

    return Section("index", 5, lead, rows, rest)
