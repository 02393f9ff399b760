"""`daemon.json`: where the daemon stands, for whoever asks; and the same as one sentence."""

from __future__ import annotations

import os
from collections.abc import Collection
from datetime import datetime
from pathlib import Path

from dreamd.daemon.child import Child
from dreamd.daemon.ward import Ward, Wards
from dreamd.domain.verdict import DaemonState, StoreRow, Unreadable, Verdict
from dreamd.gates.wording import when
from dreamd.host import clock, jsonl


def sentence(wards: Collection[Ward], child: Child | None) -> str:
    """Return what the daemon does, as a person would say it."""
    many = "1 memory directory" if len(wards) == 1 else f"{len(wards)} memory directories"
    now = clock.now()
    if child is not None:
        since = when(clock.to_ns(child.since), clock.to_ns(now))
        return f"{child.doing} since {since}; watching {many}"
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


def page(wards: Wards, started: datetime, dreaming: Path | None, said: str) -> bytes:
    """Return the content of `daemon.json`: one object; times ISO 8601 in UTC."""
    rows = (_row(ward, path == dreaming) for path, ward in sorted(wards.known.items()))
    unreadable = (Unreadable(str(path), why) for path, why in wards.unreadable.items())
    state = DaemonState(os.getpid(), started, said, tuple(rows), tuple(unreadable))
    return jsonl.encode(state) + b"\n"


def _row(ward: Ward, is_dreaming: bool) -> StoreRow:
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
