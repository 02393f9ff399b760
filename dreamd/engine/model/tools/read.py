"""Read: a file with line numbers, page by page."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from dreamd.engine.model.page import MOST, count_within, shortened
from dreamd.engine.model.tools.dispatch import Answer, patience
from dreamd.engine.model.tools.open import ReadingPlace, absolute, source
from dreamd.errors import RefusedError

_LINE = 4_000  # characters of one line that are shown
_SECONDS = 60  # a transcript may be large
_NAMED = 20  # numbers of cut lines that are said


def read(arguments: Mapping[str, Any], place: ReadingPlace) -> Answer:
    """Show lines of a file as `cat -n` does, and say which it did not show."""
    with patience(_SECONDS):
        file = source(absolute(arguments["file_path"], place.memory), place)
    total = len(file.rows)
    if not total:
        what = "nobody says anything in it" if file.marks is not None else "it is empty"
        return Answer(f"[{file.name}: {what}]")
    first = arguments.get("offset", 1)
    if first > total:
        raise RefusedError(f"{file.name} has {total:,} lines; offset may be 1 to {total:,}.")
    wanted = file.rows[first - 1 : first - 1 + arguments.get("limit", total)]
    shown = [f"{first + at:6}\t{shortened(row, _LINE)}" for at, row in enumerate(wanted)]
    count = count_within(shown, MOST - 600)  # room for the last lines
    last = first + count - 1
    long = [first + at for at, row in enumerate(wanted[:count]) if len(row) > _LINE]
    notes = []
    if count < total:
        missing = [f"1-{first - 1:,}"] if first > 1 else []
        missing += [f"{last + 1:,}-{total:,} (offset={last + 1})"] if last < total else []
        said = f"lines {first:,}-{last:,} of {total:,}"
        notes.append(f"[{said}; not shown: {', '.join(missing)}]")
    if long:
        named = ", ".join(map(str, long[:_NAMED])) + (" …" if len(long) > _NAMED else "")
        notes.append(f"[cut at {_LINE:,} characters: line {named}; Grep finds what follows]")
    return Answer("\n".join([*shown[:count], *notes]))
