"""What was found in a stretch of a transcript, written down: each thing said once."""

from __future__ import annotations

import hashlib
import json
import sqlite3
import unicodedata
from collections import Counter
from collections.abc import Collection, Iterable
from dataclasses import dataclass
from datetime import UTC, date, datetime, timedelta

from dreamd.domain.evidence import ASSISTANT, NOTE, PERSON, Query, Snippet, Trust
from dreamd.domain.heard import AssistantSaid, Noted, PersonSaid
from dreamd.domain.prose.concepts import tokens
from dreamd.evidence import search

Said = PersonSaid | AssistantSaid | Noted
Found = Snippet | Query

_SPEAKERS = {PersonSaid: PERSON, AssistantSaid: ASSISTANT, Noted: NOTE}
_FORGOTTEN = 2  # bytes of the digest of words that are forgotten: too few to try guesses by
_EPOCH = datetime(1970, 1, 1, tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Recorder:
    """Writes into a database, within a transaction that the caller has begun.

    `reader` is the version of what finds; where another one read a message, what that found in
    it is replaced. `has_index` says whether claims are indexed for search.
    """

    connection: sqlite3.Connection
    reader: int
    has_index: bool

    def record(self, said: Iterable[Said], found: Iterable[Found]) -> None:
        """Write down who spoke, and what was found in it.

        A person's message that stands there already stays as it is, so that reading a stretch
        twice changes nothing; one that reads otherwise by now has only what it says now. To the
        assistant's, what is taken up later is added. The same words at the same moment under
        another id are a copy, of which nothing is written down.
        """
        known = {each.message: each for each in said}
        numbers: dict[str, int | None] = {}
        places: Counter[str] = Counter()
        loose: set[int] = set()
        for each in known.values():
            if (row := self._known(each, loose)) is not None:
                known_as, is_closed = row
                numbers[each.message] = None if is_closed else known_as
                places[each.message] = 0 if is_closed else self._place(known_as)
            elif isinstance(each, PersonSaid):
                numbers[each.message] = self._added(each)
        for one in found:
            if one.message not in numbers:
                numbers[one.message] = self._added(known[one.message])
            number = numbers[one.message]
            if number is not None:
                self._find(one, number, places[one.message])
                places[one.message] += 1
        self._drop_unseen(loose)

    def forget(self, said: Iterable[Said]) -> None:
        """Write down of messages only that nothing of them, and no copy of them, is to be known."""
        for each in said:
            rows = self.connection.execute(
                "SELECT number FROM messages WHERE id = ?", (each.message,)
            ).fetchall()
            self.blank(number for (number,) in rows or [(self._added(each),)] if number)

    def blank(self, messages: Iterable[int]) -> None:
        """Take all out of messages that was found in them, and their words."""
        loose: set[int] = set()
        for number in messages:
            self._clear(number, loose)
            self.connection.execute(
                "UPDATE messages SET digest = substr(digest, 1, ?), text = NULL WHERE number = ?",
                (_FORGOTTEN, number),
            )
        self._drop_unseen(loose)

    def remove_sessions(self, sessions: Collection[str]) -> None:
        """Remove all that was said in some sessions."""
        for session in sessions:
            rows = self.connection.execute(
                "SELECT number FROM messages WHERE session = ?", (session,)
            )
            loose: set[int] = set()
            for (number,) in rows.fetchall():
                self._clear(number, loose)
                self.connection.execute("DELETE FROM messages WHERE number = ?", (number,))
            self._drop_unseen(loose)

    def _known(self, said: Said, loose: set[int]) -> tuple[int, bool] | None:
        """Return the number of a known message, and whether nothing more is to be found in it.

        Where it does not read as it did, what was found in it is taken out.
        """
        row = self.connection.execute(
            "SELECT number, digest, reader FROM messages WHERE id = ?", (said.message,)
        ).fetchone()
        if row is None:
            return None
        number, digest, reader = row
        if len(digest) == _FORGOTTEN:
            return number, True
        if (digest, reader) == (now := _digest(said), self.reader):
            return number, isinstance(said, PersonSaid)
        self._clear(number, loose)
        self.connection.execute(
            "UPDATE messages SET digest = ?, reader = ?, text = ?, at = ?, day = ? "
            "WHERE number = ?",
            (now, self.reader, _text(said), _micros(said.at), _day(said.day), number),
        )
        return number, False

    def _added(self, said: Said) -> int | None:
        """Add a message, and return its number; None where it is a copy of one."""
        digest, at = _digest(said), _micros(said.at)
        copied = self.connection.execute(
            "SELECT 1 FROM messages WHERE digest IN (?, ?) AND at = ?",
            (digest, digest[:_FORGOTTEN], at),
        ).fetchone()
        if copied:
            return None
        speaker = _SPEAKERS[type(said)]
        row = (said.message, said.session, speaker, at, _day(said.day), digest, self.reader)
        return self.connection.execute(
            "INSERT INTO messages (id, session, speaker, at, day, digest, reader, text) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (*row, _text(said)),
        ).lastrowid

    def _place(self, message: int) -> int:
        """Return the place behind what was found in a message before."""
        (last,) = self.connection.execute(
            "SELECT max(place) FROM sightings WHERE message = ?", (message,)
        ).fetchone()
        return 0 if last is None else int(last) + 1

    def _find(self, found: Found, message: int, place: int) -> None:
        if isinstance(found, Query):
            self.connection.execute(
                "INSERT OR IGNORE INTO queries (message, text, place) VALUES (?, ?, ?)",
                (message, found.text, place),
            )
            return
        self.connection.execute(
            "INSERT OR IGNORE INTO sightings "
            "(message, claim, place, trust, at, day, statement, quote) "
            "VALUES (?, ?, ?, ?, ?, ?, ?, ?)",
            (
                message,
                self._claim(found),
                place,
                Trust.of(found.speaker).value,
                _micros(found.at),
                _day(found.day),
                found.statement,
                found.quote,
            ),
        )

    def _claim(self, snippet: Snippet) -> int:
        key = (normal(snippet.statement), snippet.kind.value)
        row = self.connection.execute(
            "SELECT number FROM claims WHERE normal = ? AND kind = ?", key
        ).fetchone()
        if row is not None:
            return int(row[0])
        tags = json.dumps(snippet.tags, ensure_ascii=False)
        words = " ".join(tokens(snippet.statement))
        number = self.connection.execute(
            "INSERT INTO claims (normal, kind, subject, value, tags, tokens) "
            "VALUES (?, ?, ?, ?, ?, ?)",
            (*key, snippet.subject, snippet.value, tags, words),
        ).lastrowid
        if number is None:  # pragma: no cover - an INSERT has a row
            raise AssertionError(snippet)
        if self.has_index:
            search.add(self.connection, number, words)
        return number

    def _clear(self, message: int, loose: set[int]) -> None:
        rows = self.connection.execute("SELECT claim FROM sightings WHERE message = ?", (message,))
        loose.update(claim for (claim,) in rows)
        self.connection.execute("DELETE FROM sightings WHERE message = ?", (message,))
        self.connection.execute("DELETE FROM queries WHERE message = ?", (message,))
        self.connection.execute("DELETE FROM noticed WHERE message = ?", (message,))

    def _drop_unseen(self, claims: Iterable[int]) -> None:
        """Drop those of some claims that nobody is known to have said any more."""
        for claim in claims:
            row = self.connection.execute(
                "DELETE FROM claims WHERE number = ? AND NOT EXISTS "
                "(SELECT 1 FROM sightings WHERE claim = ?) RETURNING tokens",
                (claim, claim),
            ).fetchone()
            if row is not None and self.has_index:
                search.drop(self.connection, claim, row[0])


def normal(statement: str) -> str:
    """Return a statement by its words alone: compatible letters, no capitals, no full stop."""
    folded = unicodedata.normalize("NFKC", statement).casefold()
    return " ".join(folded.split()).rstrip(" .!。")


def moment(micros: int | None) -> datetime | None:
    """Return the time that was kept as microseconds since the epoch."""
    return None if micros is None else _EPOCH + timedelta(microseconds=micros)


def _micros(at: datetime | None) -> int | None:
    return None if at is None else (at - _EPOCH) // timedelta(microseconds=1)


def _day(day: date | None) -> str | None:
    return None if day is None else day.isoformat()


def _digest(said: Said) -> bytes:
    words = f"{type(said).__name__}\0{said.text}"
    return hashlib.sha256(words.encode("utf-8", "surrogatepass")).digest()[:16]


def _text(said: Said) -> str | None:
    return said.text if isinstance(said, PersonSaid) else None
