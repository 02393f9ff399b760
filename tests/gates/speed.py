# ruff: noqa: T201 - its output is the answer
"""What asking costs, as ratios taken in one run: `python -m tests.gates.speed`.

A typical turn beside one bare `os.stat` of the same file; a look at 100,000 transcripts beside a
bare `scandir` and `stat` of each. With a HOME and a number it asks so often, to be traced.
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

from dreamd import gates
from dreamd.gates.scan import scan
from tests.gates.world import HOUR, World, stamp

FILES = 100_000
MARK = "/nowhere/turn"


def nanoseconds(call: Callable[[], object], times: int) -> float:
    begun = time.perf_counter_ns()
    for _ in range(times):
        call()
    return (time.perf_counter_ns() - begun) / times


def beside(one: Callable[[], object], other: Callable[[], object], times: int, rounds: int) -> str:
    """Return the median time of one call, that of another, and the median of their ratios."""
    pairs = [(nanoseconds(one, times), nanoseconds(other, times)) for _ in range(rounds)]
    ones, others = (statistics.median(column) / 1000 for column in zip(*pairs, strict=True))
    ratio = statistics.median(a / b for a, b in pairs)
    return f"{ones:,.1f} µs : {others:,.1f} µs = {ratio:.2f}"


def typical(world: World, batches: int = 401) -> dict[str, str]:
    """Return what typical turns cost beside one stat, by the gate that says no."""
    path, found = str(world.lock), {}
    for age in (HOUR, 48 * HOUR):
        world.consolidated(age)
        context = world.context()
        gate = world.ask(context).gate
        found[gate] = beside(lambda: gates.ask(context), lambda: os.stat(path), 200, batches)  # noqa: B023, PTH116
        world.store.pause.unlink(missing_ok=True)
    return found


def looks(folder: Path) -> str:
    """Return what a look at many transcripts costs, beside a bare one."""
    for _ in range(FILES):
        path = folder / f"{uuid.uuid4()}.jsonl"
        path.touch()
        stamp(path, 48 * HOUR)

    def bare() -> None:
        with os.scandir(folder) as entries:
            for entry in entries:
                entry.stat()

    return beside(lambda: scan([folder], time.time_ns(), 0), bare, 1, 9)


def main(home: Path) -> None:
    world = World(home)
    for gate, cost in typical(world).items():
        print(f"a turn that ends at the gate {gate!r}: {cost}")
    print(f"a look at {FILES:,} transcripts: {looks(world.folders[0])}")


def turns(home: Path, number: int) -> None:
    """Ask so often in one process, and then so often as processes do that end right after."""
    world = World(home)
    kept = world.context()
    for context in [*[kept] * number, *(world.context() for _ in range(number))]:
        os.access(MARK, os.F_OK)
        print(world.ask(context).gate)
    os.access(MARK, os.F_OK)


if __name__ == "__main__":
    if len(sys.argv) > 2:
        turns(Path(sys.argv[1]), int(sys.argv[2]))
    else:
        with tempfile.TemporaryDirectory() as name:
            main(Path(name))
