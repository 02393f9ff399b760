"""What one gate said of dreaming now, and what it took to know."""

from __future__ import annotations

from datetime import datetime

from msgspec import Struct

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from typing import Any

SETTINGS = "settings"  # the gate of a daemon whose settings cannot be read by now


class Cost(Struct, frozen=True):
    """What was asked of the system: file stats, directories scanned, names seen there, files read.

    All zero means that the answer stood in memory.
    """

    stats: int = 0
    scans: int = 0
    names: int = 0
    reads: int = 0


class Verdict(Struct, frozen=True):
    """One gate's answer, in clauses a person can check.

    `read` says what was found ("3 of 5 sessions since Tuesday 09:14"); `opens` follows the words
    "open once" and says what would open the gate, empty where it is open; `again` is the earliest
    time to ask again, None where only an event could change the answer, or where it is open.
    `cost` is what this gate took, without those before it.
    """

    gate: str
    is_open: bool
    read: str
    cost: Cost = Cost()
    opens: str = ""
    again: datetime | None = None


def to_json(verdict: Verdict) -> dict[str, Any]:
    """Return a verdict as the JSON object of `why --json`; times ISO 8601."""
    cost = verdict.cost
    return {
        "gate": verdict.gate,
        "open": verdict.is_open,
        "read": verdict.read,
        "opens": verdict.opens,
        "again": None if verdict.again is None else verdict.again.isoformat(),
        "cost": {
            "stats": cost.stats,
            "scans": cost.scans,
            "names": cost.names,
            "reads": cost.reads,
        },
    }
