"""Whether to dream now, what each store waits for, and what the user must know of it."""

from __future__ import annotations

from collections.abc import Collection
from datetime import datetime
from pathlib import Path

from msgspec.structs import replace

from dreamd import gates, lock
from dreamd.app import engines
from dreamd.app.wiring import App
from dreamd.domain.cost import price_of
from dreamd.domain.receipt import Kind, Outcome, Receipt, Trigger
from dreamd.domain.settings import EngineChoice
from dreamd.domain.store import Store
from dreamd.domain.verdict import DaemonState, StoreRow, Verdict
from dreamd.errors import DreamdError, HostError
from dreamd.gates import pause, scan
from dreamd.gates.rules import Spent
from dreamd.host import clock, files, laptop, presence
from dreamd.ledger import jsonl, receipts
from dreamd.text.words import plural

_FAILURES = 3  # in a row
_DAY = 86_400 * 1_000_000_000
_WEEK = 7 * _DAY


def context(app: App, store: Store, current: Collection[str] = ()) -> gates.Context:
    """Return what the gates of a store read; `current` are sessions that do not count."""
    return gates.Context(
        store,
        app.loaded.settings,
        folders=lambda: app.folders(store),
        standing=lambda: lock.standing(store, now=clock.now()),
        spent=lambda: _spent(app),
        clients=lambda: laptop.clients(
            app.loaded.paths.claude / "sessions", app.loaded.paths.state
        ),
        current=frozenset(current),
    )


def _spent(app: App) -> Spent | None:
    """Return what model sessions cost today; None where a dream asks none, or nobody knows."""
    if not engines.asks_a_model(app):
        return None
    model, today = app.loaded.settings.model, clock.local_day(clock.now())
    dollars = None
    try:
        spent = engines.purse(app).spent()
        if app.loaded.unasked is EngineChoice.CLAUDE_CLI or price_of(model.name, model.price):
            dollars = spent.dollars if model.dollars > 0 else None
    except HostError:
        return None
    except ValueError:  # what is set for a price is none
        pass
    ends = clock.at_local(today, 24 * 60)
    return Spent(spent.tokens, model.day_tokens, dollars, model.day_dollars, ends)


def ask(
    app: App, store: Store, current: Collection[str] = (), *, rehearsal: bool = False
) -> Verdict:
    """Ask whether to dream now, gate by gate; what a dead process left is recovered on the way.

    A rehearsal writes nothing: it recovers nothing, and leaves no pause.
    """
    asked = context(app, store, current)
    verdict = gates.ask(asked, dry=rehearsal)[-1]
    if asked.last.interrupted and not rehearsal:
        from dreamd.transaction import ending  # noqa: PLC0415 - only after a crash

        ending.recover(store)
        if verdict.is_open:  # a commit that was completed just now is a consolidation
            verdict = gates.ask(asked)[-1]
    return verdict


def skip(store: Store, verdict: Verdict, trigger: Trigger) -> Receipt:
    """Return the receipt of a dream that a gate kept from beginning; no ledger keeps it."""
    now = clock.now()
    outcome = Outcome.BUSY if verdict.gate == "lock" else Outcome.SKIPPED
    said, place = gates.sentence(verdict, now), str(store.memory)
    ended = (Kind.CONSOLIDATION, outcome, said, place, now.isoformat())
    return Receipt(None, *ended, gate=verdict.gate, trigger=trigger)


def watch(state: Path) -> DaemonState | None:
    """Return what the daemon says in `daemon.json`; None while nobody holds `daemon.lock`."""
    pid = presence.holder(state / "daemon.lock")
    if pid is None:
        return None
    try:
        said = jsonl.decode(files.content(state / "daemon.json"), DaemonState)
    except (OSError, ValueError, RecursionError):
        return DaemonState(pid, None, "just starting", ())
    return replace(said, pid=pid)


def row(watching: DaemonState | None, store: Store) -> StoreRow | None:
    """Return what the daemon says of one store."""
    rows = () if watching is None else watching.stores
    return next((each for each in rows if Path(each.memory) == store.memory), None)


def outlook(app: App, store: Store, said: StoreRow | None) -> Verdict:
    """Return the first closed gate of a store, or the last open one where a dream may begin.

    The daemon's own word counts, else its gates are asked. Where they cannot be asked, the
    reason stands in the place of their words.
    """
    if said is not None:
        return said.verdict
    try:
        return gates.ask(context(app, store), dry=True)[-1]
    except DreamdError as error:
        return Verdict("trouble", is_open=False, read=str(error), opens="that is mended")


def wreck(store: Store) -> str:
    """Return a sentence about what an earlier process left undone, "" where nothing waits.

    A journal whose lease is alive is a commit in progress and no wreck.
    """
    standing = lock.standing(store, now=clock.now())
    dead, waiting = standing.interrupted, None
    if store.database.exists():
        from dreamd.state import journal  # noqa: PLC0415 - SQLite: 7 ms

        waiting = journal.waiting(store.database)
    then = "the next command that changes something"
    if waiting is not None and (dead is not None or standing.lease is None):
        return f"an interrupted commit ({waiting.dream}) waits: {then} completes it"
    return f"{dead.kind} {dead.dream} died; {then} clears up" if dead is not None else ""


def concerns(app: App, store: Store) -> tuple[str, ...]:
    """Return what the user must hear once about a store, a sentence each.

    While a concern lasts, its sentence differs in its numbers only.
    """
    aside, paused = sorted(store.home.glob("store.db.damaged-*")), pause.read(store)
    said = [f"history was damaged: it is {path} now, and a new one goes on" for path in aside]
    if paused.failures >= _FAILURES:
        because = f", the last one so: {paused.reason}" if paused.reason else ""
        said.append(f"{paused.failures:,} dreams in a row failed{because}")
    return tuple(filter(None, (*said, _missed(app, store))))


def _missed(app: App, store: Store) -> str:
    """Say so where enough sessions came for another dream, and there was none for a week.

    A dream that came due within the last day may just wait for its moment: nobody is told that
    a laptop was switched off for weeks.
    """
    now, limits = clock.now_ns(), app.loaded.settings.gates
    last = _last(store) if app.loaded.settings.enabled else None
    if last is None or now - last < _WEEK:
        return ""
    folders = app.folders(store)
    came = scan(folders, last, round(limits.grace_seconds * 1e9)).count
    if came - scan(folders, now - _DAY, 0).count < max(limits.sessions, 1):
        return ""
    return (
        f"there was no dream for {(now - last) // _DAY:,} days, although "
        f"{plural(came, 'session')} came: `dreamd why` says what it waits for"
    )


def _last(store: Store) -> int | None:
    """Return when the last dream began; None where there was none.

    An undo takes the lock's stamp back, and not the receipt.
    """
    stamp = lock.standing(store, now=clock.now()).consolidated
    done = {Outcome.DREAMT, Outcome.PROPOSED}
    dreams = [each for each in receipts.read(store.database) if each.outcome in done]
    began = [each.started for each in dreams if each.kind is Kind.CONSOLIDATION][-1:]
    moments = [*filter(None, [stamp]), *map(datetime.fromisoformat, began)]
    return max(map(clock.to_ns, moments), default=None)
