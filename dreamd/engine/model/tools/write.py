"""Write: whole notes, one or several at once."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath
from typing import Any

from dreamd.engine.model.tools.aftermath import aftermath, gone
from dreamd.engine.model.tools.notes import Notes, current, path_of, refuse_text
from dreamd.engine.model.tools.page import shortened
from dreamd.engine.model.tools.place import Answer
from dreamd.errors import RefusedError
from dreamd.text.names import INDEX
from dreamd.text.words import plural

_HANDFUL = 5  # dropped lines of one note that pass without a warning
_NAMED = 20
_LINE = 160


def run(arguments: Mapping[str, Any], notes: Notes) -> Answer:
    """Put whole texts in the place of notes, all or none of them; empty text removes a note.

    A note is removed only if all it says stands elsewhere.

    Raises:
        RefusedError: one of them may not be written, or the same is named twice.
    """
    wanted: dict[PurePosixPath, str] = {}
    former: dict[PurePosixPath, str | None] = {}
    for said, content in _asked(arguments):
        path = path_of(said, notes)
        if path in wanted:
            raise RefusedError(f"{path} is named twice; give each note once.")
        former[path] = current(path, notes)
        refuse_text(path, former[path], content)
        wanted[path] = content
    _refuse_twins(wanted)
    changes = {path: text or None for path, text in wanted.items() if text != former[path]}
    after = notes.changed(changes)
    dropped = {
        path: gone(former[path] or "", text or "", after.now) for path, text in changes.items()
    }
    _refuse_removals(changes, former, dropped)
    if not changes:
        said = f"{', '.join(map(str, wanted))}: nothing changed, the text was there already."
        return Answer(said, is_error=True, notes=notes)
    parts = [_verb(path, former[path], text) for path, text in changes.items()]
    parts += [_warning(path, lines) for path, lines in dropped.items() if len(lines) > _HANDFUL]
    return Answer("\n".join([*parts, aftermath(notes, after)]), notes=after)


def _asked(arguments: Mapping[str, Any]) -> list[tuple[str, str]]:
    """Return what is to be written, in whichever of the two forms it was given."""
    found = [(each["file_path"], each["content"]) for each in arguments.get("files", ())]
    single = {"file_path", "content"} & arguments.keys()
    if len(single) == 1 or bool(found) == bool(single):
        raise RefusedError(
            "Write needs either file_path and content, or files: [{file_path, content}, …]."
        )
    return found or [(arguments["file_path"], arguments["content"])]


def _refuse_twins(wanted: Mapping[PurePosixPath, str]) -> None:
    names = [str(path).casefold() for path in wanted]
    for name in names:
        if names.count(name) > 1:
            raise RefusedError(f"Two names differ in case only ({name}); use one.")


def _refuse_removals(
    changes: Mapping[PurePosixPath, str | None],
    former: Mapping[PurePosixPath, str | None],
    dropped: Mapping[PurePosixPath, tuple[str, ...]],
) -> None:
    for path, text in changes.items():
        if text is not None:
            continue
        if path == INDEX or former[path] is None:
            raise RefusedError(f"{path} cannot be written empty; give its text.")
        if dropped[path]:
            raise RefusedError(
                f"{path} is not removed, for these lines of it stand nowhere else; merge them "
                f"first, or Retire them:\n{_quoted(dropped[path])}"
            )


def _verb(path: PurePosixPath, former: str | None, text: str | None) -> str:
    if text is None:
        return f"Removed {path}; all it said stands elsewhere."
    return f"{'Created' if former is None else 'Wrote'} {path}."


def _warning(path: PurePosixPath, dropped: tuple[str, ...]) -> str:
    return (
        f"WARNING: {plural(len(dropped), 'line')} of {path} stand nowhere now and will be put "
        f"back unless you write them somewhere or Retire them:\n{_quoted(dropped)}"
    )


def _quoted(found: tuple[str, ...]) -> str:
    rows = [f"- {shortened(line.strip(), _LINE)}" for line in found[:_NAMED]]
    more = len(found) - _NAMED
    return "\n".join([*rows, *([f"- and {plural(more, 'line')} more"] if more > 0 else [])])
