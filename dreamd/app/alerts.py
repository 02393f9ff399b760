"""What the user must hear about a store, as its lock, its ledger and its sessions tell."""

from __future__ import annotations

from datetime import datetime

from dreamd import lock
from dreamd.app.wiring import App
from dreamd.domain.ending import Kind, Outcome
from dreamd.domain.store import Store
from dreamd.domain.worry import DAY, WEEK, Record, worries
from dreamd.gates import pause
from dreamd.gates.scan import scan
from dreamd.host import clock
from dreamd.host.files import birth_ns
from dreamd.ledger import receipts


def concerns(app: App, store: Store) -> tuple[str, ...]:
    """Return the sentences that the user must hear once about a store.

    Raises:
        MemoryUnfitError, HostError: its lock or its ledger cannot be read.
    """
    aside = sorted(store.home.glob("store.db.damaged-*"))
    lost = (f"history was damaged: it is {path} now, and a new one goes on" for path in aside)
    return (*lost, *_of_dreams(app, store))


def _of_dreams(app: App, store: Store) -> tuple[str, ...]:
    now, paused, gates = clock.now_ns(), pause.read(store), app.loaded.settings.gates
    last = _last(store, now) if app.loaded.settings.enabled else now
    since = last
    if since is None and store.state.is_dir():
        since = birth_ns(store.state)  # when dreamd came here
    if since is None or now - since < WEEK:
        return worries(Record(paused.failures, paused.reason), now)
    folders = app.folders(store)
    came = scan(folders, last, round(gates.grace_seconds * 1e9))
    ready = came.count - scan(folders, now - DAY, 0).count
    if last is None:  # a project may be younger than dreamd is here
        since = max(since, came.oldest or now)
    said = Record(paused.failures, paused.reason, since, came.count, ready, gates.sessions)
    return worries(said, now)


def _last(store: Store, now: int) -> int | None:
    """Return when the last dream began; None where there was none.

    An undo takes the lock's stamp back, and not the receipt, which is read where that is old.
    """
    stamp = lock.standing(store, now=clock.from_ns(now)).consolidated
    known = None if stamp is None else clock.to_ns(stamp)
    if known is not None and now - known < WEEK:
        return known
    for receipt in reversed(receipts.read(store.database)):
        is_dream = receipt.outcome in {Outcome.DREAMT, Outcome.PROPOSED}
        if is_dream and receipt.kind is Kind.CONSOLIDATION:
            try:
                begun = clock.to_ns(datetime.fromisoformat(receipt.started))
            except (TypeError, ValueError):
                break
            return begun if known is None else max(known, begun)
    return known
