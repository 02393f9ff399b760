"""The live notes once nobody is in the middle of writing them."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection
from datetime import datetime, timedelta
from pathlib import Path, PurePosixPath

from dreamd.domain.tree import Tree
from dreamd.host import clock
from dreamd.memory.scan import scan

QUIET = timedelta(seconds=2)  # an editor that saves in steps is done by then
PATIENCE = timedelta(seconds=30)


def settled(
    root: Path,
    base: Tree,
    paths: Collection[PurePosixPath],
    *,
    sleep: Callable[[float], None] = time.sleep,
    now: Callable[[], datetime] = clock.now,
) -> Tree:
    """Scan a memory directory, waiting while one of these paths is being written.

    A path is being written if it differs from the base and was touched in the last 2 s. One
    that equals the base needs no wait: whatever comes to it later is met when it is swapped.
    After 30 s of waiting the tree is taken as it stands. `sleep` takes seconds.

    Raises:
        MemoryUnfitError, HostError: as `scan`.
    """
    left = PATIENCE
    while True:
        tree = scan(root)
        wait = min(left, _restless_for(tree, base, paths, clock.to_ns(now())))
        if wait <= timedelta(0):
            return tree
        sleep(wait.total_seconds())
        left -= wait


def _restless_for(
    tree: Tree, base: Tree, paths: Collection[PurePosixPath], now_ns: int
) -> timedelta:
    """Return how long it takes until all of these paths have been quiet for 2 s.

    An mtime in the future says nothing about when the file was written, so it is not waited for.
    """
    longest = timedelta(0)
    for path in paths:
        entry = tree.files.get(path)
        if entry is None or entry.data == base.data(path):
            continue
        age = timedelta(microseconds=(now_ns - entry.mtime_ns) // 1000)
        if timedelta(0) <= age < QUIET:
            longest = max(longest, QUIET - age)
    return longest
