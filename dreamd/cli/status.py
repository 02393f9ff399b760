"""`status`: where the daemon, a memory directory, and all the others stand, on one screen."""

from __future__ import annotations

import argparse
import sys

from dreamd import app as wiring
from dreamd import config, outlook, receipts
from dreamd.app import App
from dreamd.cli import common, overview
from dreamd.cli.overview import Glance
from dreamd.cli.paint import bold, on_one_line
from dreamd.domain import budget
from dreamd.domain.receipt import to_json
from dreamd.domain.store import Store
from dreamd.domain.tree import Tree
from dreamd.domain.undecided import undecided
from dreamd.domain.verdict import SETTINGS
from dreamd.domain.words import plural
from dreamd.errors import ConfigError, UsageError
from dreamd.outlook import Watch

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from typing import Any

_REFRESH = 2.0  # seconds
_NAMES = 10  # columns, before what is said of each
_HOME, _REST_OF_LINE, _REST_OF_SCREEN = "\x1b[H", "\x1b[K", "\x1b[J"  # ECMA-48: CUP, EL, ED


def configure(parser: argparse.ArgumentParser, name: str) -> None:
    """Add the arguments of `status`."""
    del name
    common.memory_option(parser, positional=True)
    parser.add_argument(
        "--watch",
        metavar="SECONDS",
        type=common.seconds,
        nargs="?",
        const=_REFRESH,
        help=f"refresh every SECONDS ({_REFRESH:g}), until Ctrl-C",
    )
    common.json_option(parser)


def run(arguments: argparse.Namespace) -> int:
    """Print it once, or anew until the user has seen enough."""
    if arguments.watch is not None:
        return _watch(arguments)
    shown = _Shown(arguments)
    if arguments.json:
        common.answer(shown.as_json())
    else:
        size = overview.terminal()
        for line in shown.lines(None if size is None else size.columns):
            print(line)
    return 0


def _watch(arguments: argparse.Namespace) -> int:
    import math  # noqa: PLC0415 - beside their only use
    import time  # noqa: PLC0415

    size = overview.terminal()
    if arguments.json or size is None:
        raise UsageError("--watch refreshes a terminal: give it one, and no --json")
    if not (math.isfinite(arguments.watch) and 0.1 <= arguments.watch <= 86_400):
        raise UsageError("--watch: give the seconds between two looks, from 0.1 to 86400")
    try:
        while True:
            size = overview.terminal() or size
            lines = list(_Shown(arguments).lines(size.columns))[: size.lines - 1]
            text = "".join(f"{line}{_REST_OF_LINE}\n" for line in lines)
            sys.stdout.write(f"{_HOME}{text}{_REST_OF_SCREEN}")
            sys.stdout.flush()
            time.sleep(arguments.watch)
    except KeyboardInterrupt:
        return 0


def _started() -> App:
    """Read the configuration; where it is wrong, say what that means to a daemon.

    Raises:
        ConfigError: it is wrong.
    """
    try:
        return wiring.start()
    except ConfigError as error:
        watching = outlook.watch(config.defaults().paths.state)
        if watching is None or all(each.gate != SETTINGS for each in watching.verdicts.values()):
            raise
        also = f"the daemon, process {watching.pid}, waits for that too, and begins no dream"
        raise ConfigError(f"{error} ({also})") from error


class _Shown:
    """Everything as of one look."""

    def __init__(self, arguments: argparse.Namespace) -> None:
        self.app = _started()
        self.watching = outlook.watch(self.app.loaded.paths.state)
        self.engine = overview.engine(self.app)
        self.spent = overview.spent(self.app)
        store = _meant(self.app, common.memory_named(arguments))
        self.one = None if store is None else _One(self.app, store, self.watching)
        self.others, self.unreadable = overview.others(self.app, store, self.watching)

    def lines(self, width: int | None) -> list[str]:
        """Return what a person sees; on a terminal each line is cut to its width."""
        rows = [("daemon", overview.daemon_row(self.app, self.watching)), ("engine", self.engine)]
        if self.spent is not None:
            rows.append(("spent", overview.spent_row(self.app, self.spent)))
        rows += self.one.rows(self.app, width) if self.one is not None else []
        shown = [_row(name, text, width) for name, text in rows]
        for each in self.others:
            shown += overview.lines(each, self.app.loaded.paths.home, width)
        for path, why in sorted(self.unreadable.items()):
            shown.append(overview.clip(on_one_line(f"cannot look into {path}: {why}"), width))
        if self.one is None and not self.others:
            shown.append("no memory directory yet: name one, or stand in a project that has one")
        return shown

    def as_json(self) -> dict[str, Any]:
        """Return the same as one object."""
        watching, spent = self.watching, self.spent
        everyone = [*([self.one.glance] if self.one else []), *self.others]
        return {
            **(self.one.as_json() if self.one is not None else {"memory": None}),
            "state": str(self.one.store.home if self.one else self.app.loaded.paths.state),
            "engine": self.app.loaded.settings.engine.value,
            "dreams_with": self.engine,
            "daemon": None
            if watching is None
            else {
                "pid": watching.pid,
                "started": watching.started.isoformat() if watching.started else None,
                "sentence": watching.sentence,
            },
            "spent": None
            if spent is None
            else {"tokens": spent.tokens, "dollars": round(spent.dollars, 6)},
            "stores": [overview.as_json(each) for each in everyone],
            "unreadable": [
                {"path": str(path), "why": why} for path, why in self.unreadable.items()
            ],
        }


