"""Open the evidence of one memory directory: messages, and how far each transcript was read."""

from __future__ import annotations

import contextlib
import hashlib
import os
import sqlite3
from collections.abc import Collection, Iterable, Iterator
from datetime import UTC, date, datetime, timedelta
from pathlib import Path
from typing import Any, NamedTuple

from msgspec import Struct

from dreamd.domain.evidence import PersonSaid
from dreamd.errors import DamagedError, EvidenceError
from dreamd.evidence import watermarks
from dreamd.host import database

VERSION = 6  # an older form is made anew from the transcripts
_TABLES = (
    # A number is used once, also after its row is gone: watermarks go by it.
    # `at` in microseconds since the epoch; `digest` of the words, two bytes of it where they are
    # forgotten; `text` NULL then.
    """CREATE TABLE messages (
        number INTEGER PRIMARY KEY AUTOINCREMENT,
        id TEXT NOT NULL UNIQUE,
        session TEXT NOT NULL,
        at INTEGER,
        day TEXT,
        digest BLOB NOT NULL,
        text TEXT,
        before TEXT NOT NULL
    )""",
    "CREATE INDEX copies ON messages (digest, at)",
    "CREATE INDEX of_session ON messages (session)",
    # `path` is a hash of it, so that it holds no text to be forgotten.
    """CREATE TABLE watermarks (
        path BLOB PRIMARY KEY,
        inode INTEGER NOT NULL,
        size INTEGER NOT NULL,
        mtime INTEGER NOT NULL,
        until INTEGER NOT NULL,
        tail_start INTEGER,
        tail_length INTEGER,
        tail_digest BLOB
    ) WITHOUT ROWID""",
)
# Ordered by when it was said, then as in the session: the same however it was read.
_SAID = (
    "SELECT text, session, id, at, day, before FROM messages WHERE text IS NOT NULL "
    "ORDER BY at IS NULL, at, session, number"
)
_NUMBERS = "SELECT number, id FROM messages WHERE text IS NOT NULL AND number > ? ORDER BY number"

_FORGOTTEN = 2  # bytes of the digest of words that are forgotten: too few to try guesses by
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_ADD = (  # unless it is a copy; a known one has what it says now, unless that is forgotten
    "INSERT INTO messages (id, session, at, day, digest, text, before) "
    "SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 "
    "WHERE NOT EXISTS (SELECT 1 FROM messages WHERE digest IN (?5, ?8) AND at = ?3) "
    "ON CONFLICT (id) DO UPDATE SET digest = excluded.digest, text = excluded.text, "
    "before = excluded.before, at = excluded.at, day = excluded.day "
    "WHERE digest <> excluded.digest AND length(digest) <> length(?8)"
)
_BLANK = "UPDATE messages SET digest = substr(digest, 1, ?), text = NULL, before = '' WHERE id = ?"


class Left(NamedTuple):
    """The ids of messages that an engine has not read, in the order they came.

    The first `overdue` were there when it last dreamt, and had no room.
    """

    messages: tuple[str, ...] = ()
    overdue: int = 0


class Evidence(Struct, frozen=True):
    """What was said in the sessions of a memory directory; oldest first, and each thing once.

    Where it cannot be read or written, its methods raise DamagedError or HostError.
    """

    connection: sqlite3.Connection
    path: Path

    def said(self) -> tuple[PersonSaid, ...]:
        """Return all that people said."""
        with database.faults("read", self.path):
            rows = self.connection.execute(_SAID).fetchall()
        return tuple(map(_message, rows))

    def tip(self) -> tuple[int, int]:
        """Return how many messages with words there are, and the number of the last of all."""
        with database.faults("read", self.path):
            asked = "SELECT count(text), coalesce(max(number), 0) FROM messages"
            count, last = self.connection.execute(asked).fetchone()
        return count, last

    def unread(self, engine: str) -> Left:
        """Return the messages that no dream by an engine has read."""
        with database.faults("read", self.path):
            until, rows = self._unread(engine)
        overdue = sum(number <= until for number, _ in rows)
        return Left(tuple(message for _, message in rows), overdue)

    def read(self, engine: str, messages: Collection[str]) -> None:
        """Write down that a dream by an engine has read these messages, and left out others."""
        with database.faults("write", self.path), database.transaction(self.connection):
            until, rows = self._unread(engine)
            until = max((n for n, message in rows if message in messages), default=until)
            left = [n for n, message in rows if n <= until and message not in messages]
            watermarks.move_reading(self.connection, engine, until, left)

    def _unread(self, engine: str) -> tuple[int, list[tuple[int, str]]]:
        until, left = watermarks.reading(self.connection, engine)
        rows = self.connection.execute(_NUMBERS, (min(left, default=until + 1) - 1,))
        return until, [(n, message) for n, message in rows if n > until or n in left]


