"""Which transcripts there are: the top-level files of a project's transcript folders."""

from __future__ import annotations

import os
import re
import stat
from collections.abc import Iterable
from pathlib import Path
from typing import NamedTuple

from msgspec import Struct

GONE = (FileNotFoundError, NotADirectoryError)
_NAME = re.compile(r"(?!\.|agent-).*\.jsonl", re.DOTALL).fullmatch


class Look(NamedTuple):
    """A transcript as the file system shows it; size in bytes, mtime in ns."""

    inode: int
    size: int
    mtime: int


class Unread(Struct, frozen=True):
    """A folder or transcript that is there and could not be read, and why."""

    path: Path
    reason: str


class Listing(Struct, frozen=True):
    """The transcripts of some folders, oldest first, and what could not be looked into.

    `rows` are the absolute path of each transcript, and what it looks like.
    """

    rows: tuple[tuple[str, Look], ...]
    unread: tuple[Unread, ...]

    @property
    def transcripts(self) -> tuple[Path, ...]:
        """The paths of the transcripts."""
        return tuple(Path(path) for path, _ in self.rows)


def sessions(folders: Iterable[Path]) -> tuple[Path, ...]:
    """Return the transcripts of these folders as `listing` does, without what cannot be read."""
    return listing(folders).transcripts


def listing(folders: Iterable[Path]) -> Listing:
    """Return the top-level transcripts of these folders, each real file once, oldest first.

    A transcript is a `*.jsonl` that is neither hidden nor a sub-agent's (`agent-*`); older than
    another is one with an earlier mtime, or with the same and a name that sorts before. Links to
    files are followed. What is gone is left out; what is no regular file is unread, not opened.
    """
    found: dict[tuple[int, int], tuple[int, str, str, int]] = {}
    unread: dict[Path, Unread] = {}
    for folder in folders:
        place = str(folder.absolute())
        try:
            with os.scandir(folder) as entries:
                names = sorted(filter(_NAME, (each.name for each in entries)))
        except GONE:
            continue
        except OSError as error:
            unread[folder] = Unread(folder, error.strerror or str(error))
            continue
        for name in names:
            try:
                status = os.stat(f"{place}/{name}")  # noqa: PTH116 - of a hundred thousand
            except GONE:
                continue
            except OSError as error:
                unread[folder / name] = Unread(folder / name, error.strerror or str(error))
                continue
            if not stat.S_ISREG(status.st_mode):
                unread[folder / name] = Unread(folder / name, "not a regular file")
                continue
            at = (status.st_dev, status.st_ino)
            found.setdefault(at, (status.st_mtime_ns, name, place, status.st_size))
    rows = sorted((*row, inode) for (_, inode), row in found.items())
    return Listing(
        tuple((f"{at}/{name}", Look(inode, size, mtime)) for mtime, name, at, size, inode in rows),
        tuple(unread.values()),
    )
