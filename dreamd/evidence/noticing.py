"""What an engine's rules notice in what people said: each message is read by them once."""

from __future__ import annotations

import sqlite3
from collections.abc import Mapping

from dreamd.domain.attention import Attention
from dreamd.evidence.store import Evidence
from dreamd.host import database

_AT_ONCE = 500  # messages that are written down together
_UNREAD = (
    "SELECT number, digest, text FROM messages LEFT JOIN noticed ON message = number "
    "WHERE number > ? AND text IS NOT NULL AND version IS NOT ? ORDER BY number LIMIT ?"
)
# Unless another process has changed the message, or forgotten it, meanwhile.
_KEEP = (
    "INSERT OR REPLACE INTO noticed (message, version, found) "
    "SELECT number, ?, ? FROM messages WHERE number = ? AND digest = ?"
)
_FOUND = "SELECT id, found FROM noticed JOIN messages ON number = message WHERE version = ?"


def noticed(evidence: Evidence, attention: Attention) -> Mapping[str, str]:
    """Return by its id what some attention finds in each message of a person.

    Those that it has not read yet are read and written down now.

    Raises:
        DamagedError, HostError: the evidence cannot be read or written; what was written stands.
    """
    with database.faults("write", evidence.path):
        _read_new(evidence.connection, attention)
    with database.faults("read", evidence.path):
        return dict(evidence.connection.execute(_FOUND, (attention.version,)))


def _read_new(connection: sqlite3.Connection, attention: Attention) -> None:
    version, last = attention.version, 0
    while rows := connection.execute(_UNREAD, (last, version, _AT_ONCE)).fetchall():
        found = [(version, attention.notice(text), number, digest) for number, digest, text in rows]
        with database.transaction(connection):
            connection.executemany(_KEEP, found)
        last = rows[-1][0]
