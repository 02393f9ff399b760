"""What `daemon.json` holds: where the daemon stands, for whoever asks."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct


class Unreadable(Struct, frozen=True):
    """A path that the daemon cannot look into, and why."""

    path: str
    why: str


class StoreRow(Struct, frozen=True):
    """What one memory directory waits for; the gate is empty where none is closed."""

    memory: str
    gate: str
    waits_for: str
    opens: str
    next_look: datetime | None
    dreaming: bool
    failures: int = 0


class DaemonState(Struct, frozen=True):
    """The daemon as of its last look; times in UTC."""

    pid: int
    started: datetime | None  # None where only the PID is known yet
    sentence: str
    stores: tuple[StoreRow, ...]
    unreadable: tuple[Unreadable, ...] = ()
    notices: tuple[str, ...] = ()
