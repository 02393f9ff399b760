"""How a transaction ends, and how one ends whose process died.

What was committed is completed: names and receipt in one transaction, then the lock. The rest is
taken back.
"""

from __future__ import annotations

import time
from collections.abc import Mapping
from datetime import timedelta
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from dreamd import lock
from dreamd.domain.change import Why
from dreamd.domain.receipt import Kind, Outcome, Receipt, counts
from dreamd.domain.store import Held, Lease, Store
from dreamd.domain.tree import Tree
from dreamd.errors import BusyError, HistoryError, HostError, LeaseLostError, RefusedError
from dreamd.host import clock, process
from dreamd.ledger import jsonl, receipts
from dreamd.memory import commit
from dreamd.memory.commit import Back, Committed
from dreamd.memory.diff import diff
from dreamd.memory.merge import merge3
from dreamd.state import journal
from dreamd.state.history import History
from dreamd.state.journal import Journal
from dreamd.state.store_db import StoreDb
from dreamd.text.words import plural
from dreamd.transaction.past import part

_STOPS = timedelta(seconds=15)  # for a dream that was told to stop
_LOOKS = 0.05  # seconds between two looks whether it did


def journal_of(receipt: Receipt) -> Journal:
    """Return a journal without swaps. Its plan is the receipt, whose `lock_left_ns` the lock gets.

    None there means that no lock file is to be left.
    """
    return Journal(receipt.dream or "", jsonl.encode(receipt).decode())


def plan_of(record: Journal) -> Receipt:
    """Return the receipt that a journal plans."""
    try:
        return jsonl.decode(record.plan, Receipt)
    except ValueError as error:
        raise HistoryError(f"the journal of {record.dream} is damaged: {error}") from error


def conclude(
    store: Store, lease: Lease, record: Journal, receipt: Receipt, done: Committed | None = None
) -> Receipt:
    """Record how a transaction ended, then leave the lock as planned.

    Each step may be repeated after a crash without harm. Where the state directory is full or
    gone, the next changing command concludes.
    """
    db = StoreDb(store.database)
    with db.writing():
        if done is not None:
            receipt = _as_it_came(History(db), receipt, done)
        receipts.put(db, receipt)
        journal.close(db, record.dream, journal_of(receipt).plan)
    return finish(store, lease, record, receipt)


def finish(store: Store, lease: Lease, record: Journal, receipt: Receipt) -> Receipt:
    """Clear the temps of a closed journal, leave the lock as planned, and remove the journal."""
    db = StoreDb(store.database)
    if record.turns:
        commit.clear(store.memory, record.turns, History(db).holds)
    try:
        kept = lock.finish(lease, receipt.lock_left_ns)
        receipt = replace(receipt, lock_left_ns=kept)  # some file systems round to 1 or 2 s
    except LeaseLostError:
        pass  # the notes are in place; whoever stands in the lock is left alone
    with db.writing():
        receipts.put(db, receipt)
        journal.remove(db, record.dream)
    return receipt


def _as_it_came(history: History, receipt: Receipt, done: Committed) -> Receipt:
    """Record what stands now, and return the receipt with what was given back.

    What a dream could not change waits in its proposal.
    """
    dream = receipt.dream or ""
    if done.found:
        late = history.tree(dream, "late") or Tree()
        history.write(Tree({**late.files, **done.found}), dream=dream, part="late")
    if not done.given_back:
        return receipt
    files = {**part(history, dream, "merged").files, **done.entries}
    stands = Tree({path: entry for path, entry in files.items() if entry is not None})
    history.write(stands, dream=dream, part="merged")
    before = part(history, dream, "live", "base")
    said = tuple(f"{path}: {back.why}" for path, back in sorted(done.given_back.items()))
    said += tuple(
        f"{path}: what was in it for a moment is kept: `dreamd restore {dream} late/{path}`"
        for path in sorted(done.found)
    )
    changes = counts(diff(before, stands))
    theirs = {path for path, back in done.given_back.items() if not back.gained}
    receipt = replace(
        receipt,
        findings=(*receipt.findings, *said),
        changes=tuple(each for each in changes if PurePosixPath(each.path) not in theirs),
        reason=f"{receipt.reason}; {plural(len(done.given_back), 'note')} could not be changed",
    )
    if receipt.kind is not Kind.CONSOLIDATION:
        return receipt
    held = _hold_back(history, dream, done.given_back)
    is_proposed = receipt.outcome is Outcome.DREAMT and not receipt.changes
    outcome = Outcome.PROPOSED if is_proposed else receipt.outcome
    return replace(receipt, outcome=outcome, proposed=held)


def _hold_back(history: History, dream: str, given_back: Mapping[PurePosixPath, Back]) -> int:
    """Move what was given back from what a dream did to its proposal; count the files of that."""
    base, did = part(history, dream, "base"), part(history, dream, "dream")
    proposal = part(history, dream, "proposal", "dream")
    files = dict(did.files)
    for path, back in given_back.items():
        was, entry = base.files.get(path), did.files.get(path)
        grown = merge3(None, was.data, entry.data).data if was and entry and back.gained else None
        if grown is not None and entry is not None:
            files[path] = replace(entry, data=grown)
        elif was is not None:
            files[path] = was
        else:
            files.pop(path, None)
    stays: list[Why] = []
    waits = list(history.whys(dream, "proposal"))
    for why in history.whys(dream, "dream"):
        at = given_back.get(why.path)
        if at is not None and (why.sign == "-" or not at.gained):
            waits.append(replace(why, held=at.why))
        else:
            stays.append(why)
    applied = replace(did, files=files)
    history.write(applied, dream=dream, part="dream", whys=stays)
    history.write(proposal, dream=dream, part="proposal", whys=waits)
    return len(diff(applied, proposal).changes)


