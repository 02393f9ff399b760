"""One memory with its transcripts, real files all of them, and a clock that a test may move."""

from __future__ import annotations

import os
import uuid
from collections.abc import Collection, Mapping
from pathlib import Path

import pytest
from msgspec import Struct, field
from msgspec.structs import replace

from dreamd import lock
from dreamd.domain.lease import Standing
from dreamd.domain.settings import Gates, Settings
from dreamd.domain.store import Store
from dreamd.domain.verdict import Verdict
from dreamd.gates import Cascade, ask_once, examine
from dreamd.gates.surroundings import Day, Network
from dreamd.host import clock
from dreamd.host.power import Power
from dreamd.host.working import Client

SECOND = 10**9
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR


class Time:
    """The real time, moved: `pass_by` moves both clocks, `set_wall` only the one a user can set."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall = self.boot = 0
        now, booted = clock.now_ns, clock.boot_ns
        monkeypatch.setattr(clock, "now_ns", lambda: now() + self.wall)
        monkeypatch.setattr(clock, "boot_ns", lambda: booted() + self.boot)
        monkeypatch.setattr(clock, "now", lambda: clock.from_ns(clock.now_ns()))

    def pass_by(self, span: int) -> None:
        self.wall += span
        self.boot += span

    def set_wall(self, by: int) -> None:
        self.wall += by


class Calm(Struct):
    """A laptop that does nothing else, until a test says what it does; each look is noted."""

    runs_on: Power | None = None
    is_loaded: float | None = 0.0
    is_pressed: float | None = 0.0
    network: Network = field(default_factory=lambda: Network(is_needed=False))
    clients: tuple[Client, ...] = ()
    day: Day | None = None
    begun: tuple[int, ...] = ()
    looks: list[str] = field(default_factory=list)

    def power(self) -> Power | None:
        self.looks.append("power")
        return self.runs_on

    def load(self) -> float | None:
        self.looks.append("load")
        return self.is_loaded

    def pressure(self) -> float | None:
        self.looks.append("pressure")
        return self.is_pressed

    def has_network(self) -> Network:
        self.looks.append("network")
        return self.network

    def working_sessions(self) -> tuple[Client, ...]:
        self.looks.append("working")
        return self.clients

    def day_left(self) -> Day | None:
        self.looks.append("budget")
        return self.day

    def passes(self) -> tuple[int, ...]:
        self.looks.append("passes")
        return self.begun


class World(Struct, dict=True):
    """A store in a folder of its own; spans are nanoseconds, ages count from now."""

    home: Path
    folders: list[Path] = field(default_factory=list)
    settings: Settings = field(default_factory=Settings)
    looks: int = 0  # how often somebody asked where the lock stands
    around: Calm = field(default_factory=Calm)

    def __post_init__(self) -> None:
        self.store = Store(memory=self.home / "memory", state=self.home / "state", name="notes")
        self.store.memory.mkdir(parents=True)
        if not self.folders:
            self.folders = [self.folder("project")]

    def folder(self, name: str) -> Path:
        made = self.home / name
        made.mkdir()
        return made

    @property
    def lock(self) -> Path:
        return self.store.memory / ".consolidate-lock"

    def consolidated(self, age: int, body: str = "") -> None:
        """Leave the lock as a consolidation of that age has."""
        self.lock.write_text(body)
        stamp(self.lock, age)

    def session(self, age: int, folder: Path | None = None, name: str | None = None) -> str:
        """Touch a session, a new one unless named; its id is returned."""
        name = name or str(uuid.uuid4())
        path = (folder or self.folders[0]) / f"{name}.jsonl"
        path.write_text('{"type": "user"}\n')
        stamp(path, age)
        return name

    def sessions(self, number: int, age: int = HOUR) -> list[str]:
        return [self.session(age) for _ in range(number)]

    def set(self, **gates: object) -> None:
        """Change settings of the gates, to garbage too."""
        self.settings = replace(self.settings, gates=replace(self.settings.gates, **gates))

    def standing(self) -> Standing:
        self.looks += 1
        return lock.standing(self.store, now=clock.now())

    def cascade(self) -> Cascade:
        return Cascade(
            self.store,
            self.settings,
            folders=lambda: self.folders,
            standing=self.standing,
            around=self.around,
        )

    def ask(self, current: Collection[str] = (), own: Collection[str] = ()) -> Verdict:
        """Ask as a process does that ends right after."""
        return ask_once(
            self.store,
            self.settings,
            folders=lambda: self.folders,
            standing=self.standing,
            around=self.around,
            current=current,
            own=own,
        )

    def examine(self, current: Collection[str] = ()) -> Mapping[str, Verdict]:
        every = examine(
            self.store,
            self.settings,
            folders=lambda: self.folders,
            standing=self.standing,
            around=self.around,
            current=current,
        )
        return {each.gate: each for each in every}


def stamp(path: Path, age: int) -> int:
    """Set the mtime of a file to so long ago; the mtime is returned."""
    moment = clock.now_ns() - age
    os.utime(path, ns=(moment, moment))
    return moment


def gates(**values: object) -> Gates:
    return Gates(**values)  # type: ignore[arg-type]
