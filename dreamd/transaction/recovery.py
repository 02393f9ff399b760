"""Clearing up after a process that died: complete what was committed, take back the rest."""

from __future__ import annotations

from msgspec.structs import replace

from dreamd import lock
from dreamd.domain.lease import Held, Lease
from dreamd.domain.receipt import Kind, Outcome, Receipt
from dreamd.domain.store import Store
from dreamd.errors import BusyError
from dreamd.host import clock, files
from dreamd.ledger import receipts
from dreamd.memory import commit
from dreamd.state import journal
from dreamd.state.history import History
from dreamd.state.journal import Journal
from dreamd.state.store_db import StoreDb
from dreamd.transaction.ending import conclude, finish, plan_of


def complete(store: Store, lease: Lease, record: Journal, *, lock_is_left: bool = False) -> None:
    """Repeat the swaps of a written journal and conclude the transaction.

    With `lock_is_left` the lock was given back already (and perhaps used since): its mtime stays.
    """
    plan = plan_of(record)
    if lock_is_left:
        plan = replace(plan, lock_mtime_ns=lease.prior_mtime_ns)
    if record.is_closed:
        finish(store, lease, record, plan)
        return
    done = commit.recover(store.memory, record, fence=lambda: lock.fence(lease))
    conclude(store, lease, record, plan, done if record.turns else None)


def recover(store: Store) -> None:
    """Complete or take back what dead processes left.

    Raises:
        BusyError: someone else holds the lock, so the wreck has to wait.
    """
    standing = lock.standing(store, now=clock.now())
    dead, record = standing.interrupted, journal.waiting(store.database)
    if dead is None and standing.lease is not None:
        return  # what waits is a commit in progress
    if record is not None:
        plan_of(record)  # a damaged one is said before anything is touched
    if dead is not None:
        lease = lock.acquire(store, dream=dead.dream, kind=dead.kind, now=clock.now(), dead=dead)
    elif record is not None:  # it died between the lock and the journal's removal
        lease = lock.acquire(store, dream=record.dream, kind="recovery", now=clock.now())
    else:
        return
    if isinstance(lease, Held):
        raise BusyError(f"busy: {lease.by}; try again later")
    is_its_own = dead is not None and record is not None and dead.dream == record.dream
    if record is not None:
        left = dead is None or not is_its_own or lease.prior_mtime_ns != dead.prior_mtime_ns
        complete(store, lease, record, lock_is_left=left)
    if dead is not None and not is_its_own and dead.store == store.name:
        _take_back(store, dead)
    lock.roll_back(lease)


def tidy(store: Store) -> tuple[str, ...]:
    """Remove temps and private copies that an earlier transaction left; needs the lease.

    Also after one that failed in order: a full disk may refuse even a removal. Returns a sentence
    for each file that bears the name of a temp and is not known to be one.
    """
    kept = commit.sweep(store.memory, History(store.database)) if store.memory.is_dir() else []
    with files.faults("clear", store.stages):
        for left in store.stages.iterdir() if store.stages.is_dir() else ():
            files.remove_tree(left)
    return tuple(
        f"{path}: the name is one that dreamd uses, but history does not hold what is in it, so "
        "it stays; look at it, then rename or remove it"
        for path in kept
    )


def _take_back(store: Store, dead: Lease) -> None:
    db = StoreDb(store.database)
    if receipts.find(db, dead.dream) is not None:
        return
    receipts.put(
        db,
        Receipt(
            dream=dead.dream,
            kind=Kind(dead.kind) if dead.kind in set(Kind) else Kind.CONSOLIDATION,
            outcome=Outcome.FAILED,
            reason="the process died before anything was committed; no note was changed",
            memory=str(store.memory),
            started=dead.started.isoformat(),
        ),
    )
