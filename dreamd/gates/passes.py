"""When dreams began by themselves lately, over all memory directories: one small file.

A line is one moment, in ns since the epoch. Processes append without waiting for each other.
"""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from dreamd.errors import HostError
from dreamd.gates.thresholds import HOUR
from dreamd.host import clock, files

_NAME = "passes"
_LONG = 4096  # bytes, 200 moments: then those over an hour old are dropped
_MOST = 1 << 16  # bytes read; beyond them it is something else


def record(state: Path) -> None:
    """Put down that a dream begins by itself now.

    It spares the laptop and is no record: where the disk refuses it nothing is raised. Two
    processes that drop old moments at once may lose one of each other's.
    """
    now = clock.now_ns()
    path = state / _NAME
    with contextlib.suppress(OSError, HostError):
        files.make_private(state)
        if not _is_plain(path):
            kept = [each for each in read(state) if now - HOUR < each <= now]
            text = "".join(f"{each}\n" for each in (*kept, now))
            files.replace(path, text.encode("ascii"), durable=False)
            return
        flags = os.O_WRONLY | os.O_APPEND | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW
        descriptor = os.open(path, flags)
        try:
            os.write(descriptor, b"\n%d\n" % now)  # on a line of its own, after a torn one too
        finally:
            os.close(descriptor)


def read(state: Path) -> tuple[int, ...]:
    """Return the moments that stand there, in no order; what is none is passed over."""
    path = state / _NAME
    try:
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError:
        return ()
    try:
        text = os.read(descriptor, _MOST)
    except OSError:
        return ()
    finally:
        os.close(descriptor)
    return tuple(int(line) for line in text.split() if line.isdigit() and len(line) < 25)


def _is_plain(path: Path) -> bool:
    """Whether it is there, and short enough to be appended to."""
    try:
        return path.lstat().st_size < _LONG
    except OSError:
        return False
