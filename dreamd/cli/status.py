"""`status`: where the daemon, a memory directory, and all the others stand, on one screen."""

from __future__ import annotations

import argparse
from collections.abc import Iterator
from pathlib import Path

from dreamd import lock, views
from dreamd.app import engines, gating
from dreamd.app.wiring import App
from dreamd.cli import common
from dreamd.cli.paint import bold, on_one_line
from dreamd.domain import budget
from dreamd.domain.store import Store
from dreamd.domain.tree import Tree
from dreamd.domain.verdict import DaemonState
from dreamd.errors import DreamdError, UsageError
from dreamd.gates.wording import until
from dreamd.host import clock
from dreamd.ledger import receipts
from dreamd.text.words import plural

_NAMES = 10  # columns, before what is said of each
_NEVER_CUT = {"concern", "dreaming", "warning", "wreck"}  # what the user must know

Rows = list[tuple[str, str]]  # the name of each, and what is said of it


def run(arguments: argparse.Namespace) -> int:
    """Print the state of dreamd, then the store that is meant in detail, then all the others."""
    app = common.start(arguments)
    watching, width = gating.watch(app.loaded.paths.state), common.columns(1)
    rows, told = _of_dreamd(app, watching)
    store = _meant(app)
    glances = [] if store is None else [Glance(app, store, watching)]
    if store is not None:
        more, detail = _in_detail(app, store, glances[0])
        rows, told = rows + more, told | detail
    others, unreadable = _others(app, store, watching)
    if arguments.json:
        stores = [each.as_told() for each in (*glances, *others)]
        closed = [{"path": path, "why": why} for path, why in unreadable.items()]
        common.answer(told | {"stores": stores, "unreadable": closed})
        return 0
    for name, text in rows:
        said = on_one_line(text)
        short = said if name in _NEVER_CUT else views.clip(said, width and width - _NAMES)
        print(bold(f"{name:{_NAMES - 1}}"), short)
    lines = [line for each in others for line in each.lines(app.loaded.paths.home, width)]
    lines += [f"cannot look into {path}: {why}" for path, why in sorted(unreadable.items())]
    if store is None and not others:
        lines.append("no memory directory yet: name one, or stand in a project that has one")
    for line in lines:
        print(views.clip(on_one_line(line), width))
    return 0


class Glance:
    """One store as of one look: its last dream, what it waits for, what the user must know."""

    def __init__(self, app: App, store: Store, watching: DaemonState | None) -> None:
        self.memory = store.memory
        self.past = receipts.past(receipts.read(store.database))
        self.last = self.past[-1] if self.past else None
        self.suspected = self.last.receipt.suspected if self.last else ()
        row = gating.row(watching, store)
        self.progress = lock.progress(store)
        self.dreaming = bool(self.progress) or (row is not None and row.dreaming)
        self.outlook = gating.outlook(app, store, row)
        try:
            self.concerns = gating.concerns(app, store)
        except DreamdError as error:  # what cannot be read is a concern
            self.concerns = (str(error),)

    def as_told(self) -> dict[str, object]:
        """Return it as an object of `status --json`."""
        seen, last, own = self.outlook, self.last, ("suspected", "dreaming", "progress", "concerns")
        receipt = None if last is None else last.receipt
        return {
            "memory": self.memory,
            **{key: getattr(receipt, key, None) for key in ("dream", "started", "reason")},
            "undone": last is not None and last.undone,
            "gate": None if seen.is_open else seen.gate,
            "waits_for": "" if seen.is_open else seen.read,
            "opens": seen.opens,
            "next_look": None if seen.again is None else seen.again.isoformat(),
            **{key: getattr(self, key) for key in own},
        }

    def waits_for(self) -> str:
        """Return in words what it waits for, and when is looked again."""
        seen = self.outlook
        if self.dreaming:
            return f"nothing: it dreams now{f' ({self.progress})' * bool(self.progress)}"
        if seen.is_open:
            return "nothing: every gate is open"
        if seen.again is None:
            return f"{seen.read}; open once {seen.opens}"
        return f"{seen.read}; next look {until(seen.again, clock.now())}"

    def did(self, never: str) -> str:
        """Return in words what the last dream did."""
        if self.last is None:
            return never
        receipt, undone = self.last.receipt, " (undone)" if self.last.undone else ""
        said = views.sentence(receipt.reason)
        return f"{views.when(receipt.started)} {receipt.dream}: {said}{undone}"

    def lines(self, home: Path, width: int | None) -> Iterator[str]:
        """Yield where it lies and what the last dream did, what it waits for, what it doubts.

        The path gives way to what the dream did, and the gate to what the user must know.
        """
        path = str(self.memory)
        if path.startswith(f"{home}/"):
            path = f"~{path[len(str(home)) :]}"
        if width is not None and len(path) > width // 2:
            path = f"…{path[1 - width // 2 :]}"
        yield f"{path}: {self.did('no dream yet')}"
        yield f"  {'; '.join([*self.concerns, f'waits for: {self.waits_for()}'])}"
        yield from (f"  {each}" for each in common.first_few(self.suspected))


