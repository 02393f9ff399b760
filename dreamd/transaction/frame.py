"""The frame around every change of notes: recover, take the lease, and leave the lock right."""

from __future__ import annotations

import contextlib
import os
import signal
from collections.abc import Iterator
from datetime import datetime
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from dreamd import lock
from dreamd.domain.receipt import Kind, Outcome, Phase, Receipt, Trigger, Usage
from dreamd.domain.store import Lease, Store
from dreamd.domain.tree import Tree
from dreamd.engine import Engine, Progress, SessionEngine
from dreamd.errors import DreamdError, HostError, LeaseLostError, RefusedError
from dreamd.host import clock, database
from dreamd.ledger import receipts
from dreamd.memory.scan import scan, still_written
from dreamd.state import journal
from dreamd.state.history import History
from dreamd.state.store_db import StoreDb
from dreamd.stores import identity
from dreamd.transaction import ending


class Frame(Struct, frozen=True):
    """One transaction in progress: the lease it holds, and the history it writes."""

    store: Store
    lease: Lease
    history: History
    kind: Kind
    trigger: Trigger
    engine: Engine | None = None
    left_out: frozenset[PurePosixPath] = frozenset()  # notes that are still being written
    remarks: tuple[str, ...] = ()  # on what was found at the start

    @property
    def id(self) -> str:
        """The id of the transaction."""
        return self.lease.dream

    @property
    def started(self) -> datetime:
        """When the lease was taken."""
        return self.lease.started

    @property
    def seconds(self) -> float:
        """How long it has lasted."""
        return round((clock.now() - self.started).total_seconds(), 3)

    def telling(self, progress: Progress) -> Progress:
        """Return a progress that others can read too, for as long as the lease is held."""

        def tell(phase: Phase, text: str) -> None:
            lock.tell(self.lease, f"{phase} · {text}")
            progress(phase, text)

        return tell

    def snapshot(self) -> Tree:
        """Record the live directory as it stands now: the base of this transaction."""
        tree = scan(self.store.memory)
        self.history.write(tree, dream=self.id, part="base")
        return tree

    def receipt(self, reason: str, outcome: Outcome = Outcome.DREAMT, **more: Any) -> Receipt:
        """Return a receipt, by which the lock is left as it was found if `more` says no other."""
        about = {
            "engine": self.engine.name if self.engine else "",
            "level": self.engine.level if self.engine else "",
            "trigger": self.trigger,
            "seconds": self.seconds,
            "lock_prior_ns": self.lease.prior_mtime_ns,
            "lock_left_ns": self.lease.prior_mtime_ns,
        }
        ended = (self.id, self.kind, outcome, reason, str(self.store.memory))
        return Receipt(*ended, self.started.isoformat(), **{**about, **more})


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
        left_out = still_written(store.memory, is_urgent=is_urgent)  # before anybody is kept out
        fault = StoreDb(store.database).fault()
        aside = database.set_aside(store.database) if fault else None
        ending.recover(store)
        about = (History(store.database), kind, trigger, engine, left_out)
        with _held(store, *about) as frame, lock.beating(frame.lease):
            identity.must_still_be_its_own(store)
            said = ending.tidy(store)
            if aside is not None:
                lost = f"history was damaged and is now {aside}; dreams go on with a new one"
                said = (lost, *said)
            yield replace(frame, remarks=said)


@contextlib.contextmanager
def _held(store: Store, history: History, kind: Kind, *about: Any) -> Iterator[Frame]:
    """Take the lease, and leave the lock right however the transaction under it ends.

    A signal waits until the lock is either not taken or sure to be left right.
    """
    frame = None
    try:
        before = signal.pthread_sigmask(signal.SIG_BLOCK, ())
        try:
            signal.pthread_sigmask(signal.SIG_BLOCK, {signal.SIGINT, signal.SIGTERM})
            lease = ending.acquired(store, os.urandom(5).hex(), kind.value)
            frame = Frame(store, lease, history, kind, *about)
        finally:
            signal.pthread_sigmask(signal.SIG_SETMASK, before)  # what came meanwhile raises here
        yield frame
    except BaseException as error:
        if frame is None:
            raise
        record = journal.waiting(frame.store.database)
        if record is None or record.dream != frame.id:
            lock.roll_back(frame.lease)  # of a lost lease our own record only
            _record_failure(frame, error)
            raise
        if isinstance(error, LeaseLostError):
            lock.roll_back(frame.lease)
            raise LeaseLostError(
                f"{error}; the change had passed its commit point, so the next command that "
                "changes something completes it"
            ) from error
        try:
            ending.complete(frame.store, frame.lease, record)
        except DreamdError as again:
            raise HostError(
                f"the notes are changed, but the record of it is not complete: {again}; "
                "the next command that changes something completes it"
            ) from error
        raise
    lock.roll_back(frame.lease)  # nothing where the body has concluded


def _record_failure(frame: Frame, error: BaseException) -> None:
    """Leave a receipt of what failed; where that cannot be written, the error alone speaks."""
    said = f"stopped by {type(error).__name__}"
    if isinstance(error, DreamdError | KeyboardInterrupt):  # a signal became the latter
        said = str(error) or "stopped by a signal"
    outcome = Outcome.REFUSED if isinstance(error, RefusedError) else Outcome.FAILED
    usage = frame.engine.spent if isinstance(frame.engine, SessionEngine) else Usage()
    with contextlib.suppress(HostError):
        if receipts.find(frame.history.db, frame.id) is None:
            receipts.put(frame.history.db, frame.receipt(said, outcome, usage=usage))
        if isinstance(error, DreamdError):
            error.dream = frame.id
