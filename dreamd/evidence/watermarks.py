"""How far each transcript was read, and where to read on in one that is no longer the same."""

from __future__ import annotations

import hashlib
import os
import sqlite3
from dataclasses import dataclass
from pathlib import Path, PurePosixPath

from dreamd.transcripts.stretch import Tail

UNFINISHED = -1  # the size of a transcript of which only a part was read


@dataclass(frozen=True, slots=True)
class Look:
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


@dataclass(frozen=True, slots=True)
class Watermark:
    """How far a transcript was read, and what it looked like then.

    Read by which version of the reader; up to the offset `until`; to be read on from `resume`.
    """

    reader: int
    look: Look
    until: int = 0
    resume: int = 0
    tail: Tail | None = None


@dataclass(frozen=True, slots=True)
class NoteMark:
    """By which version of the reader a daily note was read, and the digest of what it held."""

    reader: int
    digest: bytes


def is_untouched(mark: Watermark, look: Look, reader: int) -> bool:
    """Whether a transcript is as it was when it was read to its end, so that none need open it."""
    return mark.look == look and mark.reader == reader


def read_on(mark: Watermark, look: Look, reader: int, *, tail_stands: bool) -> bool:
    """Whether only what has come since is to be read, and not all of a transcript once more.

    `tail_stands` says whether the last line that was read is where it was. A file that did not
    grow and was touched, or is another of the same size, may have been changed in its middle.
    """
    return mark.reader == reader and tail_stands and look.size > max(mark.look.size, mark.until - 1)


def of(connection: sqlite3.Connection, path: Path) -> Watermark | None:
    """Return the watermark of a transcript, None where it was never read."""
    row = connection.execute(
        "SELECT reader, inode, size, mtime, until, resume, tail_start, tail_length, tail_digest "
        "FROM watermarks WHERE path = ?",
        (_key(path),),
    ).fetchone()
    if row is None:
        return None
    reader, inode, size, mtime, until, resume, *tail = row
    return Watermark(
        reader, Look(inode, size, mtime), until, resume, None if tail[0] is None else Tail(*tail)
    )


def move(connection: sqlite3.Connection, path: Path, mark: Watermark) -> None:
    """Move the watermark of a transcript; the caller has begun the transaction."""
    tail = mark.tail
    connection.execute(
        "INSERT OR REPLACE INTO watermarks VALUES (?, ?, ?, ?, ?, ?, ?, ?, ?, ?)",
        (
            _key(path),
            mark.reader,
            mark.look.inode,
            mark.look.size,
            mark.look.mtime,
            mark.until,
            mark.resume,
            *((None, None, None) if tail is None else (tail.start, tail.length, tail.digest)),
        ),
    )


def of_note(connection: sqlite3.Connection, path: PurePosixPath) -> NoteMark | None:
    """Return how a daily note was read, by its path in the memory; None where it never was."""
    row = connection.execute(
        "SELECT reader, digest FROM daily WHERE path = ?", (_note_key(path),)
    ).fetchone()
    return None if row is None else NoteMark(*row)


def move_note(connection: sqlite3.Connection, path: PurePosixPath, mark: NoteMark) -> None:
    """Write down how a daily note was read; the caller has begun the transaction."""
    row = (_note_key(path), mark.reader, mark.digest)
    connection.execute("INSERT OR REPLACE INTO daily VALUES (?, ?, ?)", row)


def _note_key(path: PurePosixPath) -> bytes:
    return hashlib.sha256(str(path).encode()).digest()[:16]


def _key(path: Path) -> bytes:
    return hashlib.sha256(os.fsencode(path.absolute())).digest()[:16]
