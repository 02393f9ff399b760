"""Open the evidence of one memory directory."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Collection, Iterator
from datetime import date
from pathlib import Path

from msgspec import Struct

from dreamd.domain.evidence import PersonSaid
from dreamd.evidence import schema, watermarks
from dreamd.evidence.recording import moment
from dreamd.host import database

# Ordered by when it was said, then as in the session: the same however it was read.
_SAID = (
    "SELECT text, session, id, at, day, before FROM messages WHERE text IS NOT NULL "
    "ORDER BY at IS NULL, at, session, number"
)

_UNREAD = "SELECT number, id FROM messages WHERE text IS NOT NULL AND number > ? ORDER BY number"


class Evidence(Struct, frozen=True):
    """What was said in the sessions of a memory directory; oldest first, and each thing once."""

    connection: sqlite3.Connection
    path: Path

    def said(self) -> tuple[PersonSaid, ...]:
        """Return all that people said.

        Raises:
            DamagedError, HostError: it cannot be read.
        """
        with database.faults("read", self.path):
            rows = self.connection.execute(_SAID).fetchall()
        return tuple(
            PersonSaid(text, session, message, moment(at), _day(day), before)
            for text, session, message, at, day, before in rows
        )

    def tip(self) -> tuple[int, int]:
        """Return how many messages with words there are, and the number of the last of all.

        Raises:
            DamagedError, HostError: it cannot be read.
        """
        with database.faults("read", self.path):
            row = self.connection.execute(
                "SELECT count(text), max(number) FROM messages"
            ).fetchone()
        return row[0], row[1] or 0

    def unread(self) -> tuple[str, ...]:
        """Return the ids of messages that no dream by rules has read, in the order they came.

        Raises:
            DamagedError, HostError: it cannot be read.
        """
        with database.faults("read", self.path):
            until = watermarks.read_until(self.connection)
            rows = self.connection.execute(_UNREAD, (until,)).fetchall()
        return tuple(message for _, message in rows)

    def read(self, missed: Collection[str]) -> None:
        """Write down that all messages before the first of those that were missed are read.

        Raises:
            DamagedError, HostError: it cannot be written.
        """
        with database.faults("write", self.path), database.transaction(self.connection):
            until = watermarks.read_until(self.connection)
            for number, message in self.connection.execute(_UNREAD, (until,)).fetchall():
                if message in missed:
                    break
                until = number
            watermarks.move_reading(self.connection, until)


@contextlib.contextmanager
def opened(path: Path) -> Iterator[Evidence]:
    """Hold the evidence in a file open, made if absent.

    Raises:
        EvidenceError: a newer dreamd has written it.
        DamagedError, HostError: it cannot be opened or written.
    """
    with contextlib.closing(database.connect(path)) as connection:
        schema.migrate(connection, path)
        yield Evidence(connection, path)


@contextlib.contextmanager
def copied(path: Path | None) -> Iterator[Evidence]:
    """Hold a copy in memory of the evidence in a file, or none; nothing is written to it.

    Raises:
        EvidenceError: a newer dreamd has written it.
        DamagedError, HostError: it cannot be read.
    """
    with contextlib.closing(database.copied(path)) as connection:
        schema.migrate(connection, path or Path(":memory:"))
        yield Evidence(connection, path or Path(":memory:"))


def _day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)
