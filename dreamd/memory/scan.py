"""Read the notes of a memory directory: regular `.md` files, byte for byte."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path, PurePosixPath

from dreamd.domain.tree import INDEX, Entry, Tree
from dreamd.errors import MemoryUnfitError
from dreamd.host.files import faults
from dreamd.host.folder import Folder, Odd, opened

_HERE = PurePosixPath()
_DEEPEST = 100  # folders below one another; each is held open while what is below it is read


def scan(root: Path) -> Tree:
    """Read every note below a memory directory, given by its real path.

    A note is a regular file whose name ends in `.md`, with nothing hidden in its path. Whatever
    else stands there is not opened; its names are the `unread` of the tree: links, other files,
    notes over 32 MiB, folders more than a hundred deep. What vanishes during the scan is left
    out.

    Raises:
        MemoryUnfitError: the directory does not exist, or something else stands in its place.
        HostError: the directory or a note may not be read; the sentence names it.
    """
    with faults("look at", root):
        if root.is_symlink() or not root.is_dir():
            raise MemoryUnfitError(_no_directory(root))
    files: dict[PurePosixPath, Entry] = {}
    unread: set[PurePosixPath] = set()
    with opened(root) as top:
        for folder, path, kind in walk(top):
            with faults("read", root / path):
                found = folder.look(path.name) if kind == "file" else Odd.SPECIAL
            if isinstance(found, Entry):
                files[path] = found
            elif found is not None:  # else it vanished
                unread.add(path)
    return Tree(dict(sorted(files.items())), frozenset(unread))


def scan_index(root: Path) -> Tree:
    """Read the index alone; nothing where there is no memory directory."""
    if not root.is_dir():
        return Tree()
    with opened(root) as top, faults("read", root / INDEX):
        found = top.look(INDEX.name)
    if isinstance(found, Entry):
        return Tree({INDEX: found})
    return Tree() if found is None else Tree({}, frozenset({INDEX}))


def walk(
    folder: Folder, here: PurePosixPath = _HERE
) -> Iterator[tuple[Folder, PurePosixPath, str]]:
    """Walk what stands below an open folder and is not hidden; "file" for what may be a note.

    Everything else, but for the folders that it walks, is "other".

    Raises:
        HostError: a folder may not be read.
    """
    with faults("read", folder.path):
        kinds = folder.kinds()
    for name, kind in sorted(kinds.items()):
        path = here / name
        if name.startswith("."):
            continue
        if kind == "folder" and path.suffix != ".md" and len(path.parts) <= _DEEPEST:
            with faults("read", folder.path / name), folder.find(PurePosixPath(name)) as below:
                if below is not None:  # gone, or a link by now
                    yield from walk(below, path)
        else:
            is_note = kind == "file" and path.suffix == ".md"
            yield folder, path, "file" if is_note else "other"


def _no_directory(root: Path) -> str:
    if root.is_symlink():
        return f"{root} is a symbolic link; name the directory it points to"
    if root.exists():
        return f"{root} is not a directory; a memory directory holds MEMORY.md and its notes"
    return f"there is no directory {root}"
