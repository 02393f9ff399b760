"""Races of real processes for one lock: among dreamds, and beside a client without a mutex.

The roles: `dreamd`; `careless`, dreamd without the mutex, the look at what it swapped out and the
wait; `plain`, the protocol of other clients.
"""

import contextlib
import os
import random
import subprocess
import time
from collections.abc import Iterator, Mapping
from datetime import timedelta
from functools import partial
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any

import psutil
import pytest

from dreamd import lock
from dreamd.domain.store import Lease, Store
from dreamd.errors import LeaseLostError
from dreamd.host import files
from dreamd.lock import acquisition, lockfile
from tests.lock import world
from tests.lock.world import FORK
from tests.sample import WHOLE

NOBODY: Mapping["Racer", float] = {}
SETTLE = 0.05  # how long dreamd waits before it reads its PID back


def blind_change(gap: float, file: Path, wanted: lockfile.LockFile, _: object) -> int:
    time.sleep(gap)
    files.replace(file, wanted.body, mtime_ns=wanted.mtime_ns, durable=False)
    return wanted.mtime_ns


def plainly(file: Path, gap: float, way: str) -> bool:
    """Read, judge, write the own PID, read back: the whole of the plain protocol."""
    with contextlib.suppress(FileNotFoundError):
        body, stamp = file.read_bytes(), file.stat().st_mtime
        if body and time.time() - stamp < 3_600 and psutil.pid_exists(int(body)):
            return False
    time.sleep(gap)
    me = b"%d" % os.getpid()
    temp = file.with_name(f"lock-{os.getpid()}") if way == "rename" else file
    temp.write_bytes(me)
    if temp != file:
        temp.rename(file)
    with contextlib.suppress(FileNotFoundError):
        return file.read_bytes() == me
    return False


def racing(role: str, store: Store, line: Connection) -> None:
    """Do as one is told, in a process of its own: take the lock, stand guard, give it back."""
    if role == "careless":  # the control: what these three are for
        vars(acquisition)["mutex"] = lambda *_: contextlib.nullcontext()
        acquisition.SETTLE = timedelta(0)
    lease: Lease | None = None
    while True:
        match line.recv():
            case "go", at, gap, way:  # at a moment; after a gap between judging and writing
                if role == "careless":
                    vars(lockfile)["change"] = partial(blind_change, gap)
                time.sleep(max(0, at - time.monotonic() - 0.002))
                while time.monotonic() < at:
                    pass
                start = time.monotonic()
                if role == "plain":
                    won = plainly(world.lock_file(store), gap, way)
                else:
                    answer = world.ask(store)
                    lease = answer if isinstance(answer, Lease) else None
                    won = lease is not None
                line.send(time.monotonic() - start if won else None)
            case "fence":
                assert lease is not None
                try:
                    lock.fence(lease)
                    line.send("good")
                except LeaseLostError:
                    line.send("lost")
            case _:
                if lease is not None and role == "dreamd":
                    lock.roll_back(lease)
                lease = None
                line.send("ended")


class Racer:
    """One process in the race, as seen from outside."""

    def __init__(self, role: str, store: Store) -> None:
        self.role = role
        self.line, theirs = FORK.Pipe()
        self.process = FORK.Process(target=racing, args=(role, store, theirs))
        self.process.start()
        self.pid = b"%d" % (self.process.pid or 0)

    def ask(self, words: object) -> Any:
        self.line.send(words)
        return self.line.recv()


@contextlib.contextmanager
def racers(store: Store, *roles: str) -> Iterator[list[Racer]]:
    everyone = [Racer(role, store) for role in roles]
    try:
        yield everyone
    finally:
        for each in everyone:
            each.process.kill()
            each.process.join()


def race(
    everyone: list[Racer], lots: random.Random, way: str, late: Mapping[Racer, float] = NOBODY
) -> dict[Racer, float]:
    """Let everyone go at the same moment; return who won, with the seconds that it took."""
    at = time.monotonic() + 0.01
    for each in everyone:
        each.line.send(("go", at + late.get(each, 0), lots.uniform(0, 0.004), way))
    answers = {each: each.line.recv() for each in everyone}
    return {each: seconds for each, seconds in answers.items() if seconds is not None}


