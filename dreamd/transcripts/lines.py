"""The lines of a transcript, one at a time, while its client may still be writing it."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from dreamd.errors import HostError

_BUFFER = 1 << 18


def lines(transcript: Path) -> Iterator[bytes]:
    """Yield the lines of a transcript with their ends; the last one may be half written.

    Never waits: a named pipe is refused, not opened for good. Reads what a growing file holds by
    then, and stops where a truncated one ends; no more than a line is kept in memory.

    Raises:
        HostError: It is gone, may not be read, is no regular file, or the disk failed.
    """
    try:
        # without O_NONBLOCK, opening a named pipe would wait for a writer
        handle = os.open(transcript, os.O_RDONLY | os.O_NONBLOCK | os.O_CLOEXEC)
        with open(handle, "rb", buffering=_BUFFER) as stream:  # noqa: PTH123 - a descriptor
            if not stat.S_ISREG(os.fstat(handle).st_mode):
                raise HostError(f"{transcript} is not a regular file; it was not read.")
            yield from stream
    except OSError as error:
        raise HostError(
            f"{transcript} could not be read: {error.strerror or error}; "
            "make it readable, or remove it."
        ) from error
