"""Write down what people said: each message once."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Collection, Iterable
from datetime import UTC, date, datetime, timedelta

from msgspec import Struct

from dreamd.domain.evidence import PersonSaid

_FORGOTTEN = 2  # bytes of the digest of words that are forgotten: too few to try guesses by
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_KNOWN = "SELECT number FROM messages WHERE id = ?"
_ADD = (  # unless it is a copy; a known one has what it says now, unless that is forgotten
    "INSERT INTO messages (id, session, at, day, digest, text, before) "
    "SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 "
    "WHERE NOT EXISTS (SELECT 1 FROM messages WHERE digest IN (?5, ?8) AND at = ?3) "
    "ON CONFLICT (id) DO UPDATE SET digest = excluded.digest, text = excluded.text, "
    "before = excluded.before, at = excluded.at, day = excluded.day "
    "WHERE digest <> excluded.digest AND length(digest) <> length(?8)"
)


class Recorder(Struct, frozen=True):
    """Writes into a database, within a transaction that the caller has begun."""

    connection: sqlite3.Connection

    def record(self, said: Iterable[PersonSaid]) -> None:
        """Write down what people said.

        A message that stands there already stays as it is, so that reading a stretch twice
        changes nothing; one that reads otherwise by now has what it says now. The same words at
        the same moment under another id are a copy, of which nothing is written down. What was
        forgotten stays so.
        """
        rows = (
            (*_frame(each), now, each.text, each.before, now[:_FORGOTTEN])
            for each, now in ((each, _digest(each)) for each in said)
        )
        self.connection.executemany(_ADD, rows)

    def forget(self, said: Iterable[PersonSaid]) -> None:
        """Write down of messages only that no word of them, and no copy, is to be known."""
        self.record(said)
        for each in said:
            rows = self.connection.execute(_KNOWN, (each.message,)).fetchall()
            self.blank(number for (number,) in rows)

    def blank(self, messages: Iterable[int]) -> None:
        """Take the words out of messages."""
        for number in messages:
            self.connection.execute(
                "UPDATE messages SET digest = substr(digest, 1, ?), text = NULL, before = '' "
                "WHERE number = ?",
                (_FORGOTTEN, number),
            )

    def remove_sessions(self, sessions: Collection[str]) -> None:
        """Remove all that was said in some sessions."""
        for session in sessions:
            self.connection.execute("DELETE FROM messages WHERE session = ?", (session,))


def moment(micros: int | None) -> datetime | None:
    """Return the time that was kept as microseconds since the epoch."""
    return None if micros is None else _EPOCH + timedelta(microseconds=micros)


def _frame(said: PersonSaid) -> tuple[object, ...]:
    return said.message, said.session, _micros(said.at), _day(said.day)


def _micros(at: datetime | None) -> int | None:
    return None if at is None else (at - _EPOCH) // timedelta(microseconds=1)


def _day(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _digest(said: PersonSaid) -> bytes:
    return hashlib.sha256(said.text.encode("utf-8", "surrogatepass")).digest()[:16]
