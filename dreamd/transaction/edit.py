"""A change the user asked for by name: pin, unpin, check --fix, restore."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from dreamd.domain.change import Why
from dreamd.domain.ending import Kind, Outcome
from dreamd.domain.receipt import Receipt
from dreamd.domain.store import Store
from dreamd.domain.tree import Tree
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
) -> Receipt:
    """Change notes by a pure function of the tree, through the lease, history and the journal.

    The lock's mtime stays as it was found: this is no consolidation. `judge` sees the result
    before it is committed, and may raise.

    Raises:
        BusyError: someone else has the lock.
    """
    with leased(store, kind) as frame:
        base = frame.snapshot()
        target = frame.record("dream", change(base.tree), parent=base.commit, whys=whys)
        meeting = meet(frame, base.tree, target.tree)
        judge(meeting.result)
        receipt = Receipt(
            dream=frame.id,
            kind=kind,
            of=of,
            outcome=Outcome.DREAMT,
            reason=reason,
            memory=str(store.memory),
            started=frame.started.isoformat(),
            findings=tuple(
                f"{path}:{line.number}: {line.reason}" for path, line in meeting.dropped
            ),
        )
        return carry_out(
            frame,
            base,
            meeting.live,
            meeting.result,
            receipt=receipt,
            lock_mtime_ns=frame.lease.prior_mtime_ns,
        )
