"""One memory with its transcripts, real files all of them, and a clock that a test may move."""

from __future__ import annotations

import os
import uuid
from collections.abc import Collection
from pathlib import Path

import pytest
from msgspec import Struct, field
from msgspec.structs import replace

from dreamd import gates, lock
from dreamd.domain.settings import Settings
from dreamd.domain.store import Standing, Store
from dreamd.domain.verdict import Verdict
from dreamd.gates.wording import DAY, HOUR, MINUTE, SECOND
from dreamd.host import clock
from dreamd.host.laptop import Client

__all__ = ["DAY", "HOUR", "MINUTE", "SECOND", "Time", "World", "stamp"]


class Time:
    """The real time, moved by a test."""

    def __init__(self, monkeypatch: pytest.MonkeyPatch) -> None:
        self.wall, now = 0, clock.now_ns
        monkeypatch.setattr(clock, "now_ns", lambda: now() + self.wall)
        monkeypatch.setattr(clock, "now", lambda: clock.from_ns(clock.now_ns()))

    def pass_by(self, span: int) -> None:
        self.wall += span


class World(Struct, dict=True):
    """A store in a folder of its own; spans are nanoseconds, ages count from now."""

    home: Path
    settings: Settings = field(default_factory=Settings)
    clients: tuple[Client, ...] = ()

    def __post_init__(self) -> None:
        self.store = Store(memory=self.home / "memory", state=self.home / "state", name="notes")
        self.store.memory.mkdir(parents=True, exist_ok=True)
        self.folders = [self.home / "project"]
        self.folders[0].mkdir(exist_ok=True)
        self.lock = self.store.memory / ".consolidate-lock"
        self.set(load=0, battery=0)  # whatever the machine under the tests is doing

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

    def set(self, **limits: object) -> None:
        self.settings = replace(self.settings, gates=replace(self.settings.gates, **limits))

    def standing(self) -> Standing:
        return lock.standing(self.store, now=clock.now())

    def context(self, current: Collection[str] = ()) -> gates.Context:
        """What a process keeps that asks more than once."""
        return gates.Context(
            self.store,
            self.settings,
            folders=lambda: self.folders,
            standing=self.standing,
            spent=lambda: None,
            clients=lambda: self.clients,
            current=frozenset(current),
        )

    def ask(self, context: gates.Context | None = None) -> Verdict:
        """Ask the gates: as a process does that ends right after, unless given what one keeps."""
        return gates.ask(context or self.context())[-1]

    def page(self, current: Collection[str] = ()) -> dict[str, Verdict]:
        return {each.gate: each for each in gates.ask(self.context(current), every=True)}


def stamp(path: Path, age: int) -> None:
    """Set the mtime of a file to so long ago."""
    moment = clock.now_ns() - age
    os.utime(path, ns=(moment, moment))
