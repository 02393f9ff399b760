"""Changing one's mind: undo, redo, accept and reject are the same merge, another way round."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec.structs import replace

from dreamd.domain.receipt import Kind, Outcome, Receipt
from dreamd.domain.store import Store
from dreamd.errors import RefusedError
from dreamd.ledger import receipts
from dreamd.ledger.receipts import Past
from dreamd.state.journal import Journal
from dreamd.transaction import recovery
from dreamd.transaction.change import carry_out, meet
from dreamd.transaction.ending import Closing, conclude
from dreamd.transaction.frame import Frame, Snapshot, leased
from dreamd.transaction.past import SnapshotPair, held_out, whole


def undo(store: Store, dream: Past) -> Receipt:
    """Take a dream back, an accepted proposal with it; what the user wrote since stays.

    The lock's mtime returns to what it was before the dream, if no later dream moved it. An
    undone dream is undone already: nothing changes and the receipt says so.
    """
    dream = _as_it_is(store, dream)
    if dream.undone:
        return _nothing(store, dream, Kind.UNDO, "it was undone already")
    if not dream.changed or dream.receipt.kind is Kind.FORGET:
        return _nothing(store, dream, Kind.UNDO, "it changed no note, so there is nothing to undo")
    with leased(store, Kind.UNDO) as frame:
        step = whole(frame.history, dream).reversed()
        mtime = frame.lease.prior_mtime_ns
        if dream.receipt.kind is Kind.CONSOLIDATION:
            left = left_since(receipts.read(store.database), dream.receipt)
            mtime = dream.receipt.lock_prior_ns if mtime == left else mtime
        return _turn(frame, dream, step, mtime)


def redo(store: Store, dream: Past) -> Receipt:
    """Apply an undone dream again, onto the notes as they are now."""
    dream = _as_it_is(store, dream)
    if not dream.undone:
        return _nothing(store, dream, Kind.REDO, "it is not undone")
    with leased(store, Kind.REDO) as frame:
        step = whole(frame.history, dream)
        return _turn(frame, dream, step, frame.lease.prior_mtime_ns)


def accept(store: Store, dream: Past) -> Receipt:
    """Apply what the review held out of a dream.

    Raises:
        RefusedError: the dream was undone, so its proposal has nothing to stand on.
    """
    dream = _as_it_is(store, dream)
    if dream.proposal != "waiting":
        return _nothing(store, dream, Kind.ACCEPT, _no_proposal(dream))
    if dream.undone:
        raise RefusedError(f"dream {dream.id} was undone: `dreamd redo {dream.id}` it first")
    with leased(store, Kind.ACCEPT) as frame:
        step = held_out(frame.history, dream)
        return _turn(frame, dream, step, frame.lease.prior_mtime_ns)


def reject(store: Store, dream: Past) -> Receipt:
    """Turn a proposal down for good: no note changes, and no later dream makes it again."""
    dream = _as_it_is(store, dream)
    if dream.proposal != "waiting":
        return _nothing(store, dream, Kind.REJECT, _no_proposal(dream))
    with leased(store, Kind.REJECT) as frame:
        held_out(frame.history, dream)  # what history no longer holds cannot be turned down
        mtime = frame.lease.prior_mtime_ns
        receipt = _receipt(frame, dream, f"rejected what dream {dream.id} proposed")
        receipt = replace(receipt, lock_prior_ns=mtime, lock_left_ns=mtime)
        plan = Closing(receipt, mtime)
        return conclude(store, frame.lease, Journal(frame.id, plan.to_json()), plan)


def _as_it_is(store: Store, dream: Past) -> Past:
    """Return a dream once what dead processes left is completed, which may be its undo."""
    recovery.recover(store)
    known = receipts.past(receipts.read(store.database))
    return next((each for each in known if each.id == dream.id), dream)


def left_since(ledger: Sequence[Receipt], dream: Receipt) -> int | None:
    """Return the lock's mtime as a dream left it, or as dreams that changed nothing left it since.

    So that "dream, dream again without a change, undo" puts the schedule back too.
    """
    left = dream.lock_left_ns
    later = False
    for receipt in ledger:
        if receipt.dream == dream.dream:
            later = True
        elif (
            later
            and receipt.kind is Kind.CONSOLIDATION
            and receipt.outcome is Outcome.DREAMT
            and not receipt.changes
            and receipt.lock_prior_ns == left
        ):
            left = receipt.lock_left_ns
    return left


def _turn(frame: Frame, dream: Past, step: SnapshotPair, lock_mtime_ns: int | None) -> Receipt:
    base = Snapshot(step.before, frame.history.read(step.before))
    theirs = frame.history.read(step.after)
    meeting = meet(frame, base.tree, theirs, is_undo=frame.kind is Kind.UNDO)
    done = {
        Kind.UNDO: f"undid dream {dream.id}",
        Kind.REDO: f"did dream {dream.id} again",
        Kind.ACCEPT: f"accepted what dream {dream.id} proposed",
    }[frame.kind]
    if lines := len(meeting.dropped):
        done += f"; {lines} line{'s' * (lines > 1)} changed since and stayed as they are"
    receipt = replace(_receipt(frame, dream, done), findings=meeting.stays)
    return carry_out(
        frame,
        base,
        meeting.live,
        meeting.result,
        receipt=receipt,
        lock_mtime_ns=lock_mtime_ns,
        parts={"base": (base.tree, ()), "dream": (theirs, ())},
    )


def _receipt(frame: Frame, dream: Past, reason: str) -> Receipt:
    return Receipt(
        dream=frame.id,
        kind=frame.kind,
        of=dream.id,
        outcome=Outcome.DREAMT,
        reason=reason,
        memory=str(frame.store.memory),
        started=frame.started.isoformat(),
    )


def _nothing(store: Store, dream: Past, kind: Kind, why: str) -> Receipt:
    return Receipt(
        dream=None,
        kind=kind,
        of=dream.id,
        outcome=Outcome.SKIPPED,
        reason=f"dream {dream.id}: {why}; nothing changed",
        memory=str(store.memory),
        started=dream.receipt.started,
    )


def _no_proposal(dream: Past) -> str:
    match dream.proposal:
        case "accepted" if dream.undone:
            return f"it was accepted and then undone: `dreamd redo {dream.id}` does both again"
        case "accepted":
            return "its proposal was accepted already"
        case "rejected":
            return "its proposal was rejected already"
        case _:
            return "it proposed nothing"