class _One:
    """The store that is meant, in detail."""

    def __init__(self, app: App, store: Store, watching: Watch | None) -> None:
        from dreamd import lock  # noqa: PLC0415 - only where the lock and the notes are read
        from dreamd.host import clock  # noqa: PLC0415
        from dreamd.memory.scan import scan  # noqa: PLC0415
        from dreamd.transaction.wreck import wreck  # noqa: PLC0415

        limits = app.loaded.settings.budget
        self.store = store
        self.is_there = store.memory.is_dir()
        tree = scan(store.memory) if self.is_there else Tree()
        self.sizes = budget.measure(tree, limits)
        self.undecided = undecided(tree)
        past = receipts.past(receipts.read(store.database))
        self.waiting = [each.id for each in past if each.waits]
        self.lock = lock.standing(store, now=clock.now()).verdict
        self.wreck = wreck(store)
        self.glance = Glance(app, store, watching, past)

    def rows(self, app: App, width: int | None) -> list[tuple[str, str]]:
        """Return it as lines for a person."""
        limits, sizes, last = app.loaded.settings.budget, self.sizes, self.glance.last
        unseen = sizes.index_lines - sizes.index_seen
        rows = [
            (
                "memory",
                on_one_line(str(self.store.memory))
                + ("" if self.is_there else " (the first dream makes it)"),
            ),
            (
                "index",
                (
                    f"{sizes.index_lines} of {limits.index_lines} lines, "
                    f"{common.size(sizes.index_bytes)} of {common.size(limits.index_bytes)}"
                    + (f"; {plural(unseen, 'line')} no new conversation sees" if unseen else "")
                ),
            ),
            (
                "notes",
                (
                    f"{plural(sizes.files, 'note')}, {common.size(sizes.memory_bytes)} "
                    f"(a reader sees about {common.size(limits.memory_bytes)})"
                ),
            ),
            ("lock", self.lock),
        ]
        never = "no dream yet: `dreamd dream` runs the first"
        rows.append(("last", never if last is None else overview.last_row(last)))
        room = None if width is None else width - _NAMES
        rows.append(("waits for", overview.waits_row(self.glance, room)))
        rows += [
            ("proposal", f"{id_} waits: `dreamd diff {id_} --proposal`") for id_ in self.waiting
        ]
        rows += [("open", said) for said in overview.open_rows(self.undecided)]
        rows += [("suspect", said) for said in common.first_few(self.glance.suspected)]
        if self.wreck:
            rows.append(("wreck", self.wreck))
        rows += [("concern", said) for said in self.glance.concerns]
        rows += [("warning", each.message) for each in budget.warnings(sizes, limits)]
        return rows

    def as_json(self) -> dict[str, Any]:
        """Return the lines on this store alone."""
        last, sizes = self.glance.last, self.sizes
        return {
            "memory": str(self.store.memory),
            "index_lines": sizes.index_lines,
            "index_bytes": sizes.index_bytes,
            "index_seen": sizes.index_seen,
            "notes": sizes.files,
            "memory_bytes": sizes.memory_bytes,
            "lock": self.lock,
            "last": None if last is None else to_json(last.receipt),
            "proposals": self.waiting,
            "undecided": [each.as_json() for each in self.undecided],
            "suspected": list(self.glance.suspected),
            "wreck": self.wreck,
        }


def _meant(app: App, named: str | None) -> Store | None:
    """Return the store that is meant; None where none is named and one stands nowhere."""
    try:
        return app.store(named)
    except UsageError:
        if named is not None or app.loaded.memory is not None:
            raise
        return None


def _row(name: str, text: str, width: int | None) -> str:
    """Return a row of the header or of the store; what the user must hear is never cut."""
    said = on_one_line(text)
    if width is not None and name not in {"concern", "warning", "wreck"}:
        said = overview.clip(said, width - _NAMES)
    return f"{bold(f'{name:{_NAMES - 1}}')} {said}"
