"""The lock beside a plain model: several dreamds, a plain client, crashes, clocks that jump."""

from collections.abc import Callable

import pytest
from hypothesis import HealthCheck, settings
from hypothesis import strategies as st
from hypothesis.stateful import RuleBasedStateMachine, initialize, invariant, precondition, rule

from dreamd import lock
from dreamd.domain.lease import Held, Lease
from dreamd.errors import LeaseLostError
from dreamd.host import clock
from tests.lock.lock_model import CLIENTS, DREAMDS, HOUR, MINUTE, Dreamd, KilledError, World
from tests.lock.lock_world import ns, on_disk
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

    @rule(pid=dreamds, path=paths)
    def acquire(self, pid: int, path: str) -> None:
        if pid not in self.alive or self.alive[pid].lease is not None:
            return
        one, held = self.become(pid), self.is_held()
        answer = lock.acquire(
            self.stores[path],
            dream=self.next_dream(),
            kind="consolidation",
            now=self.now,
        )
        assert isinstance(answer, Held) == held
        if isinstance(answer, Lease):
            self.took(one, answer)

    @rule(pid=dreamds, path=paths, steps=st.integers(0, 4))
    def die_while_acquiring(self, pid: int, path: str, steps: int) -> None:
        if pid not in self.alive or self.alive[pid].lease is not None:
            return
        one, held = self.become(pid), self.is_held()
        self.budget = steps
        try:
            answer = lock.acquire(
                self.stores[path],
                dream=self.next_dream(),
                kind="consolidation",
                now=self.now,
            )
            assert isinstance(answer, Held) == held
            if isinstance(answer, Lease):
                self.took(one, answer)
        except KilledError:
            assert not held
            seen = on_disk(self.stores["own"])
            if seen == (b"%d" % pid, ns(self.now)) and seen != self.model.file:
                self.took(one, self.recorded(path))
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

    @rule(pid=dreamds, how=st.sampled_from(["finish", "roll_back", "put_back", "leave none"]))
    def give_back(self, pid: int, how: str) -> None:
        one = self.alive.get(pid)
        if one is None or one.lease is None:
            return
        self.become(pid)
        self.end_lease(one, how)

    def end_lease(self, one: Dreamd, how: str) -> None:
        lease, one.lease = one.lease, None
        assert lease is not None
        mine = self.model.holder == one.identity
        rest = {
            "finish": (b"", ns(lease.started)),
            "leave none": None,
        }.get(how, self.model.rest)
        endings: dict[str, Callable[[], object]] = {
            "finish": lambda: lock.finish(lease),
            "roll_back": lambda: lock.roll_back(lease),
            "put_back": lambda: lock.put_back(lease),
            "leave none": lambda: lock.leave(lease, None),
        }
        give = endings[how]
        if mine:
            assert give() is not False
            self.gave_back(rest)
        elif how == "roll_back":
            assert give() is False
        else:
            with pytest.raises(LeaseLostError):
                give()

    @rule(pid=dreamds, how=st.sampled_from(["finish", "roll_back"]), steps=st.integers(0, 1))
    def die_while_giving_back(self, pid: int, how: str, steps: int) -> None:
        one = self.alive.get(pid)
        if one is None or one.lease is None:
            return
        self.become(pid)
        mine = self.model.holder == one.identity
        rest = (b"", ns(one.lease.started)) if how == "finish" else self.model.rest
        self.budget = steps
        try:
            getattr(lock, how)(one.lease)
        except (KilledError, LeaseLostError):
            pass
        else:
            assert not mine or how == "roll_back"
        finally:
            self.budget = None
        if mine and on_disk(self.stores["own"]) != self.model.file:
            self.gave_back(rest)
        self.kill(pid)

    @rule(pid=dreamds, path=paths, ending=st.sampled_from(["finish", "roll_back"]))
    def recover(self, pid: int, path: str, ending: str) -> None:
        if pid not in self.alive or self.alive[pid].lease is not None:
            return
        one, held = self.become(pid), self.is_held()
        dead = lock.dead_lease(self.stores[path], now=self.now)
        if dead is None:
            return
        assert not self.lives(dead.holder) or self.now >= dead.deadline
        assert dead.started == self.started[dead.dream]
        answer = lock.adopt(self.stores[path], dead, now=self.now)
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
