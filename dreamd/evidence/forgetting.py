"""Remove a text from the evidence, with every message that holds it."""

from __future__ import annotations

import contextlib
import os
import sqlite3
from collections.abc import Iterable, Sequence
from pathlib import Path

from dreamd.errors import BusyError, DamagedError, EvidenceError
from dreamd.evidence.store import Evidence, blank, copied, opened
from dreamd.host import database


def forget(path: Path, forms: Sequence[str], messages: Iterable[str] = ()) -> int:
    """Take out the words of each message that holds a text; return how many.

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
            for each in messages:
                rows = connection.execute("SELECT id FROM messages WHERE id = ?", (each,))
                gone.update(message for (message,) in rows)
            blank(connection, gone)
        # also where nothing was found: an earlier try may have been cut short right here
        connection.execute("VACUUM")
        ((is_busy, *_),) = connection.execute("PRAGMA wal_checkpoint(TRUNCATE)").fetchall()
    if is_busy:
        who = ", ".join(holders(evidence.path)) or "another process"
        raise BusyError(
            f"busy: {who} reads {evidence.path}, so that the text may still stand in its log; "
            "forget it again"
        )
    return len(gone)


def holders(path: Path) -> list[str]:
    """Return the processes of this user that have a file open, as "name (PID)"."""
    import psutil  # noqa: PLC0415 - only where somebody is in the way

    found = []
    for each in psutil.process_iter():
        with contextlib.suppress(psutil.Error, OSError):
            if each.pid != os.getpid() and any(
                Path(file.path).name.startswith(path.name) and Path(file.path).parent == path.parent
                for file in each.open_files()
            ):
                found.append(f"{each.name()} ({each.pid})")
    return found


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
