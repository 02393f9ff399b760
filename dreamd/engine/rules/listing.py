"""Find the list of pointers in an index, and write a line of it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import PurePosixPath

from dreamd.engine.rules.edit import OWN_HEADING, Refusals
from dreamd.engine.rules.orient import Note
from dreamd.text.late import late
from dreamd.text.markdown.markdown import Block, BlockKind, is_closed
from dreamd.text.markdown.pointers import Pointer, href

TITLE = "# Memory"  # of a new index
HEADING = OWN_HEADING
_MARKER = late(r"([ \t]*)([-*+]|(\d{1,9})([.)]))([ \t]+)")
_DASH = late(r"\s*(—|–|--|-|:)\s")  # noqa: RUF001  (all the dashes people type)


@dataclass(frozen=True, slots=True)
class Entry:
    """What a pointer line says: the note, its title, and one line on what it holds."""

    path: PurePosixPath
    title: str
    hook: str = ""


@dataclass(frozen=True, slots=True)
class Place:
    """Where new pointer lines go: before line `at`, between `lead` and `tail`, each like this."""

    at: int
    lead: tuple[str, ...] = ()
    tail: tuple[str, ...] = ()
    bullet: str = "- "
    dash: str = " — "

    def rows(self, entries: Sequence[Entry]) -> tuple[str, ...]:
        """Return the pointer lines alone; a numbered list goes on counting."""
        return tuple(self._row(entry, number) for number, entry in enumerate(entries, 1))

    def framed(self, rows: Sequence[str]) -> tuple[str, ...]:
        """Return the lines to insert for these pointer lines."""
        return (*self.lead, *rows, *self.tail)

    def _row(self, entry: Entry, number: int) -> str:
        bullet = self.bullet
        if (match := _MARKER.fullmatch(bullet)) and match[3]:
            bullet = f"{match[1]}{int(match[3]) + number}{match[4]}{match[5]}"
        link = f"{bullet}[{_label(entry.title)}]({href(entry.path)})"
        return f"{link}{self.dash}{entry.hook}" if entry.hook else link


def _label(title: str) -> str:
    """Return a title as the words of a link; brackets in it would end the link."""
    return title.translate(str.maketrans("[]", "()", "\\")).replace("`", "") or "Notes"


def firsts(note: Note) -> dict[int, Pointer]:
    """Return the pointer of every top-level item that begins with one, by its line."""
    leading: dict[int, Pointer] = {}
    for pointer in note.links:
        leading.setdefault(pointer.line, pointer)
    found = {}
    for part in note.parts:
        pointer_here = leading.get(part.start)
        if pointer_here is None or part.kind is not BlockKind.ITEM:
            continue
        row = note.rows[part.start]
        marker = _MARKER.match(row)
        if not row[marker.end() if marker else 0 : pointer_here.start].strip("*_ \t"):
            found[part.start] = pointer_here
    return found


def place(index: Note, refusals: Refusals, without: frozenset[Block] = frozenset()) -> Place:
    """Return where pointers are added: after the last pointer line, in its style, else at the end.

    At the end of an index with sections they get a section of their own, so that they do not
    seem to belong to the last one. Blocks in `without` are about to go.
    """
    parts = [part for part in index.parts if part not in without]
    pointing = firsts(index)
    last = next((part for part in reversed(parts) if part.start in pointing), None)
    if last is not None:
        row = index.rows[last.start]
        marker = _MARKER.match(row)
        after = _DASH.match(row[pointing[last.start].end :])
        dash = f"{': ' if after[1] == ':' else f' {after[1]} '}" if after else " — "
        return Place(last.end, (), (), marker[0] if marker else "- ", dash)
    written = [part for part in parts if part.kind is not BlockKind.BLANK]
    if written and not is_closed(index.rows, written[-1]):
        return Place(written[-1].start, (), tail=("",))  # what comes after it is inside it
    if not written:
        return Place(0, () if refusals.of_adding(index.path, (TITLE,)) else (TITLE, ""))
    tail = written[-1]
    has_sections = any(part.level > 1 for part in parts)
    if has_sections and tail.title != HEADING.lstrip("# "):
        return Place(tail.end, ("", HEADING, ""))
    return Place(tail.end, () if tail.kind is BlockKind.ITEM else ("",))
