"""One store's database, `store.db`: snapshots, receipts and the journal, changed together."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from dreamd.errors import DamagedError, HistoryError
from dreamd.host import database, files

_VERSION = 1
_REMEDY = "the next command that changes something sets it aside and begins a new one"
# `content` holds bytes by SHA-256, `snapshot` lists of them by the SHA-256 of the list. `name`
# says which snapshot is what to a transaction. `receipt.body`, `why.body` and `journal.plan` are
# JSON. A path is the file system's bytes.
_SCHEMA = """
CREATE TABLE content (id INTEGER PRIMARY KEY, sha BLOB NOT NULL UNIQUE, data BLOB NOT NULL);
CREATE TABLE snapshot (id INTEGER PRIMARY KEY, sha BLOB NOT NULL UNIQUE);
CREATE TABLE file (snapshot INTEGER NOT NULL, path BLOB NOT NULL, content INTEGER NOT NULL,
  mode INTEGER NOT NULL, mtime_ns INTEGER NOT NULL, PRIMARY KEY (snapshot, path)) WITHOUT ROWID;
CREATE TABLE name (dream TEXT NOT NULL, part TEXT NOT NULL, snapshot INTEGER NOT NULL,
  PRIMARY KEY (dream, part)) WITHOUT ROWID;
CREATE TABLE why (dream TEXT NOT NULL, part TEXT NOT NULL, body TEXT NOT NULL,
  PRIMARY KEY (dream, part)) WITHOUT ROWID;
CREATE TABLE receipt (id INTEGER PRIMARY KEY, dream TEXT UNIQUE, body TEXT NOT NULL);
CREATE TABLE journal (dream TEXT PRIMARY KEY, plan TEXT NOT NULL, closed INTEGER NOT NULL);
CREATE TABLE swap (dream TEXT NOT NULL, turn INTEGER NOT NULL, path BLOB NOT NULL, expected TEXT,
  new TEXT, temp TEXT NOT NULL, mode INTEGER NOT NULL, mtime_ns INTEGER NOT NULL,
  loses INTEGER NOT NULL, PRIMARY KEY (dream, turn)) WITHOUT ROWID;
CREATE TABLE known (engine TEXT PRIMARY KEY, fingerprint TEXT NOT NULL, dream TEXT NOT NULL)
  WITHOUT ROWID;
CREATE TABLE forgotten (message TEXT PRIMARY KEY) WITHOUT ROWID;
"""


class StoreDb(Struct):
    """The database at `path`; made at the first write. Whoever writes holds the store's lease."""

    path: Path
    _open: sqlite3.Connection | None = None

    @contextlib.contextmanager
    def writing(self) -> Iterator[sqlite3.Connection]:
        """Do all of what is inside in one durable transaction, or nothing; nested ones join it."""
        if self._open is not None:
            yield self._open
            return
        files.make_private(self.path.parent)
        with (
            database.faults("write", self.path),
            contextlib.closing(database.connect(self.path)) as connection,
        ):
            self._open = connection
            try:
                with database.transaction(connection):
                    _prepare(connection)
                    yield connection
            finally:
                self._open = None

    @contextlib.contextmanager
    def reading(self) -> Iterator[sqlite3.Connection]:
        """Look into the database, an empty one where there is none; nothing is written.

        Raises:
            DamagedError: it is damaged, with what will be done about it.
        """
        if self._open is not None:
            yield self._open
            return
        is_there = os.path.lexists(self.path)
        try:
            with database.faults("read", self.path), contextlib.ExitStack() as opened:
                looked = database.looking(self.path) if is_there else sqlite3.connect(":memory:")
                connection = opened.enter_context(contextlib.closing(looked))
                if not _version(connection):  # made, and nothing written yet
                    empty = contextlib.closing(sqlite3.connect(":memory:"))
                    _prepare(connection := opened.enter_context(empty))
                yield connection
        except DamagedError as error:
            raise DamagedError(f"{error}; {_REMEDY}") from error

    def fault(self) -> str:
        """Check the whole file, and return what is damaged; "" for nothing."""
        try:
            with self.reading() as connection:
                [said] = connection.execute("PRAGMA quick_check(1)").fetchone()
        except DamagedError as error:
            return str(error)
        return "" if said == "ok" else f"{self.path}: {said}; {_REMEDY}"


def _version(connection: sqlite3.Connection) -> int:
    [version] = connection.execute("PRAGMA user_version").fetchone()
    if version > _VERSION:
        raise HistoryError(
            "a newer dreamd wrote the history of this store; this one does not touch it"
        )
    return int(version)


def _prepare(connection: sqlite3.Connection) -> None:
    if not _version(connection):
        for statement in _SCHEMA.split(";\n"):
            connection.execute(statement)
        connection.execute(f"PRAGMA user_version = {_VERSION}")
