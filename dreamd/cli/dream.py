"""`dream`: consolidate a memory directory now."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Mapping

from dreamd import app as wiring
from dreamd import stores
from dreamd.app import App
from dreamd.cli import common, paint
from dreamd.domain.ending import Kind, Outcome, Phase
from dreamd.domain.receipt import Receipt
from dreamd.domain.settings import EngineChoice
from dreamd.errors import BusyError, UsageError

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from typing import Any


def configure(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of `dream`."""
    del name
    common.memory_option(parser, positional=True)
    common.sessions_option(parser, "else those of the project")
    parser.add_argument(
        "--engine", choices=[c.value for c in EngineChoice], help="which engine dreams"
    )
    parser.add_argument(
        "--propose", action="store_true", help="change nothing; keep it all as a proposal"
    )
    parser.add_argument(
        "--dry-run",
        action="store_true",
        help="change no note; print what would change (a model is asked, and costs)",
    )
    parser.add_argument(
        "--fork",
        metavar="REQUEST.json",
        help="continue the conversation of this Messages request, with its model and its cache",
    )
    parser.add_argument(
        "--gated", action="store_true", help="only if every gate is open (for timers and hooks)"
    )
    parser.add_argument(
        "--current",
        metavar="SESSION",
        action="append",
        default=[],
        help="a session that is going on and does not count (with --gated)",
    )
    common.json_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Dream, and say what came of it."""
    app = wiring.start({"engine": arguments.engine} if arguments.engine else None)
    store = app.store(common.memory_named(arguments))
    sessions = common.sessions_named(app, arguments)
    settings = app.loaded.settings
    fork = _fork(app, arguments.fork)
    if arguments.gated or not settings.enabled:
        from dreamd import asking  # noqa: PLC0415 - only where the gates are asked

        dry = arguments.dry_run
        verdict = asking.ask(app, store, arguments.current, rehearsal=dry)
        if not verdict.is_open:
            skipped = asking.skip(store, verdict, rehearsal=dry)
            return common.give(skipped, as_json=arguments.json)
    from dreamd import draft, dream  # noqa: PLC0415 - the heavy part, only when dreaming
    from dreamd.memory.diff import unified  # noqa: PLC0415

    engine = wiring.engine(app, settings.engine)
    if fork is not None and engine.name != EngineChoice.MODEL:
        raise _no_fork_with(engine.name)
    progress = Line()
    wish = draft.Wish(sessions=sessions or app.folders(store), propose=arguments.propose, fork=fork)
    night = draft.Night(engine, settings, wish, progress)
    try:
        if arguments.dry_run:
            receipt, before, after = dream.rehearse(store, night)
            progress.end()
            if not arguments.json:
                print(paint.diff(paint.printable(unified(before, after))), end="")
            return common.give(receipt, as_json=arguments.json)
        receipt = dream.dream(store, night)
    except BusyError as error:
        progress.end()
        receipt = Receipt(
            dream=None,
            kind=Kind.CONSOLIDATION,
            outcome=Outcome.BUSY,
            reason=str(error),
            memory=str(store.memory),
            started="",
            engine=engine.name,
        )
    finally:
        progress.end()
    code = common.give(receipt, as_json=arguments.json)
    if not arguments.json and receipt.dream and (receipt.changes or receipt.proposed):
        _say_how_to_go_on(receipt)
    return code


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
    from dreamd.engine.model.parent import parent  # noqa: PLC0415 - only with --fork

    return parent(stores.path_of(named, app.here))


def _no_fork_with(engine: str) -> UsageError:
    return UsageError(
        f"--fork continues a conversation with a model, and the engine here is {engine}: "
        "give `--engine model` and a key for it"
    )


def _say_how_to_go_on(receipt: Receipt) -> None:
    if receipt.changes:
        print(
            f"`dreamd show {receipt.dream}` says why, `dreamd undo {receipt.dream}` takes it back."
        )
    if receipt.proposed:
        print(
            f"`dreamd diff {receipt.dream} --proposal` shows what was held out: "
            "accept or reject it."
        )


class Line:
    """One line on the terminal that says what is going on; silent where there is no terminal."""

    def __init__(self) -> None:
        self._shown = False

    def __call__(self, phase: Phase, text: str) -> None:
        """Replace the line."""
        if sys.stderr.isatty():
            self._shown = True
            print(f"\r\x1b[K{phase} · {text}", end="", file=sys.stderr, flush=True)

    def end(self) -> None:
        """Take the line away."""
        if self._shown:
            self._shown = False
            print("\r\x1b[K", end="", file=sys.stderr, flush=True)
