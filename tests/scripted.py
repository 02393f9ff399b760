"""An engine whose work is a function given by the test: a real implementation of the seam."""

from __future__ import annotations

import tempfile
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from dreamd.domain.dream import Brief, Report
from dreamd.domain.receipt import Phase
from dreamd.domain.store import Store
from dreamd.stores.identity import store_at


class ScriptedEngine:
    """Runs a function on a copy of the notes; counts how often it dreamt."""

    name = "scripted"
    level = "none needed"

    def __init__(self, work: Callable[[Path], Report | None], *, repeatable: bool = True) -> None:
        self.work = work
        self.repeatable = repeatable
        self.dreams = 0

    def dream(self, brief: Brief, progress: Callable[[Phase, str], None]) -> Report:
        self.dreams += 1
        progress(Phase.CONSOLIDATE, "working")
        base = brief.base.files
        with tempfile.TemporaryDirectory() as made:
            copy = Path(made)
            for path, entry in base.items():
                write(copy / path, entry.data.decode("utf-8", "surrogateescape"))
            report = self.work(copy) or Report()
            found = {path.relative_to(copy): path for path in copy.rglob("*.md") if path.is_file()}
            left = {PurePosixPath(name): path.read_bytes() for name, path in found.items()}
        edits = {path: data for path, data in left.items() if brief.base.data(path) != data}
        return replace(report, edits=edits | dict.fromkeys(base.keys() - left.keys()))


def store_of(tmp_path: Path, notes: dict[str, str]) -> Store:
    """A store over a fresh memory directory whose files are an hour old."""
    memory = tmp_path / "project" / "memory"
    memory.mkdir(parents=True)
    for name, text in notes.items():
        write(memory / name, text)
    return store_at(memory, tmp_path / "state" / "dreamd")


def write(path: Path, text: str, *, mode: int = 0o640, age_ns: int = 0) -> None:
    import os

    path.parent.mkdir(parents=True, exist_ok=True)
    path.write_bytes(text.encode())
    path.chmod(mode)
    stamp = 1_767_225_600_000_000_001 + age_ns  # 2026-01-01, odd on purpose: nanoseconds count
    os.utime(path, ns=(stamp, stamp))


def picture(memory: Path) -> dict[str, tuple[bytes, int, int]]:
    """Every file below a directory as bytes, mode and mtime: the oracle of undo and restore."""
    return {
        str(path.relative_to(memory)): (
            path.read_bytes(),
            path.stat().st_mode & 0o7777,
            path.stat().st_mtime_ns,
        )
        for path in sorted(memory.rglob("*"))
        if path.is_file()
    }


def texts(memory: Path) -> dict[str, str]:
    """Every note as text, without the lock."""
    return {
        name: data.decode()
        for name, (data, _, _) in picture(memory).items()
        if name != ".consolidate-lock"
    }
