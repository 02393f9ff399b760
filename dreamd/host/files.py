"""Files that are whole or absent: atomic replacement and durable appends."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from dreamd.errors import HostError
from dreamd.host.renames import ExchangeUnsupportedError, exchange, rename_new

__all__ = [
    "ExchangeUnsupportedError",
    "append",
    "append_lines",
    "content",
    "exchange",
    "faults",
    "make_private",
    "rename_new",
    "replace",
    "sync_descriptor",
    "sync_folder",
    "write_new",
]

_REMEDIES = {
    errno.ENOSPC: "free some space there and try again",
    errno.EDQUOT: "your quota there is used up; free some space and try again",
    errno.EFBIG: "a limit on the size of files forbids it; raise it (`ulimit -f`) and try again",
    errno.EROFS: "it is mounted read-only; mount it writable and try again",
    errno.EACCES: "give yourself the permission and try again",
    errno.EPERM: "its owner, or an attribute such as `chattr +i`, forbids it; change that first",
}


@contextlib.contextmanager
def faults(doing: str, path: Path) -> Iterator[None]:
    """Turn an OSError inside into a HostError that says what was being done to which path.

    Where the cause is common (full, read-only, no permission), the sentence also says what
    would make it right.
    """
    try:
        yield
    except OSError as error:
        said = f"cannot {doing} {path}: {error.strerror or error}"
        if error.errno in _REMEDIES:
            said += f"; {_REMEDIES[error.errno]}"
        raise HostError(said) from error


def make_private(folder: Path) -> None:
    """Create a folder and what lacks above it, each 0700, durably; one that exists stays.

    Raises:
        HostError: it cannot be created, or a file stands in its place.
    """
    with faults("create", folder):
        lacking = []
        while not folder.is_dir():
            lacking.append(folder)
            folder = folder.parent
        for each in reversed(lacking):
            with contextlib.suppress(FileExistsError):
                each.mkdir(mode=0o700)
            if not each.is_dir():
                raise NotADirectoryError(errno.ENOTDIR, "a file stands in its place", str(each))
            sync_folder(each.parent)


def content(path: Path | str, most: int = -1) -> bytes:
    """Return what a file holds, or its first bytes; a pipe or a device there makes nobody wait.

    Raises:
        OSError: it cannot be read, or is no regular file.
    """
    with open(path, "rb", buffering=0, opener=_at_once) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", os.fspath(path))
        return file.read(most)


def _at_once(path: str, flags: int) -> int:
    return os.open(path, flags | os.O_NONBLOCK | os.O_NOCTTY)


def sync_folder(folder: Path) -> None:
    """Make renames and removals in a folder durable; a no-op where folders cannot be synced."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC)
    try:
        sync_descriptor(descriptor)
    finally:
        os.close(descriptor)


def sync_descriptor(descriptor: int) -> None:
    """Make an open folder's names durable; a no-op where folders cannot be synced."""
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in {errno.EINVAL, errno.ENOTSUP}:
            raise


def write_new(
    path: Path | str,
    data: bytes,
    *,
    mode: int = 0o600,
    mtime_ns: int | None = None,
    durable: bool = True,
    dir_fd: int | None = None,
) -> None:
    """Create a file that must not exist yet: content, mode, mtime, then fsync; gone if any fails.

    With `dir_fd`, the path is looked up in that open folder.

    Raises:
        OSError: as the system says it; the file is not left behind.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
    descriptor = os.open(path, flags, 0o600, dir_fd=dir_fd)
    try:
        try:
            view = memoryview(data)
            while view:
                view = view[os.write(descriptor, view) :]
            os.fchmod(descriptor, mode)
            if mtime_ns is not None:
                os.utime(descriptor, ns=(mtime_ns, mtime_ns))
            if durable:
                os.fsync(descriptor)
        finally:
            os.close(descriptor)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(path, dir_fd=dir_fd)
        raise


def replace(
    path: Path, data: bytes, *, mode: int = 0o600, mtime_ns: int | None = None, durable: bool = True
) -> None:
    """Put a whole file in place by rename; readers see the old bytes or the new, never a part.

    Raises:
        OSError: as the system says it; the old file stands untouched.
    """
    temp = path.with_name(f".dreamd-{os.urandom(6).hex()}.new")
    write_new(temp, data, mode=mode, mtime_ns=mtime_ns, durable=durable)
    try:
        temp.rename(path)
    except BaseException:
        with contextlib.suppress(OSError):
            temp.unlink()
        raise
    if durable:
        sync_folder(path.parent)


def append(path: Path, data: bytes) -> None:
    """Append to a file in one write and make it durable; the file is created 0600 if absent.

    Raises:
        OSError: as the system says it; a part may have been written.
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_APPEND | os.O_CLOEXEC
    descriptor = os.open(path, flags, 0o600)
    try:
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)


def append_lines(path: Path, data: bytes) -> None:
    """Append whole lines to an existing file, durably; a torn last line is cut off first.

    A line is torn where a crash or a full disk ended a write before its newline.

    Raises:
        OSError: as the system says it; a torn line may be left, which the next call cuts off.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CLOEXEC | os.O_NOFOLLOW)
    try:
        whole = size = os.lseek(descriptor, 0, os.SEEK_END)
        while whole > 0 and os.pread(descriptor, 1, whole - 1) != b"\n":
            whole -= 1
        if whole < size:
            os.ftruncate(descriptor, whole)
            os.lseek(descriptor, whole, os.SEEK_SET)
        view = memoryview(data)
        while view:
            view = view[os.write(descriptor, view) :]
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
