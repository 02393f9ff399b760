"""A memory directory with a commit that somebody can interfere with at any moment."""

from __future__ import annotations

import os
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path, PurePosixPath

import pytest

from dreamd.domain.tree import Entry
from dreamd.errors import LeaseLostError
from dreamd.host.folder import Folder
from dreamd.memory import journal
from dreamd.memory.commit import Landed, Swap, commit, recover, sweep
from tests.memory.file_archive import FileArchive

OLD_NS, NEW_NS = 1_700_000_000_123_456_789, 1_760_000_000_987_654_321
ROOT = str(Path(__file__).parents[2])
Contents = Mapping[str, "Entry | None"]


def old(data: bytes, mode: int = 0o644) -> Entry:
    return Entry(data, mode, OLD_NS)


def new(data: bytes, mode: int = 0o640) -> Entry:
    return Entry(data, mode, NEW_NS)


def link(target: bytes, mtime_ns: int = OLD_NS) -> Entry:
    return Entry(target, 0o777, mtime_ns, is_link=True)


@dataclass
class Bench:
    """A memory directory, an archive, and a commit that can be interfered with."""

    home: Path
    before: dict[str, Entry]
    slept: list[float] = field(default_factory=list)
    fences: int = 0
    at_fence: dict[int, Callable[[], object]] = field(default_factory=dict)
    at_sleep: Callable[[], object] = int
    last: str | None = None

    def __post_init__(self) -> None:
        self.memory = self.home / "memory"
        self.memory.mkdir(parents=True)
        self.archive = FileArchive(self.home / "archive")
        self.archive.folder.mkdir()
        for name, entry in self.before.items():
            put(self.memory / name, entry)

    def fence(self) -> None:
        self.fences += 1
        self.at_fence.get(self.fences - 1, int)()

    def sleep(self, seconds: float) -> None:
        self.slept.append(seconds)
        self.at_sleep()

    def swaps(self, changes: Contents) -> list[Swap]:
        return [Swap(PurePosixPath(n), self.before.get(n), e) for n, e in changes.items()]

    def commit(self, changes: Contents, gone: list[str] | None = None, **named: object) -> Landed:
        for entry in (*self.before.values(), *changes.values()):
            if entry is not None:
                self.archive.keep({PurePosixPath("x"): entry}, "beforehand")
        return commit(
            self.memory,
            self.swaps(changes),
            dream="d1",
            journal_folder=self.home / "journal",
            header={"plan": 1},
            fence=self.fence,
            archive=self.archive,
            folders_gone=[PurePosixPath(name) for name in gone or []],
            sleep=self.sleep,
            **named,  # type: ignore[arg-type]
        )

    def recover(self) -> Landed:
        landed = recover(
            self.memory,
            self.home / "journal",
            "d1",
            fence=self.fence,
            archive=self.archive,
            sleep=self.sleep,
        )
        journal.remove(self.home / "journal", "d1")
        sweep(self.memory, self.home / "journal", archive=self.archive)
        return landed

    def seen(self) -> dict[str, Entry]:
        """Read the memory by means that are not the code's own."""
        found = {}
        for folder, _, names in os.walk(os.fsencode(self.memory)):
            for name in names:
                file = os.path.join(folder, name)  # noqa: PTH118 - bytes
                at = os.fsdecode(os.path.relpath(file, os.fsencode(self.memory)))
                found[at] = read(Path(os.fsdecode(file)))
        return found

    def text(self, name: str) -> str:
        return (self.memory / name).read_text()

    def save(self, name: str, data: str) -> None:
        """Save as an editor does: a new file, renamed over the old one."""
        temp = self.memory / "editor-saves"
        temp.write_text(data)
        temp.rename(self.memory / name)


def put(file: Path, entry: Entry) -> None:
    file.parent.mkdir(parents=True, exist_ok=True)
    if entry.is_link:
        file.symlink_to(os.fsdecode(entry.data))
    else:
        file.write_bytes(entry.data)
        file.chmod(entry.mode)
    os.utime(file, ns=(entry.mtime_ns, entry.mtime_ns), follow_symlinks=False)


def read(file: Path) -> Entry:
    seen = file.lstat()
    mode = seen.st_mode & 0o7777
    if file.is_symlink():
        return Entry(os.fsencode(file.readlink()), mode, seen.st_mtime_ns, is_link=True)
    return Entry(file.read_bytes(), mode, seen.st_mtime_ns)


def changed(before: Contents, changes: Contents) -> dict[str, Entry]:
    return {name: e for name, e in {**before, **changes}.items() if e is not None}


BEFORE = old(b"one\ntwo\nthree\n")
DREAM = new(b"zero\none\ntwo, better\nthree\n")


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


def lost() -> None:
    """Be a fence that falls."""
    raise LeaseLostError("another process stands in the lock")


def interrupted(bench: Bench, changes: Contents, *, before_file: int) -> None:
    bench.at_fence = {before_file: lost}
    with pytest.raises(LeaseLostError):
        bench.commit(changes)
