"""`doctor`: whether everything that a dream needs is in order, and how to mend what is not."""

from __future__ import annotations

import argparse
import sys
from collections.abc import Callable

from dreamd import config
from dreamd.app import wiring
from dreamd.app.wiring import App
from dreamd.checkup import Result, State, engine, fail, places, service, warn
from dreamd.cli import common
from dreamd.cli.paint import bold, on_one_line, paint
from dreamd.errors import ConfigError, DreamdError
from dreamd.text.words import plural

_COLOURS = {State.OK: "32", State.WARN: "33", State.FAIL: "31"}
_AGAIN = "see to that, and ask again"
# In the order in which a person would ask: what all others stand on comes first.
CHECKS: dict[str, Callable[[App], Result]] = {
    "dreamd": places.python,
    "settings": places.configuration,
    "state": places.state,
    "disk": places.disk,
    "sqlite": places.sqlite,
    "clock": places.time,
    "client": places.client,
    "memory": places.stores,
    "history": places.history,
    "engine": engine.engine,
    "daemon": service.daemon,
    "service": service.service,
    "plugin": service.hooks,
    "dreams": places.dreams,
}


def run(arguments: argparse.Namespace) -> int:
    """Print a line a check; exit 1 if any failed."""
    try:
        app = common.start(arguments)
    except ConfigError:  # a finding, and not the end
        app = App(config.defaults(), wiring.here(), arguments.memory)
    if app.named is not None:
        app.store()  # what is named is there
    results = []
    for name, look in (CHECKS | ({"endpoint": engine.online} if arguments.online else {})).items():
        result = _looked(look, app)
        results.append((name, result))
        if not arguments.json:
            mend = f": {result.mend}" if result.mend else ""
            state = paint(f"{result.state:4}", _COLOURS[result.state])
            print(f"{state} {bold(f'{name:9}')} {on_one_line(result.found + mend)}", flush=True)
    failed = sum(result.state is State.FAIL for _, result in results)
    if arguments.json:
        checked = [{"name": name, **common.plain(each)} for name, each in results]
        common.answer({"ok": not failed, "checks": checked})
    elif failed:
        print(f"{plural(failed, 'check')} failed.", file=sys.stderr)
    return 1 if failed else 0


def _looked(look: Callable[[App], Result], app: App) -> Result:
    """Return what a check found; what cannot be looked at has failed."""
    try:
        return look(app)
    except (DreamdError, OSError, ValueError) as error:
        return fail(str(error), _AGAIN)
    except ImportError as error:
        return warn(f"not looked at: {error}", _AGAIN)
