"""A small world in which dreamds, clients, clocks and crashes are simulated around a real lock."""

import os
import shutil
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from msgspec import Struct, field

from dreamd.domain.lease import Lease, ProcessIdentity
from dreamd.domain.store import Store
from dreamd.host import clock, process
from dreamd.lock import grip, latch, record, take
from tests.lock.lock_world import ns

HOUR, MINUTE = timedelta(hours=1), timedelta(minutes=1)
DREAMDS, CLIENTS = (40_001, 40_002, 40_003), (50_001, 50_002)


class KilledError(BaseException):
    """Stands for SIGKILL: nothing the process wanted to do after it happens."""


class Dreamd(Struct):
    """One simulated process: its identity, and what lies in its memory alone."""

    identity: ProcessIdentity
    grips: dict[str, grip.Grip] = field(default_factory=dict)
    lease: Lease | None = None


class Model(Struct):
    """The truth about the lock, kept in a few plain values."""

    body: bytes | None = None  # None: no file
    mtime: int = 0
    stamp: int | None = None  # start of the last consolidation: what nobody may lose
    holder: ProcessIdentity | None = None  # the dreamd process whose PID stands in the body
    deadline: datetime = datetime(1970, 1, 1, tzinfo=UTC)
    beaten: timedelta = timedelta(0)

    @property
    def file(self) -> tuple[bytes, int] | None:
        return None if self.body is None else (self.body, self.mtime)

    @property
    def rest(self) -> tuple[bytes, int] | None:
        """What is to stand in the lock when a holder leaves it as it was."""
        return None if self.stamp is None else (b"", self.stamp)


class World:
    """Real files and the real lock; simulated processes, clocks and deaths."""

    def set_up(self, prior: str | None) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="lock-machine-"))
        (self.root / "memory").mkdir()
        (self.root / "link").symlink_to(self.root / "memory")
        self.stores = {
            name: Store(memory=self.root / path, state=self.root / "state", name=name)
            for name, path in (("own", "memory"), ("link", "link"))
        }
        self.now = datetime(2026, 11, 21, 12, tzinfo=UTC)
        self.boot = timedelta(hours=5)
        self.ticks = 0
        self.dreams = 0
        self.started: dict[str, datetime] = {}
        self.alive: dict[int, Dreamd] = {}
        self.clients: set[int] = set(CLIENTS)
        self.model = Model()
        self.budget: int | None = None  # how many more steps the acting process will live to do
        self.patch = pytest.MonkeyPatch()
        self.patch.setattr(take, "SETTLE", timedelta(0))
        self.patch.setattr(os, "fsync", lambda _: None)  # durability has its own tests
        self.patch.setattr(clock, "since_boot", lambda: self.boot)
        self.patch.setattr(process, "is_alive", self.lives)
        self.patch.setattr(process, "pid_exists", self.exists)
        for module, name in ((latch, "change"), (record, "write"), (record, "remove")):
            self.patch.setattr(module, name, self.mortal(getattr(module, name)))
        for pid in DREAMDS:
            self.spawn(pid)
        if prior is not None:
            age = 20 * HOUR if prior == "yesterday" else -400 * HOUR
            self.write(b"", ns(self.now - age))
            self.truth(b"", ns(self.now - age))

    def tear_down(self) -> None:
        self.patch.undo()
        shutil.rmtree(self.root)

    def mortal(self, step: Any) -> Any:
        """Let the acting process die before a step, once its budget of steps is spent."""

        def taken(*args: Any, **kwargs: Any) -> Any:
            if self.budget is not None:
                if self.budget == 0:
                    raise KilledError
                self.budget -= 1
            return step(*args, **kwargs)

        return taken

    def lives(self, identity: ProcessIdentity) -> bool:
        one = self.alive.get(identity.pid)
        return one is not None and one.identity == identity

    def exists(self, pid: int) -> bool:
        return pid in self.alive or pid in self.clients

    def spawn(self, pid: int) -> None:
        self.ticks += 1
        self.alive[pid] = Dreamd(ProcessIdentity(pid, self.ticks, "boot", process.host()))

    def become(self, pid: int) -> Dreamd:
        one = self.alive[pid]
        self.patch.setattr(process, "myself", lambda: one.identity)
        self.patch.setattr(grip, "_grips", one.grips)
        return one

    def write(self, body: bytes, mtime: int) -> None:
        file = self.root / "memory" / ".consolidate-lock"
        file.write_bytes(body)
        os.utime(file, ns=(mtime, mtime))

    def truth(self, body: bytes, mtime: int) -> None:
        """Somebody who is no dreamd wrote the lock: that is the last consolidation we know of."""
        self.model.body, self.model.mtime, self.model.stamp = body, mtime, mtime
        self.model.holder = None

    def is_held(self) -> bool:
        """Say by the rules of the lock whether a newcomer has to stay out."""
        model = self.model
        if not model.body:
            return False
        if model.holder and self.lives(model.holder) and self.now < model.deadline:
            return True
        age = self.now - clock.from_ns(model.mtime)
        return -HOUR <= age < HOUR and self.exists(int(model.body))

    def took(self, one: Dreamd, lease: Lease, lasting: timedelta = 2 * HOUR) -> None:
        assert lease.prior_mtime_ns == self.model.stamp, "the stamp from before was lost"
        one.lease = lease
        self.model.body, self.model.mtime = b"%d" % one.identity.pid, ns(self.now)
        self.model.holder = one.identity
        self.model.deadline = self.now + lasting
        self.model.beaten = self.boot

    def gave_back(self, rest: tuple[bytes, int] | None) -> None:
        self.model.body = None if rest is None else rest[0]
        self.model.mtime = 0 if rest is None else rest[1]
        self.model.stamp = None if rest is None else rest[1]
        self.model.holder = None

    def next_dream(self) -> str:
        self.dreams += 1
        self.started[f"d{self.dreams}"] = self.now
        return f"d{self.dreams}"

    def recorded(self, path: str) -> Lease:
        lease = record.read(self.stores[path].lease)
        assert lease is not None
        return lease

    def kill(self, pid: int) -> None:
        self.alive.pop(pid, None)
