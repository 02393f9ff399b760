"""The frame around every change of notes: recover, take the lease, and leave the lock right."""

from __future__ import annotations

import contextlib
import os
from collections.abc import Iterator
from datetime import datetime
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from dreamd import lock
from dreamd.domain.lease import Held, Lease
from dreamd.domain.receipt import Kind, Outcome, Receipt, Trigger, Usage
from dreamd.domain.store import Store
from dreamd.domain.tree import Tree
from dreamd.engine.protocol import Engine, SessionEngine
from dreamd.errors import BusyError, DreamdError, HostError, LeaseLostError, RefusedError
from dreamd.host import clock
from dreamd.ledger import receipts
from dreamd.memory import settle
from dreamd.memory.scan import scan
from dreamd.state import journal
from dreamd.state.history import History
from dreamd.state.journal import Journal
from dreamd.state.store_db import StoreDb
from dreamd.stores import identity
from dreamd.transaction import recovery


class Snapshot(Struct, frozen=True):
    """A tree that stands in history."""

    id: int
    tree: Tree


class Frame(Struct, frozen=True):
    """One transaction in progress: its id, the lease it holds, and the history it writes."""

    store: Store
    lease: Lease
    history: History
    id: str
    kind: Kind
    started: datetime
    trigger: Trigger
    left_out: frozenset[PurePosixPath] = frozenset()  # notes that are still being written
    remarks: tuple[str, ...] = ()  # on what was found at the start

    def snapshot(self) -> Snapshot:
        """Record the live directory as it stands now: the base of this transaction."""
        tree = scan(self.store.memory)
        return Snapshot(self.history.write(tree, dream=self.id, parts=["base"]), tree)


@contextlib.contextmanager
def leased(
    store: Store, kind: Kind, engine: Engine | None = None, trigger: Trigger = Trigger.HAND
) -> Iterator[Frame]:
    """Hold the lease of a store for one transaction; a failure's receipt names the engine.

    A wreck of an earlier process is recovered first, and a project without a memory directory
    gets one where it is to dream. However the body ends, the lock is left
    right: as the body concluded it; as it was found, where it concluded nothing or failed; and
    untouched once another process stands in it. A failure after the commit point is completed
    here if that is still possible, else by the next changing command.

    Raises:
        BusyError: someone else has the lock, with who and since when.
        MemoryUnfitError, HostError: the lock cannot be taken here at all.
    """
    with identity.opened(store, create=kind is Kind.CONSOLIDATION):
        is_urgent = trigger is Trigger.HAND
        left_out = settle.left_out(store.memory, is_urgent=is_urgent)  # before anybody is kept out
        aside = StoreDb(store.database).set_aside_if_damaged()
        recovery.recover(store)
        held = _taken(store, kind)
        with _held(store, held, kind, engine, trigger) as frame:
            said = recovery.tidy(store)
            if aside is not None:
                said = (
                    f"history was damaged and is now {aside}; dreams go on with a new one",
                    *said,
                )
            yield replace(frame, left_out=left_out, remarks=said)


def _taken(store: Store, kind: Kind) -> Lease:
    """Return the lease, now ours.

    Raises:
        BusyError: someone else has it.
    """
    dream = os.urandom(5).hex()
    held = lock.acquire(store, dream=dream, kind=kind.value, now=clock.now())
    if isinstance(held, Held):
        raise BusyError(f"busy: {held.by}; try again later")
    return held


@contextlib.contextmanager
def _held(
    store: Store, held: Lease, kind: Kind, engine: Engine | None, trigger: Trigger
) -> Iterator[Frame]:
    """Carry a transaction under its lease, and leave the lock right however it ends."""
    dream = held.dream
    frame = Frame(store, held, History(store.database), dream, kind, held.started, trigger)
    try:
        with lock.beating(held):
            identity.must_still_be_its_own(store)
            yield frame
    except LeaseLostError as error:
        lock.roll_back(held)  # takes away our own record only: the lock is another's
        if _waiting(store, dream) is None:
            _record_failure(frame, error, engine)
            raise
        raise LeaseLostError(
            f"{error}; the change had passed its commit point, so the next command that changes "
            "something completes it"
        ) from error
    except BaseException as error:
        if (record := _waiting(store, dream)) is not None:
            _complete(store, held, record, error)
        else:
            lock.roll_back(held)
            _record_failure(frame, error, engine)
        raise
    lock.roll_back(held)  # nothing where the body has concluded


def _waiting(store: Store, dream: str) -> Journal | None:
    record = journal.waiting(store.database)
    return record if record is not None and record.dream == dream else None


def _complete(store: Store, lease: Lease, record: Journal, error: BaseException) -> None:
    """Complete what passed its commit point, or say that the next command will."""
    try:
        recovery.complete(store, lease, record)
    except DreamdError as again:
        raise HostError(
            f"the notes are changed, but the record of it is not complete: {again}; "
            "the next command that changes something completes it"
        ) from error


def _record_failure(frame: Frame, error: BaseException, engine: Engine | None) -> None:
    """Leave a receipt of what failed; where that cannot be written, the error alone speaks."""
    said = f"stopped by {type(error).__name__}"
    if isinstance(error, DreamdError | KeyboardInterrupt):  # a signal became the latter
        said = str(error) or "stopped by a signal"
    receipt = Receipt(
        dream=frame.id,
        kind=frame.kind,
        outcome=Outcome.REFUSED if isinstance(error, RefusedError) else Outcome.FAILED,
        reason=said,
        memory=str(frame.store.memory),
        started=frame.started.isoformat(),
        engine=engine.name if engine else "",
        level=engine.level if engine else "",
        trigger=frame.trigger,
        usage=engine.spent if isinstance(engine, SessionEngine) else Usage(),
        seconds=round((clock.now() - frame.started).total_seconds(), 3),
    )
    with contextlib.suppress(HostError):
        if receipts.find(frame.history.db, frame.id) is None:
            receipts.put(frame.history.db, receipt)
        if isinstance(error, DreamdError):
            error.dream = frame.id