def complete(store: Store, lease: Lease, record: Journal, *, lock_is_left: bool = False) -> None:
    """Repeat the swaps of a written journal and conclude the transaction.

    With `lock_is_left` the lock was given back already (and perhaps used since): its mtime stays.
    """
    receipt = plan_of(record)
    if lock_is_left:
        receipt = replace(receipt, lock_left_ns=lease.prior_mtime_ns)
    if record.is_closed:
        finish(store, lease, record, receipt)
        return
    done = commit.recover(store.memory, record, fence=lambda: lock.fence(lease))
    conclude(store, lease, record, receipt, done if record.turns else None)


def acquired(store: Store, dream: str, kind: str, dead: Lease | None = None) -> Lease:
    """Return the lease, now ours; a BusyError says who else has it."""
    lease = lock.acquire(store, dream=dream, kind=kind, now=clock.now(), dead=dead)
    if isinstance(lease, Held):
        raise BusyError(f"busy: {lease.by}; try again later")
    return lease


def recover(store: Store) -> None:
    """Complete or take back what dead processes left; it has to wait while another has the lock."""
    standing = lock.standing(store, now=clock.now())
    dead, record = standing.interrupted, journal.waiting(store.database)
    if dead is None and (record is None or standing.lease is not None):
        return  # nothing is left, or what waits is a commit in progress
    if record is not None:
        plan_of(record)  # a damaged one is said before anything is touched
    # Without a dead lease it died between the lock and the journal's removal.
    dream, kind = (dead.dream, dead.kind) if dead else (record.dream if record else "", "recovery")
    lease = acquired(store, dream, kind, dead)
    is_its_own = dead is not None and record is not None and dead.dream == record.dream
    if record is not None:
        left = dead is None or not is_its_own or lease.prior_mtime_ns != dead.prior_mtime_ns
        complete(store, lease, record, lock_is_left=left)
    if dead is not None and not is_its_own and dead.store == store.name:
        _take_back(store, dead)
    lock.roll_back(lease)


class Stopped(Struct, frozen=True):
    """What came of stopping a dream, in a sentence; `dream` is the one that ran, None for none."""

    dream: str | None
    stopped: bool
    reason: str


def stop(store: Store) -> Stopped:
    """End the dream that runs over a memory directory, and wait until it is taken back."""
    lease, now = lock.running(store), clock.now()
    if lease is None:
        at = lock.standing(store, now=now)
        said = f"no dream runs in {store.memory}"
        if at.holder and at.lease and at.lease.holder.host != process.host():
            raise RefusedError(f"{at.holder.by}: only there it can be stopped")
        said += f"; its lock is held by {at.holder.by}" if at.holder else ""
        return Stopped(None, stopped=False, reason=said)
    dream, pid, until = lease.dream, lease.holder.pid, now + _STOPS
    if lease.kind != Kind.CONSOLIDATION:
        said = f"no dream runs in {store.memory}, only the {lease.kind} of process {pid}"
        return Stopped(None, stopped=False, reason=f"{said}, which ends by itself")
    process.terminate(lease.holder)
    while process.is_alive(lease.holder):
        if clock.now() > until:
            raise HostError(
                f"dream {dream} was told to stop, but process {pid} does not end: `kill -9 {pid}` "
                "ends it, and the next command that changes something clears up"
            )
        time.sleep(_LOOKS)
    recover(store)
    receipt = receipts.find(StoreDb(store.database), dream)
    if receipt is not None and receipt.outcome is not Outcome.FAILED:
        said = f"dream {dream} came to its end before it could be stopped"
        return Stopped(dream, stopped=False, reason=f"{said}: `dreamd show {dream}` says how")
    said = f"stopped dream {dream} (process {pid}): no note was changed, and the lock is as it was"
    return Stopped(dream, stopped=True, reason=said)


def tidy(store: Store) -> tuple[str, ...]:
    """Remove temps that an earlier transaction left; needs the lease.

    Also after one that failed in order: a full disk may refuse even a removal. Returns a sentence
    for each file that bears the name of a temp and is not known to be one.
    """
    kept = commit.sweep(store.memory, History(store.database)) if store.memory.is_dir() else []
    return tuple(
        f"{path}: the name is one that dreamd uses, but history does not hold what is in it, so "
        "it stays; look at it, then rename or remove it"
        for path in kept
    )


def _take_back(store: Store, dead: Lease) -> None:
    db = StoreDb(store.database)
    if receipts.find(db, dead.dream) is None:
        kind = Kind(dead.kind) if dead.kind in set(Kind) else Kind.CONSOLIDATION
        said = "the process died before anything was committed; no note was changed"
        place, started = str(store.memory), dead.started.isoformat()
        receipts.put(db, Receipt(dead.dream, kind, Outcome.FAILED, said, place, started))
