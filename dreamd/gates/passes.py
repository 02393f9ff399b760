"""When dreams began by themselves lately, over all memories: a file of moments, a line each.

It spares the laptop and is no record: of two processes that write at once one may be lost.
"""

from __future__ import annotations

import contextlib
from pathlib import Path

from dreamd.errors import HostError
from dreamd.gates.wording import HOUR
from dreamd.host import clock, files


def record(state: Path) -> None:
    """Write down that a dream begins by itself now; where the disk refuses, nothing is raised."""
    now = clock.now_ns()
    lately = [each for each in read(state) if now - HOUR < each <= now]
    with contextlib.suppress(OSError, HostError):
        files.make_private(state)
        text = "".join(f"{each}\n" for each in (*lately, now))
        files.replace(state / "passes", text.encode("ascii"), durable=False)


def read(state: Path) -> tuple[int, ...]:
    """Return the moments in the file, in no order; what is no moment is passed over."""
    try:
        words = files.content(state / "passes").split()
    except OSError:
        return ()
    return tuple(int(word) for word in words if word.isdigit() and len(word) < 25)
