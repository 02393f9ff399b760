"""Wait until nobody is in the middle of writing a note."""

from __future__ import annotations

import time
from collections.abc import Callable
from pathlib import Path, PurePosixPath

from dreamd.host import clock
from dreamd.host.files import faults
from dreamd.host.folder import Folder, opened
from dreamd.memory.scan import walk

QUIET_NS = 2_000_000_000  # an editor that saves in steps is done by then
PATIENCE = 10.0  # seconds
_STEP = 0.1


def left_out(
    root: Path, *, is_urgent: bool, sleep: Callable[[float], None] = time.sleep
) -> frozenset[PurePosixPath]:
    """Wait while a note is being written, 10 s at most; return the notes that still are.

    A note is being written if a process has it open for writing, or if it was touched in the
    last 2 s. Where a person waits the former alone counts: what was saved is there to be read.

    Raises:
        HostError: the directory may not be read.
    """
    until = time.monotonic() + PATIENCE
    while True:
        if not root.is_dir():
            return frozenset()
        now_ns = clock.to_ns(clock.now())
        with faults("look at", root), opened(root) as top:
            busy = frozenset(
                path
                for folder, path, kind in walk(top)
                if kind == "file" and _is_written(folder, path.name, now_ns, is_urgent=is_urgent)
            )
        if not busy or time.monotonic() >= until:
            return busy
        sleep(_STEP)


def _is_written(folder: Folder, name: str, now_ns: int, *, is_urgent: bool) -> bool:
    if folder.is_being_written(name):
        return True
    # A time in the future says nothing about when the file was written.
    return not is_urgent and 0 <= now_ns - folder.mtime_ns(name) < QUIET_NS
