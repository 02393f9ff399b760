"""`nudge`: for hooks; what `dreamd.hooks.turn_end` leaves to a process that nobody waits for."""

from __future__ import annotations

import argparse
import contextlib
import os
from collections.abc import Mapping
from pathlib import Path

from dreamd import cli
from dreamd.app.wiring import App
from dreamd.cli import common
from dreamd.domain.receipt import Trigger
from dreamd.domain.store import Store
from dreamd.errors import DreamdError, UsageError
from dreamd.hooks import session_start, turn_end
from dreamd.stores.shelf import Shelf


def run(arguments: argparse.Namespace) -> int:
    """Dream over the memory of a session if it is due; or do as a hook's `dreamd nudge` does."""
    told = {key: value for key, value in vars(arguments).items() if isinstance(value, str)}
    if arguments.greet:
        with contextlib.suppress(DreamdError):  # a session begins: other commands say what is wrong
            store = store_of(common.start(arguments), told)
            if store is not None and (news := session_start.claim(store)):
                said = {"hookEventName": "SessionStart", "additionalContext": f"dreamd: {news}"}
                common.answer({"hookSpecificOutput": said})
        return 0
    app = common.start(arguments)
    if not arguments.begin:
        turn_end.poke_daemon(app.loaded.environ)
        return 0
    store = store_of(app, told)
    if store is None:
        return 0
    current = [f"--current={told['session']}"] if "session" in told else []
    is_commit = "PRE_COMMIT" in app.loaded.environ  # pre-commit(1) tells its hooks so
    began = f"--trigger={Trigger.PRECOMMIT if is_commit else Trigger.HOOK}"
    return cli.main(["dream", f"--memory={store.memory}", "--gated", began, *current])


def store_of(app: App, told: Mapping[str, str]) -> Store | None:
    """Return the store of the session that a hook speaks of; None where there is none.

    It is that of the project in which the session was started, which the transcript says and
    the hook's own `cwd` only until somebody changes the folder; else the memory beside the
    transcript, whose project was moved or renamed. dreamd's own sessions have none.
    """
    paths, transcript = app.loaded.paths, Path(told.get("transcript", ""))
    shelf, name = Shelf(paths.claude / "projects", paths.state), transcript.parent.name
    places = [app]
    if app.wanted is None:
        if shelf.is_own(name):
            return None
        started = [each for each in shelf.cwds(name) if each.is_dir()] if name else []
        here = started[0] if started else Path(told.get("cwd", os.fspath(app.here)))
        beside = transcript.parent / "memory"
        places = [App(app.loaded, here)]
        places += [App(app.loaded, here, str(beside))] if name and beside.is_dir() else []
    for place in places:
        with contextlib.suppress(UsageError):
            return place.store()
    return None
