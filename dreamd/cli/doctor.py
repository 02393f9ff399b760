"""`doctor`: whether everything that a dream needs is in order, and how to mend what is not."""

from __future__ import annotations

import argparse
import sys

from dreamd import app as wiring
from dreamd import config
from dreamd.app import App
from dreamd.checkup import CHECKS, Check, Patient, State, online
from dreamd.cli import common
from dreamd.cli.paint import bold, on_one_line, paint
from dreamd.domain.words import plural
from dreamd.errors import ConfigError

_COLOURS = {State.OK: "32", State.WARN: "33", State.FAIL: "31"}


def configure(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of `doctor`."""
    del name
    parser.add_argument(
        "--online",
        action="store_true",
        help="ask the model for one token, and print what that cost",
    )
    common.json_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print a line a check; exit 1 if any failed."""
    patient = _patient()
    checks = (*CHECKS, *([Check("endpoint", online)] if arguments.online else []))
    results = []
    for check in checks:
        result = check.result(patient)
        results.append((check.name, result))
        if not arguments.json:
            mend = f": {result.mend}" if result.mend else ""
            state = paint(f"{result.state:4}", _COLOURS[result.state])
            print(f"{state} {bold(f'{check.name:9}')} {on_one_line(result.found + mend)}")
            sys.stdout.flush()
    failed = sum(result.state is State.FAIL for _, result in results)
    if arguments.json:
        checked = [
            {"name": name, "state": each.state.value, "found": each.found, "mend": each.mend}
            for name, each in results
        ]
        common.answer({"ok": not failed, "checks": checked})
    elif failed:
        print(f"{plural(failed, 'check')} failed.", file=sys.stderr)
    return 1 if failed else 0


def _patient() -> Patient:
    """Return what is looked at; a wrong configuration is a finding, and not the end."""
    try:
        return Patient(wiring.start())
    except ConfigError as error:
        return Patient(App(config.defaults(), wiring.here()), str(error))
