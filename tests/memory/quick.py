"""A folder in which a sync takes no time, where there is one."""

from __future__ import annotations

import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

IN_MEMORY = Path("/dev/shm")


@contextmanager
def quick_folder() -> Iterator[Path]:
    """Make a folder for hundreds of commits, whose many syncs would otherwise be most of a test.

    What a crash of a process leaves behind does not depend on the file system.
    """
    with tempfile.TemporaryDirectory(dir=IN_MEMORY if IN_MEMORY.is_dir() else None) as folder:
        yield Path(folder)
