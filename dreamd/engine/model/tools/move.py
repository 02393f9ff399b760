"""Move: lines, or a heading with all that stands below it, from one note to another, unchanged."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from typing import Any

from dreamd.engine.model.tools.aftermath import aftermath
from dreamd.engine.model.tools.notes import Notes, current, path_of, refuse_text
from dreamd.engine.model.tools.place import Answer
from dreamd.engine.model.tools.retire import covered
from dreamd.errors import RefusedError
from dreamd.text.markdown.markdown import Block, BlockKind, bare, blocks, lines
from dreamd.text.words import plural


def run(arguments: Mapping[str, Any], notes: Notes) -> Answer:
    """Take lines out of a note and put them at the end of another one, or of a section of it.

    Raises:
        RefusedError: a note may not be changed, or the text or the heading is not there once.
    """
    here, there = path_of(arguments["file_path"], notes), path_of(arguments["to"], notes)
    old, target = current(here, notes), current(there, notes)
    if old is None or target is None:
        raise RefusedError(f"There is no note {here if old is None else there}; Write creates one.")
    if here == there:
        raise RefusedError("Both are the same note; Edit moves lines within one.")
    rows, into = lines(old), lines(target)
    going = _with_section(rows, covered(rows, arguments["text"]))
    if not going:
        raise RefusedError(f"No line of {here} holds that text; give words as they stand there.")
    head = next(iter(blocks(rows)))
    if head.kind is BlockKind.FRONTMATTER and going[0] < head.end:
        raise RefusedError("Lines of the frontmatter are not moved; use Edit on them.")
    end = "\r\n" if "\r\n" in target else "\n"
    moved = [f"{bare(rows[at])}{end}" for at in going]
    at = _end_of(into, arguments.get("below", ""), str(there))
    above = [*into[: at - 1], f"{bare(into[at - 1])}{end}"] if at else []
    left = "".join(row for number, row in enumerate(rows) if number not in going)
    joined = "".join([*above, *moved, *into[at:]])
    refuse_text(here, old, left)
    refuse_text(there, target, joined)
    after = notes.changed({here: left, there: joined})
    said = f"Moved {plural(len(moved), 'line')} from {here} to {there}."
    return Answer(f"{said}\n{aftermath(notes, after)}", notes=after)


def _with_section(rows: Sequence[str], going: tuple[int, ...]) -> tuple[int, ...]:
    """Return the lines; of a heading alone, with all that stands below it."""
    heading = next((each for each in _headings(rows) if going == (each.start,)), None)
    return going if heading is None else tuple(range(going[0], _section_end(rows, heading)))


def _end_of(rows: Sequence[str], title: str, said: str) -> int:
    """Return where the section under a title ends, blank lines left out; that of the note if none.

    Raises:
        RefusedError: there is no such heading, or more than one.
    """
    at = len(rows)
    if wanted := title.lstrip("# ").strip():
        found = [each for each in _headings(rows) if each.title == wanted]
        if len(found) != 1:
            raise RefusedError(f"{said} has {plural(len(found), 'heading')} {wanted[:80]!r}.")
        at = _section_end(rows, found[0])
    while at and not rows[at - 1].strip():
        at -= 1
    return at


def _section_end(rows: Sequence[str], heading: Block) -> int:
    later = (each for each in _headings(rows) if each.start > heading.start)
    return next((each.start for each in later if each.level <= heading.level), len(rows))


def _headings(rows: Sequence[str]) -> list[Block]:
    return [each for each in blocks(rows) if each.kind is BlockKind.HEADING]
