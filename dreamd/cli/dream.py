"""`dream`: consolidate a memory directory now, and say what came of it and how to go on."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import TYPE_CHECKING, Any

from dreamd import views
from dreamd.app import engines
from dreamd.app.wiring import App, FoundDream
from dreamd.cli import common, paint
from dreamd.domain.receipt import Outcome, Phase, Receipt, Trigger
from dreamd.domain.settings import EngineChoice
from dreamd.domain.store import Store
from dreamd.errors import DreamdError, HistoryError, HostError, UsageError
from dreamd.ledger import receipts
from dreamd.stores import choice
from dreamd.text.late import late
from dreamd.text.words import plural

if TYPE_CHECKING:  # a gate that is closed ends most of them
    from dreamd.domain.tree import Tree
    from dreamd.dream.attempt import DreamRun

_MOST = 5  # changed values that are shown
_SESSION = late(r"[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")


def run(arguments: argparse.Namespace) -> int:
    """Dream, and say what came of it."""
    as_json = arguments.json
    app = common.start(arguments, {"engine": arguments.engine} if arguments.engine else None)
    store = app.store()
    sessions = common.sessions_named(app, arguments)
    trigger = Trigger(arguments.trigger or (Trigger.GATED if arguments.gated else Trigger.HAND))
    if skipped := _skipped(arguments, app, store, trigger):
        return common.give(skipped, as_json=as_json)
    # The heavy part, only when dreaming.
    from dreamd.dream import attempt, rehearsal, story  # noqa: PLC0415

    by_hand, folders = trigger is Trigger.HAND, sessions or app.folders(store)
    chosen = app.loaded.settings.engine if by_hand else app.loaded.unasked
    progress = Line()
    engine = engines.engine(app, chosen, to_estimate=arguments.estimate, by_hand=by_hand)
    rules = None if engine.name == EngineChoice.RULES else engines.engine(app, EngineChoice.RULES)
    fork = arguments.fork
    job = attempt.DreamRun(
        engine,
        app.loaded.settings,
        sessions=folders,
        propose=arguments.propose,
        fork=None if fork is None else _fork(app, fork, engine.name, folders),
        trigger=trigger,
        progress=progress,
        tidy=rules,
        fallback=rules if app.loaded.falls_back else None,
    )
    if arguments.estimate:
        return _estimate(store, job, as_json=as_json)
    try:
        if arguments.dry_run:
            receipt, *trees = rehearsal.rehearse(store, job)
        else:
            receipt, trees = story.dream(store, job), []
    except DreamdError as error:
        progress.end()
        known = receipts.read(store.database) if as_json and error.dream else ()
        failed = next((each for each in known if each.dream == error.dream), None)
        if failed is None:
            raise
        common.answer(failed)
        print(f"dreamd: {paint.on_one_line(str(error))}", file=sys.stderr)
        return error.exit_code
    finally:
        progress.end()
    return _give(store, receipt, trees, as_json=as_json)


def _give(store: Store, receipt: Receipt, trees: Sequence[Tree], *, as_json: bool) -> int:
    """Print how a dream, or its rehearsal from one tree to another, ended; return the exit code."""
    if trees and not as_json:
        from dreamd.views.patch import unified  # noqa: PLC0415 - only here

        print(paint.diff(paint.printable(unified(*trees))), end="")
    code = common.give(receipt, as_json=as_json)
    for line in () if as_json else _afterwards(store, receipt, is_rehearsal=bool(trees)):
        print(line)
    return code


def _fork(app: App, named: str, engine: str, folders: Sequence[Path]) -> Mapping[str, Any] | None:
    """Return the request, or the transcript of the session, whose conversation is continued.

    An engine that reads the transcripts alone has no use for a session: it gets None.
    """
    if engine == EngineChoice.CLAUDE_CLI:
        for each in (folder / f"{named}.jsonl" for folder in folders):
            if _SESSION.fullmatch(named) and each.exists():
                return {"session": str(each)}
        raise UsageError(f"--fork: {named} is the id of no session of this memory")
    if _SESSION.fullmatch(named):
        return None
    if engine != EngineChoice.MODEL:
        raise UsageError(
            f"--fork continues a conversation with a model, and the engine here is {engine}: give "
            "`--engine model` and a key for it"
        )
    from dreamd.engine.model.fork import parent  # noqa: PLC0415 - only here

    return parent(choice.path_of(named, app.here))


def _skipped(
    arguments: argparse.Namespace, app: App, store: Store, trigger: Trigger
) -> Receipt | None:
    """Return the receipt of a dream that a gate keeps from beginning; None where none is asked."""
    dry = arguments.dry_run
    if arguments.estimate and (arguments.gated or dry):
        raise UsageError("--estimate asks no gate and holds no session: give it alone")
    if arguments.current and not arguments.gated:
        raise UsageError("--current goes with --gated: a dream by hand counts no sessions")
    if arguments.estimate or (app.loaded.settings.enabled and not arguments.gated):
        return None
    from dreamd.app import gating  # noqa: PLC0415 - only where the gates are asked
    from dreamd.gates import pause  # noqa: PLC0415

    verdict = gating.ask(app, store, arguments.current, rehearsal=dry)
    if not verdict.is_open:
        return gating.skip(store, verdict, trigger)
    if not dry:
        pause.passed(app.loaded.paths.state)
    return None


def _estimate(store: Store, job: DreamRun, *, as_json: bool) -> int:
    """Print what a dream would cost; nothing is asked, locked or written."""
    from dreamd.domain.cost import Estimate, count  # noqa: PLC0415 - only here
    from dreamd.dream.rehearsal import foreseen  # noqa: PLC0415

    estimate = foreseen(store, job)
    if as_json:
        told = estimate or Estimate("", 0, 0.0, 0, 0, 0, 0, 0, 0.0)
        common.answer({"engine": job.engine.name, "memory": store.memory} | common.plain(told))
    elif estimate is None:
        print("It would cost nothing: the rules engine asks no model.")
        if job.settings.engine is not EngineChoice.RULES:
            print("`dreamd dream --engine model --estimate` says what a model's dream would cost.")
    else:
        print(f"{job.engine.name} engine, {estimate.model}: {estimate.words}")
        if estimate.requests is not None:  # else another program makes its own requests
            new = (estimate.input_tokens or 0) + (estimate.cache_write_tokens or 0)
            known, written = estimate.cache_read_tokens or 0, estimate.output_tokens or 0
            said = f"{count(new)} tokens new, {count(known)} from the cache, {count(written)}"
            print(f"{plural(estimate.requests, 'request')}: {said} written")
    return 0


def _afterwards(store: Store, receipt: Receipt, *, is_rehearsal: bool) -> Iterator[str]:
    """Yield what a dream cost, the values that it changed, what to do next, what waits."""
    from dreamd.views.show import costs  # noqa: PLC0415 - only after a dream

    if said := costs(receipt):
        yield views.sentence(said)
    if is_rehearsal:
        return
    try:
        past = receipts.past(receipts.read(store.database))
    except HostError:  # the dream is done and reported; `status` says what is wrong with the ledger
        past = []
    id_ = receipt.dream
    if id_ and receipt.changes:
        if past:
            yield from _values(FoundDream(store, receipt, past[-1]))
        yield f"`dreamd show {id_}` says why, `dreamd undo {id_}` takes it back."
    if id_ and receipt.proposed:
        yield views.held_back(id_)
    waiting = [each.id for each in past if each.waits and each.id != id_]
    if waiting and receipt.outcome not in {Outcome.SKIPPED, Outcome.BUSY}:
        many = f"{len(waiting)} proposals wait" if len(waiting) > 1 else "One proposal waits"
        yield f"{many}: {views.held_back(waiting[-1])}"


def _values(found: FoundDream) -> Iterator[str]:
    """Yield the first lines whose value changed, each with the old value below it."""
    from dreamd.cli.past import painted, reasons  # noqa: PLC0415 - as above
    from dreamd.views.show import changed_values  # noqa: PLC0415

    try:
        rows = list(changed_values(reasons(found)))
    except (HostError, HistoryError):  # the dream is done; `show` says what is wrong
        return
    yield from (painted(f"  {row}") for row in rows[: 2 * _MOST])
    if len(rows) > 2 * _MOST:
        yield f"  and {len(rows) // 2 - _MOST} more"


class Line:
    """One line on the terminal that says what is going on; silent where there is no terminal."""

    def __init__(self) -> None:
        self._shown = False

    def __call__(self, phase: Phase, text: str) -> None:
        """Replace the line, cut to one: what wraps could not be taken away."""
        if sys.stderr.isatty():
            self._shown = True
            room = (common.columns(sys.stderr.fileno()) or 80) - 1
            print(f"\r\x1b[K{f'{phase} · {text}'[:room]}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Take the line away."""
        if self._shown:
            self._shown = False
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
