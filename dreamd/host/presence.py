"""Signs of life in files: a stamp that many poke, and a lock that a process holds for its life.

A hook waits for this module: it imports no typing, pathlib or contextlib.
"""

from __future__ import annotations

import fcntl
import os
import time

_FLAGS = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
_APART = 0.01  # seconds between two tries


def poke(path: str) -> int:
    """Stamp a file with the time it is now; return the stamp in nanoseconds.

    A file that lacks is made 0600, folders 0700.
    """
    try:
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | _FLAGS, 0o600)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)  # noqa: PTH103, PTH120
        descriptor = os.open(path, os.O_WRONLY | os.O_CREAT | _FLAGS, 0o600)
    try:
        os.utime(descriptor)
        return os.fstat(descriptor).st_mtime_ns
    finally:
        os.close(descriptor)


def stamp(path: str) -> int | None:
    """Return when a file was last poked, in nanoseconds; None where it cannot be looked at."""
    try:
        return os.lstat(path).st_mtime_ns
    except (OSError, ValueError):
        return None


def holder(path: os.PathLike[str] | str) -> int | None:
    """Return the PID of who holds this lock, 0 where it has not said so yet; None if nobody does.

    Nothing is waited for and nothing written; what cannot be looked at is held by nobody.
    """
    try:
        descriptor = os.open(path, os.O_RDONLY | _FLAGS)
    except OSError:
        return None
    try:
        fcntl.flock(descriptor, fcntl.LOCK_SH | fcntl.LOCK_NB)
    except BlockingIOError:
        try:
            body = os.read(descriptor, 32).strip()
        except OSError:
            body = b""
        return int(body) if body.isdigit() else 0
    except OSError:  # a file system without locks
        return None
    finally:
        os.close(descriptor)
    return None


def locked(path: os.PathLike[str] | str, seconds: float = 0.5) -> int | None:
    """Open a file, made 0600 if absent, and lock it; None where it stays locked for so long.

    Closing the descriptor lets go, and so does the kernel when this process dies.
    """
    descriptor = os.open(path, os.O_RDWR | os.O_CREAT | _FLAGS, 0o600)
    until = time.monotonic() + seconds  # also a look at a lock holds it, for some microseconds
    try:
        while True:
            try:
                fcntl.flock(descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                if time.monotonic() >= until:
                    os.close(descriptor)
                    return None
                time.sleep(_APART)
            else:
                return descriptor
    except OSError:
        os.close(descriptor)
        raise


def hold(path: os.PathLike[str] | str) -> int | None:
    """Lock a file for life, and write our PID into it; as `locked`."""
    descriptor = locked(path)
    if descriptor is not None:
        os.ftruncate(descriptor, 0)
        os.pwrite(descriptor, b"%d\n" % os.getpid(), 0)
    return descriptor


def renewed(path: os.PathLike[str] | str, descriptor: int) -> int:
    """Return the descriptor of a lock: a new one where its file was removed or replaced."""
    try:
        if os.path.samestat(os.fstat(descriptor), os.stat(path)):  # noqa: PTH116
            return descriptor
    except OSError:
        pass  # gone, or not to be looked at: the attempt will tell
    if (new := hold(path)) is None:
        return descriptor
    os.close(descriptor)
    return new
