"""SQLite databases of dreamd's own: private files, and errors that say what would make it right."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
import time
from collections.abc import Iterator
from pathlib import Path

from dreamd.errors import DamagedError, HostError
from dreamd.host import files

_PATIENCE = 30  # seconds to wait for another process that writes
_PAUSE = 0.02  # seconds between two tries to switch over
_BESIDE = ("-wal", "-shm", "-journal")  # what SQLite may keep beside a database
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_REMEDIES = {
    sqlite3.SQLITE_FULL: "free some space there and try again",
    sqlite3.SQLITE_IOERR: "free some space there, or look at the disk, and try again",
    sqlite3.SQLITE_READONLY: "give yourself the permission and try again",
    sqlite3.SQLITE_CANTOPEN: "give yourself the permission and try again",
    sqlite3.SQLITE_PERM: "give yourself the permission and try again",
    sqlite3.SQLITE_BUSY: "another process is writing there; try again later",
    sqlite3.SQLITE_LOCKED: "another process is writing there; try again later",
}
# What only a mistake in the program brings about.
_OURS = (
    sqlite3.ProgrammingError,
    sqlite3.IntegrityError,
    sqlite3.InterfaceError,
    sqlite3.NotSupportedError,
)


@contextlib.contextmanager
def faults(doing: str, path: Path) -> Iterator[None]:
    """Turn what SQLite complains of inside into a HostError with the path and a remedy.

    Raises:
        DamagedError: the file is no database, or not whole any more.
        HostError: anything else that is wrong with the file or the disk.
    """
    try:
        yield
    except _OURS:
        raise
    except sqlite3.DatabaseError as error:
        said = f"cannot {doing} {path}: {error}"
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest is a shade of it
        if code in _DAMAGED:
            raise DamagedError(said) from error
        raise HostError(f"{said}; {_REMEDIES[code]}" if code in _REMEDIES else said) from error


def connect(path: Path, *, durable: bool = False) -> sqlite3.Connection:
    """Open a database, created 0600 if absent; its folder must exist. The caller closes it.

    Each statement is a transaction of its own unless one is begun. Deleted content is
    overwritten. Writers do not disturb readers (WAL), and what was written last may be lost with
    the power, never a part of it. With `durable` a transaction that has ended is on the disk; it
    is kept by a rollback journal, which works on network file systems too.

    Raises:
        DamagedError, HostError: it cannot be opened.
    """
    with files.faults("open", path):
        if os.path.lexists(path):
            _must_be_file("open", path, path.lstat())
        handle = os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW, 0o600)
        try:
            os.fchmod(handle, 0o600)
        finally:
            os.close(handle)
    with faults("open", path):
        connection = sqlite3.connect(path, timeout=_PATIENCE, isolation_level=None)
        try:
            connection.execute("PRAGMA secure_delete = ON")
            if durable:
                connection.execute("PRAGMA journal_mode = TRUNCATE")
                connection.execute("PRAGMA synchronous = FULL")
            else:
                _write_ahead(connection)
                connection.execute("PRAGMA synchronous = NORMAL")
            connection.execute("PRAGMA foreign_keys = ON")
        except BaseException:
            connection.close()
            raise
        return connection


def _write_ahead(connection: sqlite3.Connection) -> None:
    """Let a database be read while it is written.

    Where two switch over at once SQLite tells one of them at once that it is locked, whatever its
    timeout, for each would wait for the other.
    """
    until = time.monotonic() + _PATIENCE
    while True:
        try:
            connection.execute("PRAGMA journal_mode = WAL")
        except sqlite3.OperationalError as error:
            if error.sqlite_errorcode & 0xFF != sqlite3.SQLITE_BUSY or time.monotonic() > until:
                raise
            time.sleep(_PAUSE)
        else:
            return


def looking(path: Path) -> sqlite3.Connection:
    """Open a durable database without writing to it. The caller closes it.

    Only where a process died while it wrote there, what it left half done is taken back first,
    which needs the permission to write.

    Raises:
        DamagedError, HostError: it cannot be opened or read.
    """
    with files.faults("read", path):
        _must_be_file("read", path, path.lstat())
    for mode in ("ro", "rw"):
        connection = sqlite3.connect(
            f"{path.absolute().as_uri()}?mode={mode}",
            timeout=_PATIENCE,
            isolation_level=None,
            uri=True,
        )
        try:
            connection.execute("SELECT count(*) FROM sqlite_schema").fetchone()
        except sqlite3.DatabaseError as error:
            connection.close()
            code = getattr(error, "sqlite_errorcode", 0)
            if mode == "rw" or code & 0xFF not in {
                sqlite3.SQLITE_READONLY,
                sqlite3.SQLITE_CANTOPEN,
            }:
                with faults("read", path):
                    raise
        else:
            return connection
    raise AssertionError("one of the two modes returns or raises")


def copied(path: Path | None) -> sqlite3.Connection:
    """Return a database in memory with what a file holds; empty where there is none.

    Nothing is written to the file. The caller closes it.

    Raises:
        DamagedError, HostError: the file is there and cannot be read.
    """
    memory = sqlite3.connect(":memory:", isolation_level=None)
    try:
        memory.execute("PRAGMA foreign_keys = ON")
        if path is not None and _holds_something(path):
            with faults("read", path):
                # Without a log beside it nobody writes there, and SQLite needs to lay none.
                if _has_log(path) or not _copy(path, memory, "immutable=1"):
                    _copy(path, memory, "mode=ro")
    except BaseException:
        memory.close()
        raise
    return memory


def _must_be_file(doing: str, path: Path, found: os.stat_result) -> None:
    if not stat.S_ISREG(found.st_mode):
        kinds = {stat.S_IFDIR: "a directory", stat.S_IFLNK: "a link"}
        what = kinds.get(stat.S_IFMT(found.st_mode), "no file")
        said = f"cannot {doing} {path}: {what} stands there; move it away and try again"
        raise HostError(said)


def _copy(path: Path, memory: sqlite3.Connection, how: str) -> bool:
    """Copy a file into memory; whether nobody began to write meanwhile."""
    source = sqlite3.connect(f"{path.resolve().as_uri()}?{how}", timeout=_PATIENCE, uri=True)
    with contextlib.closing(source):
        source.backup(memory)
    return not _has_log(path)


def _has_log(path: Path) -> bool:
    return path.with_name(f"{path.name}-wal").exists()


def _holds_something(path: Path) -> bool:
    with files.faults("read", path):
        try:
            found = path.stat()
        except FileNotFoundError:
            return False
    _must_be_file("read", path, found)
    return found.st_size > 0


@contextlib.contextmanager
def transaction(connection: sqlite3.Connection) -> Iterator[None]:
    """Do all of what is inside, or nothing; no other process writes meanwhile."""
    connection.execute("BEGIN IMMEDIATE")
    try:
        yield
    except BaseException:
        if connection.in_transaction:  # a full disk has ended it already
            connection.execute("ROLLBACK")
        raise
    connection.execute("COMMIT")


def set_aside(path: Path) -> Path:
    """Rename a damaged database to a name beside it that is still free, and return that.

    Raises:
        HostError: it cannot be renamed.
    """
    with files.faults("set aside", path):
        number = 1
        while os.path.lexists(new := path.with_name(f"{path.name}.damaged-{number}")):
            number += 1
        path.rename(new)
        for end in _BESIDE:
            with contextlib.suppress(FileNotFoundError):
                path.with_name(path.name + end).rename(new.with_name(new.name + end))
        files.sync_folder(path.parent)
    return new


def aside(path: Path) -> list[Path]:
    """Return all files of the damaged databases that were set aside, sorted."""
    return sorted(path.parent.glob(f"{path.name}.damaged-*"))


def remove(path: Path) -> None:
    """Remove a database with what stands beside it; one that is gone already is no fault.

    Raises:
        HostError: it cannot be removed.
    """
    with files.faults("remove", path):
        for each in (path, *(path.with_name(path.name + end) for end in _BESIDE)):
            each.unlink(missing_ok=True)
