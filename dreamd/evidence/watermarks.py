"""Keep watermarks: of each transcript, and of the messages that each engine has read."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from msgspec import msgpack

from dreamd.transcripts.reading import Tail
from dreamd.transcripts.sessions import Look

_READING = "SELECT until, tail_digest FROM watermarks WHERE path = ?"
_NONE = msgpack.encode(())
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


def reading(connection: sqlite3.Connection, engine: str) -> tuple[int, frozenset[int]]:
    """Return the number of the last message that an engine knows of, and those that it left out."""
    row = connection.execute(_READING, (engine.encode(),)).fetchone()
    return (0, frozenset()) if row is None else (row[0], frozenset(msgpack.decode(row[1] or _NONE)))


def move_reading(
    connection: sqlite3.Connection, engine: str, until: int, left: Iterable[int]
) -> None:
    """Say up to which message an engine has read, and which of them it left out.

    Its row bears the engine's name, which is no key of a transcript: it is shorter.
    """
    packed = msgpack.encode(sorted(left))
    connection.execute(_MOVE, (engine.encode(), *Watermark(0, 0, 0, until, tail_digest=packed)))


def key(path: str) -> bytes:
    """Return the key of a transcript: 16 bytes of the SHA-256 of its absolute path."""
    return hashlib.sha256(os.fsencode(path)).digest()[:16]
