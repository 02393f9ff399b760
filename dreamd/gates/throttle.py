"""One file whose mtime every process can ask, in one stat, whether sessions may be counted.

Its mtime plus the throttle's interval is when they may. A count leaves it empty and stamped with
its own time; a back-off fills it and stamps it ahead, so that the sum is the end of the wait.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from dreamd.domain.store import Store
from dreamd.errors import HostError
from dreamd.gates.readings import Pause
from dreamd.gates.thresholds import Thresholds
from dreamd.host import files

_WAITING = b"waiting after a failure\n"


def look(path: Path, limits: Thresholds) -> Pause | None:
    """Return the pause that the file tells of, past or not, in one stat; None where there is none.

    What cannot be read tells of none: at worst sessions are counted once too often.
    """
    try:
        seen = path.stat()
    except (OSError, ValueError):
        return None
    stamp = seen.st_mtime_ns
    return Pause(began=stamp, until=stamp + limits.throttle, failed=seen.st_size > 0)


def is_held(store: Store) -> bool:
    """Whether it tells of a wait after failures, past or not."""
    try:
        return store.throttle.stat().st_size > 0
    except (OSError, ValueError):
        return False


def mark(store: Store, now: int) -> None:
    """Say that sessions are counted now."""
    _write(store, b"", now)


def hold(store: Store, until: int, limits: Thresholds) -> None:
    """Say that they are not to be counted before a time."""
    _write(store, _WAITING, until - limits.throttle)


def release(store: Store, counted: int | None) -> None:
    """Put back what stood there before a wait: when sessions were counted (None: never)."""
    if counted is not None:
        _write(store, b"", counted)
        return
    with contextlib.suppress(OSError):
        store.throttle.unlink(missing_ok=True)


def _write(store: Store, body: bytes, stamp: int) -> None:
    # It saves work and is no record: where the disk refuses it, a stamp alone may still go
    # through (a full disk), and without even that every process relies on its own memory.
    try:
        files.make_private(store.home)
        files.replace(store.throttle, body, mtime_ns=stamp, durable=False)
    except (OSError, OverflowError, HostError):
        with contextlib.suppress(OSError, OverflowError):
            os.utime(store.throttle, ns=(stamp, stamp))
