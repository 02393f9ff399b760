# ruff: noqa: T201 - its output is the answer
"""What asking costs, as ratios taken in one run: `python tests/gates/speed.py`.

A typical turn beside one bare `os.stat` of the same file, in turn, in batches; a scan of
100,000 transcripts beside a bare `scandir` and `stat` of each entry, in turn.
"""

from __future__ import annotations

import os
import statistics
import sys
import tempfile
import time
import uuid
from collections.abc import Callable
from pathlib import Path

sys.path.insert(0, str(Path(__file__).parents[2]))

from dreamd.domain.lease import Standing
from dreamd.domain.settings import Settings
from dreamd.domain.store import Store
from dreamd.gates import Cascade
from dreamd.gates.recency import recent
from dreamd.gates.sessions import touched
from tests.gates.world import Calm

BATCHES = 401
TURNS = 200  # in one batch
FILES = 100_000
HOUR = 3600 * 10**9
GRACE = 2 * 10**9


def nobody() -> Standing:
    """A lock that nobody holds."""
    return Standing(None, None, from_future=False, interrupted=None, verdict="free")


def nanoseconds(call: Callable[[], object], times: int) -> float:
    """The wall time of one call, on average over so many."""
    begun = time.perf_counter_ns()
    for _ in range(times):
        call()
    return (time.perf_counter_ns() - begun) / times


def beside(one: Callable[[], object], other: Callable[[], object], times: int, rounds: int) -> str:
    """Return the median time of one call, that of another, and the median of their ratios."""
    pairs = [(nanoseconds(one, times), nanoseconds(other, times)) for _ in range(rounds)]
    ones, others = (statistics.median(column) for column in zip(*pairs, strict=True))
    ratio = statistics.median(a / b for a, b in pairs)
    if ones > 10**6:
        return f"{ones / 10**6:,.1f} ms : {others / 10**6:,.1f} ms = {ratio:.2f}"
    return f"{ones:,.0f} ns : {others:,.0f} ns = {ratio:.2f}"


def typical(home: Path, batches: int = BATCHES) -> dict[str, str]:
    """Return what typical turns cost beside one stat, by what makes them so."""
    store = Store(memory=home / "memory", state=home / "state", name="memory")
    store.memory.mkdir(parents=True)
    lock = store.memory / ".consolidate-lock"
    path = str(lock)

    def bare() -> None:
        try:  # noqa: SIM105 - a context manager costs more than the stat
            os.stat(path)  # noqa: PTH116 - what is measured
        except FileNotFoundError:
            pass

    told = {}
    for name, age in (("time gate closed", HOUR), ("throttled", 48 * HOUR), ("no lock", None)):
        lock.unlink(missing_ok=True)
        if age is not None:
            lock.touch()
            stamp = time.time_ns() - age
            os.utime(lock, ns=(stamp, stamp))
        around = Calm()
        cascade = Cascade(store, Settings(), folders=lambda: [home], standing=nobody, around=around)
        said = [cascade.ask().gate for _ in range(3)][-1]
        told[f"{name} ({said})"] = beside(cascade.ask, bare, TURNS, batches)
        store.throttle.unlink(missing_ok=True)
    return told


def scans(home: Path) -> None:
    """Print what a scan costs, beside a bare one."""
    folder = home / "transcripts"
    folder.mkdir()
    stamp = time.time_ns() - 48 * HOUR
    for _ in range(FILES):
        path = folder / f"{uuid.uuid4()}.jsonl"
        os.close(os.open(path, os.O_CREAT | os.O_WRONLY, 0o600))
        os.utime(path, ns=(stamp, stamp))

    def bare() -> None:
        with os.scandir(folder) as entries:
            for entry in entries:
                entry.stat()

    def ours(since: int) -> None:
        touched([folder], since=since, grace=GRACE, enough=5)

    none = beside(lambda: ours(time.time_ns()), bare, 1, 9)
    print(f"a scan of {FILES:,}, none touched: {none}")
    every = beside(lambda: ours(stamp - HOUR), bare, 1, 9)
    print(f"a scan of {FILES:,}, all touched, which stops at 5: {every}")

    def last(since: int) -> None:
        recent([folder], since=since, grace=GRACE)

    none = beside(lambda: last(time.time_ns()), bare, 1, 9)
    print(f"when {FILES:,} were touched last, none since: {none}")
    every = beside(lambda: last(stamp - HOUR), bare, 1, 9)
    print(f"when {FILES:,} were touched last, all since: {every}")


def main() -> None:
    """Print the figures."""
    with tempfile.TemporaryDirectory() as name:
        for turn, cost in typical(Path(name)).items():
            print(f"a turn, {turn}: {cost}")
        scans(Path(name))


if __name__ == "__main__":
    main()
