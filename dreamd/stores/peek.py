"""The beginning of a file, read without ever waiting for it."""

from __future__ import annotations

import os
import stat
from pathlib import Path

# A pipe or a device in a file's place must neither block nor become the controlling terminal.
_FLAGS = os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC | os.O_NOCTTY


def beginning(path: Path | str, most: int) -> bytes | None:
    """Return up to `most` bytes of a regular file; None where there is none or it is unreadable."""
    try:
        descriptor = os.open(path, _FLAGS)
    except (OSError, ValueError):
        return None
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return None
        parts = []
        while most > 0 and (part := os.read(descriptor, most)):
            parts.append(part)
            most -= len(part)
        return b"".join(parts)
    except OSError:
        return None
    finally:
        os.close(descriptor)
