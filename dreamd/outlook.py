"""What each memory directory waits for: by the daemon's own word, else by its gates."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import datetime
from pathlib import Path

from dreamd.app import App
from dreamd.domain.store import Store
from dreamd.errors import DreamdError
from dreamd.host import presence

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from typing import Any

    from dreamd.domain.verdict import Verdict

_LARGEST = 1 << 22  # bytes of `daemon.json`


class Watch:
    """What the daemon that runs says of itself; only the PID before it has said anything."""

    __slots__ = ("dreaming", "pid", "sentence", "started", "verdicts")

    def __init__(self, pid: int, said: Mapping[str, Any] | None = None) -> None:
        """Take the object of `daemon.json`.

        Raises:
            KeyError, TypeError, ValueError: it is not such an object.
        """
        stores = [] if said is None else said["stores"]
        self.pid = pid  # 0 where not even that is known yet
        self.started = None if said is None else _moment(said["started"])
        self.sentence = "just starting" if said is None else str(said["sentence"])
        self.verdicts = {Path(each["memory"]): _verdict(each) for each in stores}
        self.dreaming = frozenset(Path(e["memory"]) for e in stores if e["dreaming"] is True)


def watch(state: Path) -> Watch | None:
    """Return what the daemon says in `daemon.json`; None while nobody holds `daemon.lock`."""
    pid = presence.holder(state / "daemon.lock")
    if pid is None:
        return None
    import json  # noqa: PLC0415 - only beside a daemon

    try:
        with (state / "daemon.json").open("rb") as file:
            return Watch(pid, json.loads(file.read(_LARGEST)))
    except (OSError, KeyError, TypeError, ValueError, RecursionError):
        return Watch(pid)


def outlook(app: App, store: Store, watching: Watch | None) -> Verdict:
    """Return the first closed gate of a store, or the last open one where a dream may begin.

    Where the gates cannot be asked, the reason stands in the place of their words.
    """
    if watching is not None and store.memory in watching.verdicts:
        return watching.verdicts[store.memory]
    from dreamd import asking  # noqa: PLC0415 - a daemon spares the gates

    try:
        return asking.foresee(app, store)
    except DreamdError as error:
        from dreamd.domain.verdict import Verdict  # noqa: PLC0415

        return Verdict("trouble", is_open=False, read=str(error), opens="that is mended")


def _verdict(said: Mapping[str, Any]) -> Verdict:
    from dreamd.domain.verdict import Verdict  # noqa: PLC0415 - only beside a daemon

    again = None if said["next_look"] is None else _moment(said["next_look"])
    gate, words = str(said["gate"]), str(said["waits_for"])
    return Verdict(gate, not gate, words, opens=str(said["opens"]), again=again)


def _moment(text: str) -> datetime:
    """Return a moment that names its zone.

    Raises:
        TypeError, ValueError: it is none.
    """
    moment = datetime.fromisoformat(text)
    if moment.tzinfo is None:
        raise ValueError(text)
    return moment
