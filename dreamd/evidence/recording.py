"""Write down what people said: each message once."""

from __future__ import annotations

import hashlib
import sqlite3
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from dreamd.domain.heard import PersonSaid

_FORGOTTEN = 2  # bytes of the digest of words that are forgotten: too few to try guesses by
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)
_KNOWN = "SELECT number, digest FROM messages WHERE id = ?"
_ADD = (  # unless it is known, or a copy
    "INSERT INTO messages (id, session, at, day, digest, text, before) "
    "SELECT ?1, ?2, ?3, ?4, ?5, ?6, ?7 "
    "WHERE NOT EXISTS (SELECT 1 FROM messages WHERE digest IN (?5, ?8) AND at = ?3) "
    "ON CONFLICT (id) DO NOTHING"
)
_RENEW = "UPDATE messages SET digest = ?, text = ?, before = ?, at = ?, day = ? WHERE number = ?"


@dataclass(frozen=True, slots=True)
class Recorder:
    """Writes into a database, within a transaction that the caller has begun."""

    connection: sqlite3.Connection

    def record(self, said: Iterable[PersonSaid]) -> None:
        """Write down what people said.

        A message that stands there already stays as it is, so that reading a stretch twice
        changes nothing; one that reads otherwise by now has what it says now. The same words at
        the same moment under another id are a copy, of which nothing is written down. What was
        forgotten stays so.
        """
        execute = self.connection.execute
        for each in said:
            now, at = _digest(each), _micros(each.at)
            fields = (each.message, each.session, at, _day(each.day), now, each.text, each.before)
            if execute(_ADD, (*fields, now[:_FORGOTTEN])).rowcount:
                continue
            row = execute(_KNOWN, (each.message,)).fetchone()
            if row is not None and row[1] != now and len(row[1]) != _FORGOTTEN:
                execute(_RENEW, (now, each.text, each.before, at, _day(each.day), row[0]))

    def forget(self, said: Iterable[PersonSaid]) -> None:
        """Write down of messages only that no word of them, and no copy, is to be known."""
        self.record(said)
        for each in said:
            rows = self.connection.execute(_KNOWN, (each.message,)).fetchall()
            self.blank(number for number, _ in rows)

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


def _micros(at: datetime | None) -> int | None:
    return None if at is None else (at - _EPOCH) // timedelta(microseconds=1)


def _day(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _digest(said: PersonSaid) -> bytes:
    return hashlib.sha256(said.text.encode("utf-8", "surrogatepass")).digest()[:16]
