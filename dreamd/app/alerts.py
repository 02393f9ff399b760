"""What the user must hear about a store, as its lock, its ledger and its sessions tell."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

from dreamd import lock
from dreamd.app.wiring import App
from dreamd.domain.receipt import Kind, Outcome
from dreamd.domain.store import Store
from dreamd.gates import pause
from dreamd.gates.scan import scan
from dreamd.host import clock
from dreamd.host.files import birth_ns
from dreamd.ledger import receipts
from dreamd.text.words import plural

FAILURES = 3  # in a row
DAY = 86_400 * 1_000_000_000
WEEK = 7 * DAY


class Record(Struct, frozen=True):
    """How a store fared, as of one moment; times in ns since the epoch.

    Nothing was dreamt since `since`; None where that is short, or nobody knows. Since then
    `touched` sessions came, and `ready` of them had come a day ago; `enough` make a dream due.
    """

    failures: int = 0
    reason: str = ""  # of the last failure
    since: int | None = None
    touched: int = 0
    ready: int = 0
    enough: int = 5


def worries(record: Record, now: int) -> tuple[str, ...]:
    """Return what to tell, a sentence each; while a worry lasts it differs in its numbers only.

    A dream that came due within the last day may just wait for its moment: nobody is told that
    a laptop was switched off for weeks.
    """
    said = []
    if record.failures >= FAILURES:
        because = f", the last one so: {record.reason}" if record.reason else ""
        said.append(f"{record.failures:,} dreams in a row failed{because}")
    is_long = record.since is not None and now - record.since >= WEEK
    if is_long and record.ready >= max(record.enough, 1):
        days = (now - (record.since or 0)) // DAY
        said.append(
            f"there was no dream for {days:,} days, although {plural(record.touched, 'session')} "
            "came: `dreamd why` says what it waits for"
        )
    return tuple(said)


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
