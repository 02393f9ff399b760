"""A real `dreamd run` in a home of its own, watched from outside."""

from __future__ import annotations

import contextlib
import json
import signal
import subprocess
import sys
import time
from collections.abc import Callable, Iterator, Mapping
from pathlib import Path
from typing import Any

from msgspec import Struct, field

from tests.laptop import ROOT, Laptop
from tests.ledger import receipts_of
from tests.spoken import record, touch, write

LONG_AGO = 1_700_000_000.0
# What a laptop does in minutes is done here in tenths of a second.
QUICK = {
    "DREAMD_DAEMON__RESCAN_SECONDS": "0.2",
    "DREAMD_DAEMON__QUIET_SECONDS": "0.05",
    "DREAMD_GATES__PASSES_PER_HOUR": "0",
}
_SLOW_DISK = """
import os, sqlite3, sys, time
connect = sqlite3.connect
def slowly(database, *more, **named):
    if "store.db?mode=rw" in str(database) and "dream" in sys.argv:
        sqlite3.connect = connect
        open(MARK + "-here", "w").close()
        while os.path.exists(MARK):
            time.sleep(0.02)
    return connect(database, *more, **named)
sqlite3.connect = slowly
"""


class House(Struct, dict=True):
    """A home with one project, five sessions of it, and a consolidation long ago."""

    home: Path
    environ: dict[str, str] = field(default_factory=dict)
    said: str = "Thank you."

    def __post_init__(self) -> None:
        self.memory = self.project("tidepool", said=self.said)

    @property
    def state(self) -> Path:
        return self.home / ".local" / "state" / "dreamd"

    @property
    def failures(self) -> int:
        """How many dreams in a row failed, over all stores."""
        pauses = self.state.glob("stores/*/pause")
        return sum(json.loads(each.read_text())["failures"] for each in pauses)

    @property
    def config(self) -> Path:
        return self.home / ".config" / "dreamd" / "config.yaml"

    def project(self, name: str, sessions: int = 5, said: str = "Thank you.") -> Path:
        """Make a project; its memory directory is returned. `{}` is the number of the session.

        Where nothing is said that is worth a note, a dream takes a second less.
        """
        folder = self.home / ".claude" / "projects" / f"-home-dev-{name}"
        for number in range(sessions):
            self.session(folder, f"{name}{number}", said.format(number))
        memory = folder / "memory"
        memory.mkdir(parents=True)
        for name, text in (("MEMORY.md", "# Memory\n"), (".consolidate-lock", "")):
            (memory / name).write_text(text)
            touch(memory / name, LONG_AGO)  # what was just written is waited for
        return memory

    def session(self, folder: Path, name: str, said: str = "Thank you.") -> Path:
        cwd = "/home/dev/" + folder.name.rpartition("-")[2]
        return write(folder, name, [record(said, session=name, cwd=cwd)])

    def slow_disk(self) -> None:
        """Let whoever writes into a store's database from now on wait, the lock in hand."""
        mark, folder = self.home / "disk-is-slow", self.home / "slow"
        folder.mkdir()
        (folder / "sitecustomize.py").write_text(f"MARK = {str(mark)!r}\n{_SLOW_DISK}")
        self.environ["PYTHONPATH"] = f"{folder}:{ROOT}"
        mark.touch()

    def quick_disk(self) -> None:
        (self.home / "disk-is-slow").unlink()

    def clean(self, more: Mapping[str, str]) -> dict[str, str]:
        return Laptop(self.home, self.memory).environ(**QUICK | self.environ | dict(more))

    @contextlib.contextmanager
    def runs(self, *words: str, python: str = sys.executable, **more: str) -> Iterator[Daemon]:
        """Run the daemon while the block runs; it is killed at the end if it still runs."""
        said = self.home / f"said-{time.monotonic_ns()}"
        with said.open("wb") as stderr:
            process = subprocess.Popen(
                [python, "-m", "dreamd", "run", *words],
                env=self.clean(more),
                cwd=self.home,
                stdin=subprocess.DEVNULL,
                stdout=subprocess.DEVNULL,
                stderr=stderr,
            )
        daemon = Daemon(self, process, said)
        try:
            yield daemon
        finally:
            process.kill()
            process.wait()

    def dreamt(self, memory: Path | None = None) -> list[dict[str, Any]]:
        """Every receipt of a store, oldest first."""
        wanted = str(memory or self.memory)
        return [each for each in receipts_of(self.state) if each["memory"] == wanted]


class Daemon(Struct):
    """A running daemon, and what it has said."""

    house: House
    process: subprocess.Popen[bytes]
    stderr: Path

    @property
    def said(self) -> str:
        return self.stderr.read_text()

    @property
    def board(self) -> dict[str, Any]:
        """What `daemon.json` says; empty where there is none, or a pipe that would hold us up."""
        board = self.house.state / "daemon.json"
        if not board.is_file():
            return {}
        found = json.loads(board.read_text())
        assert isinstance(found, dict)
        return found

    @property
    def gates(self) -> list[str]:
        return [each["verdict"]["gate"] for each in self.board.get("stores", ())]

    def says(self, words: str, times: int = 1) -> None:
        self.until(lambda: self.said.count(words) >= times)

    def until(self, is_so: Callable[[], bool], seconds: float = 60) -> None:
        """Wait until something is so."""
        end = time.monotonic() + seconds
        while not is_so():
            assert time.monotonic() < end, self.said
            assert self.process.poll() is None or is_so(), self.said
            time.sleep(0.01)

    def child(self) -> int:
        """The PID of the process that dreams, once it has the lock and waits for a slow disk."""
        self.until((self.house.home / "disk-is-slow-here").exists)
        return int((self.house.memory / ".consolidate-lock").read_text())

    def signal(self, number: signal.Signals) -> None:
        self.process.send_signal(number)

    def stop(self) -> tuple[int, float]:
        """Stop it; return its exit code, and after how many seconds."""
        begun = time.monotonic()
        self.signal(signal.SIGTERM)
        return self.process.wait(60), time.monotonic() - begun
