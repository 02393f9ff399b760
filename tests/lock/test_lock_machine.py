"""The lock beside a plain model: several dreamds, a plain client, crashes, clocks that jump."""

import os
import shutil
import tempfile
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, rule
from msgspec import Struct, field

from dreamd import lock
from dreamd.domain.store import Held, Lease, ProcessIdentity
from dreamd.errors import LeaseLostError
from dreamd.host import clock, process
from dreamd.lock import acquisition, lockfile, record
from dreamd.lock import holder as holding
from tests.lock import world
from tests.lock.world import HOUR, MINUTE
from tests.sample import examples

DREAMDS, CLIENTS = (40_001, 40_002, 40_003), (50_001, 50_002)
dreamds, clients = st.sampled_from(DREAMDS), st.sampled_from(CLIENTS)
paths = st.sampled_from(["own", "link"])


class KilledError(BaseException):
    """Stands for SIGKILL: nothing the process wanted to do after it happens."""


class Dreamd(Struct):
    """One simulated process: its identity, and what lies in its memory alone."""

    identity: ProcessIdentity
    grips: dict[str, holding.Grip] = field(default_factory=dict)
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


class LockMachine(RuleBasedStateMachine):
    """Real files and the real lock; simulated processes, clocks and deaths."""

    @initialize(prior=st.sampled_from([None, "yesterday", "ahead"]))
    def begin(self, prior: str | None) -> None:
        self.root = Path(tempfile.mkdtemp(prefix="lock-machine-"))
        (self.root / "link").symlink_to(self.root / "memory")
        self.stores = {
            "own": world.new_store(self.root),
            "link": world.new_store(self.root, "link", "another-name"),
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
        self.patch.setattr(acquisition, "SETTLE", timedelta(0))
        self.patch.setattr(os, "fsync", lambda _: None)  # durability has its own tests
        self.patch.setattr(clock, "since_boot", lambda: self.boot)
        self.patch.setattr(process, "is_alive", self.lives)
        self.patch.setattr(process, "pid_exists", self.exists)
        for module, name in ((lockfile, "change"), (record, "write"), (record, "remove")):
            self.patch.setattr(module, name, self.mortal(getattr(module, name)))
        for pid in DREAMDS:
            self.spawn(pid)
        if prior is not None:
            self.somebody_writes(b"", 20 * HOUR if prior == "yesterday" else -400 * HOUR)

    def teardown(self) -> None:
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

    def become(self, pid: int, *, leased: bool) -> Dreamd | None:
        """Let one dreamd act, if it is alive and has a lease, or has none."""
        one = self.alive.get(pid)
        if one is None or (one.lease is not None) != leased:
            return None
        self.patch.setattr(process, "myself", lambda: one.identity)
        self.patch.setattr(holding, "_grips", one.grips)
        return one

    def somebody_writes(self, body: bytes, age: timedelta = 0 * HOUR) -> None:
        """Let who is no dreamd write the lock: that is the last consolidation we know of."""
        mtime = world.ns(self.now - age)
        world.write_lock(self.stores["own"], body, mtime)
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

    def took(self, one: Dreamd, lease: Lease) -> None:
        assert lease.prior_mtime_ns == self.model.stamp, "the stamp from before was lost"
        one.lease = lease
        self.model.body, self.model.mtime = b"%d" % one.identity.pid, world.ns(self.now)
        self.model.holder = one.identity
        self.model.deadline = self.now + 2 * HOUR
        self.model.beaten = self.boot

    def gave_back(self, stamp: int | None) -> None:
        """Know that nobody holds the lock, and that with None there is no file."""
        self.model.body, self.model.mtime = None if stamp is None else b"", stamp or 0
        self.model.stamp, self.model.holder = stamp, None

    def next_dream(self) -> str:
        self.dreams += 1
        self.started[f"d{self.dreams}"] = self.now
        return f"d{self.dreams}"

    # --- what dreamds do ---

    @rule(pid=dreamds, path=paths, steps=st.none() | st.integers(0, 4), recovers=st.booleans())
    def acquire(self, pid: int, path: str, steps: int | None, recovers: bool) -> None:
        """Take the lock, for a dream or to recover a dead one's, or die on the way to it."""
        one, held, dead = self.become(pid, leased=False), self.is_held(), None
        if one is None:
            return
        if recovers:
            if (dead := lock.standing(self.stores[path], now=self.now).interrupted) is None:
                return
            assert not self.lives(dead.holder) or self.now >= dead.deadline
        dream = self.next_dream() if dead is None else dead.dream
        self.budget = steps
        try:
            answer = world.ask(self.stores[path], dream=dream, now=self.now, dead=dead)
            assert isinstance(answer, Held) == held
            if isinstance(answer, Lease):
                assert (answer.dream, answer.started) == (dream, self.started[dream])
                self.took(one, answer)
        except KilledError:
            assert not held
            seen = world.on_disk(self.stores["own"])
            if seen == (b"%d" % pid, world.ns(self.now)) and seen != self.model.file:
                self.took(one, world.lease_of(self.stores[path]))
            elif seen != self.model.file:
                self.gave_back(self.model.stamp)  # what the dead before us did was undone
            self.alive.pop(pid)
        finally:
            self.budget = None

    @rule(pid=dreamds)
    def beat(self, pid: int) -> None:
        one = self.become(pid, leased=True)
        if one is None or one.lease is None:
            return
        if self.model.holder == one.identity:
            lock.beat(one.lease, now=self.now)
            self.model.mtime, self.model.beaten = world.ns(self.now), self.boot
        else:
            with pytest.raises(LeaseLostError):
                lock.beat(one.lease, now=self.now)

    @rule(
        pid=dreamds,
        how=st.sampled_from(["finish", "roll back", "no file"]),
        steps=st.none() | st.integers(0, 1),
    )
    def give_back(self, pid: int, how: str, steps: int | None) -> None:
        """Give the lock back, or die on the way to it."""
        one = self.become(pid, leased=True)
        if one is None or one.lease is None:
            return
        lease, one.lease, mine = one.lease, None, self.model.holder == one.identity
        if mine:
            assert lease.prior_mtime_ns == self.model.stamp
        started, prior = world.ns(lease.started), lease.prior_mtime_ns
        stamp = {"finish": started, "no file": None, "roll back": prior}[how]
        self.budget = steps
        try:
            if how == "roll back":
                assert lock.roll_back(lease) == mine
            elif mine:
                assert lock.finish(lease, stamp) == stamp
            else:
                with pytest.raises(LeaseLostError):
                    lock.finish(lease, stamp)
        except KilledError:
            self.alive.pop(pid, None)
        finally:  # killed, it may have got as far as to change the lock
            self.budget = None
            if mine and world.on_disk(self.stores["own"]) != self.model.file:
                self.gave_back(stamp)

    @rule(pid=dreamds)
    def die(self, pid: int) -> None:
        self.alive.pop(pid, None)

    @rule(pid=dreamds)
    def start_again_with_the_same_pid(self, pid: int) -> None:
        if pid not in self.alive:
            self.spawn(pid)

    # --- everybody else ---

    @rule(pid=clients, polite=st.booleans())
    def client_takes(self, pid: int, polite: bool) -> None:
        """The plain protocol; or somebody who does not even look."""
        age = self.now - clock.from_ns(self.model.mtime)
        busy = self.model.body and self.exists(int(self.model.body)) and age < HOUR
        if pid in self.clients and not (polite and busy):
            self.somebody_writes(b"%d" % pid)

    @rule(pid=clients)
    def client_comes_or_goes(self, pid: int) -> None:
        self.clients ^= {pid}

    @rule(how=st.sampled_from(["delete", "empty", "scribble"]))
    def user_meddles(self, how: str) -> None:
        if how == "delete":
            (self.root / "memory" / ".consolidate-lock").unlink(missing_ok=True)
            self.gave_back(None)
        else:
            self.somebody_writes(b"" if how == "empty" else b"0")

    @rule(minutes=st.sampled_from([1, 4, 29, 31, 59, 61, 119, 121]))
    def time_passes(self, minutes: int) -> None:
        self.now += minutes * MINUTE
        self.boot += minutes * MINUTE

    @rule(minutes=st.sampled_from([-10_000, -121, -61, -59, 59, 61, 121, 10_000]))
    def clock_is_set(self, minutes: int) -> None:
        self.now += minutes * MINUTE

    # --- what always holds ---

    @invariant()
    def the_lock_is_what_the_model_says(self) -> None:
        assert world.on_disk(self.stores["own"]) == self.model.file

    @invariant()
    def at_most_one_may_commit_and_it_is_the_one_in_the_lock(self) -> None:
        may_commit = []
        for pid, one in self.alive.items():
            if one.lease is None:
                continue
            self.become(pid, leased=True)
            known = one.grips[one.lease.token]
            before = known.lost
            try:
                lock.fence(one.lease)
                may_commit.append(one.identity)
            except LeaseLostError:
                pass
            known.lost = before  # the look of a bystander
        fresh = self.boot - self.model.beaten < 30 * MINUTE
        holder = self.model.holder
        rightful = [holder] if holder and self.lives(holder) and fresh else []
        assert may_commit == rightful

    @invariant()
    def the_last_consolidation_can_always_be_told(self) -> None:
        for path in self.stores:
            seen = lock.standing(self.stores[path], now=self.now)
            stamp = self.model.stamp
            ahead = stamp is not None and stamp > world.ns(self.now + HOUR)
            assert seen.from_future == ahead
            if ahead or stamp is None:
                assert seen.consolidated is None
            else:
                assert seen.consolidated == clock.from_ns(stamp)

    @invariant()
    def nothing_else_lies_about(self) -> None:
        assert {p.name for p in (self.root / "memory").iterdir()} <= {".consolidate-lock"}


TestLockMachine = LockMachine.TestCase
TestLockMachine.settings = settings(
    max_examples=examples(60),
    stateful_step_count=40,
    deadline=None,
    suppress_health_check=[HealthCheck.too_slow],
)
