"""A private copy of the notes for an engine to work on, and what it left there."""

from __future__ import annotations

import contextlib
from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path, PurePosixPath

from dreamd.domain.tree import Entry, Tree
from dreamd.host.files import faults, make_private
from dreamd.host.folder import Folder, opened
from dreamd.host.removal import remove_tree
from dreamd.memory.scan import scan

_OWNER_FILE = 0o600
_OWNER_FOLDER = 0o700


@contextlib.contextmanager
def stage(tree: Tree, folder: Path) -> Iterator[Path]:
    """Write a copy of a tree into a new folder (0700), and remove the folder in the end.

    Modes and mtimes are kept, but the owner may read and write everything. A link that could
    lead out of the copy is left out, so that no engine reads or writes through it; `harvest`
    knows. The folder goes whatever the engine left in it: read-only folders, links (never
    followed), any depth.

    Raises:
        HostError: the folder exists, or it cannot be written or removed.
    """
    make_private(folder.parent)
    with faults("create", folder):
        folder.mkdir(mode=0o700)
    try:
        copy = folder / "memory"
        with faults("write a copy of the notes to", copy):
            copy.mkdir(mode=0o700)
            _write(tree, copy)
        yield copy
    finally:
        with faults("remove", folder):
            remove_tree(folder)


def harvest(base: Tree, copy: Path) -> Tree:
    """Return the tree that a staged copy has become, as the memory directory would hold it.

    What staging changed is taken back: the owner's bits that it added, and the links that it
    left out, which stand as in the base unless something took their place. A file whose bytes
    and mode are the base's has the base's mtime. What could not be read in the base still is
    `unread`.

    Raises:
        MemoryUnfitError, HostError: as `scan`.
    """
    seen = scan(copy)
    left_out = {path: entry for path, entry in base.files.items() if _leads_out(path, entry)}
    files = {path: _as_in(base.files.get(path), entry) for path, entry in seen.files.items()}
    files |= {path: entry for path, entry in left_out.items() if not _stands(seen, path)}
    folders = {
        path: base.folders[path] if base.folders.get(path, -1) | _OWNER_FOLDER == mode else mode
        for path, mode in seen.folders.items()
    }
    return Tree(dict(sorted(files.items())), folders, base.unread | seen.unread)


def _write(tree: Tree, copy: Path) -> None:
    modes = {path: mode | _OWNER_FOLDER for path, mode in tree.folders.items()}
    with opened(copy) as top:
        for path in tree.folders:
            top.make_folders(path, modes)
        for path, entry in tree.files.items():
            if not _leads_out(path, entry):
                top.make_folders(path.parent, modes)
                with top.below(path.parent) as folder:
                    _write_file(folder, path.name, entry)


def _write_file(folder: Folder, name: str, entry: Entry) -> None:
    folder.write_new(name, replace(entry, mode=entry.mode | _OWNER_FILE), durable=False)


def _leads_out(path: PurePosixPath, entry: Entry) -> bool:
    """Whether a link may lead out of the tree.

    Going up is judged from the link's own folder, which is no link; a step up after a name is
    refused whatever the name is, for the name may be a link itself.
    """
    if not entry.is_link:
        return False
    if entry.data.startswith(b"/"):
        return True
    parts = [part for part in entry.data.split(b"/") if part not in {b"", b"."}]
    ups = next((at for at, part in enumerate(parts) if part != b".."), len(parts))
    return ups > len(path.parent.parts) or b".." in parts[ups:]


def _stands(tree: Tree, path: PurePosixPath) -> bool:
    return path in tree.files or path in tree.folders or path in tree.unread


def _as_in(base: Entry | None, seen: Entry) -> Entry:
    if base is None or base.is_link != seen.is_link:
        return seen
    mode = base.mode if base.mode | _OWNER_FILE == seen.mode else seen.mode
    if (base.data, base.mode) == (seen.data, mode):
        return base
    return replace(seen, mode=mode)
