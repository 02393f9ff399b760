"""What the memory directory holds: every note in one row, the index, and the lines that speak."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path, PurePosixPath

from msgspec import Struct

from dreamd.domain.budget import notes, reading_order, visible
from dreamd.domain.settings import Budget
from dreamd.domain.tree import INDEX, Entry, Tree
from dreamd.engine.model.digest.section import Section, remaining, shown
from dreamd.engine.model.page import hidden
from dreamd.engine.model.prose import cut
from dreamd.text.late import late
from dreamd.text.markdown import note
from dreamd.text.markdown.markdown import BlockKind, bare, blocks, lines
from dreamd.text.secrets.secrets import redact
from dreamd.text.words import plural

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
