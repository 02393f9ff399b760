"""The tables of the evidence, and the way from each older form of them to the newest."""

from __future__ import annotations

import sqlite3
from collections.abc import Sequence
from pathlib import Path

from dreamd.errors import DamagedError, EvidenceError
from dreamd.host import database

_FIRST = (
    # Whoever said something that is kept. `at` in microseconds since the epoch; `digest` of the
    # words, two bytes of it where they are forgotten; `reader` found what was found there; `text`
    # of a person only.
    """CREATE TABLE messages (
        number INTEGER PRIMARY KEY,
        id TEXT NOT NULL UNIQUE,
        session TEXT NOT NULL,
        speaker TEXT NOT NULL,
        at INTEGER,
        day TEXT,
        digest BLOB NOT NULL,
        reader INTEGER NOT NULL,
        text TEXT
    )""",
    "CREATE INDEX copies ON messages (digest, at)",
    "CREATE INDEX of_session ON messages (session)",
    # What was stated, by its words alone; `tags` a JSON list, `tokens` words between spaces.
    """CREATE TABLE claims (
        number INTEGER PRIMARY KEY,
        normal TEXT NOT NULL,
        kind TEXT NOT NULL,
        subject TEXT NOT NULL,
        value TEXT NOT NULL,
        tags TEXT NOT NULL,
        tokens TEXT NOT NULL,
        UNIQUE (normal, kind)
    )""",
    # `place` is the order within the message; advice bears the time at which it was taken up.
    """CREATE TABLE sightings (
        message INTEGER NOT NULL REFERENCES messages,
        claim INTEGER NOT NULL REFERENCES claims,
        place INTEGER NOT NULL,
        trust TEXT NOT NULL,
        at INTEGER,
        day TEXT,
        statement TEXT NOT NULL,
        quote TEXT NOT NULL,
        PRIMARY KEY (message, claim)
    ) WITHOUT ROWID""",
    "CREATE INDEX of_claim ON sightings (claim)",
    """CREATE TABLE queries (
        message INTEGER NOT NULL REFERENCES messages,
        text TEXT NOT NULL,
        place INTEGER NOT NULL,
        PRIMARY KEY (message, text)
    ) WITHOUT ROWID""",
    # How far each transcript is read; `path` is a hash of it, that no text to be forgotten
    # stands there. The fields are those of `Watermark`.
    """CREATE TABLE watermarks (
        path BLOB PRIMARY KEY,
        reader INTEGER NOT NULL,
        inode INTEGER NOT NULL,
        size INTEGER NOT NULL,
        mtime INTEGER NOT NULL,
        until INTEGER NOT NULL,
        resume INTEGER NOT NULL,
        tail_start INTEGER,
        tail_length INTEGER,
        tail_digest BLOB
    ) WITHOUT ROWID""",
)
_SECOND = (
    # What an engine's rules found in a person's message; `version` of the rules.
    """CREATE TABLE noticed (
        message INTEGER PRIMARY KEY REFERENCES messages,
        version BLOB NOT NULL,
        found TEXT NOT NULL
    )""",
)
_THIRD = (
    # Which daily notes were read, by which version of the reader: hashes of path and content.
    """CREATE TABLE daily (
        path BLOB PRIMARY KEY,
        reader INTEGER NOT NULL,
        digest BLOB NOT NULL
    ) WITHOUT ROWID""",
)
MIGRATIONS: tuple[Sequence[str], ...] = (_FIRST, _SECOND, _THIRD)
_TABLES = (  # that each form has beside those of the forms before
    {"messages", "claims", "sightings", "queries", "watermarks"},
    {"noticed"},
    {"daily"},
)


def migrate(connection: sqlite3.Connection, path: Path) -> None:
    """Bring a database to the newest form, each step whole or not at all; an empty one is made.

    Raises:
        EvidenceError: a newer dreamd has written it.
        DamagedError: it is no evidence, or a table of it is gone.
        HostError: it cannot be written.
    """
    with database.faults("open", path):
        while (version := _version(connection, path)) < len(MIGRATIONS):
            with database.transaction(connection):
                if _version(connection, path) == version:  # nobody else was faster
                    for statement in MIGRATIONS[version]:
                        connection.execute(statement)
                    connection.execute(f"PRAGMA user_version = {version + 1}")


def _version(connection: sqlite3.Connection, path: Path) -> int:
    (version,) = connection.execute("PRAGMA user_version").fetchone()
    if version > len(MIGRATIONS):
        raise EvidenceError(
            f"{path} was written by a newer dreamd (form {version}, this one knows "
            f"{len(MIGRATIONS)}): update dreamd, or move that file away"
        )
    rows = connection.execute("SELECT name FROM sqlite_master WHERE type = 'table'")
    names = {name for (name,) in rows}
    needed = set().union(*_TABLES[:version])
    if (version == 0 and names) or not names >= needed:
        raise DamagedError(f"{path} is not what dreamd wrote there")
    return int(version)
