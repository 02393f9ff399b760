"""One process of a race for the lock: `racer.py ROLE MEMORY STATE`, told what to do on stdin.

`go AT GAP WAY` starts at a moment of the monotonic clock; the answer is `won SPAN` or `held`.
`fence` answers `good` or `lost`; `end` gives the lock back and answers `ended`.

The roles: `dreamd`; `nomutex`, dreamd without the mutex; `careless`, dreamd with neither mutex nor
the look at what it swapped out nor the wait; `plain`, the protocol of other clients. GAP, in
seconds, is what those three wait between judging and writing.
"""

import contextlib
import os
import sys
import time
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Any

import filelock  # noqa: F401 - loaded before the race, not in the middle of it

from dreamd import lock
from dreamd.domain.lease import Lease
from dreamd.domain.store import Store
from dreamd.errors import LeaseLostError
from dreamd.host import files
from dreamd.lock import acquisition, lockfile

ROLE, MEMORY, STATE = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
FILE = MEMORY / ".consolidate-lock"
GAP = 0.0


@contextlib.contextmanager
def open_door(*_: object, **__: object) -> Iterator[None]:
    yield


real_change = lockfile.change


def late_change(*args: Any) -> int | None:
    time.sleep(GAP)
    return real_change(*args)


def blind_change(file: Path, wanted: lockfile.LockFile | None, expected: object) -> int:
    time.sleep(GAP)
    assert wanted is not None
    files.replace(file, wanted.body, mtime_ns=wanted.mtime_ns, durable=False)
    return wanted.mtime_ns


if ROLE in {"nomutex", "careless"}:
    vars(acquisition)["mutex"] = open_door  # the control: what the mutex is for
    vars(lockfile)["change"] = late_change if ROLE == "nomutex" else blind_change
if ROLE == "careless":
    acquisition.SETTLE = timedelta(0)


def exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def plainly(way: str) -> str:
    """Read, judge, write the own PID, read back: the whole of the plain protocol."""
    start = time.monotonic()
    try:
        body, stamp = FILE.read_bytes(), FILE.stat().st_mtime
    except FileNotFoundError:
        body, stamp = b"", 0.0
    if body and time.time() - stamp < 3_600 and exists(int(body)):
        return "held"
    time.sleep(GAP)
    me = b"%d" % os.getpid()
    if way == "rename":
        temp = MEMORY / f"lock-{os.getpid()}"
        temp.write_bytes(me)
        temp.rename(FILE)
    else:
        FILE.write_bytes(me)
    try:
        back = FILE.read_bytes()
    except FileNotFoundError:
        return "held"
    return f"won {time.monotonic() - start}" if back == me else "held"


def main() -> None:
    global GAP  # noqa: PLW0603 - one number, told anew each round
    store = Store(memory=MEMORY, state=STATE, name="raced")
    lease: Lease | None = None
    for line in sys.stdin:
        match line.split():
            case ["go", at, gap, way]:
                GAP = float(gap)
                time.sleep(max(0, float(at) - time.monotonic() - 0.002))
                while time.monotonic() < float(at):
                    pass
                start = time.monotonic()
                if ROLE == "plain":
                    said = plainly(way)
                else:
                    answer = lock.acquire(store, dream="d", kind="race", now=datetime.now(UTC))
                    lease = answer if isinstance(answer, Lease) else None
                    said = "held" if lease is None else f"won {time.monotonic() - start}"
            case ["fence"]:
                assert lease is not None
                try:
                    lock.fence(lease)
                    said = "good"
                except LeaseLostError:
                    said = "lost"
            case _:
                if lease is not None and ROLE == "dreamd":
                    lock.roll_back(lease)
                lease, said = None, "ended"
        sys.stdout.write(said + "\n")
        sys.stdout.flush()


if __name__ == "__main__":
    main()
