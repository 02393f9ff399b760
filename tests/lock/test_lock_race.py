"""Races of real processes for one lock: among dreamds, and beside a client without a mutex."""

import contextlib
import random
import subprocess
import sys
import time
from collections.abc import Iterator, Mapping
from pathlib import Path

import pytest

from dreamd.domain.store import Store
from tests.lock import world
from tests.sample import WHOLE

NOBODY: Mapping["Racer", float] = {}
SETTLE = 0.05  # how long dreamd waits before it reads its PID back


class Racer:
    """One process in the race, as seen from outside."""

    def __init__(self, role: str, store: Store) -> None:
        self.role = role
        program = str(Path(__file__).with_name("racer.py"))
        self.process = subprocess.Popen(
            [sys.executable, program, role, str(store.memory), str(store.state)],
            env=world.environment(),
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            text=True,
        )
        self.pid = b"%d" % self.process.pid

    def tell(self, words: str) -> None:
        assert self.process.stdin is not None
        self.process.stdin.write(words + "\n")
        self.process.stdin.flush()

    def hear(self) -> str:
        assert self.process.stdout is not None
        return self.process.stdout.readline().strip()

    def ask(self, words: str) -> str:
        self.tell(words)
        return self.hear()


@contextlib.contextmanager
def racers(store: Store, *roles: str) -> Iterator[list[Racer]]:
    everyone = [Racer(role, store) for role in roles]
    try:
        for each in everyone:
            assert each.ask("end") == "ended"  # it has loaded everything
        yield everyone
    finally:
        for each in everyone:
            each.process.kill()
            each.process.communicate()


def race(
    everyone: list[Racer], lots: random.Random, way: str, late: Mapping[Racer, float] = NOBODY
) -> dict[Racer, float]:
    """Let everyone go at the same moment; return who won, with the seconds that it took."""
    at = time.monotonic() + 0.01
    for each in everyone:
        each.tell(f"go {at + late.get(each, 0)} {lots.uniform(0, 0.004)} {way}")
    answers = {each: each.hear().split() for each in everyone}
    assert all(answer[0] in {"won", "held"} for answer in answers.values()), answers
    return {each: float(answer[1]) for each, answer in answers.items() if answer[0] == "won"}


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
