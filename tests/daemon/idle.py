"""What the daemon costs: `python -m tests.daemon.idle` prints ratios taken in one run.

A rescan of 50 stores with 20,000 transcripts beside a bare pass of `os.scandir` and `stat` over the
same folders; the CPU and the memory of a real daemon that has nothing to do; and how often the
gates are asked, and by how much it grows, in a burst of 50,000 file events.
"""

from __future__ import annotations

import os
import resource
import signal
import statistics
import subprocess
import sys
import tempfile
import threading
import time
from collections.abc import Callable
from pathlib import Path

from msgspec.structs import replace

from dreamd import app, config, duty, gates
from dreamd.daemon.duties import Duty
from dreamd.daemon.listening import Listening
from dreamd.daemon.log import Log
from dreamd.daemon.loop import Daemon
from dreamd.daemon.plan import SECOND
from dreamd.daemon.turns import Turns
from dreamd.domain.verdict import Verdict
from dreamd.host.notify_socket import NotifySocket
from tests.daemon.house import House
from tests.spoken import session_id, touch

STORES, SESSIONS, ROUNDS = 50, 400, 15
EVENTS = 50_000
_BURST = """
import sys
one, two = (open(f"{sys.argv[1]}/{name}.jsonl", "wb", 0) for name in ("one", "two"))
for _ in range(int(sys.argv[2]) // 2):
    one.write(b"\\n")
    two.write(b"\\n")
"""


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


def bare(projects: Path) -> int:
    """Pass over every folder and every file in it, as little as can be done."""
    seen = 0
    with os.scandir(projects) as folders:
        for folder in folders:
            with os.scandir(folder.path) as entries:
                for entry in entries:
                    seen += entry.stat().st_mtime_ns > 0
    return seen


def taken(work: Callable[[], object]) -> float:
    begun = time.perf_counter()
    work()
    return time.perf_counter() - begun


def rescans(house: House, on_duty: Duty) -> None:
    """Print what a rescan takes: the first, those that count nothing, and those that count."""
    log = Log(os.open(os.devnull, os.O_WRONLY))
    turns, listening = Turns(on_duty, log), Listening(house.state / "nudge", log)

    def once() -> None:
        turns.rescan()
        listening.listen(turns.wards.known.values())
        while turns.wards.waiting:
            turns.ask()

    projects = house.home / ".claude" / "projects"
    first = taken(once)
    assert turns.child is None
    passes, usual = [], []
    for _ in range(ROUNDS):
        passes.append(taken(lambda: bare(projects)))
        usual.append(taken(once))
    pass_, rescan = statistics.median(passes), statistics.median(usual)
    print(f"a bare pass over {bare(projects):,} files: {pass_ * 1e3:.1f} ms")
    print(f"the first rescan, which counts sessions: {first / pass_:.2f} of it")
    print(f"a rescan: {rescan * 1e3:.1f} ms, {rescan / pass_:.2f} of it")
    print(f"folders that are listened at: {len(listening._places)}")
    listening.close()


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


class Counted:
    """The real duty with no rescan but the first, and a count of how often gates are asked."""

    def __init__(self, started: app.App) -> None:
        real = duty.duty(started)
        limits = replace(real.limits(), rescan=3_600 * SECOND, quiet=SECOND // 5)
        self.asked = 0
        self.duty = replace(real, limits=lambda: limits)
        ask = gates.ask

        def counting(context: gates.Context) -> list[Verdict]:
            self.asked += 1
            return ask(context)

        setattr(gates, "ask", counting)  # noqa: B010 - as the daemon asks them


def burst(house: House, counted: Counted) -> None:
    """Print how often gates were asked during 50,000 events in one project, and the growth."""
    grown: list[int] = []

    def write() -> None:
        while counted.asked < STORES:
            time.sleep(0.1)
        before, asked = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss, counted.asked
        begun = time.monotonic()
        words = [sys.executable, "-c", _BURST, str(house.memory.parent), str(EVENTS)]
        subprocess.run(words, check=True)
        took = time.monotonic() - begun
        time.sleep(1)
        grown.append(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss - before)
        times = (counted.asked - asked) / STORES
        print(f"{EVENTS:,} events in {took:.2f} s: the gates of a store asked {times:.2g} times")
        os.kill(os.getpid(), signal.SIGTERM)

    writer = threading.Thread(target=write)
    writer.start()
    Daemon(counted.duty, NotifySocket({}), Log(os.open(os.devnull, os.O_WRONLY))).run()
    writer.join()
    print(f"grown by {grown[0]} KiB")


def main() -> None:
    """Make a laptop, and print what the daemon costs on it."""
    with tempfile.TemporaryDirectory() as folder:
        house = House(Path(folder) / "home")
        many(house)
        started = app.App(config.load(house.clean({})), house.home)
        rescans(house, duty.duty(started))
        idle(house)
        burst(house, Counted(started))


if __name__ == "__main__":
    main()
