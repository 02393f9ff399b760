"""The evidence of one memory directory, held open: who said what, and what was asked."""

from __future__ import annotations

import contextlib
import json
import sqlite3
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from dreamd.domain.evidence import ClaimKind, Query, Snippet, Trust
from dreamd.domain.heard import PersonSaid
from dreamd.domain.prose.concepts import tokens
from dreamd.evidence import schema, search
from dreamd.evidence.recording import moment
from dreamd.host import database

# Ordered by when it was said, then as in the session: the same however it was read.
_SAID = (
    "SELECT text, session, id, at, day FROM messages WHERE text IS NOT NULL "
    "ORDER BY at IS NULL, at, session, number"
)
_SIGHTINGS = (
    "SELECT statement, quote, kind, subject, value, tags, trust, session, id, sightings.at, "
    "sightings.day FROM sightings JOIN messages ON messages.number = message "
    "JOIN claims ON claims.number = claim"
)
# Those of daily notes, which bear no time, come last, by their days.
_IN_ORDER = (
    "ORDER BY sightings.at IS NULL, sightings.at, sightings.day, session, messages.number, place"
)
_QUERIES = (
    "SELECT queries.text, session, id, at, day FROM queries "
    "JOIN messages ON messages.number = message "
    "ORDER BY at IS NULL, at, session, messages.number, place"
)


@dataclass(frozen=True, slots=True)
class Evidence:
    """What was said in the sessions of a memory directory; oldest first, and each thing once.

    `has_index` is False where this Python's SQLite lacks FTS5: then `matching` is simpler.
    """

    connection: sqlite3.Connection
    path: Path
    has_index: bool

    def said(self) -> tuple[PersonSaid, ...]:
        """Return all that people said.

        Raises:
            DamagedError, HostError: it cannot be read.
        """
        with database.faults("read", self.path):
            rows = self.connection.execute(_SAID).fetchall()
        return tuple(
            PersonSaid(text, session, message, moment(at), _day(day))
            for text, session, message, at, day in rows
        )

    def snippets(self) -> tuple[Snippet, ...]:
        """Return every sighting of every claim.

        Raises:
            DamagedError, HostError: it cannot be read.
        """
        with database.faults("read", self.path):
            return tuple(map(_snippet, self.connection.execute(f"{_SIGHTINGS} {_IN_ORDER}")))

    def queries(self) -> tuple[Query, ...]:
        """Return all that people asked.

        Raises:
            DamagedError, HostError: it cannot be read.
        """
        with database.faults("read", self.path):
            rows = self.connection.execute(_QUERIES).fetchall()
        return tuple(
            Query(text, session, message, moment(at), _day(day))
            for text, session, message, at, day in rows
        )

    def matching(self, text: str, most: int = 20) -> tuple[tuple[Snippet, ...], ...]:
        """Return the claims that share words with a text, best first, each with its sightings.

        Raises:
            DamagedError, HostError: it cannot be read.
        """
        of_one = f"{_SIGHTINGS} WHERE claim = ? {_IN_ORDER}"
        with database.faults("search", self.path):
            numbers = search.matching(self.connection, tokens(text), most, has_index=self.has_index)
            return tuple(
                tuple(map(_snippet, self.connection.execute(of_one, (each,)))) for each in numbers
            )


@contextlib.contextmanager
def opened(path: Path) -> Iterator[Evidence]:
    """Hold the evidence in a file open, made if absent and brought to the newest form.

    Raises:
        EvidenceError: a newer dreamd has written it.
        DamagedError, HostError: it cannot be opened or written.
    """
    with contextlib.closing(database.connect(path)) as connection:
        yield _evidence(connection, path)


@contextlib.contextmanager
def copied(path: Path | None) -> Iterator[Evidence]:
    """Hold a copy in memory of the evidence in a file, or none; nothing is written to it.

    Raises:
        EvidenceError: a newer dreamd has written it.
        DamagedError, HostError: it cannot be read.
    """
    with contextlib.closing(database.copied(path)) as connection:
        yield _evidence(connection, path or Path(":memory:"))


def _evidence(connection: sqlite3.Connection, path: Path) -> Evidence:
    schema.migrate(connection, path)
    with database.faults("open", path), database.transaction(connection):
        return Evidence(connection, path, search.make_ready(connection))


def _snippet(row: Iterable[str | int | None]) -> Snippet:
    statement, quote, kind, subject, value, tags, trust, session, message, at, day = row
    return Snippet(
        statement=str(statement),
        quote=str(quote),
        kind=ClaimKind(str(kind)),
        subject=str(subject),
        value=str(value),
        tags=tuple(json.loads(str(tags))),
        speaker=Trust(str(trust)).speaker,
        session=str(session),
        message=str(message),
        at=moment(None if at is None else int(at)),
        day=_day(None if day is None else str(day)),
    )


def _day(text: str | None) -> date | None:
    return None if text is None else date.fromisoformat(text)
