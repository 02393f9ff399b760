"""Files whose stamp is all they say: poked by many, looked at by one stat."""

from __future__ import annotations

import os

_FLAGS = os.O_WRONLY | os.O_CREAT | os.O_CLOEXEC | os.O_NOFOLLOW | os.O_NONBLOCK | os.O_NOCTTY


def poke(path: str) -> int:
    """Stamp a file with the time it is now, made 0600 if absent; return the stamp in nanoseconds.

    Folders that lack are made 0700.

    Raises:
        OSError: as the system says it.
    """
    try:
        descriptor = os.open(path, _FLAGS, 0o600)
    except FileNotFoundError:
        os.makedirs(os.path.dirname(path), mode=0o700, exist_ok=True)  # noqa: PTH103, PTH120
        descriptor = os.open(path, _FLAGS, 0o600)
    try:
        os.utime(descriptor)
        return os.fstat(descriptor).st_mtime_ns
    finally:
        os.close(descriptor)


def stamp(path: str) -> int | None:
    """Return when a file was last poked, in nanoseconds; None where it cannot be looked at."""
    try:
        return os.lstat(path).st_mtime_ns
    except (OSError, ValueError):
        return None