@pytest.fixture
def store(tmp_path: Path) -> Store:
    store = world.new_store(tmp_path, name="raced")
    store.locks.mkdir(parents=True)  # which the mutex makes, and not everyone here asks for it
    return store


def dead_pid() -> bytes:
    with subprocess.Popen(["true"]) as child:
        child.wait()
    return b"%d" % child.pid


def prepare(store: Store, n: int) -> None:
    """Start each round from no lock, an empty one, or one that a dead process left."""
    world.lock_file(store).unlink(missing_ok=True)
    for file in world.leases(store):
        file.unlink()
    if n % 3:
        world.write_lock(store, b"" if n % 3 == 1 else dead_pid())


def test_of_six_processes_exactly_one_wins_each_round(store: Store) -> None:
    lots = random.Random(1)
    with racers(store, *["dreamd"] * 6) as everyone:
        for n in range(40 if WHOLE else 15):
            prepare(store, n)
            before = world.on_disk(store)
            winners = race(everyone, lots, "rename")
            assert len(winners) == 1, n
            (winner,) = winners
            seen = world.on_disk(store)
            assert seen is not None
            assert seen[0] == winner.pid
            assert world.lease_of(store).holder.pid == winner.process.pid
            assert winner.ask("fence") == "good"
            for each in everyone:
                assert each.ask("end") == "ended"
            assert world.on_disk(store) == (None if before is None else (b"", before[1]))
            assert not world.leases(store)
            assert world.leftovers(store) == []


def test_the_same_race_has_several_winners_without_the_mutex(store: Store) -> None:
    """The control: this race can be lost, so that the one above says something."""
    lots = random.Random(2)
    with racers(store, *["careless"] * 6) as everyone:
        for n in range(60):
            prepare(store, n)
            if len(race(everyone, lots, "rename")) > 1:
                return
            for each in everyone:
                assert each.ask("end") == "ended"
    pytest.fail("each time one won")


def beside_a_plain_client(store: Store, role: str, rounds: int, way: str) -> dict[str, int]:
    """Race one dreamd against one plain client; count how it ended."""
    lots = random.Random(3)
    ends = dict.fromkeys(["dreamd", "plain", "nobody", "both", "late"], 0)
    with racers(store, role, "plain") as everyone:
        dreamd, plain = everyone
        for n in range(rounds):
            prepare(store, n)
            # Mostly together to a few ms; now and then the client comes when all is settled.
            late = {dreamd: lots.uniform(0, 0.008), plain: lots.uniform(0, 0.008)}
            late[plain] += 0.1 if n % 6 == 0 else 0
            winners = race(everyone, lots, way, late)
            body = world.lock_file(store).read_bytes()
            if dreamd in winners and body == plain.pid:
                assert dreamd.ask("fence") == "lost"  # whatever it believed, it commits nothing
            elif dreamd in winners:
                assert body == dreamd.pid
                assert dreamd.ask("fence") == "good"
            else:
                assert body != dreamd.pid
            if len(winners) == 2:
                # A client that the system held up for longer than dreamd waits is late: then
                # only the fence stands between the two.
                ends["late" if winners[plain] >= SETTLE else "both"] += 1
            elif winners:
                ends[next(iter(winners)).role.replace(role, "dreamd")] += 1
            else:
                ends["nobody"] += 1
            for each in everyone:
                assert each.ask("end") == "ended"
    return ends


@pytest.mark.parametrize("way", ["rename", "inplace"])
def test_beside_a_plain_client_never_both_believe_they_hold_it(store: Store, way: str) -> None:
    ends = beside_a_plain_client(store, "dreamd", 60 if WHOLE else 24, way)
    assert ends["both"] == 0, ends
    assert ends["dreamd"] > 0, ends
    assert ends["plain"] > 0, ends


def test_without_look_and_wait_both_believe_they_hold_it(
    store: Store,
) -> None:
    """The control: without those two the race beside a plain client is lost."""
    ends = beside_a_plain_client(store, "careless", 40, "rename")
    assert ends["both"] > 0, ends
