"""`pin`, `unpin`: protect a note from every dream, or let dreams change it again."""

from __future__ import annotations

import argparse
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from dreamd.cli import common
from dreamd.cli.paint import on_one_line
from dreamd.domain.receipt import Kind
from dreamd.domain.store import Store
from dreamd.domain.tree import Tree
from dreamd.errors import RefusedError, UsageError
from dreamd.stores import choice, identity
from dreamd.text.markdown import note


def run(arguments: argparse.Namespace) -> int:
    """Set or take away `pinned: true` in the note's frontmatter, and nothing else."""
    app = common.start(arguments)
    store = app.store()
    from dreamd.memory.scan import scan  # noqa: PLC0415 - git and locks, only when needed
    from dreamd.transaction.edit import edit  # noqa: PLC0415

    pin = arguments.command == "pin"
    tree = scan(store.memory)
    path = _note(tree, store, arguments.NOTE, app.here)
    if note.is_pinned(_text(tree, path)) == pin:
        if arguments.json:
            common.answer({"note": path, "pinned": pin, "changed": False})
        else:
            state = "pinned already" if pin else "not pinned"
            print(f"{on_one_line(str(path))} is {state}; nothing changed.")
        return 0

    def change(tree: Tree) -> Tree:
        data = note.with_pin(_text(tree, path), pin=pin).encode("utf-8")
        return replace(tree, files={**tree.files, path: replace(tree.files[path], data=data)})

    said = f"pinned {path}: no dream changes it" if pin else f"unpinned {path}"
    return common.give(edit(store, Kind.PIN, change, reason=said), as_json=arguments.json)


def _text(tree: Tree, path: PurePosixPath) -> str:
    entry = tree.files.get(path)
    if entry is None:
        raise RefusedError(f"{path} is no plain file: it cannot be pinned")
    try:
        return entry.data.decode("utf-8")
    except UnicodeDecodeError as error:
        said = f"{path} is not UTF-8 text (byte {error.start}): fix it first"
        raise RefusedError(said) from error


def _note(tree: Tree, store: Store, named: str, here: Path) -> PurePosixPath:
    """Return the note that is meant: by a path, from here or in the memory, or by its name."""
    given = choice.path_of(named, here)
    inside = identity.real(given.parent) / given.name
    paths = [PurePosixPath(named), PurePosixPath(f"{named}.md")]
    if inside.is_relative_to(store.memory):
        paths.insert(0, PurePosixPath(inside.relative_to(store.memory)))
    fits = [path for path in paths if path in tree.files][:1]
    fits = fits or [path for path in tree.files if named in {path.stem, path.name}]
    if len(fits) == 1:
        return fits[0]
    if fits:
        raise UsageError(f"{named} fits several notes ({', '.join(map(str, fits[:5]))}): name one")
    raise UsageError(f"there is no note {named} in {store.memory}")
