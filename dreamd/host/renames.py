"""Names that change hands in one step: exchange, rename without replacing, set aside.

With `dir_fd` both names are looked up in that open folder.
"""

from __future__ import annotations

import contextlib
import errno
import os
import sys
from pathlib import Path

from dreamd.errors import HostError

_LINUX = sys.platform == "linux"
_AT_FDCWD = -100 if _LINUX else -2
_EXCHANGE = 2  # Linux RENAME_EXCHANGE and macOS RENAME_SWAP are both 2
_NO_REPLACE = 1 if _LINUX else 4  # Linux RENAME_NOREPLACE, macOS RENAME_EXCL
_UNSUPPORTED = {errno.ENOSYS, errno.EINVAL, errno.ENOTSUP, errno.EOPNOTSUPP}
_NO_LINKS = _UNSUPPORTED | {errno.EPERM, errno.EMLINK}

Name = Path | str


class ExchangeUnsupportedError(HostError):
    """The file system or the platform cannot swap two names in one step."""


def exchange(one: Name, other: Name, *, dir_fd: int | None = None) -> None:
    """Swap two existing names in one step, or raise ExchangeUnsupportedError."""
    if not _rename(one, other, _EXCHANGE, dir_fd):
        raise ExchangeUnsupportedError(f"cannot swap {one} and {other} in one step")


def rename_new(one: Name, other: Name, *, dir_fd: int | None = None) -> None:
    """Rename without replacing; FileExistsError where the new name is taken.

    Where the flag is unsupported, by link and unlink; where links are too (vfat), by a look.
    """
    if _rename(one, other, _NO_REPLACE, dir_fd):
        return
    try:
        os.link(one, other, src_dir_fd=dir_fd, dst_dir_fd=dir_fd, follow_symlinks=False)
    except OSError as error:
        if error.errno not in _NO_LINKS:
            raise
        _rename_if_free(one, other, dir_fd)
    else:
        os.unlink(one, dir_fd=dir_fd)


def set_aside(one: Name, own: Name, *, dir_fd: int | None = None) -> None:
    """Rename, without replacing, to a name that nobody but the caller uses.

    Where the flag is unsupported, a look and one rename: never two steps with both names
    standing, between which somebody may save under the old one.
    """
    if not _rename(one, own, _NO_REPLACE, dir_fd):
        _rename_if_free(one, own, dir_fd)


def _rename_if_free(one: Name, other: Name, dir_fd: int | None) -> None:
    with contextlib.suppress(FileNotFoundError):
        os.lstat(other, dir_fd=dir_fd)
        raise FileExistsError(errno.EEXIST, os.strerror(errno.EEXIST), str(other))
    os.rename(one, other, src_dir_fd=dir_fd, dst_dir_fd=dir_fd)


def _rename(one: Name, other: Name, flags: int, dir_fd: int | None) -> bool:
    """Rename as the flags say; False where the system or this file system cannot."""
    import ctypes  # noqa: PLC0415 - 10 ms that a command which only looks need not pay

    libc = ctypes.CDLL(None, use_errno=True)
    function = getattr(libc, "renameat2" if _LINUX else "renameatx_np", None)
    if function is None:
        return False
    where = _AT_FDCWD if dir_fd is None else dir_fd
    if function(where, os.fsencode(one), where, os.fsencode(other), flags) == 0:
        return True
    if (code := ctypes.get_errno()) in _UNSUPPORTED:
        return False
    raise OSError(code, os.strerror(code), str(one), None, str(other))