def _of_dreamd(app: App, watching: DaemonState | None) -> tuple[Rows, dict[str, object]]:
    """Return what holds for all stores: for a person, and as told by `--json`."""
    engine = engines.dreams_with(app)
    rows = [("daemon", _daemon(app, watching)), ("engine", engine)]
    model, folder, spent = app.loaded.settings.model, app.loaded.paths.state / "spending", None
    if folder.is_dir() or engines.asks_a_model(app):
        cost = engines.purse(app).spent()
        dollars = f"${cost.dollars:.2f} of ${model.day_dollars:.2f}"
        tokens = f"{cost.tokens:,} of {model.day_tokens:,} tokens"
        rows.append(("spent", f"{dollars} and {tokens} today"))
        spent = {"tokens": cost.tokens, "dollars": round(cost.dollars, 6)}
    said = ("pid", "started", "sentence")
    return rows, {
        "memory": None,
        "state": app.loaded.paths.state,
        "engine": app.loaded.settings.engine,
        "dreams_with": engine,
        "daemon": watching and {key: getattr(watching, key) for key in said},
        "spent": spent,
    }


def _daemon(app: App, watching: DaemonState | None) -> str:
    """Return in words whether the daemon runs, and how to start it where it does not."""
    if watching is not None:
        since = f" since {views.when(watching.started.isoformat())}" if watching.started else ""
        return f"running{since} (process {watching.pid or 'unknown'}): {watching.sentence}"
    units = app.loaded.paths.config_file.parents[1] / "systemd" / "user"
    for unit in ("dreamd.service", "dreamd.timer"):
        if (units / unit).exists():
            return f"not running; {unit} is installed: `systemctl --user start {unit}` starts it"
    return "not running: `dreamd install --now` starts it, now and with each login"


def _in_detail(app: App, store: Store, glance: Glance) -> tuple[Rows, dict[str, object]]:
    """Return what is said of the store that is meant alone: for a person, and for `--json`."""
    from dreamd.memory.scan import scan  # noqa: PLC0415 - only where notes are read

    limits, is_there = app.loaded.settings.budget, store.memory.is_dir()
    tree = scan(store.memory) if is_there else Tree()
    sizes = budget.measure(tree, limits)
    held = lock.standing(store, now=clock.now()).verdict
    waiting = [each.id for each in glance.past if each.waits]
    wrecked = gating.wreck(store)
    size, unseen = views.size, sizes.index_lines - sizes.index_seen
    of = f"of {limits.index_lines} lines, {size(sizes.index_bytes)} of {size(limits.index_bytes)}"
    more = f"; {plural(unseen, 'line')} no new conversation sees" if unseen else ""
    seen = f"(a reader sees about {size(limits.memory_bytes)})"
    rows = [
        ("memory", f"{store.memory}{'' if is_there else ' (the first dream makes it)'}"),
        ("index", f"{sizes.index_lines} {of}{more}"),
        ("notes", f"{plural(sizes.files, 'note')}, {size(sizes.memory_bytes)} {seen}"),
        ("lock", held),
        ("last", glance.did("no dream yet: `dreamd dream` runs the first")),
        ("dreaming", f"{glance.progress}; `dreamd stop` ends it")
        if glance.progress
        else ("waits for", glance.waits_for()),
    ]
    rows += [("proposal", f"{each} waits: `dreamd diff {each} --proposal`") for each in waiting]
    rows += [("suspect", said) for said in common.first_few(glance.suspected)]
    rows += [("wreck", wrecked)] if wrecked else []
    rows += [("concern", said) for said in glance.concerns]
    rows += [("warning", each.message) for each in budget.warnings(sizes, limits)]
    measured = ("index_lines", "index_bytes", "index_seen", "memory_bytes")
    return rows, {
        "memory": store.memory,
        "state": store.home,
        **{key: getattr(sizes, key) for key in measured},
        "notes": sizes.files,
        "lock": held,
        "last": glance.last and glance.last.receipt,
        "proposals": waiting,
        "suspected": glance.suspected,
        "wreck": wrecked,
    }


def _others(
    app: App, store: Store | None, watching: DaemonState | None
) -> tuple[list[Glance], dict[Path, str]]:
    """Return every other store that stands, by path, and what could not be looked into and why."""
    found = app.survey()
    known = {each.memory: each for each in app.known_stores() if each.memory.is_dir()}
    known |= {each.memory: each for each in found.stores}
    known.pop(Path() if store is None else store.memory, None)
    glances, unreadable = [], dict(found.unreadable)
    for memory, each in sorted(known.items()):
        try:
            glances.append(Glance(app, each, watching))
        except DreamdError as error:
            unreadable[memory] = str(error)
    return glances, unreadable


def _meant(app: App) -> Store | None:
    """Return the store that is meant; None where none is named and one stands nowhere."""
    try:
        return app.store()
    except UsageError:
        if app.wanted is not None:
            raise
        return None
