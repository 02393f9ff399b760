"""A text taken out of the evidence, with every message that holds it."""

from __future__ import annotations

import sqlite3
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path

from dreamd.domain.evidence import NOTE
from dreamd.errors import DamagedError, HostError
from dreamd.evidence import search
from dreamd.evidence.recording import Recorder
from dreamd.evidence.store import Evidence, opened
from dreamd.host import database
from dreamd.text.late import late

_SHORTEST = 4  # characters of a part of a text that tells what it was
_BETWEEN = late(r"\n[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+)?|(?<=[.!?])\s+")
_HOLD = (
    "SELECT number, text FROM messages WHERE text IS NOT NULL",
    "SELECT message, statement FROM sightings",
    "SELECT message, quote FROM sightings",
    "SELECT message, text FROM queries",
)


def forget(path: Path, forms: Sequence[str], messages: Iterable[str] = ()) -> int:
    """Take out the words of each message that holds a text, and all found there; return how many.

    `forms` are the ways in which the text may stand, with any white space for any; `messages`
    ids of more such messages. The bytes are gone from the file, its log and its free pages when
    this returns. Databases that were set aside as damaged cannot be searched, and are removed;
    so is this one, where it is damaged: it is made anew from the transcripts.

    Raises:
        EvidenceError: a newer dreamd has written it, so it was not searched.
        HostError: it cannot be read or written, or another process reads it for too long.
    """
    for each in database.aside(path):
        database.remove(each)
    if not path.is_file():
        return 0
    try:
        with opened(path) as evidence:
            return _forget(evidence, forms, messages)
    except DamagedError:
        database.remove(path)
        return 0


def _forget(evidence: Evidence, forms: Sequence[str], messages: Iterable[str]) -> int:
    connection = evidence.connection
    with database.faults("rewrite", evidence.path):
        with database.transaction(connection):
            gone = _holding(connection, [" ".join(form.split()) for form in forms])
            gone |= _noted(connection, forms)
            for each in messages:
                rows = connection.execute("SELECT number FROM messages WHERE id = ?", (each,))
                gone.update(number for (number,) in rows)
            Recorder(connection, 0, evidence.has_index).blank(sorted(gone))
            _forget_notes(connection, gone)
            if evidence.has_index:
                search.rebuild(connection)
        # also where nothing was found: an earlier try may have been cut short right here
        connection.execute("VACUUM")
        ((is_busy, *_),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    if is_busy:
        raise HostError(
            f"{evidence.path} is being read by another process, so that the text may still stand "
            "in its log: forget it again"
        )
    return len(gone)


def _forget_notes(connection: sqlite3.Connection, gone: Iterable[int]) -> None:
    """Remove what could be guessed by: the ids of lines of daily notes, and the notes' digests.

    All daily notes are read once more, as they stand then.
    """
    for number in gone:
        connection.execute("DELETE FROM messages WHERE number = ? AND speaker = ?", (number, NOTE))
    connection.execute("DELETE FROM daily")


def _noted(connection: sqlite3.Connection, forms: Sequence[str]) -> set[int]:
    """Return the lines of daily notes of which a text is part, or that are part of it.

    Of these each sentence is kept by itself, so that none may hold all of the text; and the name
    of a note may.
    """
    pieces = {each for form in forms for each in _pieces(form)}
    rows = connection.execute(
        "SELECT number, statement, quote, session FROM messages JOIN sightings ON message = number "
        "WHERE speaker = ?",
        (NOTE,),
    )
    return {
        number
        for number, *texts in rows
        if any(_overlap(text, piece) for text in texts for piece in pieces)
    }


def _pieces(form: str) -> Iterator[str]:
    for piece in _BETWEEN.split(form):
        if len(said := _bare(piece)) >= _SHORTEST:
            yield said


def _overlap(text: str, piece: str) -> bool:
    said = _bare(text)
    return piece in said or said in piece


def _bare(text: str) -> str:
    return " ".join(text.split()).casefold().rstrip(".!?")


def _holding(connection: sqlite3.Connection, forms: Sequence[str]) -> set[int]:
    return {
        number
        for query in _HOLD
        for number, text in connection.execute(query)
        if any(form in " ".join(text.split()) for form in forms)
    }
