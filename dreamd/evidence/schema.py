"""The tables of the evidence: messages, and how far each transcript was read."""

from __future__ import annotations

import sqlite3
from pathlib import Path

from dreamd.errors import DamagedError, EvidenceError
from dreamd.host import database

VERSION = 5  # an older form is made anew from the transcripts
_TABLES = (
    # `at` in microseconds since the epoch; `digest` of the words, two bytes of it where they are
    # forgotten; `text` NULL then.
    """CREATE TABLE messages (
        number INTEGER PRIMARY KEY,
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


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Make the tables of an empty database.

    Raises:
        EvidenceError: a newer dreamd has written it.
        DamagedError: it is no evidence, one of an older form, or a table of it is gone.
        HostError: it cannot be written.
    """
    with database.faults("open", path):
        if _version(connection, path):
            return
        with database.transaction(connection):
            if not _version(connection, path):  # nobody else was faster
                for statement in _TABLES:
                    connection.execute(statement)
                connection.execute(f"PRAGMA user_version = {VERSION}")


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
