"""One process of a race for the lock: `racer.py ROLE MEMORY STATE`, told what to do on stdin.

`go AT GAP WAY` starts at a moment of the monotonic clock; the answer is `won SPAN` or `held`.
`fence` answers `good` or `lost`; `end` gives the lock back and answers `ended`.

The roles: `dreamd`; `careless`, dreamd without the mutex, the look at what it swapped out and the
wait; `plain`, the protocol of other clients. GAP, in seconds, is what those two wait between
judging and writing.
"""

import contextlib
import os
import sys
import time
from datetime import UTC, datetime, timedelta
from pathlib import Path

from dreamd import lock
from dreamd.domain.store import Lease, Store
from dreamd.errors import LeaseLostError
from dreamd.host import files
from dreamd.lock import acquisition, lockfile

ROLE, MEMORY, STATE = sys.argv[1], Path(sys.argv[2]), Path(sys.argv[3])
STORE = Store(memory=MEMORY, state=STATE, name="raced")
FILE = MEMORY / ".consolidate-lock"
GAP = 0.0


def blind_change(file: Path, wanted: lockfile.LockFile | None, expected: object) -> int:
    time.sleep(GAP)
    assert wanted is not None
    files.replace(file, wanted.body, mtime_ns=wanted.mtime_ns, durable=False)
    return wanted.mtime_ns


if ROLE == "careless":  # the control: what these three are for
    vars(acquisition)["mutex"] = lambda *_: contextlib.nullcontext()
    vars(lockfile)["change"] = blind_change
    acquisition.SETTLE = timedelta(0)


def exists(pid: int) -> bool:
    try:
        os.kill(pid, 0)
    except OSError:
        return False
    return True


def plainly(way: str) -> bool:
    """Read, judge, write the own PID, read back: the whole of the plain protocol."""
    with contextlib.suppress(FileNotFoundError):
        body, stamp = FILE.read_bytes(), FILE.stat().st_mtime
        if body and time.time() - stamp < 3_600 and exists(int(body)):
            return False
    time.sleep(GAP)
    me = b"%d" % os.getpid()
    file = MEMORY / f"lock-{os.getpid()}" if way == "rename" else FILE
    file.write_bytes(me)
    if file != FILE:
        file.rename(FILE)
    with contextlib.suppress(FileNotFoundError):
        return FILE.read_bytes() == me
    return False


def main() -> None:
    global GAP  # noqa: PLW0603 - one number, told anew each round
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
                    won = plainly(way)
                else:
                    answer = lock.acquire(STORE, dream="d", kind="race", now=datetime.now(UTC))
                    lease = answer if isinstance(answer, Lease) else None
                    won = lease is not None
                said = f"won {time.monotonic() - start}" if won else "held"
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
