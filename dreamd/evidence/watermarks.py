"""Keep watermarks: of each transcript, and of the messages that dreams have read."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from pathlib import Path
from typing import NamedTuple

from dreamd.transcripts.reading import Tail
from dreamd.transcripts.sessions import Look

_RULES = b"rules"  # in place of a transcript, whose key is longer
_MOVE = "INSERT OR REPLACE INTO watermarks VALUES (?, ?, ?, ?, ?, ?, ?, ?)"


class Watermark(NamedTuple):
    """Up to which offset a transcript was read, what it looked like then, and its last line.

    Of a transcript of which only a part was read the size is -1.
    """

    inode: int
    size: int
    mtime: int
    until: int = 0
    tail_start: int | None = None
    tail_length: int | None = None
    tail_digest: bytes | None = None

    @property
    def look(self) -> Look:
        """What the transcript looked like."""
        return Look(self.inode, self.size, self.mtime)

    @property
    def tail(self) -> Tail | None:
        """The last line that was read."""
        start, length, digest = self[4:]
        return None if start is None else Tail(start, length or 0, digest or b"")


def every(connection: sqlite3.Connection) -> dict[bytes, Look]:
    """Return what each transcript looked like when it was read, by its key."""
    rows = connection.execute("SELECT path, inode, size, mtime FROM watermarks")
    return {path: Look(*look) for path, *look in rows}


def of(connection: sqlite3.Connection, path: Path) -> Watermark | None:
    """Return the watermark of a transcript."""
    row = connection.execute(
        "SELECT * FROM watermarks WHERE path = ?", (key(str(path.absolute())),)
    ).fetchone()
    return None if row is None else Watermark(*row[1:])


def move(connection: sqlite3.Connection, path: Path, mark: Watermark) -> None:
    """Move the watermark of a transcript; the caller has begun the transaction."""
    connection.execute(_MOVE, (key(str(path.absolute())), *mark))


def read_until(connection: sqlite3.Connection) -> int:
    """Return the number of the last message up to which a dream by rules has read all."""
    row = connection.execute("SELECT until FROM watermarks WHERE path = ?", (_RULES,)).fetchone()
    return 0 if row is None else int(row[0])


def move_reading(connection: sqlite3.Connection, until: int) -> None:
    """Say up to which message a dream by rules has read all."""
    connection.execute(_MOVE, (_RULES, *Watermark(0, 0, 0, until)))


def key(path: str) -> bytes:
    """Return the key of a transcript: 16 bytes of the SHA-256 of its absolute path."""
    return hashlib.sha256(os.fsencode(path)).digest()[:16]
