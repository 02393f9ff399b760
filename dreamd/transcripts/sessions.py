"""Which transcripts there are: the top-level files of a project's transcript folders."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path

GONE = (FileNotFoundError, NotADirectoryError)


@dataclass(frozen=True, slots=True)
class Unread:
    """A folder or transcript that is there and could not be read, and why."""

    path: Path
    reason: str


@dataclass(frozen=True, slots=True)
class Listing:
    """The transcripts of some folders, oldest first, and what could not be looked into."""

    transcripts: tuple[Path, ...]
    unread: tuple[Unread, ...]


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
    found: dict[tuple[int, int], tuple[int, str, Path]] = {}
    unread: dict[Path, Unread] = {}
    for folder in folders:
        try:
            with os.scandir(folder) as entries:
                names = sorted(each.name for each in entries if _is_named_as_one(each.name))
        except GONE:
            continue
        except OSError as error:
            unread[folder] = Unread(folder, error.strerror or str(error))
            continue
        for name in names:
            path = folder / name
            try:
                status = path.stat()
            except GONE:
                continue
            except OSError as error:
                unread[path] = Unread(path, error.strerror or str(error))
                continue
            if not stat.S_ISREG(status.st_mode):
                unread[path] = Unread(path, "not a regular file")
                continue
            found.setdefault((status.st_dev, status.st_ino), (status.st_mtime_ns, name, path))
    return Listing(tuple(path for *_, path in sorted(found.values())), tuple(unread.values()))


def _is_named_as_one(name: str) -> bool:
    return name.endswith(".jsonl") and not name.startswith((".", "agent-"))
