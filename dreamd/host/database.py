"""SQLite databases of dreamd's own: private files, and errors that say what would make it right."""

from __future__ import annotations

import contextlib
import os
import sqlite3
import stat
from collections.abc import Iterator
from pathlib import Path

from dreamd.errors import DamagedError, HostError
from dreamd.host import files

_PATIENCE = 30  # seconds to wait for another process
_BESIDE = ("", "-wal", "-shm", "-journal")  # a database, and what SQLite may keep beside it
_DAMAGED = {sqlite3.SQLITE_CORRUPT, sqlite3.SQLITE_NOTADB}
_PERMISSION = "give yourself the permission and try again"
_BUSY = "another process uses it; try again later"
_REMEDIES = {
    sqlite3.SQLITE_FULL: "free some space there and try again",
    sqlite3.SQLITE_IOERR: "free some space there, or look at the disk, and try again",
    sqlite3.SQLITE_READONLY: _PERMISSION,
    sqlite3.SQLITE_CANTOPEN: _PERMISSION,
    sqlite3.SQLITE_PERM: _PERMISSION,
    sqlite3.SQLITE_BUSY: _BUSY,
    sqlite3.SQLITE_LOCKED: _BUSY,
}


@contextlib.contextmanager
def faults(doing: str, path: Path) -> Iterator[None]:
    """Turn what SQLite complains of inside into a HostError with the path and a remedy.

    A file that is no database, or not whole any more, is a DamagedError.
    """
    try:
        yield
    except sqlite3.DatabaseError as error:
        if type(error) not in {sqlite3.DatabaseError, sqlite3.OperationalError}:
            raise  # only a mistake in the program brings it about
        said = f"cannot {doing} {path}: {error}"
        code = getattr(error, "sqlite_errorcode", 0) & 0xFF  # the rest is a shade of it
        if code in _DAMAGED:
            raise DamagedError(said) from error
        raise HostError(f"{said}; {_REMEDIES[code]}" if code in _REMEDIES else said) from error


def connect(path: Path) -> sqlite3.Connection:
    """Open a database, created 0600 if absent; its folder must exist. The caller closes it.

    Each statement is a transaction of its own unless one is begun; one that has ended is on the
    disk. Deleted content is overwritten. The rollback journal works on network file systems too.
    """
    with files.faults("open", path):
        if not os.path.lexists(path):
            os.close(os.open(path, os.O_RDWR | os.O_CREAT | os.O_CLOEXEC, 0o600))
    keeping = ("PRAGMA journal_mode = TRUNCATE", "PRAGMA synchronous = FULL")
    return _opened("open", path, "PRAGMA secure_delete = ON", *keeping)


def looking(path: Path) -> sqlite3.Connection:
    """Open a database to read it. The caller closes it.

    Only where a process died while it wrote there, what it left half done is taken back first.
    """
    return _opened("read", path, "PRAGMA query_only = ON")


def _opened(doing: str, path: Path, *pragmas: str) -> sqlite3.Connection:
    """Open a database that can be read; a damaged one, or what is no file, is a HostError."""
    with files.faults(doing, path):
        _must_be_file(doing, path)
    with faults(doing, path):
        # SQLite opens for reading what may not be written.
        where = f"{path.absolute().as_uri()}?mode=rw"
        connection = sqlite3.connect(where, timeout=_PATIENCE, isolation_level=None, uri=True)
        try:
            for each in (*pragmas, "SELECT count(*) FROM sqlite_schema"):
                connection.execute(each).fetchone()
        except BaseException:
            connection.close()
            raise
        return connection


def _must_be_file(doing: str, path: Path) -> None:
    mode = path.lstat().st_mode
    if not stat.S_ISREG(mode):
        kinds = {stat.S_IFDIR: "a directory", stat.S_IFLNK: "a link"}
        what = kinds.get(stat.S_IFMT(mode), "no file")
        raise HostError(f"cannot {doing} {path}: {what} stands there; move it away and try again")


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
    """Rename a damaged database to a name beside it that is still free, and return that."""
    with files.faults("set aside", path):
        number = 1
        while os.path.lexists(new := path.with_name(f"{path.name}.damaged-{number}")):
            number += 1
        for end in _BESIDE:
            with contextlib.suppress(FileNotFoundError):
                path.with_name(path.name + end).rename(new.with_name(new.name + end))
        files.sync_folder(path.parent)
    return new


def aside(path: Path) -> list[Path]:
    """Return all files of the damaged databases that were set aside, sorted."""
    return sorted(path.parent.glob(f"{path.name}.damaged-*"))


def remove(path: Path) -> None:
    """Remove a database with what stands beside it; one that is gone already is no fault."""
    with files.faults("remove", path):
        for end in _BESIDE:
            path.with_name(path.name + end).unlink(missing_ok=True)
