"""What stands in a memory directory now, byte for byte."""

from __future__ import annotations

from pathlib import Path, PurePosixPath

from dreamd.domain.tree import LOCK_NAME, TEMP_PREFIX, Entry, Tree
from dreamd.errors import MemoryUnfitError
from dreamd.host.files import faults
from dreamd.host.folder import Folder, Odd, opened

REPOSITORY = ".git"


def scan(root: Path) -> Tree:
    """Read every file, link and folder below a memory directory, given by its real path.

    Links are read as links and never followed. The lock and our own temps do not count. A
    `.git` folder, wherever it lies, holds no notes: it is one entry of `unread`, as are files
    over 32 MiB, sockets, pipes and devices. What vanishes during the scan is left out.

    Raises:
        MemoryUnfitError: the directory does not exist, or something else stands in its place.
        HostError: the directory or something below it may not be read; the sentence names it.
    """
    with faults("look at", root):
        if root.is_symlink() or not root.is_dir():
            raise MemoryUnfitError(_no_directory(root))
    files: dict[PurePosixPath, Entry] = {}
    folders: dict[PurePosixPath, int] = {}
    unread: set[PurePosixPath] = set()
    with opened(root) as top:
        waiting = [PurePosixPath()]
        while waiting:
            here = waiting.pop()
            with faults("read", root / here), top.find(here) as folder:
                if folder is None:  # gone, or a link by now
                    continue
                if here.parts:
                    folders[here] = folder.mode
                for name in folder.names():
                    path = here / name
                    if name.startswith(TEMP_PREFIX) or str(path) == LOCK_NAME:
                        continue
                    found = _look(folder, name)
                    if isinstance(found, Entry):
                        files[path] = found
                    elif found is Odd.FOLDER and name != REPOSITORY:
                        waiting.append(path)
                    elif found is not None:
                        unread.add(path)
    return Tree(dict(sorted(files.items())), dict(sorted(folders.items())), frozenset(unread))


def _look(folder: Folder, name: str) -> Entry | Odd | None:
    with faults("read", folder.path / name):
        return folder.look(name)


def _no_directory(root: Path) -> str:
    if root.is_symlink():
        return f"{root} is a symbolic link; name the directory it points to"
    if root.exists():
        return f"{root} is not a directory; a memory directory holds MEMORY.md and its notes"
    return f"there is no directory {root}"
