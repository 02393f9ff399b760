"""`doctor`: whether everything that a dream needs is in order, and how to mend what is not."""

from __future__ import annotations

import argparse
import sys

from dreamd import config
from dreamd.app import wiring
from dreamd.app.wiring import App
from dreamd.checkup import CHECKS, Check, Patient, State, online
from dreamd.cli import common
from dreamd.cli.paint import bold, on_one_line, paint
from dreamd.errors import ConfigError
from dreamd.text.words import plural

_COLOURS = {State.OK: "32", State.WARN: "33", State.FAIL: "31"}


def run(arguments: argparse.Namespace) -> int:
    """Print a line a check; exit 1 if any failed."""
    try:
        app, fault = common.start(arguments), ""
    except ConfigError as error:  # a finding, and not the end
        app, fault = App(config.defaults(), wiring.here(), arguments.memory), str(error)
    if app.named is not None:
        app.store()  # what is named is there
    patient = Patient(app, fault)
    checks = (*CHECKS, *([Check("endpoint", online)] if arguments.online else []))
    results = []
    for check in checks:
        result = check.result(patient)
        results.append((check.name, result))
        if not arguments.json:
            mend = f": {result.mend}" if result.mend else ""
            state = paint(f"{result.state:4}", _COLOURS[result.state])
            said = on_one_line(result.found + mend)
            print(f"{state} {bold(f'{check.name:9}')} {said}", flush=True)
    failed = sum(result.state is State.FAIL for _, result in results)
    if arguments.json:
        checked = [{"name": name, **common.plain(each)} for name, each in results]
        common.answer({"ok": not failed, "checks": checked})
    elif failed:
        print(f"{plural(failed, 'check')} failed.", file=sys.stderr)
    return 1 if failed else 0
