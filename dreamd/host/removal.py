"""Removing a folder with all that is in it, whatever that is."""

from __future__ import annotations

import contextlib
import os
import secrets
from collections.abc import Iterator
from itertools import count
from pathlib import Path, PurePosixPath

from dreamd.host.folder import Folder, opened


def remove_tree(path: Path) -> None:
    """Remove a folder and everything below it, following no link.

    Read-only folders are opened up first. Each nested folder is moved up to the top before it
    is emptied, so that no depth is too deep.

    Raises:
        OSError: as the system says it.
        HostError: there is no such folder, or it may not be opened.
    """
    run = secrets.token_hex(8)
    fresh = (f"{run}-{number}" for number in count())
    with opened(path) as top:
        os.fchmod(top.descriptor, 0o700)
        waiting = _clear(top, top, fresh)
        while waiting:
            name = waiting.pop()
            with top.below(PurePosixPath(name)) as folder:
                waiting += _clear(folder, top, fresh)
            os.rmdir(name, dir_fd=top.descriptor)
    path.rmdir()


def _clear(folder: Folder, top: Folder, fresh: Iterator[str]) -> list[str]:
    """Unlink the files of a folder and move its folders to the top; return their names there."""
    moved = []
    nested = set(folder.folders())
    for found in folder.names():
        if found not in nested:
            folder.unlink(found)
            continue
        _open_up(folder, found)
        name = found
        if folder is not top:
            name = next(fresh)
            os.rename(found, name, src_dir_fd=folder.descriptor, dst_dir_fd=top.descriptor)
        moved.append(name)
    return moved


def _open_up(folder: Folder, name: str) -> None:
    """Let the owner list, empty and move a folder, which the owner may be forbidden now."""
    flags = os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
    if hasattr(os, "O_PATH"):
        # Linux opens a folder that may not be read by O_PATH only, and changes the mode of one
        # opened like that by its name in /proc only.
        descriptor = os.open(name, flags | os.O_PATH, dir_fd=folder.descriptor)
        try:
            Path(f"/proc/self/fd/{descriptor}").chmod(0o700)
        finally:
            os.close(descriptor)
    else:
        with contextlib.suppress(NotImplementedError):
            os.chmod(name, 0o700, dir_fd=folder.descriptor, follow_symlinks=False)
