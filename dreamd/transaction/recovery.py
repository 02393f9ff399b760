"""Clearing up after a process that died: complete what was committed, take back the rest."""

from __future__ import annotations

from dataclasses import replace

from dreamd import lock, receipts
from dreamd.domain.ending import Kind, Outcome
from dreamd.domain.lease import Held, Lease
from dreamd.domain.receipt import Receipt
from dreamd.domain.store import Store
from dreamd.errors import BusyError
from dreamd.host import clock, files
from dreamd.host.removal import remove_tree
from dreamd.memory import commit, journal
from dreamd.memory.history import History
from dreamd.transaction.ending import TIP, Keeping, conclude, plan_from_json


def complete(store: Store, lease: Lease, dream: str, *, lock_is_left: bool = False) -> None:
    """Repeat the swaps of a written journal and conclude the transaction.

    With `lock_is_left` the lock was given back already (and perhaps used since): its mtime stays.
    """
    header = journal.read(store.journal, dream).header
    plan = plan_from_json(header)
    if lock_is_left:
        plan = replace(plan, lock_mtime_ns=lease.prior_mtime_ns)
    history = History(store.history)
    landed = commit.recover(
        store.memory,
        store.journal,
        dream,
        fence=lambda: lock.fence(lease),
        archive=Keeping(history, dream, plan.merged),
    )
    conclude(store, lease, dream, plan, landed)


def recover(store: Store) -> None:
    """Complete or take back what dead processes left.

    Raises:
        BusyError: someone else holds the lock, so the wreck has to wait.
    """
    dead = lock.dead_lease(store, now=clock.now())
    waiting = journal.waiting(store.journal)
    if dead is None and not (waiting and not store.lease.exists()):
        return
    for dream in waiting:  # a damaged one is said before anything is touched
        plan_from_json(journal.read(store.journal, dream).header)
    if dead is not None:
        lease = lock.adopt(store, dead, now=clock.now())
    else:  # it died between the lock and the journal's removal
        lease = lock.acquire(store, dream=waiting[0], kind="recovery", now=clock.now())
    if isinstance(lease, Held):
        raise BusyError(f"busy: {lease.by}; try again later")
    if waiting:
        left = dead is None or lease.prior_mtime_ns != dead.prior_mtime_ns
        complete(store, lease, waiting[0], lock_is_left=left)
    if dead is not None and dead.dream not in waiting:
        _take_back(store, dead)
    lock.roll_back(lease)
    if waiting:
        recover(store)


def tidy(store: Store, dream: str) -> None:
    """Remove temps and private copies that an earlier transaction left; needs the lease.

    Also after one that failed in order: a full disk may refuse even a removal. A temp whose
    content history does not hold is recorded first, under the refs of this transaction.
    """
    history = History(store.history)
    tip = history.ref(TIP)
    commit.sweep(store.memory, store.journal, archive=Keeping(history, dream, tip) if tip else None)
    with files.faults("clear", store.stages):
        for left in store.stages.iterdir() if store.stages.is_dir() else ():
            remove_tree(left)


def _take_back(store: Store, dead: Lease) -> None:
    if any(known.dream == dead.dream for known in receipts.read(store.receipts)):
        return
    receipts.append(
        store.receipts,
        Receipt(
            dream=dead.dream,
            kind=Kind(dead.kind) if dead.kind in set(Kind) else Kind.CONSOLIDATION,
            outcome=Outcome.FAILED,
            reason="the process died before anything was committed; no note was changed",
            memory=str(store.memory),
            started=dead.started.isoformat(),
        ),
    )
