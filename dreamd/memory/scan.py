"""Read the notes of a memory directory: regular `.md` files, byte for byte, when at rest."""

from __future__ import annotations

import time
from collections.abc import Callable, Iterator
from pathlib import Path, PurePosixPath

from dreamd.domain.tree import INDEX, Entry, Tree
from dreamd.errors import MemoryUnfitError
from dreamd.host import clock
from dreamd.host.files import faults
from dreamd.host.folder import Folder, opened

_HERE = PurePosixPath()
QUIET_NS = 2_000_000_000  # an editor that saves in steps is done by then
PATIENCE = 10.0  # seconds
_STEP = 0.1
_DEEPEST = 100  # folders below one another; each is held open while what is below it is read


def scan(root: Path) -> Tree:
    """Read every note below a memory directory, given by its real path.

    A note is a regular file whose name ends in `.md`, with nothing hidden in its path. Whatever
    else stands there is not opened; its names are the `unread` of the tree: links, other files,
    notes over 32 MiB, folders more than a hundred deep. What vanishes during the scan is left
    out.
    """
    with faults("look at", root):
        if root.is_symlink() or not root.is_dir():
            raise MemoryUnfitError(_no_directory(root))
    files: dict[PurePosixPath, Entry] = {}
    unread: set[PurePosixPath] = set()
    with opened(root) as top:
        for folder, path, kind in walk(top):
            with faults("read", root / path):
                found = folder.look(path.name) if kind == "file" else kind
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


def still_written(
    root: Path, *, is_urgent: bool, sleep: Callable[[float], None] = time.sleep
) -> frozenset[PurePosixPath]:
    """Wait while a note is being written, 10 s at most; return the notes that still are.

    A note is being written if a process has it open for writing, or if it was touched in the
    last 2 s. Where a person waits the former alone counts: what was saved is there to be read.
    """
    until = time.monotonic() + PATIENCE
    while True:
        if not root.is_dir():
            return frozenset()
        now_ns = clock.to_ns(clock.now())
        with faults("look at", root), opened(root) as top:
            busy = frozenset(
                path
                for folder, path, kind in walk(top)
                if kind == "file" and _is_written(folder, path.name, now_ns, is_urgent=is_urgent)
            )
        if not busy or time.monotonic() >= until:
            return busy
        sleep(_STEP)


def _is_written(folder: Folder, name: str, now_ns: int, *, is_urgent: bool) -> bool:
    if folder.is_being_written(name):
        return True
    # A time in the future says nothing about when the file was written.
    return not is_urgent and 0 <= now_ns - folder.mtime_ns(name) < QUIET_NS


def _no_directory(root: Path) -> str:
    if root.is_symlink():
        return f"{root} is a symbolic link; name the directory it points to"
    if root.exists():
        return f"{root} is not a directory; a memory directory holds MEMORY.md and its notes"
    return f"there is no directory {root}"
