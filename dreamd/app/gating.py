"""Whether to dream now: the gates of a store, wired to its transcripts, its lock and its budget."""

from __future__ import annotations

from collections.abc import Collection

from dreamd import gates, lock
from dreamd.app import engines
from dreamd.app.wiring import App
from dreamd.domain.cost import price_of
from dreamd.domain.receipt import Kind, Outcome, Receipt, Trigger
from dreamd.domain.settings import EngineChoice
from dreamd.domain.store import Store
from dreamd.domain.verdict import Verdict
from dreamd.errors import HostError
from dreamd.gates.rules import Spent
from dreamd.host import clock, files, laptop
from dreamd.ledger import receipts, spending


def context(app: App, store: Store, current: Collection[str] = ()) -> gates.Context:
    """Return what the gates of a store read; `current` are sessions that do not count."""
    return gates.Context(
        store,
        app.loaded.settings,
        folders=lambda: app.folders(store),
        standing=lambda: lock.standing(store, now=clock.now()),
        spent=lambda: _spent(app),
        clients=lambda: laptop.clients(app.loaded.paths.claude / "sessions"),
        current=frozenset(current),
    )


def ask(
    app: App, store: Store, current: Collection[str] = (), *, rehearsal: bool = False
) -> Verdict:
    """Ask whether to dream now, gate by gate; what a dead process left is recovered on the way.

    A rehearsal writes nothing: it recovers nothing, and leaves no pause.
    """
    asked = context(app, store, current)
    verdict = gates.ask(asked, dry=rehearsal)[-1]
    if asked.last.interrupted and not rehearsal:
        from dreamd.transaction import recovery  # noqa: PLC0415 - only after a crash

        recovery.recover(store)
        if verdict.is_open:  # a commit that was completed just now is a consolidation
            verdict = gates.ask(asked)[-1]
    return verdict


def skip(
    store: Store, verdict: Verdict, trigger: Trigger = Trigger.GATED, *, rehearsal: bool = False
) -> Receipt:
    """Return the receipt of a dream that a gate kept from beginning.

    The ledger keeps it where the gate is a costly one and the receipt before names another: a
    cheap no, or the same again, is not worth a line. Of a rehearsal it keeps nothing.
    """
    now = clock.now()
    is_held = verdict.gate == "lock"
    receipt = Receipt(
        dream=None,
        kind=Kind.CONSOLIDATION,
        outcome=Outcome.BUSY if is_held else Outcome.SKIPPED,
        reason=gates.sentence(verdict, now),
        memory=str(store.memory),
        started=now.isoformat(),
        gate=verdict.gate,
        trigger=trigger,
    )
    if rehearsal or not (is_held or verdict.gate in gates.BY_LOOK):
        return receipt
    if [each.gate for each in receipts.read(store.database)[-1:]] != [verdict.gate]:
        files.make_private(store.home)
        from dreamd.state.store_db import StoreDb  # noqa: PLC0415 - SQLite: 7 ms

        receipts.put(StoreDb(store.database), receipt)
    return receipt


def _spent(app: App) -> Spent | None:
    """Return what model sessions cost today; None where a dream asks none, or nobody knows."""
    if not engines.asks_a_model(app):
        return None
    settings, today = app.loaded.settings, clock.local_day(clock.now())
    model = settings.model
    dollars = None
    try:
        spent = spending.spent(app.loaded.paths.state / "spending", today)
        if settings.engine is EngineChoice.CLAUDE_CLI or price_of(model.name, model.price):
            dollars = spent.dollars if model.dollars > 0 else None
    except HostError:
        return None
    except ValueError:  # what is set for a price is none
        pass
    ends = clock.at_local(today, 24 * 60)
    return Spent(spent.tokens, model.day_tokens, dollars, model.day_dollars, ends)
