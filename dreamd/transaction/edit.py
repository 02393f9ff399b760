"""A change the user asked for by name: pin, unpin, check --fix, restore."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dreamd.domain.change import Why
from dreamd.domain.receipt import Kind, Outcome, Receipt, Trigger
from dreamd.domain.store import Store
from dreamd.domain.tree import Tree, stamped
from dreamd.host import clock
from dreamd.transaction.change import carry_out, meet
from dreamd.transaction.frame import leased


def edit(
    store: Store,
    kind: Kind,
    change: Callable[[Tree], Tree],
    *,
    reason: str,
    of: str | None = None,
    whys: Sequence[Why] = (),
    judge: Callable[[Tree], None] = lambda _: None,
    trigger: Trigger = Trigger.HAND,
) -> Receipt:
    """Change notes by a pure function of the tree, through the lease, history and the journal.

    The lock's mtime stays as it was found: this is no consolidation. `judge` sees the result
    before it is committed, and may raise.

    Raises:
        BusyError: someone else has the lock.
    """
    with leased(store, kind, trigger=trigger) as frame:
        base = frame.snapshot()
        changed = change(base.tree)
        if kind is not Kind.RESTORE:  # which brings back the mtimes of that moment
            changed = stamped(base.tree, changed, clock.to_ns(frame.started))
        meeting = meet(frame, base.tree, changed)
        judge(meeting.result)
        receipt = Receipt(
            dream=frame.id,
            kind=kind,
            of=of,
            outcome=Outcome.DREAMT,
            reason=reason,
            memory=str(store.memory),
            started=frame.started.isoformat(),
            findings=meeting.stays,
        )
        return carry_out(
            frame,
            base,
            meeting.live,
            meeting.result,
            receipt=receipt,
            lock_mtime_ns=frame.lease.prior_mtime_ns,
            parts={"dream": (changed, whys)},
        )
