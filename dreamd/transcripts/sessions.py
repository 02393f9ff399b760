"""Which transcripts there are: the top-level files of a project's transcript folders."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from pathlib import Path

from msgspec import Struct

GONE = (FileNotFoundError, NotADirectoryError)


class Unread(Struct, frozen=True):
    """A folder or transcript that is there and could not be read, and why."""

    path: Path
    reason: str


class Listing(Struct, frozen=True):
    """The transcripts of some folders, oldest first, and what could not be looked into.

    `rows` are the absolute path of each transcript with its inode, size and mtime (ns).
    """

    rows: tuple[tuple[str, tuple[int, int, int]], ...]
    unread: tuple[Unread, ...]

    @property
    def transcripts(self) -> tuple[Path, ...]:
        """The paths of the transcripts."""
        return tuple(Path(path) for path, _ in self.rows)


def sessions(folders: Iterable[Path]) -> tuple[Path, ...]:
    """Return the top-level transcripts of these folders, each real file once, oldest first.

    A transcript is a `*.jsonl` that is neither hidden nor a sub-agent's (`agent-*`); older than
    another is one with an earlier mtime, or with the same and a name that sorts before. Links to
    files are followed. What is gone, and what cannot be looked into, is left out; `listing` says
    which those were.
    """
    return listing(folders).transcripts


def listing(folders: Iterable[Path]) -> Listing:
    """Return what `sessions` does, with the folders and entries that could not be looked into.

    What has vanished is in neither; an entry that is no regular file is unread, and not opened.
    """
    found: dict[tuple[int, int], tuple[int, str, str, int]] = {}
    unread: dict[Path, Unread] = {}
    for folder in folders:
        place = str(folder.absolute())
        try:
            with os.scandir(folder) as entries:
                names = sorted(each.name for each in entries if _is_named_as_one(each.name))
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
        tuple((f"{at}/{name}", (inode, size, mtime)) for mtime, name, at, size, inode in rows),
        tuple(unread.values()),
    )


def _is_named_as_one(name: str) -> bool:
    return name.endswith(".jsonl") and not name.startswith((".", "agent-"))
