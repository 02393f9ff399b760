"""A private copy of the notes for an engine to work on, and what it left there."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from pathlib import Path

from msgspec.structs import replace

from dreamd.domain.tree import Entry, Tree
from dreamd.host.files import faults, make_private, remove_tree
from dreamd.host.folder import opened
from dreamd.memory.scan import scan

_OWNER = 0o600


@contextlib.contextmanager
def stage(tree: Tree, folder: Path) -> Iterator[Path]:
    """Write a copy of a tree into a new folder (0700), and remove the folder in the end.

    Modes and mtimes are kept, but the owner may read and write everything. The folder goes
    whatever the engine left in it.
    """
    make_private(folder.parent)
    with faults("create", folder):
        folder.mkdir(mode=0o700)
    try:
        copy = folder / "memory"
        with faults("write a copy of the notes to", copy):
            copy.mkdir(mode=0o700)
            with opened(copy) as top:
                for path, entry in tree.files.items():
                    top.make_folders(path.parent)
                    with top.below(path.parent) as inside:
                        own = replace(entry, mode=entry.mode | _OWNER)
                        inside.write_new(path.name, own, durable=False)
        yield copy
    finally:
        with faults("remove", folder):
            remove_tree(folder)


def harvest(base: Tree, copy: Path) -> Tree:
    """Return the tree that a staged copy has become, as the memory directory would hold it.

    The owner's bits that staging added are taken back. A file whose bytes and mode are the
    base's has the base's mtime. What could not be read in the base still is `unread`.
    """
    seen = scan(copy)
    files = {path: _as_in(base.files.get(path), entry) for path, entry in seen.files.items()}
    return Tree(files, base.unread | seen.unread)


def _as_in(base: Entry | None, seen: Entry) -> Entry:
    if base is None:
        return seen
    mode = base.mode if base.mode | _OWNER == seen.mode else seen.mode
    if (base.data, base.mode) == (seen.data, mode):
        return base
    return replace(seen, mode=mode)
