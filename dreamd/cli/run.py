"""`run`: the daemon."""

from __future__ import annotations

import argparse
import os
from functools import partial

from dreamd import app as wiring
from dreamd import concerns, duty
from dreamd.daemon.log import Log
from dreamd.daemon.loop import Daemon
from dreamd.domain.ending import Trigger
from dreamd.host import desktop
from dreamd.host.notify_socket import NotifySocket

_STDERR = 2


def configure(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of `run`."""
    del name
    parser.add_argument(
        "memories",
        metavar="MEMORY",
        nargs="*",
        help="memory directories or patterns ('~/work/*/memory', quoted); "
        "default: all of the client",
    )
    parser.add_argument(
        "--once",
        action="store_true",
        help="check each one once, dream where every gate is open, and exit",
    )


def run(arguments: argparse.Namespace) -> int:
    """Watch until a signal ends it."""
    app = wiring.start()
    environ = app.loaded.environ
    log = Log(_STDERR, environ.get("JOURNAL_STREAM", ""))
    tell = partial(desktop.notify, "dreamd")
    on_duty = duty.duty(
        app,
        arguments.memories,
        concerns=concerns.concerns,
        tell=tell,
        trigger=_trigger(is_once=arguments.once),
    )
    return Daemon(on_duty, NotifySocket(environ), log, once=arguments.once).run()


def _trigger(*, is_once: bool) -> Trigger:
    """Return what begins its dreams: who looks once does so by hand only at a terminal."""
    if not is_once:
        return Trigger.DAEMON
    return Trigger.HAND if os.isatty(_STDERR) else Trigger.TIMER