@contextlib.contextmanager
def opened(path: Path) -> Iterator[Evidence]:
    """Hold the evidence in a file open, made if absent.

    Raises:
        EvidenceError: a newer dreamd has written it.
        DamagedError, HostError: it cannot be opened or written, or is of an older form.
    """
    with contextlib.closing(database.connect(path)) as connection:
        yield _migrated(connection, path)


@contextlib.contextmanager
def copied(path: Path | None) -> Iterator[Evidence]:
    """Hold a copy in memory of the evidence in a file, or none; nothing is written to it.

    Raises:
        EvidenceError, DamagedError, HostError: as `opened`.
    """
    memory = sqlite3.connect(":memory:", isolation_level=None)
    with contextlib.closing(memory):
        if path is not None and os.path.lexists(path):
            with (
                contextlib.closing(database.looking(path)) as source,
                database.faults("read", path),
            ):
                source.backup(memory)
        yield _migrated(memory, path or Path(":memory:"))


def record(connection: sqlite3.Connection, said: Iterable[PersonSaid]) -> None:
    """Write down what people said.

    A message that stands there already stays as it is, so that reading a stretch twice
    changes nothing; one that reads otherwise by now has what it says now. The same words at
    the same moment under another id are a copy, of which nothing is written down. What was
    forgotten stays so.
    """
    connection.executemany(_ADD, map(_row, said))


def blank(connection: sqlite3.Connection, messages: Iterable[str]) -> None:
    """Take the words out of messages: no word of them, and no copy, is to be known."""
    connection.executemany(_BLANK, ((_FORGOTTEN, message) for message in messages))


def _row(said: PersonSaid) -> tuple[object, ...]:
    at = None if said.at is None else (said.at - _EPOCH) // timedelta(microseconds=1)
    digest = hashlib.sha256(said.text.encode("utf-8", "surrogatepass")).digest()[:16]
    frame = said.message, said.session, at, said.day and said.day.isoformat()
    return (*frame, digest, said.text, said.before, digest[:_FORGOTTEN])


def _message(row: tuple[Any, ...]) -> PersonSaid:
    text, session, message, micros, day, before = row
    at = None if micros is None else _EPOCH + timedelta(microseconds=micros)
    return PersonSaid(text, session, message, at, day and date.fromisoformat(day), before)


def _migrated(connection: sqlite3.Connection, path: Path) -> Evidence:
    """Return the evidence in a database, with its tables; they are made in an empty one."""
    with database.faults("open", path):
        if not _version(connection, path):
            with database.transaction(connection):
                if not _version(connection, path):  # nobody else was faster
                    for statement in _TABLES:
                        connection.execute(statement)
                    connection.execute(f"PRAGMA user_version = {VERSION}")
    return Evidence(connection, path)


def _version(connection: sqlite3.Connection, path: Path) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > VERSION:
        raise EvidenceError(
            f"{path} was written by a newer dreamd (form {version}, this one knows {VERSION}): "
            "update dreamd, or move that file away"
        )
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    names = {name for (name,) in rows}
    if 0 < version < VERSION:
        raise DamagedError(f"{path} is of an older form")
    needed = {"messages", "watermarks"} if version else set()
    if (version == 0 and names) or not names >= needed:
        raise DamagedError(f"{path} is not what dreamd wrote there")
    return int(version)
