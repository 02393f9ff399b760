"""One change of notes carried out: read live, merge, record, journal, swap, conclude."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from pathlib import PurePosixPath

from msgspec import Struct, field
from msgspec.structs import replace

from dreamd import lock
from dreamd.domain.change import Why
from dreamd.domain.receipt import Receipt, counts
from dreamd.domain.tree import Tree
from dreamd.host import clock
from dreamd.memory import commit
from dreamd.memory.commit import Committed, Swap
from dreamd.memory.diff import diff
from dreamd.memory.merge import Dropped, merge_trees
from dreamd.memory.prepare import passing
from dreamd.memory.scan import scan
from dreamd.state.journal import Journal
from dreamd.transaction.ending import Closing, conclude
from dreamd.transaction.frame import Frame, Snapshot

STILL_WRITTEN = "a program still writes to it, so it was left out"
IN_THE_WAY = "something that is no note stands in its place, so it was left out"


class Meeting(Struct, frozen=True):
    """What comes of a change meeting the directory as it stands now.

    `dropped` says what of the change could not be; it `is_whole` as long as no line is lost.
    `left_out` are paths that could not be changed, and why; nothing is taken away anywhere then.
    """

    live: Tree
    result: Tree
    dropped: tuple[tuple[PurePosixPath, Dropped], ...]
    is_whole: bool
    left_out: Mapping[PurePosixPath, str] = field(default_factory=dict)

    @property
    def stays(self) -> tuple[str, ...]:
        """What was left as it is, a sentence each."""
        lines = [f"{path}:{line.number}: {line.reason}" for path, line in self.dropped]
        return (*lines, *told(self.left_out))


def meet(frame: Frame, base: Tree, theirs: Tree, *, is_undo: bool = False) -> Meeting:
    """Read the live files and merge a change into them."""
    live = scan(frame.store.memory)
    merged = merge_trees(base, live, theirs, is_undo=is_undo)
    result = merged.tree
    changed = [p for p in result.files if result.files[p] != live.files.get(p)]
    changed += [path for path in live.files if path not in result.files]
    left_out = {path: STILL_WRITTEN for path in changed if path in frame.left_out}
    taken = {*live.unread, *live.files}
    for path in changed:
        if path not in live.files and (path in taken or not taken.isdisjoint(path.parents)):
            left_out[path] = IN_THE_WAY
    if left_out:
        result = without(live, merge_trees(Tree(), live, result).tree, left_out)
    return Meeting(live, result, merged.dropped, merged.is_whole and not left_out, left_out)


def told(left_out: Mapping[PurePosixPath, str]) -> list[str]:
    """Return a sentence for each path that was left out."""
    return [f"{path}: {why}" for path, why in sorted(left_out.items())]


def without(base: Tree, tree: Tree, paths: Collection[PurePosixPath]) -> Tree:
    """Return a tree with these paths as they are in the base."""
    files = {path: entry for path, entry in tree.files.items() if path not in paths}
    files |= {path: entry for path, entry in base.files.items() if path in paths}
    return replace(tree, files=dict(sorted(files.items())))


def swaps_between(live: Tree, result: Tree) -> list[Swap]:
    """Return the swaps that turn the one tree into the other."""
    return [
        Swap(path, live.files.get(path), result.files.get(path))
        for path in sorted(live.files.keys() | result.files.keys())
        if live.files.get(path) != result.files.get(path)
    ]


def carry_out(
    frame: Frame,
    base: Snapshot,
    live: Tree,
    result: Tree,
    *,
    receipt: Receipt,
    lock_mtime_ns: int | None,
    parts: Mapping[str, tuple[Tree, Sequence[Why]]] | None = None,
) -> Receipt:
    """Record live, result and the parts of a change in history, then commit and conclude.

    `receipt` is completed here: what began it, counts from the trees, the lock's mtimes, and
    the seconds.

    Raises:
        LeaseLostError: another process stands in the lock; nothing was committed.
        RefusedError, HostError: a file could not be written; nothing was committed.
    """
    receipt = replace(
        receipt,
        trigger=frame.trigger,
        changes=counts(diff(live, result)),
        lock_prior_ns=frame.lease.prior_mtime_ns,
        lock_left_ns=lock_mtime_ns,
    )
    lock.fence(frame.lease)
    db = frame.history.db
    with db.writing():
        for part, (tree, whys) in (parts or {}).items():
            frame.history.write(tree, dream=frame.id, parts=[part], whys=whys)
        if live.files != base.tree.files:
            frame.history.write(live, dream=frame.id, parts=["live"])
        frame.history.write(result, dream=frame.id, parts=["merged"])
        swaps = swaps_between(live, result)
        if between := passing(swaps):
            frame.history.write(Tree(between), dream=frame.id, parts=["between"])
    seconds = round((clock.now() - frame.started).total_seconds(), 3)
    plan = Closing(replace(receipt, seconds=seconds), lock_mtime_ns)
    record = Journal(frame.id, plan.to_json())
    done: Committed | None = None
    if swaps:
        record, done = commit.commit(
            frame.store.memory, db, swaps, record=record, fence=lambda: lock.fence(frame.lease)
        )
    seconds = round((clock.now() - frame.started).total_seconds(), 3)
    plan = replace(plan, receipt=replace(plan.receipt, seconds=seconds))
    return conclude(frame.store, frame.lease, record, plan, done)
