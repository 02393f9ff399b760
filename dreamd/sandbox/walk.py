"""The safe way to a file: part by part, each looked up in the folder before it, no link followed.

To check a path and then open it loses the race against who swaps a folder for a link; a walk has
nothing between the check and the opening.
"""

from __future__ import annotations

import contextlib
import errno
import os
import secrets
import stat
from collections.abc import Iterator
from pathlib import Path
from typing import Final

from dreamd.errors import RefusedError
from dreamd.sandbox import names

LARGEST: Final = 32 * 1024 * 1024  # bytes of a file that is still read
_FOLDER: Final = os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC
_FILE: Final = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY | os.O_CLOEXEC
_NEW: Final = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_NOFOLLOW | os.O_CLOEXEC
_CHUNK: Final = 1024 * 1024


@contextlib.contextmanager
def root(folder: Path) -> Iterator[int]:
    """Hold open the folder that a walk starts from, given by its real path; yield a descriptor.

    Raises:
        RefusedError: no folder stands there.
    """
    with _said(str(folder)):
        descriptor = os.open(folder, _FOLDER)
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def read(start: int, relative: str, *, most: int = LARGEST) -> bytes:
    """Return the bytes of a file below a folder held open.

    Raises:
        RefusedError: the name is refused, a link or anything but a regular file stands in the way
            or at the end, the file has a second hard link, or is larger than `most` bytes.
    """
    split = names.parts(relative)
    with (
        _said(relative),
        _folder(start, split[:-1]) as folder,
        opened(folder, split[-1], relative=relative) as file,
    ):
        return content(file, relative, most=most)


@contextlib.contextmanager
def found(path: Path) -> Iterator[int]:
    """Open a regular file given by an absolute path, links in it resolved beforehand.

    A link that takes the place of a folder between the two is refused, not followed. Yield a
    descriptor for reading.

    Raises:
        RefusedError: as for `read`, but for a second hard link.
    """
    if not path.is_absolute() or "\0" in str(path):
        raise RefusedError(f"{str(path)[:200]!r} is no absolute path")
    with _said(str(path)):
        real = Path(os.path.realpath(path, strict=True))
        with root(Path("/")) as start, _folder(start, real.parts[1:-1]) as folder:
            name = real.name or "."
            with opened(folder, name, relative=str(path), one_link=False) as file:
                yield file


def content(file: int, said: str, *, most: int = LARGEST) -> bytes:
    """Return what a file held open has, from where it stands; it may grow meanwhile.

    Raises:
        RefusedError: it is larger than `most` bytes.
    """
    pieces, left = [], most + 1
    while left > 0 and (piece := os.read(file, min(_CHUNK, left))):
        pieces.append(piece)
        left -= len(piece)
    if left <= 0:
        raise RefusedError(f"{said} is larger than {most:,} bytes; read a part of it")
    return b"".join(pieces)


def write(start: int, relative: str, data: bytes, *, mode: int = 0o600) -> None:
    """Put a whole file at a name below a folder held open; old or new at any moment, never half.

    Folders that lack are created, 0700. A file that is replaced gives its permissions to the new
    one, and may itself be no link, no second hard link, and nothing but a regular file.

    Raises:
        RefusedError: the name is refused, or something else stands in the way or at the end.
    """
    split = names.parts(relative)
    with _said(relative), _folder(start, split[:-1], create=True) as folder:
        with (
            contextlib.suppress(FileNotFoundError),
            opened(folder, split[-1], relative=relative) as old,
        ):
            mode = stat.S_IMODE(os.fstat(old).st_mode)
        spare = f".{secrets.token_hex(8)}.new"
        masked = os.umask(0)
        try:
            descriptor = os.open(spare, _NEW, mode & 0o777, dir_fd=folder)
        finally:
            os.umask(masked)
        try:
            with os.fdopen(descriptor, "wb") as file:
                file.write(data)
                file.flush()
                os.fsync(file.fileno())
            os.rename(spare, split[-1], src_dir_fd=folder, dst_dir_fd=folder)
        except BaseException:
            with contextlib.suppress(OSError):
                os.unlink(spare, dir_fd=folder)
            raise
        os.fsync(folder)


def remove(start: int, relative: str) -> None:
    """Remove a regular file below a folder held open.

    Raises:
        RefusedError: the name is refused, nothing stands there, or something other than a file.
    """
    split = names.parts(relative)
    with _said(relative), _folder(start, split[:-1]) as folder:
        with opened(folder, split[-1], relative=relative):
            pass
        os.unlink(split[-1], dir_fd=folder)
        os.fsync(folder)


@contextlib.contextmanager
def opened(folder: int, name: str, *, relative: str, one_link: bool = True) -> Iterator[int]:
    """Open one regular file in a folder held open, and yield a descriptor for reading.

    No pipe blocks it and no terminal becomes its own. OSErrors are left as they are.

    Raises:
        RefusedError: it is no regular file, or has a second hard link where one is demanded.
    """
    descriptor = os.open(name, _FILE, dir_fd=folder)
    try:
        seen = os.fstat(descriptor)
        if not stat.S_ISREG(seen.st_mode):
            raise RefusedError(f"{relative} is no regular file; only those are read or written")
        if one_link and seen.st_nlink != 1:
            raise RefusedError(
                f"{relative} has another hard link elsewhere; copy it to a file of its own first"
            )
        yield descriptor
    finally:
        os.close(descriptor)


@contextlib.contextmanager
def _folder(start: int, parts: tuple[str, ...], *, create: bool = False) -> Iterator[int]:
    current = start
    try:
        for part in parts:
            if create:
                with contextlib.suppress(FileExistsError):
                    os.mkdir(part, 0o700, dir_fd=current)
            deeper = os.open(part, _FOLDER, dir_fd=current)
            if current != start:
                os.close(current)
            current = deeper
        yield current
    finally:
        if current != start:
            os.close(current)


@contextlib.contextmanager
def _said(what: str) -> Iterator[None]:
    """Turn what the system says on the way into a sentence for who asked."""
    try:
        yield
    except OSError as error:
        reason = {
            errno.ENOENT: "there is nothing of that name",
            errno.ELOOP: "a symbolic link stands there, and none is followed",
            errno.ENOTDIR: "a link or a file stands where a folder is needed",
            errno.ENXIO: "it is no regular file; only those are read or written",
            errno.EACCES: "it may not be read or written from here",
            errno.EPERM: "it may not be read or written from here",
        }.get(error.errno or 0, error.strerror or str(error))
        raise RefusedError(f"{what[:400]}: {reason}") from error
