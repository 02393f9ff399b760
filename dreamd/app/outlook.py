"""What each memory directory waits for: by the daemon's own word, else by its gates."""

from __future__ import annotations

import json
from datetime import datetime
from pathlib import Path

from msgspec import Struct, convert

from dreamd.app.wiring import App
from dreamd.domain.store import Store
from dreamd.domain.verdict import DaemonState, Verdict
from dreamd.errors import DreamdError
from dreamd.host import files, presence


class Watch(Struct, frozen=True):
    """What the daemon that runs says of itself; only the PID before it has said anything."""

    pid: int  # 0 where not even that is known yet
    started: datetime | None = None
    sentence: str = "just starting"
    verdicts: dict[Path, Verdict] = {}
    dreaming: frozenset[Path] = frozenset()


def watch(state: Path) -> Watch | None:
    """Return what the daemon says in `daemon.json`; None while nobody holds `daemon.lock`."""
    pid = presence.holder(state / "daemon.lock")
    if pid is None:
        return None
    try:
        # A path may hold what UTF-8 cannot, and so no msgspec.
        said = convert(json.loads(files.content(state / "daemon.json")), DaemonState)
    except (OSError, ValueError, RecursionError):
        return Watch(pid)
    verdicts = {
        Path(each.memory): Verdict(
            each.gate, not each.gate, each.waits_for, each.opens, each.next_look
        )
        for each in said.stores
    }
    dreaming = frozenset(Path(each.memory) for each in said.stores if each.dreaming)
    return Watch(pid, said.started, said.sentence, verdicts, dreaming)


def outlook(app: App, store: Store, watching: Watch | None) -> Verdict:
    """Return the first closed gate of a store, or the last open one where a dream may begin.

    Where the gates cannot be asked, the reason stands in the place of their words.
    """
    if watching is not None and store.memory in watching.verdicts:
        return watching.verdicts[store.memory]
    from dreamd import gates  # noqa: PLC0415 - a daemon spares the gates
    from dreamd.app import gating  # noqa: PLC0415

    try:
        return gates.ask(gating.context(app, store), dry=True)[-1]
    except DreamdError as error:
        return Verdict("trouble", is_open=False, read=str(error), opens="that is mended")
