"""`adopt`: move the history of a memory directory to another by hand."""

from __future__ import annotations

import argparse
from pathlib import Path

from dreamd.app.wiring import App
from dreamd.cli import common
from dreamd.cli.paint import on_one_line
from dreamd.domain.store import Store
from dreamd.errors import UsageError
from dreamd.stores import choice, identity
from dreamd.stores.identity import Mark

_FEW = 5  # histories without a directory, named where none was meant


def run(arguments: argparse.Namespace) -> int:
    """Let the new directory have the history of the old one; once."""
    app = common.start(arguments)
    marks = identity.read_all(app.loaded.paths.state)
    new = _new(app, arguments.NEW, marks)
    name, old = _old(app, arguments.OLD, marks, new)
    is_done = old.path == new.memory
    if not is_done:
        from dreamd.transaction import adoption  # noqa: PLC0415 - locks, only when needed

        adoption.adopt(Store(old.path, new.state, name), new)
    said = "has the history of"
    sentence = f"{new.memory} {said} {arguments.OLD} " + (
        "already; nothing was changed" if is_done else "now"
    )
    if arguments.json:
        common.answer({"memory": new.memory, "store": name, "adopted": not is_done})
    else:
        print(on_one_line(f"{sentence}."))
    return 0


def _new(app: App, named: str, marks: dict[str, Mark]) -> Store:
    """Return the store of the directory that is to have the history."""
    path = str(marks[named].path) if named in marks else named
    paths = app.loaded.paths
    return choice.locate(path, here=app.here, claude=paths.claude, state=paths.state)


def _old(app: App, named: str, marks: dict[str, Mark], new: Store) -> tuple[str, Mark]:
    """Return the store that is meant, by its name, or its path as it is or was."""
    if named in marks:
        return named, marks[named]
    path: Path = identity.real(choice.path_of(named, app.here))
    for name, mark in marks.items():
        if mark.path == path or (mark.adopted == str(path) and mark.path == new.memory):
            return name, mark
    gone = [str(each.path) for each in marks.values() if not each.path.is_dir()]
    known = f"; without a directory are those of {', '.join(gone[:_FEW])}" if gone else ""
    raise UsageError(f"there is no history of {path}{known}")
