"""Signs of life in files: a stamp that many poke, and a lock that a process holds for its life.

A hook waits for this module: it imports no typing, pathlib or contextlib.
"""

from __future__ import annotations

import fcntl
import os
import time

from dreamd.errors import BusyError, HostError

TYPE_CHECKING = False  # as above
if TYPE_CHECKING:
    from pathlib import Path
    from types import TracebackType

_FLAGS = os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY
_TRIES = 25  # a look at the lock holds it, shared, for some microseconds
_APART = 0.02  # seconds


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


def holder(path: Path | str) -> int | None:
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


class Presence:
    """A lock on one file, held by `with`; the kernel lets go of it when the process dies.

    Its body is the PID of the holder; the file stays. Entering raises BusyError where another
    process holds it, HostError where the file cannot be made or its file system has no flock(2).
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._descriptor = -1

    def __enter__(self) -> None:
        """Take the lock."""
        try:
            self._descriptor = os.open(self._path, os.O_RDWR | os.O_CREAT | _FLAGS, 0o600)
            self._take()
            os.ftruncate(self._descriptor, 0)
            os.pwrite(self._descriptor, b"%d\n" % os.getpid(), 0)
        except OSError as error:
            self._let_go()
            raise HostError(f"cannot lock {self._path}: {error.strerror or error}") from error

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Let go."""
        self._let_go()

    def renew(self) -> None:
        """Take the lock anew where the file was removed or replaced under us; else do nothing."""
        try:
            if os.path.samestat(os.fstat(self._descriptor), os.stat(self._path)):  # noqa: PTH116
                return
        except OSError:
            pass  # gone, or not to be looked at: the attempt will tell
        self._let_go()
        self.__enter__()

    def _take(self) -> None:
        for _ in range(_TRIES):
            try:
                fcntl.flock(self._descriptor, fcntl.LOCK_EX | fcntl.LOCK_NB)
            except BlockingIOError:
                time.sleep(_APART)
            else:
                return
        self._let_go()
        by = holder(self._path) or "unknown"
        raise BusyError(f"{self._path} is held by process {by}, which still runs")

    def _let_go(self) -> None:
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
