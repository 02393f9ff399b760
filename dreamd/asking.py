"""Whether to dream now: the gates of a store, wired to its transcripts and its lock."""

from __future__ import annotations

from collections.abc import Collection

from dreamd import receipts
from dreamd.app import App
from dreamd.domain.ending import Kind, Outcome, Trigger
from dreamd.domain.receipt import Receipt
from dreamd.domain.store import Store
from dreamd.surroundings import Around

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from dreamd.domain.lease import Standing
    from dreamd.domain.verdict import Verdict
    from dreamd.gates import Cascade


def ask(
    app: App, store: Store, current: Collection[str] = (), *, rehearsal: bool = False
) -> Verdict:
    """Ask whether to dream now, gate by gate; what a dead process left is recovered on the way.

    `current` are the sessions that do not count: the ones still going on. A rehearsal writes
    nothing: it recovers nothing, and leaves no mark of having counted.
    """
    if rehearsal:
        every = examine(app, store, current)
        return next((each for each in every if not each.is_open), every[-1])
    from dreamd import gates  # noqa: PLC0415 - only where the gates are asked

    look = Look(store)
    verdict = gates.ask_once(
        store,
        app.loaded.settings,
        folders=lambda: app.folders(store),
        standing=look,
        around=Around(app, store),
        current=current,
    )
    if not look.is_interrupted:
        return verdict
    from dreamd.transaction import recovery  # noqa: PLC0415 - only after a crash

    recovery.recover(store)
    if not verdict.is_open:
        return verdict
    # A commit that was completed just now is a consolidation, which the verdict did not know of.
    time = next(each for each in examine(app, store, current) if each.gate == gates.TIME.name)
    return verdict if time.is_open else time


def skip(
    store: Store, verdict: Verdict, trigger: Trigger = Trigger.GATED, *, rehearsal: bool = False
) -> Receipt:
    """Return the receipt of a dream that a gate kept from beginning.

    The ledger keeps it where the gate was a costly one and the receipt before names another:
    a turn that costs one stat is not worth a line, and the same answer again is no news. Of a
    rehearsal it keeps nothing.

    Raises:
        HostError: the state directory cannot be written.
    """
    from dreamd import gates  # noqa: PLC0415 - only where the gates are asked
    from dreamd.host import clock  # noqa: PLC0415

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
    if (verdict.cost.scans or is_held) and not rehearsal:
        known = receipts.read(store.database)
        if not known or known[-1].gate != verdict.gate:
            from dreamd.state.store_db import StoreDb  # noqa: PLC0415 - SQLite: 7 ms

            receipts.put(StoreDb(store.database), receipt)
    return receipt


def examine(app: App, store: Store, current: Collection[str] = ()) -> tuple[Verdict, ...]:
    """Return what every gate says now, changing nothing; `current` as in `ask`."""
    from dreamd import gates  # noqa: PLC0415 - only where the gates are asked

    return gates.examine(
        store,
        app.loaded.settings,
        folders=lambda: app.folders(store),
        standing=Look(store),
        around=Around(app, store),
        current=current,
    )


def foresee(app: App, store: Store) -> Verdict:
    """Return the first closed gate's verdict, or the last one's where all are open.

    Nothing is changed, and no gate behind a closed one is asked.
    """
    from dreamd import gates  # noqa: PLC0415 - only where the gates are asked

    return gates.foresee(
        store,
        app.loaded.settings,
        folders=lambda: app.folders(store),
        standing=Look(store),
        around=Around(app, store),
    )


def cascade(app: App, store: Store, look: Look) -> Cascade:
    """Return the gates of a store for a process that stays; `look` is how it sees the lock."""
    from dreamd import gates  # noqa: PLC0415 - only where the gates are asked

    return gates.Cascade(
        store,
        app.loaded.settings,
        folders=lambda: app.folders(store),
        standing=look,
        around=Around(app, store),
    )


def begun(app: App) -> None:
    """Put down that a dream begins by itself now; whoever begins one does, where it begins.

    It is what `gates.passes_per_hour` counts. Nothing is raised where the disk refuses it.
    """
    from dreamd.gates import passes  # noqa: PLC0415 - only where a dream begins

    passes.record(app.loaded.paths.state)


class Look:
    """Looks at the lock when a gate asks, and keeps in mind whether a dream was interrupted."""

    def __init__(self, store: Store) -> None:
        self._store = store
        self.is_interrupted = False

    def __call__(self) -> Standing:
        """Return where the lock stands now."""
        from dreamd import lock  # noqa: PLC0415 - only where the lock is read
        from dreamd.host import clock  # noqa: PLC0415

        standing = lock.standing(self._store, now=clock.now())
        self.is_interrupted = standing.interrupted is not None
        return standing
