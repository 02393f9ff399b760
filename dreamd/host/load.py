"""How busy the processors are."""

from __future__ import annotations

import os
from pathlib import Path

_LOAD = Path("/proc/loadavg")


def load(file: Path = _LOAD, processors: int | None = None) -> float | None:
    """Return the load of the last minute per processor; None where nobody can say.

    The first number of `/proc/loadavg` (proc(5)), or of getloadavg(3) where there is no such
    file, over the processors that are online.
    """
    try:
        runnable = float(file.read_bytes().split()[0])
    except (OSError, ValueError, IndexError):
        try:
            runnable = os.getloadavg()[0]
        except OSError:
            return None
    each = runnable / max(processors or os.cpu_count() or 1, 1)
    return each if 0 <= each < float("inf") else None
