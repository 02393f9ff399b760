"""What the daemon costs an hour: `python -m tests.daemon.idle` prints its CPU and its memory.

A real daemon with 50 stores, which has nothing to do, looks every 0.1 s for a while.
"""

from __future__ import annotations

import os
import signal
import tempfile
import time
from pathlib import Path

from tests.daemon.house import House
from tests.spoken import session_id, touch

STORES, SESSIONS = 50, 400


def many(house: House) -> None:
    """Make 50 stores with 400 sessions each; half of them wait for sessions, half for time."""
    for number in range(STORES - 1):
        memory = house.project(f"p{number}", sessions=1)
        folder = memory.parent
        head = next(folder.glob("*.jsonl")).read_bytes()
        for session in range(SESSIONS - 1):
            path = folder / f"{session_id(f'{number}-{session}')}.jsonl"
            path.write_bytes(head)
            touch(path, 1_600_000_000)
        touch(next(folder.glob("*.jsonl")), 1_600_000_000)
        if number % 2:
            os.utime(memory / ".consolidate-lock")
    for transcript in house.memory.parent.glob("*.jsonl"):
        touch(transcript, 1_600_000_000)


def idle(house: House, rounds: int = 100) -> None:
    """Print what a real daemon takes that looks every 0.1 s and finds nothing to do."""

    def runs(seconds: float) -> tuple[float, int]:
        with house.runs(DREAMD_DAEMON__RESCAN_SECONDS="0.1") as daemon:
            daemon.until(lambda: bool(daemon.board))
            time.sleep(seconds)
            status = Path(f"/proc/{daemon.process.pid}/status").read_text()
            daemon.signal(signal.SIGTERM)
            _, _, used = os.wait4(daemon.process.pid, 0)
            daemon.process.returncode = 0
        resident = next(line for line in status.splitlines() if line.startswith("VmRSS"))
        return used.ru_utime + used.ru_stime, int(resident.split()[1])

    start, _ = runs(0.0)
    used, resident = runs(rounds / 10)
    each = (used - start) / rounds
    print(f"CPU of a rescan in a daemon: {each * 1e3:.1f} ms; of an idle hour: {each * 60:.2f} s")
    print(f"resident: {resident / 1024:.1f} MiB")


def main() -> None:
    """Make a laptop, and print what the daemon costs on it."""
    with tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder) / "home")
        many(house)
        idle(house)


if __name__ == "__main__":
    main()
