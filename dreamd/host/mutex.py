"""One process at a time per directory, by whatever path each of them came to it."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Iterator
from pathlib import Path

from dreamd.errors import BusyError, MemoryUnfitError
from dreamd.host import presence
from dreamd.host.files import faults, make_private


def place(memory: Path) -> str:
    """Return `<st_dev>-<st_ino>` of a directory: one name for links, bind mounts and itself."""
    with faults("look at", memory):
        try:
            seen = memory.stat()
        except (FileNotFoundError, NotADirectoryError):
            raise MemoryUnfitError(f"there is no memory directory {memory}") from None
    if not stat.S_ISDIR(seen.st_mode):
        raise MemoryUnfitError(f"{memory} is not a directory; a memory directory was meant")
    return f"{seen.st_dev}-{seen.st_ino}"


@contextlib.contextmanager
def mutex(locks: Path, memory: Path, seconds: float = 10) -> Iterator[None]:
    """Keep every other process and thread out of the same mutex while the block runs.

    The kernel lets go when the holder dies, however it dies; the file in `locks` stays.

    Raises:
        BusyError: somebody else was inside for the whole time.
    """
    file = locks / place(memory)
    make_private(locks)
    with faults("lock", file):
        descriptor = presence.locked(file, seconds)
    if descriptor is None:
        raise BusyError(
            f"another process has been judging the lock of {memory} for {seconds:.0f} s; "
            "try again later"
        )
    try:
        yield
    finally:
        os.close(descriptor)
