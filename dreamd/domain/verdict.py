"""What a gate says of dreaming now, and where the daemon stands."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

SETTINGS = "settings"  # the gate of a daemon whose settings cannot be read by now


class Verdict(Struct, frozen=True, rename={"is_open": "open"}):
    """One gate's answer, in clauses a person can check.

    `read` says what was found ("3 of 5 sessions since Tuesday 09:14"); `opens` follows the words
    "open once" and says what would open the gate, empty where it is open; `again` is the earliest
    time to ask again, None where only an event could change the answer, or where it is open.
    """

    gate: str
    is_open: bool
    read: str
    opens: str = ""
    again: datetime | None = None


class StoreRow(Struct, frozen=True):
    """What one memory directory waits for."""

    memory: str
    verdict: Verdict
    dreaming: bool


class DaemonState(Struct, frozen=True):
    """The daemon as of its last look; times in UTC."""

    pid: int
    started: datetime | None  # None where only the PID is known yet
    sentence: str
    stores: tuple[StoreRow, ...]
