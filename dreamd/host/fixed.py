"""Whether a file may change hands: what forbids a rename, and who is writing to it."""

from __future__ import annotations

import contextlib
import errno
import fcntl
import os
import signal
import stat
import sys
from collections.abc import Iterator
from pathlib import Path

_FLAGS = 0x80086601  # FS_IOC_GETFLAGS of <linux/fs.h>, on machines with 8 bytes to a long
_IMMUTABLE, _APPEND = 0x10, 0x20  # FS_IMMUTABLE_FL, FS_APPEND_FL
_SET_SIGNAL = 10  # F_SETSIG of <fcntl.h>; a lease that is broken would else end us by SIGIO


def why_fixed(name: str, dir_fd: int) -> str:
    """Say why a file may not be renamed, or be replaced by a rename; "" for no reason seen."""
    with contextlib.suppress(FileNotFoundError), _opened(name, dir_fd) as file:
        if said := _attribute(file) or _attribute(dir_fd):
            return said
        if sys.platform == "linux" and _mount(file) != _mount(dir_fd):
            return "something is mounted on it"
        seen, above = os.fstat(file), os.fstat(dir_fd)
        mine = {seen.st_uid, above.st_uid} & {os.geteuid()} or os.geteuid() == 0
        if above.st_mode & stat.S_ISVTX and not mine:
            return "it belongs to another user, and its folder is sticky"
    return ""


def is_being_written(name: str, dir_fd: int) -> bool | None:
    """Whether a process has a file open for writing; None where nobody can tell.

    The kernel grants a read lease only on a file that nobody has open for writing (fcntl(2),
    "Leases"). It is given back at once.
    """
    if not hasattr(fcntl, "F_SETLEASE"):
        return None
    with contextlib.suppress(FileNotFoundError), _opened(name, dir_fd) as file:
        try:
            fcntl.fcntl(file, _SET_SIGNAL, signal.SIGURG)  # which is ignored
            fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_RDLCK)
            fcntl.fcntl(file, fcntl.F_SETLEASE, fcntl.F_UNLCK)
        except OSError as error:
            return True if error.errno == errno.EAGAIN else None
    return False


@contextlib.contextmanager
def _opened(name: str, dir_fd: int) -> Iterator[int]:
    descriptor = os.open(
        name, os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC, dir_fd=dir_fd
    )
    try:
        yield descriptor
    finally:
        os.close(descriptor)


def _attribute(descriptor: int) -> str:
    if sys.platform == "linux":
        try:
            flags = int.from_bytes(fcntl.ioctl(descriptor, _FLAGS, bytes(8)), sys.byteorder)
        except OSError:  # a file system without attributes
            return ""
        fixed, appended = flags & _IMMUTABLE, flags & _APPEND
    else:
        seen = getattr(os.fstat(descriptor), "st_flags", 0)
        fixed = seen & (stat.UF_IMMUTABLE | stat.SF_IMMUTABLE)
        appended = seen & (stat.UF_APPEND | stat.SF_APPEND)
    if fixed:
        return "the attribute `chattr +i` forbids it"
    return "the attribute `chattr +a` forbids it" if appended else ""


def _mount(descriptor: int) -> bytes:
    try:
        lines = Path(f"/proc/self/fdinfo/{descriptor}").read_bytes().splitlines()
    except OSError:
        return b""
    return next((line for line in lines if line.startswith(b"mnt_id:")), b"")
