"""A memory directory with a commit that somebody can interfere with at any moment."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from pathlib import Path, PurePosixPath

import pytest
from msgspec import Struct, field

from dreamd.domain.tree import Entry, Tree
from dreamd.host.folder import Folder
from dreamd.memory.commit import Committed, Swap, clear, commit, recover, sweep
from dreamd.memory.prepare import passing
from dreamd.state import journal
from dreamd.state.history import History
from dreamd.state.journal import Journal
from dreamd.state.store_db import StoreDb

OLD_NS, NEW_NS = 1_700_000_000_123_456_789, 1_760_000_000_987_654_321
Contents = Mapping[str, "str | None"]


def old(text: str) -> Entry:
    return Entry(text.encode(), 0o644, OLD_NS)


def new(text: str) -> Entry:
    return Entry(text.encode(), 0o640, NEW_NS)


class Bench(Struct, dict=True):
    """A memory directory, a history, and a commit that can be interfered with."""

    home: Path
    before: dict[str, str]
    fences: int = 0
    at_fence: dict[int, Callable[[], object]] = field(default_factory=dict)
    slept: float = 0

    def __post_init__(self) -> None:
        self.memory = self.home / "memory"
        self.memory.mkdir(parents=True)
        self.db = StoreDb(self.home / "store.db")
        self.history = History(self.db)
        for name, text in self.before.items():
            file = self.memory / name
            file.parent.mkdir(parents=True, exist_ok=True)
            file.write_text(text)
            file.chmod(0o644)
            os.utime(file, ns=(OLD_NS, OLD_NS))

    def fence(self) -> None:
        self.fences += 1
        self.at_fence.get(self.fences - 1, int)()

    def sleep(self, seconds: float) -> None:
        self.slept += seconds

    def commit(self, changes: Contents) -> Committed:
        swaps = [
            Swap(
                PurePosixPath(name),
                old(self.before[name]) if name in self.before else None,
                None if text is None else new(text),
            )
            for name, text in changes.items()
        ]
        known = [e for swap in swaps for e in (swap.expected, swap.new) if e is not None]
        for entry in (*known, *passing(swaps).values()):
            self.history.write(Tree({PurePosixPath("x"): entry}), dream="d", parts=["x"])
        record = Journal("d1", "{}")
        record, done = commit(
            self.memory, self.db, swaps, record=record, fence=self.fence, sleep=self.sleep
        )
        self.end(record, done)
        return done

    def recover(self) -> Committed:
        record = journal.waiting(self.db)
        assert record is not None
        done = recover(self.memory, record, fence=self.fence, sleep=self.sleep)
        self.end(record, done)
        return done

    def end(self, record: Journal, done: Committed) -> None:
        """Do what a transaction does next."""
        if done.found:
            self.history.write(Tree(done.found), dream="d1", parts=["late"])
        journal.close(self.db, "d1", "{}")
        clear(self.memory, record.turns, self.history.holds)
        journal.remove(self.db, "d1")

    def sweep(self) -> list[PurePosixPath]:
        return sweep(self.memory, self.history)

    def seen(self) -> dict[str, str]:
        """Read the memory by means that are not the code's own, hidden files too."""
        return {
            str(path.relative_to(self.memory)): path.read_bytes().decode()
            for path in sorted(self.memory.rglob("*"))
            if path.is_file()
        }

    def kept(self) -> str:
        """Return all that history holds, as text."""
        with self.db.reading() as connection:
            assert connection is not None
            rows = connection.execute("SELECT data FROM content").fetchall()
        return b"\n".join(data for (data,) in rows).decode()

    def save(self, name: str, text: str) -> None:
        """Save as an editor does: a new file, renamed over the old one."""
        temp = self.memory / "editor-saves"
        temp.write_text(text)
        temp.rename(self.memory / name)

    def put_instead(self, name: str) -> Path:
        """Remove a note, and return where it stood."""
        (self.memory / name).unlink()
        return self.memory / name


def in_between(
    monkeypatch: pytest.MonkeyPatch, method: str, edit: Callable[[], object], *, after: bool
) -> None:
    """Have somebody act right before or after a step of the commit, the first time only."""
    real = getattr(Folder, method)
    acted: list[object] = []

    def step(self: Folder, *names: str) -> object:
        if not after and not acted:
            acted.append(edit())
        result = real(self, *names)
        if after and not acted:
            acted.append(edit())
        return result

    monkeypatch.setattr(Folder, method, step)
