"""Remove a text from the evidence, with every message that holds it."""

from __future__ import annotations

import contextlib
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

from dreamd.errors import DamagedError, EvidenceError
from dreamd.evidence.store import Evidence, blank, copied, opened
from dreamd.host import database


def forget(path: Path, forms: Sequence[str], messages: Iterable[str] = ()) -> int:
    """Take out the words of each message that holds a text; return how many.

    `forms` are the ways in which the text may stand, with any white space for any; `messages`
    ids of more such messages. The bytes are gone from the file and its free pages when
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
            for each in messages:
                rows = connection.execute("SELECT id FROM messages WHERE id = ?", (each,))
                gone.update(message for (message,) in rows)
            blank(connection, gone)
        # also where nothing was found: an earlier try may have been cut short right here
        connection.execute("VACUUM")
    return len(gone)


def knows(path: Path, messages: Iterable[str]) -> bool:
    """Whether the evidence at a path holds words of one of these messages."""
    if not path.is_file():
        return False
    with contextlib.suppress(DamagedError, EvidenceError), copied(path) as evidence:
        asked = "SELECT 1 FROM messages WHERE id = ? AND text IS NOT NULL"
        return any(evidence.connection.execute(asked, (each,)).fetchone() for each in messages)
    return False


def _holding(connection: sqlite3.Connection, forms: Sequence[str]) -> set[str]:
    rows = connection.execute("SELECT id, before, text FROM messages WHERE text IS NOT NULL")
    return {
        message
        for message, *texts in rows
        for text in (" ".join(each.split()) for each in texts)
        if any(form in text for form in forms)
    }
