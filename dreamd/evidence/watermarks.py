"""Keep watermarks: of each transcript, and of the messages that dreams have read."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from pathlib import Path

from msgspec import Struct

from dreamd.transcripts.stretch import Tail

UNFINISHED = -1  # the size of a transcript of which only a part was read

_RULES = b"rules"  # in place of a transcript, whose key is longer


class Look(Struct, frozen=True):
    """A transcript as the file system shows it; size in bytes, mtime in ns."""

    inode: int
    size: int
    mtime: int

    @classmethod
    def at(cls, path: Path) -> Look:
        """Look at a transcript.

        Raises:
            OSError: as the system says it.
        """
        status = path.stat()
        return cls(status.st_ino, status.st_size, status.st_mtime_ns)


class Watermark(Struct, frozen=True):
    """Up to which offset a transcript was read, what it looked like then, and its last line."""

    look: Look
    until: int = 0
    tail: Tail | None = None


def read_on(mark: Watermark, look: Look, *, tail_stands: bool) -> bool:
    """Whether only what has come since is to be read, and not all of a transcript once more.

    `tail_stands` says whether the last line that was read is where it was. A file that did not
    grow and was touched, or is another of the same size, may have been changed in its middle.
    """
    return tail_stands and look.size > max(mark.look.size, mark.until - 1)


def every(connection: sqlite3.Connection) -> dict[bytes, tuple[int, int, int]]:
    """Return inode, size and mtime of each transcript when it was read, by its key."""
    rows = connection.execute("SELECT path, inode, size, mtime FROM watermarks")
    return {path: (inode, size, mtime) for path, inode, size, mtime in rows}


def of(connection: sqlite3.Connection, path: Path) -> Watermark | None:
    """Return the watermark of a transcript, None where it was never read."""
    row = connection.execute(
        "SELECT inode, size, mtime, until, tail_start, tail_length, tail_digest "
        "FROM watermarks WHERE path = ?",
        (key(str(path.absolute())),),
    ).fetchone()
    if row is None:
        return None
    inode, size, mtime, until, *tail = row
    return Watermark(Look(inode, size, mtime), until, None if tail[0] is None else Tail(*tail))


def move(connection: sqlite3.Connection, path: Path, mark: Watermark) -> None:
    """Move the watermark of a transcript; the caller has begun the transaction."""
    tail = mark.tail
    ends = (None, None, None) if tail is None else (tail.start, tail.length, tail.digest)
    look = mark.look
    row = (key(str(path.absolute())), look.inode, look.size, look.mtime, mark.until, *ends)
    connection.execute("INSERT OR REPLACE INTO watermarks VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)


def read_until(connection: sqlite3.Connection) -> int:
    """Return the number of the last message up to which a dream by rules has read all."""
    row = connection.execute("SELECT until FROM watermarks WHERE path = ?", (_RULES,)).fetchone()
    return 0 if row is None else int(row[0])


def move_reading(connection: sqlite3.Connection, until: int) -> None:
    """Say up to which message a dream by rules has read all."""
    row = (_RULES, 0, 0, 0, until, None, None, None)
    connection.execute("INSERT OR REPLACE INTO watermarks VALUES (?, ?, ?, ?, ?, ?, ?, ?)", row)


def key(path: str) -> bytes:
    """Return the key of a transcript: 16 bytes of the SHA-256 of its absolute path."""
    return hashlib.sha256(os.fsencode(path)).digest()[:16]
