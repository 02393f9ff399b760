"""The lock beside a plain model: several dreamds, a plain client, crashes, clocks that jump."""

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from dreamd import lock
from dreamd.domain.lease import Held, Lease
from dreamd.errors import LeaseLostError
from dreamd.host import clock
from tests.lock.lock_model import CLIENTS, DREAMDS, HOUR, MINUTE, Dreamd, KilledError, World
from tests.lock.lock_world import ask, lease_of, ns, on_disk
from tests.sample import examples

dreamds = st.sampled_from(DREAMDS)
clients = st.sampled_from(CLIENTS)
paths = st.sampled_from(["own", "link"])


class LockMachine(World, RuleBasedStateMachine):
    @initialize(prior=st.sampled_from([None, "yesterday", "ahead"]))
    def begin(self, prior: str | None) -> None:
        self.set_up(prior)

    def teardown(self) -> None:
        self.tear_down()

    @rule(pid=dreamds, path=paths, steps=st.none() | st.integers(0, 4))
    def acquire(self, pid: int, path: str, steps: int | None) -> None:
        """Take the lock, or die on the way to it."""
        if pid not in self.alive or self.alive[pid].lease is not None:
            return
        one, held = self.become(pid), self.is_held()
        self.budget = steps
        try:
            answer = ask(self.stores[path], dream=self.next_dream(), now=self.now)
            assert isinstance(answer, Held) == held
            if isinstance(answer, Lease):
                self.took(one, answer)
        except KilledError:
            assert not held
            seen = on_disk(self.stores["own"])
            if seen == (b"%d" % pid, ns(self.now)) and seen != self.model.file:
                self.took(one, lease_of(self.stores[path]))
            elif seen != self.model.file:
                assert seen == self.model.rest  # what the dead before us did was undone
                self.gave_back(self.model.rest)
            self.kill(pid)
        finally:
            self.budget = None

    @rule(pid=dreamds)
    def beat(self, pid: int) -> None:
        one = self.alive.get(pid)
        if one is None or one.lease is None:
            return
        self.become(pid)
        if self.model.holder == one.identity:
            lock.beat(one.lease, now=self.now)
            self.model.mtime, self.model.beaten = ns(self.now), self.boot
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
        one = self.alive.get(pid)
        if one is None or one.lease is None:
            return
        self.become(pid)
        self.budget = steps
        try:
            self.end_lease(one, how)
        except KilledError:
            self.kill(pid)
        finally:
            self.budget = None

    def end_lease(self, one: Dreamd, how: str) -> None:
        lease, one.lease = one.lease, None
        assert lease is not None
        mine = self.model.holder == one.identity
        if mine:
            assert lease.prior_mtime_ns == self.model.stamp
        started, prior = ns(lease.started), lease.prior_mtime_ns
        stamp = {"finish": started, "no file": None, "roll back": prior}[how]
        try:
            if how == "roll back":
                assert lock.roll_back(lease) == mine
            elif mine:
                assert lock.finish(lease, stamp) == stamp
            else:
                with pytest.raises(LeaseLostError):
                    lock.finish(lease, stamp)
        finally:  # killed, it may have got as far as to change the lock
            if mine and on_disk(self.stores["own"]) != self.model.file:
                self.gave_back(None if stamp is None else (b"", stamp))

    @rule(pid=dreamds, path=paths, ending=st.sampled_from(["finish", "roll back"]))
    def recover(self, pid: int, path: str, ending: str) -> None:
        if pid not in self.alive or self.alive[pid].lease is not None:
            return
        one, held = self.become(pid), self.is_held()
        dead = lock.standing(self.stores[path], now=self.now).interrupted
        if dead is None:
            return
        assert not self.lives(dead.holder) or self.now >= dead.deadline
        assert dead.started == self.started[dead.dream]
        answer = ask(self.stores[path], dream=dead.dream, now=self.now, dead=dead)
        assert isinstance(answer, Held) == held
        if isinstance(answer, Lease):
            assert (answer.dream, answer.started) == (dead.dream, dead.started)
            self.took(one, answer)
            self.end_lease(one, ending)

    @rule(pid=dreamds)
    def die(self, pid: int) -> None:
        self.kill(pid)

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
            self.write(b"%d" % pid, ns(self.now))
            self.truth(b"%d" % pid, ns(self.now))

    @rule(pid=clients)
    def client_comes_or_goes(self, pid: int) -> None:
        self.clients ^= {pid}

    @rule(how=st.sampled_from(["delete", "empty", "scribble"]))
    def user_meddles(self, how: str) -> None:
        if how == "delete":
            (self.root / "memory" / ".consolidate-lock").unlink(missing_ok=True)
            self.gave_back(None)
        else:
            body = b"" if how == "empty" else b"0"
            self.write(body, ns(self.now))
            self.truth(body, ns(self.now))

    @rule(minutes=st.sampled_from([1, 4, 29, 31, 59, 61, 119, 121]))
    def time_passes(self, minutes: int) -> None:
        self.now += minutes * MINUTE
        self.boot += minutes * MINUTE

    @rule(minutes=st.sampled_from([-10_000, -121, -61, -59, 59, 61, 121, 10_000]))
    def clock_is_set(self, minutes: int) -> None:
        self.now += minutes * MINUTE

    # --- what always holds ---

    @precondition(lambda self: hasattr(self, "model"))
    @invariant()
    def the_lock_is_what_the_model_says(self) -> None:
        assert on_disk(self.stores["own"]) == self.model.file

    @precondition(lambda self: hasattr(self, "model"))
    @invariant()
    def at_most_one_may_commit_and_it_is_the_one_in_the_lock(self) -> None:
        may_commit = []
        for pid, one in self.alive.items():
            if one.lease is None:
                continue
            self.become(pid)
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

    @precondition(lambda self: hasattr(self, "model"))
    @invariant()
    def the_last_consolidation_can_always_be_told(self) -> None:
        for path in self.stores:
            seen = lock.standing(self.stores[path], now=self.now)
            stamp = self.model.stamp
            ahead = stamp is not None and stamp > ns(self.now + HOUR)
            assert seen.from_future == ahead
            if ahead or stamp is None:
                assert seen.consolidated is None
            else:
                assert seen.consolidated == clock.from_ns(stamp)

    @precondition(lambda self: hasattr(self, "model"))
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
