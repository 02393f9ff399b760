"""Files that are laid down and taken up again, unless somebody has edited them since."""

from __future__ import annotations

import contextlib
import stat
from collections.abc import Callable
from enum import StrEnum
from pathlib import Path

from msgspec import Struct

from dreamd.host import files


class FileState(StrEnum):
    """What stands where a file is to be laid."""

    ABSENT = "absent"
    SAME = "same"  # what would be written
    OURS = "ours"  # what an earlier install wrote
    EDITED = "edited"  # somebody's own, or edited by somebody


class Piece(Struct, frozen=True):
    """One file as it is to be, and how to tell that the one there was written by dreamd."""

    path: Path
    text: str  # "" for one that is only to be removed
    is_ours: Callable[[str], bool]


def standing(piece: Piece) -> FileState:
    """Return what stands there; a link, a folder or a pipe is somebody's own.

    Raises:
        HostError: it cannot be looked at.
    """
    with files.faults("read", piece.path):
        try:
            seen = piece.path.lstat()
        except (FileNotFoundError, NotADirectoryError):
            return FileState.ABSENT
        if not stat.S_ISREG(seen.st_mode):
            return FileState.EDITED
        found = files.content(piece.path).decode("utf-8", "surrogateescape")
    if piece.text and found == piece.text:
        return FileState.SAME
    return FileState.OURS if piece.is_ours(found) else FileState.EDITED


def lay(piece: Piece, *, mode: int = 0o644) -> None:
    """Write a file whole, and the folders above it.

    Raises:
        HostError: it cannot be written.
    """
    files.make_private(piece.path.parent)
    with files.faults("write", piece.path):
        files.replace(piece.path, piece.text.encode("utf-8", "surrogateescape"), mode=mode)


def take_up(path: Path, top: Path) -> None:
    """Remove a file, and the folders above it that are empty then, up to but not including `top`.

    Raises:
        HostError: it cannot be removed.
    """
    with files.faults("remove", path):
        path.unlink(missing_ok=True)
    for folder in path.parents:
        if folder == top or not folder.is_relative_to(top):
            return
        try:
            folder.rmdir()
        except OSError:  # not empty, or not ours to remove
            return


def in_words(piece: Piece, found: FileState) -> str | None:
    """Return what laying this piece will do, None where there is nothing to do."""
    match found:
        case FileState.ABSENT:
            return f"write {piece.path}"
        case FileState.OURS:
            return f"replace {piece.path}, which an earlier install wrote"
        case FileState.EDITED:
            return f"leave {piece.path} as it is: it was edited, or is not dreamd's"
        case FileState.SAME:
            return None


def remove_link(link: Path, target: Path) -> None:
    """Remove a link, if it is one and leads to this file, there or not."""
    with contextlib.suppress(OSError):
        if link.is_symlink() and link.parent / link.readlink() == target:
            link.unlink()
