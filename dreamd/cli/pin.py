"""`pin`, `unpin`: protect a note from every dream, or let dreams change it again."""

from __future__ import annotations

import argparse
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from dreamd import app as wiring
from dreamd.cli import common
from dreamd.cli.paint import on_one_line
from dreamd.domain.ending import Kind
from dreamd.domain.store import Store
from dreamd.domain.tree import Tree
from dreamd.errors import RefusedError, UsageError
from dreamd.stores import choice, identity
from dreamd.text.markdown import note


def configure(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of `pin` and `unpin`."""
    parser.add_argument("note", metavar="NOTE", help=f"the note to {name}: its path or its name")
    common.memory_option(parser)
    common.json_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Set or take away `pinned: true` in the note's frontmatter, and nothing else."""
    app = wiring.start()
    store = app.store(arguments.memory)
    from dreamd.memory.scan import scan  # noqa: PLC0415 - git and locks, only when needed
    from dreamd.transaction.edit import edit  # noqa: PLC0415

    pin = arguments.command == "pin"
    tree = scan(store.memory)
    path = _note(tree, store, arguments.note, app.here)
    text = _text(tree, path)
    if note.is_pinned(text) == pin:
        state = "pinned already" if pin else "not pinned"
        if arguments.json:
            common.answer({"note": str(path), "pinned": pin, "changed": False})
        else:
            print(f"{on_one_line(str(path))} is {state}; nothing changed.")
        return 0
    receipt = edit(
        store,
        Kind.PIN,
        _marked(path, pin=pin),
        reason=f"pinned {path}: no dream changes it" if pin else f"unpinned {path}",
    )
    return common.give(receipt, as_json=arguments.json)


def _marked(path: PurePosixPath, *, pin: bool) -> Callable[[Tree], Tree]:
    def change(tree: Tree) -> Tree:
        data = note.with_pin(_text(tree, path), pin=pin).encode("utf-8")
        return replace(tree, files={**tree.files, path: replace(tree.files[path], data=data)})

    return change


def _text(tree: Tree, path: PurePosixPath) -> str:
    entry = tree.files.get(path)
    if entry is None or entry.is_link:
        raise RefusedError(f"{path} is no plain file: it cannot be pinned")
    try:
        return entry.data.decode("utf-8")
    except UnicodeDecodeError as error:
        raise RefusedError(
            f"{path} is not UTF-8 text (byte {error.start}): fix it first"
        ) from error


def _note(tree: Tree, store: Store, named: str, here: Path) -> PurePosixPath:
    given = choice.path_of(named, here)
    inside = identity.real(given.parent) / given.name
    if inside.is_relative_to(store.memory):
        path = PurePosixPath(inside.relative_to(store.memory))
        if path in tree.files:
            return path
    for text in (named, f"{named}.md"):
        if PurePosixPath(text) in tree.files:
            return PurePosixPath(text)
    fits = [path for path in tree.files if named in {path.stem, path.name}]
    if len(fits) == 1:
        return fits[0]
    if fits:
        raise UsageError(f"{named} fits several notes ({', '.join(map(str, fits[:5]))}): name one")
    raise UsageError(f"there is no note {named} in {store.memory}")
