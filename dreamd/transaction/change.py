"""One change of notes carried out: read live, merge, record, journal, swap, conclude."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from dreamd import lock
from dreamd.domain.change import Why
from dreamd.domain.receipt import Receipt, counts
from dreamd.domain.tree import Tree
from dreamd.host import clock
from dreamd.memory import commit
from dreamd.memory.commit import Landed, Swap
from dreamd.memory.diff import diff
from dreamd.memory.merge import Dropped, merge_trees
from dreamd.memory.settle import settled
from dreamd.transaction.ending import Keeping, Plan, conclude
from dreamd.transaction.frame import Frame, Snapshot


@dataclass(frozen=True, slots=True)
class Meeting:
    """What comes of a change meeting the directory as it stands now.

    `dropped` says what of the change could not be; it `is_whole` as long as no line is lost.
    """

    live: Tree
    result: Tree
    dropped: tuple[tuple[PurePosixPath, Dropped], ...]
    is_whole: bool


def meet(frame: Frame, base: Tree, theirs: Tree, *, is_undo: bool = False) -> Meeting:
    """Read the live files, waiting for an editor that is still writing, and merge into them."""
    touched = [
        path
        for path in base.files.keys() | theirs.files.keys()
        if base.files.get(path) != theirs.files.get(path)
    ]
    live = settled(frame.store.memory, base, touched)
    merged = merge_trees(base, live, theirs, is_undo=is_undo)
    return Meeting(live, merged.tree, merged.dropped, merged.is_whole)


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
    whys: Sequence[Why] = (),
) -> Receipt:
    """Record live and result in history, then commit the result and conclude.

    `receipt` is completed here: what began it, counts from the trees, the lock's mtimes, and
    the seconds.

    Raises:
        LeaseLostError: another process stands in the lock; nothing was committed.
        HostError: a file could not be written; nothing was committed.
    """
    receipt = replace(
        receipt,
        trigger=frame.trigger,
        changes=counts(diff(live, result)),
        lock_prior_ns=frame.lease.prior_mtime_ns,
        lock_left_ns=lock_mtime_ns,
    )
    lock.fence(frame.lease)
    before = base
    if live.files != base.tree.files:
        before = frame.record("live", live, parent=base.commit)
    merged = frame.record("merged", result, parent=before.commit, whys=whys)
    plan = Plan(receipt, merged.commit, lock_mtime_ns)
    landed: Landed | None = None
    if swaps := swaps_between(live, result):
        landed = commit.commit(
            frame.store.memory,
            swaps,
            dream=frame.id,
            journal_folder=frame.store.journal,
            header=plan.to_json(),
            fence=lambda: lock.fence(frame.lease),
            archive=Keeping(frame.history, frame.id, merged.commit),
            folders=result.folders,
            folders_gone=sorted(live.folders.keys() - result.folders.keys(), reverse=True),
        )
    seconds = round((clock.now() - frame.started).total_seconds(), 3)
    plan = replace(plan, receipt=replace(receipt, seconds=seconds))
    return conclude(frame.store, frame.lease, frame.id, plan, landed)
