"""`dream`: consolidate a memory directory now."""

from __future__ import annotations

import argparse
import os
import sys
from collections.abc import Mapping

from dreamd import app as wiring
from dreamd import engines, receipts
from dreamd.app import App
from dreamd.cli import afterwards, common, paint
from dreamd.domain.ending import Kind, Outcome, Phase, Trigger
from dreamd.domain.receipt import Receipt, to_json
from dreamd.domain.settings import EngineChoice
from dreamd.domain.store import Store
from dreamd.errors import BusyError, DreamdError, UsageError
from dreamd.stores.choice import path_of

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from typing import Any

    from dreamd.engine.protocol import Engine


def configure(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of `dream`."""
    del name
    common.memory_option(parser, positional=True)
    common.sessions_option(parser, "default: those of the project")
    parser.add_argument(
        "--engine", choices=[c.value for c in EngineChoice], help="the engine to use"
    )
    parser.add_argument(
        "--propose", action="store_true", help="change nothing; keep every change as a proposal"
    )
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="change nothing; print what would change (a session with a model still costs money: "
        "--estimate says how much)",
    )
    parser.add_argument(
        "--estimate",
        action="store_true",
        help="print what a dream would cost, and do nothing else; needs no key",
    )
    parser.add_argument(
        "--fork",
        metavar="REQUEST.json",
        help="continue the conversation of this Messages request, and use its prompt cache",
    )
    parser.add_argument(
        "--gated",
        action="store_true",
        help="dream only if every gate is open (for timers and hooks)",
    )
    parser.add_argument(
        "--current",
        metavar="SESSION",
        action="append",
        default=[],
        help="a running session, which does not count (with --gated)",
    )
    parser.add_argument(
        "--trigger", choices=[each.value for each in Trigger], help=argparse.SUPPRESS
    )
    common.json_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Dream, and say what came of it."""
    app = wiring.start({"engine": arguments.engine} if arguments.engine else None)
    store = app.store(common.memory_named(arguments))
    sessions = common.sessions_named(app, arguments)
    settings = app.loaded.settings
    fork = _fork(app, arguments.fork)
    if skipped := _skipped(arguments, app, store):
        return common.give(skipped, as_json=arguments.json)
    from dreamd import draft, dream  # noqa: PLC0415 - the heavy part, only when dreaming
    from dreamd.memory.diff import unified  # noqa: PLC0415

    engine = _engine(app, fork, is_asked_only=arguments.estimate)
    progress = Line()
    wish = draft.Wish(
        sessions=sessions or app.folders(store),
        propose=arguments.propose,
        fork=fork,
        trigger=_trigger(arguments),
    )
    fallback = engines.fallback(app, engine)
    night = draft.Night(engine, settings, wish, progress, fallback)
    if arguments.estimate:
        from dreamd.cli import estimate  # noqa: PLC0415 - only with --estimate

        return estimate.run(store, night, as_json=arguments.json)
    try:
        if arguments.dry_run:
            receipt, before, after = dream.rehearse(store, night)
            progress.end()
            if not arguments.json:
                print(paint.diff(paint.printable(unified(before, after))), end="")
            code = common.give(receipt, as_json=arguments.json)
            if not arguments.json:
                afterwards.say_cost(receipt)
            return code
        receipt = dream.dream(store, night)
    except BusyError as error:
        progress.end()
        receipt = _busy(error, store, engine.name, wish.trigger)
    except DreamdError as error:
        progress.end()
        return _say_all(store, error, as_json=arguments.json)
    finally:
        progress.end()
    code = common.give(receipt, as_json=arguments.json)
    if not arguments.json:
        afterwards.say(store, receipt)
    elif receipt.outcome is Outcome.FAILED:
        print(f"dreamd: {paint.on_one_line(receipt.reason)}", file=sys.stderr)
    return code


def _skipped(arguments: argparse.Namespace, app: App, store: Store) -> Receipt | None:
    """Return the receipt of a dream that a gate keeps from beginning; None where none is asked.

    Raises:
        UsageError: what is asked for goes with no estimate, or with gates only.
    """
    if arguments.estimate and (arguments.gated or arguments.dry_run):
        raise UsageError("--estimate asks no gate and holds no session: give it alone")
    if arguments.current and not arguments.gated:
        raise UsageError("--current goes with --gated: a dream by hand counts no sessions")
    if arguments.estimate or (app.loaded.settings.enabled and not arguments.gated):
        return None
    from dreamd import asking  # noqa: PLC0415 - only where the gates are asked

    dry = arguments.dry_run
    verdict = asking.ask(app, store, arguments.current, rehearsal=dry)
    if not verdict.is_open:
        return asking.skip(store, verdict, _trigger(arguments), rehearsal=dry)
    if not dry:
        asking.begun(app)
    return None


def _engine(app: App, fork: Mapping[str, Any] | None, *, is_asked_only: bool) -> Engine:
    """Return the engine to dream with, or to be asked what a dream costs.

    Raises:
        ConfigError: what is configured for it cannot be meant.
        UsageError: it cannot continue the conversation that is given.
    """
    pick = engines.estimating if is_asked_only else engines.engine
    engine = pick(app, app.loaded.settings.engine)
    if fork is not None and engine.name != EngineChoice.MODEL:
        raise _no_fork_with(engine.name)
    return engine


def _fork(app: App, named: str | None) -> Mapping[str, Any] | None:
    """Return the request that is to be continued, if one is.

    Raises:
        UsageError: it is no request that can be, or the engine that was chosen cannot.
    """
    if named is None:
        return None
    choice = app.loaded.settings.engine
    if choice not in {EngineChoice.AUTO, EngineChoice.MODEL}:
        raise _no_fork_with(choice.value)
    from dreamd.engine.model.fork import parent  # noqa: PLC0415 - only with --fork

    return parent(path_of(named, app.here))


def _no_fork_with(engine: str) -> UsageError:
    return UsageError(
        f"--fork continues a conversation with a model, and the engine here is {engine}: "
        "give `--engine model` and a key for it"
    )


def _trigger(arguments: argparse.Namespace) -> Trigger:
    """Return what began this: as whoever started the process says, else by its words."""
    if arguments.trigger is not None:
        return Trigger(arguments.trigger)
    return Trigger.GATED if arguments.gated else Trigger.HAND


def _busy(error: BusyError, store: Store, engine: str, trigger: Trigger) -> Receipt:
    """Return the receipt of a dream that did not begin."""
    return Receipt(
        dream=None,
        kind=Kind.CONSOLIDATION,
        outcome=Outcome.BUSY,
        reason=str(error),
        memory=str(store.memory),
        started="",
        engine=engine,
        trigger=trigger,
    )


def _say_all(store: Store, error: DreamdError, *, as_json: bool) -> int:
    """Print the receipt of a dream that failed as JSON, and return the exit code of the error.

    Raises:
        DreamdError: the error itself, where words are asked for or there is no receipt of it.
    """
    known = receipts.read(store.database) if as_json and error.dream else ()
    receipt = next((each for each in known if each.dream == error.dream), None)
    if receipt is None:
        raise error
    common.answer(to_json(receipt))
    print(f"dreamd: {paint.on_one_line(str(error))}", file=sys.stderr)
    return error.exit_code


class Line:
    """One line on the terminal that says what is going on; silent where there is no terminal."""

    def __init__(self) -> None:
        self._shown = False

    def __call__(self, phase: Phase, text: str) -> None:
        """Replace the line."""
        if sys.stderr.isatty():
            self._shown = True
            line = f"{phase} · {text}"[: _columns() - 1]  # one that wraps could not be taken away
            print(f"\r\x1b[K{line}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Take the line away."""
        if self._shown:
            self._shown = False
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)


def _columns() -> int:
    try:
        return os.get_terminal_size(sys.stderr.fileno()).columns or 80
    except OSError:
        return 80
