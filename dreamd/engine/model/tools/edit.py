"""Edit: text in one note replaced by other text."""

from __future__ import annotations

from collections.abc import Mapping
from difflib import get_close_matches
from typing import Any

from dreamd.engine.model.tools.aftermath import aftermath
from dreamd.engine.model.tools.notes import Notes, current, path_of, refuse_text
from dreamd.engine.model.tools.page import shortened
from dreamd.engine.model.tools.place import Answer
from dreamd.errors import RefusedError
from dreamd.text.words import plural

_LINE = 300  # characters of a line that is quoted
_NAMED = 10


def run(arguments: Mapping[str, Any], notes: Notes) -> Answer:
    r"""Replace text that stands in a note once, or everywhere if asked.

    Line ends are the note's own: where all are `\r\n`, text sent with `\n` means them.

    Raises:
        RefusedError: the note may not be changed, or the text is not in it exactly once.
    """
    path = path_of(arguments["file_path"], notes)
    text = current(path, notes)
    if text is None:
        raise RefusedError(f"There is no note {path}; Write creates one.")
    old, new = arguments["old_string"], arguments["new_string"]
    if not old:
        raise RefusedError("old_string is empty; give text that stands in the note.")
    if "\r\n" in text and "\n" not in text.replace("\r\n", ""):
        old, new = (each.replace("\r\n", "\n").replace("\n", "\r\n") for each in (old, new))
    if old == new:
        said = f"{path} is unchanged: old_string and new_string are the same."
        return Answer(said, is_error=True, notes=notes)
    count = text.count(old)
    if not count:
        raise RefusedError(_absent(str(path), text, old))
    if count > 1 and not arguments.get("replace_all", False):
        raise RefusedError(
            f"old_string stands {count} times in {path}, in {_lines(text, old)}; give more of the "
            "lines around the one you mean, or replace_all."
        )
    changed = text.replace(old, new)
    refuse_text(path, text, changed)
    after = notes.changed({path: changed})
    said = f"Changed {path} in {plural(count, 'place')}."
    return Answer(f"{said}\n{aftermath(notes, after)}", notes=after)


def _lines(text: str, old: str) -> str:
    numbers: list[int] = []
    at = text.find(old)
    while at >= 0:
        numbers.append(text.count("\n", 0, at) + 1)
        at = text.find(old, at + len(old))
    named = ", ".join(map(str, numbers[:_NAMED]))
    return f"line {named}{' …' if len(numbers) > _NAMED else ''}"


def _absent(path: str, text: str, old: str) -> str:
    """Say that a text is not in a note, and which line is nearest to it."""
    if "[redacted: " in old:
        return f"{path} holds a secret there that is not shown; give text beside it."
    first = next((row for row in old.split("\n") if row.strip()), old)
    near = get_close_matches(first, text.split("\n"), 1, 0.6)
    hint = f"The nearest line is: {shortened(near[0], _LINE)}" if near else "Read shows what is."
    return f"old_string does not stand in {path}, which must have it to the letter. {hint}"
