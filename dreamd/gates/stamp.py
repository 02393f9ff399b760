"""The stamp of the lock, in one look that follows no link."""

from __future__ import annotations

import os
from pathlib import Path

from dreamd.host import files


def look(lock: str) -> os.stat_result | None:
    """Return what `lstat` says of the lock, None where there is none.

    Raises:
        HostError: the system failed to look at it.
    """
    try:
        return os.lstat(lock)
    except OSError as error:
        no_lock(error, lock)
        return None


def no_lock(error: OSError, lock: str) -> None:
    """Return None where the error says that there is no lock; any other is raised.

    Raises:
        HostError: the system failed to look at it.
    """
    if not isinstance(error, FileNotFoundError | NotADirectoryError):
        with files.faults("look at the lock", Path(lock)):
            raise error
