"""`run`: the daemon."""

from __future__ import annotations

import argparse
import os

from dreamd.app import daemon_ports
from dreamd.cli import common
from dreamd.daemon.loop import Daemon
from dreamd.daemon.service import Log, NotifySocket
from dreamd.domain.receipt import Trigger

_STDERR = 2


def run(arguments: argparse.Namespace) -> int:
    """Watch until a signal ends it."""
    app = common.start(arguments)
    environ = app.loaded.environ
    trigger = Trigger.DAEMON
    if arguments.once:  # by hand only at a terminal
        trigger = Trigger.HAND if os.isatty(_STDERR) else Trigger.TIMER
    named = arguments.MEMORY + ([app.named] if app.named is not None else [])
    on_duty = daemon_ports.OnDuty(app, named, trigger)
    log = Log(_STDERR, environ.get("JOURNAL_STREAM", ""))
    return Daemon(on_duty, NotifySocket(environ), log, once=arguments.once).run()
