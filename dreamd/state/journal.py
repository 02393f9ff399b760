"""The record of a commit in progress, from which it is completed and never undone."""

from __future__ import annotations

import os
from pathlib import Path, PurePosixPath

from msgspec import Struct

from dreamd.state.store_db import StoreDb

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from typing import Any


class Turn(Struct, frozen=True):
    """What one path is expected to hold, what it is to hold, and where that stands ready.

    `expected` and `new` are SHA-256, None for no file. `temp` is a name beside the path: of the
    new content until the swap, of the old one after it. Mode and mtime are those of the new one.
    A turn `loses` if it takes lines or a file away.
    """

    path: PurePosixPath
    expected: str | None
    new: str | None
    temp: str
    mode: int = 0o600
    mtime_ns: int = 0
    loses: bool = False


class Journal(Struct, frozen=True):
    """The swaps of a transaction in their order, and the plan of what follows them.

    Once it `is_closed` the names and the receipt are in place and only the lock is still owed.
    """

    dream: str
    plan: str  # JSON
    turns: tuple[Turn, ...] = ()
    is_closed: bool = False


def write(db: StoreDb, journal: Journal) -> None:
    """Put a journal in place, whole and durable: the commit point.

    Raises:
        HostError: it could not be written, and does not stand.
    """
    with db.writing() as connection:
        row = (journal.dream, journal.plan, journal.is_closed)
        connection.execute("INSERT INTO journal VALUES (?, ?, ?)", row)
        connection.executemany(
            "INSERT INTO swap VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?)",
            ((journal.dream, number, *_row(turn)) for number, turn in enumerate(journal.turns)),
        )


def close(db: StoreDb, dream: str, plan: str) -> None:
    """Say that all is done but for what `plan` owes the lock; belongs into a transaction."""
    with db.writing() as connection:
        row = (dream, plan, True)
        connection.execute("INSERT OR REPLACE INTO journal VALUES (?, ?, ?)", row)


def remove(db: StoreDb, dream: str) -> None:
    """Remove a journal; one that is gone already is no fault."""
    with db.writing() as connection:
        connection.execute("DELETE FROM swap WHERE dream = ?", (dream,))
        connection.execute("DELETE FROM journal WHERE dream = ?", (dream,))


def waiting(where: Path | StoreDb) -> Journal | None:
    """Return the journal of an interrupted commit, or of one in progress; None for none."""
    db = where if isinstance(where, StoreDb) else StoreDb(where)
    with db.reading() as connection:
        row = connection.execute("SELECT dream, plan, closed FROM journal").fetchone()
        if row is None:
            return None
        dream, plan, closed = row
        asked = (
            "SELECT path, expected, new, temp, mode, mtime_ns, loses FROM swap "
            "WHERE dream = ? ORDER BY turn"
        )
        turns = tuple(_turn(row) for row in connection.execute(asked, (dream,)))
    return Journal(dream, plan, turns, bool(closed))


def _turn(row: tuple[Any, ...]) -> Turn:
    path, expected, new, temp, mode, mtime_ns, loses = row
    at = PurePosixPath(os.fsdecode(path))
    return Turn(at, expected, new, temp, mode, mtime_ns, loses=bool(loses))


def _row(turn: Turn) -> tuple[bytes, str | None, str | None, str, int, int, bool]:
    path = os.fsencode(turn.path)
    return path, turn.expected, turn.new, turn.temp, turn.mode, turn.mtime_ns, turn.loses
