"""When a file or folder came to be: what tells it from a later one that got its inode number."""

from __future__ import annotations

import os
import sys
from pathlib import Path

_LINUX = sys.platform == "linux"
_AT_FDCWD = -100
_BTIME = 0x800  # STATX_BTIME, and the layout below: statx(2)
_SIZE = 256  # of struct statx
_STX_BTIME = 80  # seconds (s64), then nanoseconds (u32)


def birth_ns(path: Path) -> int | None:
    """Return the birth time in ns since the epoch; None where system or file system keep none.

    A rename keeps it. File systems give the inode number of a removed folder to the next one
    made (ext4 did in 20 of 20 tries), so that the number alone proves nothing.
    """
    if _LINUX:
        return _statx(path)
    try:
        seconds: float | None = getattr(path.stat(), "st_birthtime", None)
    except OSError:
        return None
    return None if seconds is None else round(seconds * 1e9)


def _statx(path: Path) -> int | None:
    import ctypes  # noqa: PLC0415 - 10 ms that a command which only looks need not pay

    call = getattr(ctypes.CDLL(None), "statx", None)
    if call is None:  # a libc older than 2018
        return None
    found = ctypes.create_string_buffer(_SIZE)
    if call(_AT_FDCWD, os.fsencode(path), 0, _BTIME, found) != 0:
        return None
    if not int.from_bytes(found.raw[:4], sys.byteorder) & _BTIME:
        return None
    at = _STX_BTIME
    seconds = int.from_bytes(found.raw[at : at + 8], sys.byteorder, signed=True)
    return seconds * 1_000_000_000 + int.from_bytes(found.raw[at + 8 : at + 12], sys.byteorder)
