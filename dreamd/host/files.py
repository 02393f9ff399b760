"""Files that are whole or absent: atomic replacement and durable appends."""

from __future__ import annotations

import contextlib
import errno
import os
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

from dreamd.errors import HostError

_REMEDIES = {
    errno.ENOSPC: "free some space there and try again",
    errno.EDQUOT: "your quota there is used up; free some space and try again",
    errno.EFBIG: "a limit on the size of files forbids it; raise it (`ulimit -f`) and try again",
    errno.EROFS: "it is mounted read-only; mount it writable and try again",
    errno.EACCES: "give yourself the permission and try again",
    errno.EPERM: "its owner, or an attribute such as `chattr +i`, forbids it; change that first",
    errno.EISDIR: "move it away and try again",
    errno.ENOTDIR: "move it away and try again",
}
_READ = os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOCTTY
_LINUX = sys.platform == "linux"
_BTIME = 0x800  # STATX_BTIME; statx(2) has it in byte 80 of its 256, seconds and nanoseconds
_NO_FOLLOW = 0x100  # AT_SYMLINK_NOFOLLOW
# Attributes of statx(2), elsewhere those of chflags(2): user's and system's.
FIXED = {"i": 0x10, "a": 0x20} if _LINUX else {"i": 0x20002, "a": 0x40004}
MOUNTED = 0x2000 if _LINUX else 0  # STATX_ATTR_MOUNT_ROOT; 0 where nobody can tell


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


def make_private(folder: Path) -> bool:
    """Create a folder and what lacks above it, each 0700, durably; one that exists stays.

    Returns whether it was this call that made it.
    """
    with faults("create", folder):
        lacking, is_made = [], False
        while not folder.is_dir():
            lacking.append(folder)
            folder = folder.parent
        for each in reversed(lacking):
            try:
                each.mkdir(mode=0o700)
                is_made = True
            except FileExistsError:
                is_made = False
            if not each.is_dir():
                raise NotADirectoryError(errno.ENOTDIR, "a file stands in its place", str(each))
            sync_folder(each.parent)
        return is_made


def content(path: Path | str, most: int = -1) -> bytes:
    """Return what a regular file holds, or its first bytes; a pipe there makes nobody wait."""
    with os.fdopen(os.open(path, _READ), "rb", buffering=0) as file:
        if not stat.S_ISREG(os.fstat(file.fileno()).st_mode):
            raise OSError(errno.EINVAL, "not a regular file", os.fspath(path))
        return file.read(most)


def sync_folder(folder: Path | str, dir_fd: int | None = None) -> None:
    """Make renames and removals in a folder durable; a no-op where folders cannot be synced."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY | os.O_CLOEXEC, dir_fd=dir_fd)
    try:
        os.fsync(descriptor)
    except OSError as error:
        if error.errno not in {errno.EINVAL, errno.ENOTSUP}:
            raise
    finally:
        os.close(descriptor)


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
    """
    flags = os.O_WRONLY | os.O_CREAT | os.O_EXCL | os.O_CLOEXEC | os.O_NOFOLLOW
    descriptor = os.open(path, flags, 0o600, dir_fd=dir_fd)
    try:
        with os.fdopen(descriptor, "wb") as file:
            file.write(data)
            file.flush()
            os.fchmod(descriptor, mode)
            if mtime_ns is not None:
                os.utime(descriptor, ns=(mtime_ns, mtime_ns))
            if durable:
                os.fsync(descriptor)
    except BaseException:
        with contextlib.suppress(OSError):
            os.unlink(path, dir_fd=dir_fd)
        raise


def replace(
    path: Path, data: bytes, *, mode: int = 0o600, mtime_ns: int | None = None, durable: bool = True
) -> None:
    """Put a whole file in place by rename; readers see the old bytes or the new, never a part."""
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
    """Append to a file, created 0600 if absent, and make it durable; a fault may leave a part."""
    with open(path, "ab", opener=lambda path, flags: os.open(path, flags, 0o600)) as file:
        file.write(data)
        file.flush()
        os.fsync(file.fileno())


def birth_ns(path: Path) -> int | None:
    """Return when it came to be, in ns since the epoch; None where system or disk do not say.

    A rename keeps it. File systems give the inode number of a removed folder to the next one
    made (ext4 did in 20 of 20 tries), so that the number alone proves nothing.
    """
    if sys.platform != "linux":
        try:
            return round(path.stat().st_birthtime * 1e9)
        except (OSError, AttributeError):
            return None
    found = _statx(path, _BTIME)
    if not int.from_bytes(found[:4], sys.byteorder) & _BTIME:
        return None
    seconds = int.from_bytes(found[80:88], sys.byteorder, signed=True)
    return seconds * 1_000_000_000 + int.from_bytes(found[88:92], sys.byteorder)


def attributes(name: str, folder: int) -> int:
    """Return the attributes of what stands at a name in an open folder, 0 where it has none."""
    if not _LINUX:
        return int(getattr(os.lstat(name, dir_fd=folder), "st_flags", 0))
    return int.from_bytes(_statx(name, 0, folder, _NO_FOLLOW)[8:16], sys.byteorder)


def _statx(path: Path | str, mask: int, folder: int = -100, flags: int = 0) -> bytes:
    """Return what statx(2) says, by default from AT_FDCWD; zeros where it cannot."""
    import ctypes  # noqa: PLC0415 - 10 ms that a command which only looks need not pay

    found = ctypes.create_string_buffer(256)
    if call := getattr(ctypes.CDLL(None), "statx", None):
        call(folder, os.fsencode(path), flags, mask, found)
    return found.raw
