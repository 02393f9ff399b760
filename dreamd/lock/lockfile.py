"""The lock file itself, changed only from what the caller expects to what it wants."""

from __future__ import annotations

import contextlib
import errno
import os
import re
import stat
from collections.abc import Callable, Iterator
from pathlib import Path

from msgspec import Struct

from dreamd.errors import HostError, MemoryUnfitError
from dreamd.host.files import faults, sync_folder, write_new
from dreamd.host.renames import ExchangeUnsupportedError, exchange, rename_new

NAME = ".consolidate-lock"
_TEMP = ".dreamd-lock-"
_LARGEST_PID = 2**31 - 1


class LockFile(Struct, frozen=True):
    """What stands in the lock file, or is to stand there; the mtime in ns since the epoch."""

    body: bytes
    mtime_ns: int
    mode: int = 0o600  # kept from the file that stands there

    @property
    def pid(self) -> int | None:
        """The PID in the body; None where it is empty or names no process."""
        # Ten digits hold every pid_t; int() of a longer hostile number could raise.
        match = re.fullmatch(rb"\s*([0-9]{1,10})\s*", self.body)
        pid = int(match[1]) if match else 0
        return pid if 0 < pid <= _LARGEST_PID else None


Expected = Callable[[LockFile | None], bool]


def look(file: Path) -> LockFile | None:
    """Return what stands in the lock file, None if there is none; a link is never followed.

    Raises:
        MemoryUnfitError: something else than a readable regular file stands there.
    """
    with _opened(file) as (_, found):
        return found


def change(file: Path, wanted: LockFile | None, expected: Expected) -> int | None:
    """Put what is wanted in the lock file (None: no file) in place of what is expected there.

    What stood there is judged *after* it was swapped out, so that nobody who wrote between the
    caller's look and this change is overwritten: their file goes back and nothing has changed.

    Returns:
        The mtime as the file system keeps it (it may round), 0 where no file was wanted; None
        if something unexpected stood there.
    """
    temp = file.with_name(f"{_TEMP}{os.urandom(6).hex()}.new")
    with faults("write the lock", file):
        before = look(file)
        if not expected(before):
            return None
        try:
            if wanted is None:
                done = _take_away(file, temp, expected)
            else:
                done = _put(file, temp, wanted, before, expected)
        finally:
            with contextlib.suppress(FileNotFoundError):
                temp.unlink()
        sync_folder(file.parent)
        return done


def clear_temps(memory: Path) -> None:
    """Remove what killed processes left beside the lock; only for who may take the lock now."""
    with faults("clear up in", memory):
        for each in memory.glob(f"{_TEMP}*.new"):
            each.unlink(missing_ok=True)


def touch(file: Path, mtime_ns: int, expected: Expected) -> bool:
    """Set the mtime of the lock if what stands there is expected, before and after.

    The one change that is no rename. A rename would have to look first and could then replace
    the file of somebody who came in between; the stamp goes to the inode whose body was read,
    through the same descriptor, and if that inode is no longer the lock the stamp hurts nobody.
    """
    with _opened(file) as (descriptor, found):
        if found is None or not expected(found):
            return False
        with faults("stamp the lock", file):
            os.utime(descriptor, ns=(mtime_ns, mtime_ns))
    return expected(look(file))


def _put(
    file: Path, temp: Path, wanted: LockFile, before: LockFile | None, expected: Expected
) -> int | None:
    # The mode of the user's own file stays; the other client creates it readable by all.
    mode = 0o600 if before is None else before.mode
    write_new(temp, wanted.body, mode=mode, mtime_ns=wanted.mtime_ns)
    try:
        kept = temp.lstat().st_mtime_ns
        if before is None:
            rename_new(temp, file)
            return kept
        exchange(temp, file)
    except (FileExistsError, FileNotFoundError):
        return None  # a lock came or went since the look
    except ExchangeUnsupportedError:
        # Where two names cannot be swapped, a last look leaves a gap of microseconds.
        if not _is(expected, file):
            return None
        temp.rename(file)
        return kept
    if _is(expected, temp):
        return kept
    # Whoever came reads the lock back: the sooner their file stands there again, the better.
    with contextlib.suppress(FileNotFoundError):
        exchange(temp, file)
    return None


def _take_away(file: Path, temp: Path, expected: Expected) -> int | None:
    try:
        rename_new(file, temp)
    except FileNotFoundError:
        return 0 if expected(None) else None
    if _is(expected, temp):
        return 0
    with contextlib.suppress(FileExistsError):  # then somebody newer stands there
        rename_new(temp, file)
    return None


@contextlib.contextmanager
def _opened(file: Path) -> Iterator[tuple[int, LockFile | None]]:
    # O_NONBLOCK: a FIFO in place of the lock must not hang us.
    flags = os.O_RDONLY | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_CLOEXEC
    try:
        descriptor = os.open(file, flags)
    except (FileNotFoundError, NotADirectoryError):
        yield -1, None
        return
    except OSError as error:
        if error.errno in {errno.ELOOP, errno.EMLINK, errno.ENXIO, errno.EACCES, errno.EPERM}:
            raise _unfit(file, error.strerror or "unreadable") from error
        raise HostError(f"cannot read the lock {file}: {error.strerror}") from error
    try:
        with faults("read the lock", file):
            seen = os.fstat(descriptor)
            if not stat.S_ISREG(seen.st_mode):
                raise _unfit(file, "not a regular file")
            body = os.pread(descriptor, 64, 0)  # a PID has ten digits at most
        yield descriptor, LockFile(body, seen.st_mtime_ns, stat.S_IMODE(seen.st_mode))
    finally:
        os.close(descriptor)


def _is(expected: Expected, file: Path) -> bool:
    """Judge what was swapped out; a link or a folder is never what anyone expects."""
    try:
        return expected(look(file))
    except MemoryUnfitError:
        return False


def _unfit(file: Path, why: str) -> MemoryUnfitError:
    what = "a symbolic link" if file.is_symlink() else "no file that can be read"
    return MemoryUnfitError(
        f"{what} stands in place of the lock {file} ({why}); move it away, dreamd leaves it alone"
    )
