"""Find the list of pointers in an index, and write a line of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from collections.abc import Set as AbstractSet
from functools import lru_cache
from pathlib import PurePosixPath

from msgspec import Struct

from dreamd.engine.rules.edit import OWN_HEADING, Refusals
from dreamd.engine.rules.orient import Note
from dreamd.text.late import late
from dreamd.text.markdown.markdown import Block, BlockKind, is_closed
from dreamd.text.markdown.pointers import Pointer, href

_TITLE = "# Memory"  # of a new index
_MARKER = late(r"^[ \t]*(?:[-*+]|\d{1,9}[.)])[ \t]+")
_DASH = late(r"\s*(—|–|--|-|:)\s")


class ListEntry(Struct, frozen=True):
    """What a pointer line says: the note, its title, and one line on what it holds."""

    path: PurePosixPath
    title: str
    hook: str = ""


class Place(Struct, frozen=True):
    """Where new pointer lines go: before line `at`, between `lead` and `tail`, each like this."""

    at: int
    lead: tuple[str, ...] = ()
    tail: tuple[str, ...] = ()
    bullet: str = "- "
    dash: str = " — "

    def rows(self, entries: Sequence[ListEntry]) -> tuple[str, ...]:
        """Return the pointer lines alone."""
        rows = []
        for entry in entries:
            label = entry.title.translate(str.maketrans("[]", "()", "\\`")) or "Notes"
            hook = f"{self.dash}{entry.hook}" if entry.hook else ""
            rows.append(f"{self.bullet}[{label}]({href(entry.path)}){hook}")
        return tuple(rows)

    def framed(self, rows: Sequence[str]) -> tuple[str, ...]:
        """Return the lines to insert for these pointer lines."""
        return (*self.lead, *rows, *self.tail)


@lru_cache(maxsize=1 << 12)  # each round of a dream asks for the same notes
def firsts(note: Note) -> Mapping[int, Pointer]:
    """Return the pointer of every top-level item that begins with one, by its line."""
    items = {part.start for part in note.parts if part.kind is BlockKind.ITEM} if note.links else ()
    found = {}
    for pointer in note.links:
        before = _MARKER.sub("", note.rows[pointer.line][: pointer.start])
        if pointer.line in items and not before.strip("*_ \t"):
            found[pointer.line] = pointer
    return found


def place(index: Note, refusals: Refusals, without: AbstractSet[Block] = frozenset()) -> Place:
    """Return where pointers are added: after the last pointer line, in its style, else at the end.

    At the end of an index with sections they get a section of their own, so that they do not
    seem to belong to the last one. Blocks in `without` are about to go.
    """
    parts = [p for p in index.parts if p not in without and p.kind is not BlockKind.BLANK]
    pointing = firsts(index)
    last = next((part for part in reversed(parts) if part.start in pointing), None)
    if last is not None:
        row = index.rows[last.start]
        marker = _MARKER.match(row)
        after = _DASH.match(row[pointing[last.start].end :])
        bullet, dash = marker[0] if marker else "- ", after[0] if after else " — "
        return Place(last.end, (), (), bullet, dash)
    if not parts:
        return Place(0, () if refusals.of_adding(index.path, (_TITLE,)) else (_TITLE, ""))
    tail = parts[-1]
    if not is_closed(index.rows, tail):
        return Place(tail.start, tail=("",))  # what comes after it is inside it
    if any(part.level > 1 for part in parts) and tail.title != OWN_HEADING.lstrip("# "):
        return Place(tail.end, ("", OWN_HEADING, ""))
    return Place(tail.end, () if tail.kind is BlockKind.ITEM else ("",))
