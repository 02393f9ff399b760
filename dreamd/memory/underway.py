"""A commit past its journal: where it writes, what it may ask, and what it met on the way."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterator, Mapping
from dataclasses import dataclass, field
from itertools import count
from pathlib import Path, PurePosixPath
from typing import Protocol

from dreamd.domain.tree import TEMP_PREFIX, Entry
from dreamd.host.folder import Folder
from dreamd.memory import journal
from dreamd.memory.journal import Journal, Line
from dreamd.memory.merge import merge3

MERGED = "edited while it was being written; the edit is merged in"


class Archive(Protocol):
    """History, as far as a commit needs it."""

    def keep(self, contents: Mapping[PurePosixPath, Entry], why: str) -> None:
        """Record these contents durably."""

    def holds(self, blobs: Collection[str]) -> set[str]:
        """Return which of these git blob ids name a content that is recorded."""

    def read(self, blob: str) -> bytes | None:
        """Return a recorded content, None where it is not."""


@dataclass(frozen=True, slots=True)
class Old:
    """An old content under a temp's name; whatever differs from `seen`, a blob id, came late."""

    path: PurePosixPath
    temp: str
    seen: str | None


@dataclass(slots=True)
class Underway:
    """The swaps of one journal: their tools, and what they learn from one another.

    `record` is the journal as it was when the swaps began. `contents` holds by blob id what
    the archive need not be asked for. `temps` maps each temp to the path that it is for, `olds`
    those that hold an old content. `late` is an ordered set.
    """

    root: Folder
    journal_folder: Path
    dream: str
    archive: Archive
    record: Journal
    contents: dict[str, bytes] = field(default_factory=dict)
    latest: dict[PurePosixPath, Line] = field(init=False)
    temps: dict[PurePosixPath, PurePosixPath] = field(init=False)
    numbers: Iterator[int] = field(init=False)
    olds: dict[PurePosixPath, Old] = field(default_factory=dict)
    late: dict[tuple[PurePosixPath, str], None] = field(default_factory=dict)
    sleep: Callable[[float], None] = time.sleep
    exchanged: bool = True

    def __post_init__(self) -> None:
        lines = self.record.lines
        self.latest = dict(self.record.latest)
        self.temps = {line.path.with_name(line.temp): line.path for line in lines}
        self.numbers = count(len(lines) + 1)

    def content(self, blob: str | None) -> bytes | None:
        """Return the content of a blob id, None for no blob or one that nobody holds."""
        if blob is None:
            return None
        return self.contents[blob] if blob in self.contents else self.archive.read(blob)

    def keep(self, path: PurePosixPath, entry: Entry) -> None:
        """Record a content unless it is recorded."""
        if not self.archive.holds([entry.blob]):
            self.archive.keep({path: entry}, "what stood there when it was replaced")

    def note(self, path: PurePosixPath, what: str) -> None:
        """Remember, once, what came between at a path."""
        self.late[path, what] = None

    def remember_old(self, path: PurePosixPath, temp: str, seen: str | None) -> None:
        """Have an old content looked at again before it goes."""
        self.olds[path.with_name(temp)] = Old(path, temp, seen)
        self.temps[path.with_name(temp)] = path

    def absorb(
        self, folder: Folder, line: Line, old: Old | None, edited: Entry, standing: Entry
    ) -> Line | None:
        """Make an edit part of what is put at a path; the new temp and journal line are durable.

        `edited` is what the user made of the old content, found under its temp, or of the one
        expected, at the path itself, where the line is not swapped in yet and `old` is None.
        `standing` is what stands at the path now. Where history lacks a content, nothing is
        known to be common and both sides stay.

        Returns:
            The path's new line, None where what stands is the result already.
        """
        ours = self.content(line.new)
        base = self.content(old.seen if old else line.expected)
        result = merge3(base, edited.data, ours)
        lost = [drop for drop in result.dropped if drop.sign == "+"]
        if old is not None:
            result = merge3(ours, standing.data, result.data)
            lost += [drop for drop in result.dropped if drop.sign == "+"]
        self.note(line.path, MERGED + _gave_way(len(lost)))
        if result.data is None or result.data == standing.data:
            return None
        mtime_ns = max(line.mtime_ns, edited.mtime_ns, standing.mtime_ns)
        merged = Entry(result.data, line.mode, mtime_ns)
        for each in (edited, standing, merged):
            self.keep(line.path, each)
        temp = write_temp(folder, merged, self.numbers)
        folder.sync()
        amended = Line(
            line.path,
            standing.blob,
            merged.blob,
            temp,
            merged.mode,
            mtime_ns,
            source=old.temp if old else None,
            edit=edited.blob,
        )
        journal.amend(self.journal_folder, self.dream, amended)
        self.latest[line.path] = amended
        self.temps[line.path.with_name(temp)] = line.path
        self.contents |= {each.blob: each.data for each in (edited, standing, merged)}
        return amended


def _gave_way(lines: int) -> str:
    match lines:
        case 0:
            return ""
        case 1:
            return "; one line gave way to it and stands in history"
        case _:
            return f"; {lines} lines gave way to it and stand in history"


def write_temp(folder: Folder, entry: Entry, numbers: Iterator[int]) -> str:
    """Write a content under the first free temp name and return the name; durable but for it."""
    for number in numbers:
        name = temp_name(number, entry.blob)
        try:
            folder.write_new(name, entry)
        except FileExistsError:
            continue
        return name
    raise AssertionError("the numbers do not end")


def free_temp(folder: Folder | None, blob: str, numbers: Iterator[int]) -> str:
    """Return a temp name at which nothing stands."""
    names = (temp_name(number, blob) for number in numbers)
    return next(name for name in names if folder is None or folder.look(name) is None)


def temp_name(number: int, blob: str) -> str:
    """Return the name under which a content waits beside its target, hidden from scans."""
    return f"{TEMP_PREFIX}{number}-{blob[:12]}.tmp"
