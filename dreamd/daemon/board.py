"""What the daemon shows to people: `daemon.json` for whoever asks, and concerns once."""

from __future__ import annotations

import json
import re
import subprocess
import sys
from collections.abc import Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import Path

from msgspec import convert, to_builtins

from dreamd.daemon.ward import Ward
from dreamd.domain.daemon_state import DaemonState, StoreRow, Unreadable
from dreamd.domain.verdict import Verdict
from dreamd.errors import HostError
from dreamd.gates.wording import when
from dreamd.host import clock, files

_PATIENCE = 2  # seconds; a bus without a desktop lets one wait
_SCRIPT = (
    "on run words",
    "display notification (item 2 of words) with title (item 1 of words)",
    "end run",
)


def sentence(wards: Sequence[Ward], doing: str, since: datetime | None) -> str:
    """Return what the daemon does, as a person would say it; `doing` is what a child does."""
    many = "1 memory directory" if len(wards) == 1 else f"{len(wards)} memory directories"
    now = clock.now()
    if doing and since is not None:
        return f"{doing} since {when(clock.to_ns(since), clock.to_ns(now))}; watching {many}"
    if not wards:
        return "watching, but there is no memory directory yet"
    said = f"watching {many}"
    closed = [each.verdict for each in wards if each.verdict and not each.verdict.is_open]
    if len(wards) == 1 and closed:
        said += f"; not now: {closed[0].read}"
    again = min((each.again for each in closed if each.again is not None), default=None)
    if again is not None:
        said += f"; the next may dream {when(clock.to_ns(again), clock.to_ns(now))}"
    return said


def page(
    wards: Sequence[Ward],
    unreadable: Mapping[Path, str],
    *,
    pid: int,
    started: datetime,
    dreaming: Path | None,
    said: str,
) -> bytes:
    """Return the content of `daemon.json`: one object; times ISO 8601 in UTC."""
    state = DaemonState(
        pid=pid,
        started=started,
        sentence=said,
        stores=tuple(_row(each, is_dreaming=each.store.memory == dreaming) for each in wards),
        unreadable=tuple(Unreadable(str(path), why) for path, why in unreadable.items()),
        notices=tuple(f"{each.store.memory}: {said}" for each in wards for said in each.notices),
    )
    # A path may hold what UTF-8 cannot, and so no msgspec.
    return json.dumps(to_builtins(state), indent=1).encode("ascii") + b"\n"


def _row(ward: Ward, *, is_dreaming: bool) -> StoreRow:
    verdict = ward.verdict or Verdict("", is_open=True, read="")
    return StoreRow(
        memory=str(ward.store.memory),
        gate="" if verdict.is_open else verdict.gate,
        waits_for=ward.trouble or verdict.read,
        opens=verdict.opens,
        next_look=verdict.again,
        dreaming=is_dreaming,
        failures=ward.failures,
    )


class Notices:
    """Remembers in a file what the user was told, so that a restart does not tell it again.

    A sentence that differs from one told in its numbers only is the same concern. One that is
    over is forgotten, and told again if it comes back.
    """

    def __init__(self, path: Path) -> None:
        self._path = path
        self._told: dict[str, list[str]] = {}
        try:
            self._told = convert(json.loads(files.content(path)), dict[str, list[str]])
        except (OSError, ValueError, RecursionError):
            return

    def news(self, memory: Path, sentences: Iterable[str]) -> tuple[str, ...]:
        """Return those of a store's concerns that were not told yet; now they are."""
        now = {re.sub(r"\d+", "#", each): each for each in sentences}
        before = self._told.get(str(memory), [])
        if list(now) != before:
            self._told[str(memory)] = list(now)
            try:
                files.make_private(self._path.parent)
                with files.faults("write", self._path):
                    files.replace(self._path, json.dumps(self._told).encode(), durable=False)
            except HostError:
                pass  # at worst it is told once more after a restart
        return tuple(said for kind, said in now.items() if kind not in before)


def notify(title: str, text: str) -> bool:
    """Show a notification by notify-send(1), on a Mac by osascript(1); whether it was taken.

    Control characters become spaces. Nothing is raised: with no desktop, no such program, or
    none that answers in 2 s, the answer is False.
    """
    if sys.platform == "darwin":
        script = [word for line in _SCRIPT for word in ("-e", line)]
        command = ["osascript", *script, _plain(title), _plain(text)]
    else:
        # The body is markup (Desktop Notifications Specification 1.2, "Markup"), the title is not.
        marked = _plain(text).replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
        command = ["notify-send", "--app-name=dreamd", "--", _plain(title), marked]
    try:
        null = subprocess.DEVNULL
        done = subprocess.run(
            command, stdin=null, stdout=null, stderr=null, timeout=_PATIENCE, check=False
        )
    except (OSError, subprocess.TimeoutExpired):
        return False
    return done.returncode == 0


def _plain(text: str) -> str:
    """Return text as one line that any argument and any bus can carry."""
    said = "".join(each if each.isprintable() else " " for each in text)
    return said.encode("utf-8", "replace").decode("utf-8")
