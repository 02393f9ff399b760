"""The part of `status` on the laptop and on several memory directories."""

from __future__ import annotations

import os
import sys
from collections.abc import Sequence
from pathlib import Path

from dreamd import concerns, engines, outlook, receipts
from dreamd.app import App
from dreamd.cli.common import first_few, sentence
from dreamd.cli.log import when
from dreamd.cli.paint import on_one_line
from dreamd.domain.store import Store
from dreamd.domain.undecided import Undecided
from dreamd.errors import ConfigError, DreamdError
from dreamd.outlook import Watch
from dreamd.receipts import Past

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from typing import Any

    from dreamd.domain.verdict import Verdict
    from dreamd.spending import Amount

_WORTH_IT = 30  # columns: less says nothing of what a store waits for
_OPEN = 3  # lines shown that leave open what holds
_UNITS = (("dreamd.service", "installed as a service, and stopped"), ("dreamd.timer", "a timer"))


class Glance:
    """One store as of one look: its last dream, what it waits for, what the user must know."""

    __slots__ = ("concerns", "is_dreaming", "last", "outlook", "store", "suspected")

    def __init__(
        self, app: App, store: Store, watching: Watch | None, past: Sequence[Past]
    ) -> None:
        self.store = store
        self.last = past[-1] if past else None
        self.suspected = self.last.receipt.suspected if self.last else ()
        self.is_dreaming = watching is not None and store.memory in watching.dreaming
        self.outlook: Verdict = outlook.outlook(app, store, watching)
        try:
            self.concerns = concerns.concerns(app, store)
        except DreamdError as error:  # what cannot be read is a concern
            self.concerns = (str(error),)


def others(
    app: App, store: Store | None, watching: Watch | None
) -> tuple[list[Glance], dict[Path, str]]:
    """Return every other store that stands, by path, and what could not be looked into and why."""
    from dreamd.stores import survey  # noqa: PLC0415 - beside its only use

    paths = app.loaded.paths
    found = survey.every(paths.claude, paths.state)
    known = {each.memory: each for each in app.known_stores() if each.memory.is_dir()}
    known |= {each.memory: each for each in found.stores}
    known.pop(Path() if store is None else store.memory, None)
    unreadable = dict(found.unreadable)
    glances = []
    for _, each in sorted(known.items()):
        try:
            past = receipts.past(receipts.read(each.database))
        except DreamdError as error:
            unreadable[each.memory] = str(error)
            continue
        glances.append(Glance(app, each, watching, past))
    return glances, unreadable


def engine(app: App) -> str:
    """Return in words which engine a dream would have; what is wrong with it, where it is."""
    try:
        return engines.dreams_with(app)
    except ConfigError as error:
        return f"none, until this is fixed: {error}"


def spent(app: App) -> Amount | None:
    """Return what model sessions cost today; None where none did and none would be held.

    Raises:
        HostError: the ledger cannot be read.
    """
    folder = app.loaded.paths.state / "spending"
    if not folder.is_dir() and not engines.asks_a_model(app):
        return None
    from dreamd import spending  # noqa: PLC0415 - only for a model
    from dreamd.host import clock  # noqa: PLC0415

    return spending.spent(folder, clock.local_day(clock.now()))


def daemon_row(app: App, watching: Watch | None) -> str:
    """Return in words whether the daemon runs, and how to start it where it does not."""
    if watching is not None:
        since = f" since {when(watching.started.isoformat())}" if watching.started else ""
        return f"running{since} (process {watching.pid or 'unknown'}): {watching.sentence}"
    units = app.loaded.paths.config_file.parents[1] / "systemd" / "user"
    for name, words in _UNITS:
        if (units / name).exists():
            start = f"`systemctl --user start {name}`"
            if name == "dreamd.timer":
                return f"none, but {words} looks now and then: {start}, if it does not"
            return f"not running ({words}): {start}"
    return "not running: `dreamd install --now` starts it, now and with each login"


def spent_row(app: App, cost: Amount) -> str:
    """Return in words what today cost of what a day may."""
    model = app.loaded.settings.model
    tokens = f"{cost.tokens:,} of {model.day_tokens:,} tokens"
    return f"${cost.dollars:.2f} of ${model.day_dollars:.2f} and {tokens} today"


def waits_row(each: Glance, room: int | None = None) -> str:
    """Return in words what a store waits for, and when is looked again, in so many columns."""
    seen = each.outlook
    if each.is_dreaming:
        return "nothing: it dreams now"
    if seen.is_open:
        return "nothing: every gate is open"
    if seen.again is None:
        return f"{seen.read}; open once {seen.opens}"
    from dreamd.gates.wording import until  # noqa: PLC0415 - not for a gate that only an event opens
    from dreamd.host import clock  # noqa: PLC0415

    again = f"; next look {until(seen.again, clock.now())}"
    return clip(seen.read, None if room is None else room - len(again)) + again


def last_row(last: Past) -> str:
    """Return in words what the last dream did."""
    undone = " (undone)" if last.undone else ""
    said = on_one_line(sentence(last.receipt.reason))
    return f"{when(last.receipt.started)} {last.receipt.dream}: {said}{undone}"


def lines(each: Glance, home: Path, width: int | None) -> tuple[str, ...]:
    """Return a store as lines: where and what the last dream did, then what it waits for.

    Below them stand the lines of its notes that the last dream suspects to be out of date.
    """
    path = str(each.store.memory)
    if path.startswith(f"{home}/"):
        path = f"~{path[len(str(home)) :]}"
    did = "no dream yet" if each.last is None else last_row(each.last)
    if width is not None and len(path) > width // 2:
        path = f"…{path[1 - width // 2 :]}"
    words = [*each.concerns]
    room = None if width is None else width - len(f"  {'; '.join(words)}; waits for: ")
    if room is None or room > _WORTH_IT:
        words.append(f"waits for: {waits_row(each, room)}")
    first, second = on_one_line(f"{path}: {did}"), on_one_line("; ".join(words))
    suspected = map(on_one_line, first_few(each.suspected))
    return clip(first, width), *(clip(f"  {row}", width) for row in (second, *suspected))


def open_rows(found: Sequence[Undecided]) -> list[str]:
    """Return what is said of lines that leave open what holds."""
    rows = [f"{each.short} (edit the line to decide)" for each in found[:_OPEN]]
    return [*rows, f"and {len(found) - _OPEN} more"] if len(found) > _OPEN else rows


def clip(line: str, width: int | None) -> str:
    """Return a line cut to a width; whole where nobody looks at it on a terminal (None)."""
    return line if width is None or len(line) <= width else f"{line[: max(width - 1, 0)]}…"


def terminal() -> os.terminal_size | None:
    """Return the size of the terminal on stdout; None where it is none."""
    if not sys.stdout.isatty():
        return None
    try:
        return os.get_terminal_size(sys.stdout.fileno())
    except OSError:
        return None


def as_json(each: Glance) -> dict[str, Any]:
    """Return one store as an object of `status --json`; times ISO 8601."""
    seen, last = each.outlook, each.last
    return {
        "memory": str(each.store.memory),
        "dream": None if last is None else last.id,
        "started": None if last is None else last.receipt.started,
        "reason": None if last is None else last.receipt.reason,
        "undone": last is not None and last.undone,
        "suspected": list(each.suspected),
        "gate": None if seen.is_open else seen.gate,
        "waits_for": "" if seen.is_open else seen.read,
        "opens": seen.opens,
        "next_look": None if seen.again is None else seen.again.isoformat(),
        "dreaming": each.is_dreaming,
        "concerns": list(each.concerns),
    }
