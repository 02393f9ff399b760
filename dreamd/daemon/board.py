"""`daemon.json`: where the daemon stands, for whoever asks; and the same as one sentence."""

from __future__ import annotations

import json
from collections.abc import Mapping, Sequence
from datetime import datetime
from pathlib import Path

from msgspec import to_builtins

from dreamd.daemon.ward import Ward
from dreamd.domain.verdict import DaemonState, StoreRow, Unreadable, Verdict
from dreamd.gates.wording import when
from dreamd.host import clock


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
