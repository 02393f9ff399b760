"""What the daemon costs an hour: `python -m tests.daemon.idle` prints its CPU and its memory.

A real daemon with 50 stores, which has nothing to do, looks every 0.1 s for a while.
"""

from __future__ import annotations

import os
import signal
import tempfile
import time
from pathlib import Path

import psutil

from tests.daemon.house import House
from tests.spoken import session_id, touch

STORES, SESSIONS, ROUNDS = 50, 400, 100


def many(house: House) -> None:
    """Make 50 stores with 400 sessions each; half of them wait for sessions, half for time."""
    for number in range(STORES - 1):
        memory = house.project(f"p{number}", sessions=1)
        head = next(memory.parent.glob("*.jsonl")).read_bytes()
        for session in range(SESSIONS - 1):
            (memory.parent / f"{session_id(f'{number}-{session}')}.jsonl").write_bytes(head)
        if number % 2:
            os.utime(memory / ".consolidate-lock")
    for transcript in house.memory.parents[1].glob("*/*.jsonl"):
        touch(transcript, 1_600_000_000)


def cost(house: House, rounds: int) -> tuple[float, float]:
    """Return the seconds of CPU and the MiB of a daemon that looks so often, every 0.1 s."""
    with house.runs(DREAMD_DAEMON__RESCAN_SECONDS="0.1") as daemon:
        daemon.until(lambda: bool(daemon.board))
        time.sleep(rounds / 10)
        resident = psutil.Process(daemon.process.pid).memory_info().rss
        daemon.signal(signal.SIGTERM)
        _, _, used = os.wait4(daemon.process.pid, 0)
        daemon.process.returncode = 0
    return used.ru_utime + used.ru_stime, resident / (1 << 20)


def main() -> None:
    """Make a laptop, and print what the daemon costs on it."""
    with tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder) / "home")
        many(house)
        used, resident = cost(house, ROUNDS)
        each = (used - cost(house, 0)[0]) / ROUNDS
        print(
            f"CPU of a rescan in a daemon: {each * 1e3:.1f} ms; of an idle hour: {each * 60:.2f} s"
        )
        print(f"resident: {resident:.1f} MiB")


if __name__ == "__main__":
    main()
