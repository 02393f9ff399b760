"""What the user must hear about a store, as its lock, its ledger and its sessions tell."""

from __future__ import annotations

from datetime import datetime

from dreamd import receipts
from dreamd.app import App
from dreamd.domain.ending import Kind, Outcome
from dreamd.domain.store import Store
from dreamd.host import clock

_WEEK = 7 * 86_400 * 1_000_000_000  # as `domain.worry` has it, which is seldom needed


def concerns(app: App, store: Store) -> tuple[str, ...]:
    """Return the sentences that the user must hear once about a store.

    What is costly to know is read only where it may matter.

    Raises:
        MemoryUnfitError, HostError: its lock or its ledger cannot be read.
    """
    now = clock.now()
    at = clock.to_ns(now)
    failures, reason = _failures(store)
    last = _last(store, now) if app.loaded.settings.enabled else at
    since = _first(store) if last is None else last
    if since is None or at - since < _WEEK:
        if not failures:
            return ()
        since = None
    from dreamd.domain.worry import Record, worries  # noqa: PLC0415 - mostly all is well

    if since is None:
        return worries(Record(failures, reason), at)
    touched, ready, oldest = _sessions(app, store, last, at)
    since = since if last is not None else max(since, oldest or at)
    enough = app.loaded.settings.gates.sessions
    return worries(Record(failures, reason, since, touched, ready, enough), at)


def _sessions(app: App, store: Store, last: int | None, now: int) -> tuple[int, int, int | None]:
    """Return how many sessions came since the last dream, how many of them by a day ago.

    And where there was no dream, when the oldest was touched: a project may be younger than
    dreamd is here.
    """
    from dreamd.domain.worry import DAY  # noqa: PLC0415 - as above
    from dreamd.gates.recency import recent  # noqa: PLC0415

    folders, grace = app.folders(store), round(app.loaded.settings.gates.grace_seconds * 1e9)
    came, _ = recent(folders, since=last, grace=grace)
    lately, _ = recent(folders, since=now - DAY, grace=0)
    return came.count, came.count - lately.count, came.oldest


def _failures(store: Store) -> tuple[int, str]:
    if not store.backoff.exists():
        return 0, ""
    from dreamd.gates import backoff  # noqa: PLC0415 - only after a failure

    waiting = backoff.read(store)
    return (0, "") if waiting is None else (waiting.count, waiting.reason)


def _last(store: Store, now: datetime) -> int | None:
    """Return when the last dream began; None where there was none.

    An undo takes the lock's stamp back; the ledger knows of the dream all the same. It is read
    only where the stamp is old.
    """
    from dreamd import lock  # noqa: PLC0415 - `status` has it loaded by then

    stamp = lock.standing(store, now=now).consolidated
    known = None if stamp is None else clock.to_ns(stamp)
    if known is not None and clock.to_ns(now) - known < _WEEK:
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


def _first(store: Store) -> int | None:
    """Return when dreamd came here; None where it has not, or the file system does not say."""
    if not store.state.is_dir():
        return None
    from dreamd.host.birth import birth_ns  # noqa: PLC0415 - only before the first dream

    return birth_ns(store.state)
