"""Who may change a memory directory, since when, and what stood in the lock before."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path

from msgspec import Struct


class ProcessIdentity(Struct, frozen=True):
    """One process on one boot of one host; a reused PID has other ticks or another boot id."""

    pid: int
    ticks: int  # process start in clock ticks since boot (Linux /proc/PID/stat field 22)
    boot: str
    host: str


class Lease(Struct, frozen=True):
    """The right to change one memory directory, durable in `lease.json` before the lock is.

    `prior_mtime_ns` is the lock's mtime before this lease, None where there was no lock file.
    `deadline` bounds how long the lease is believed of a living process.
    """

    memory: Path
    file: Path  # the lease's own record
    holder: ProcessIdentity
    token: str
    dream: str
    kind: str
    prior_mtime_ns: int | None
    started: datetime
    deadline: datetime


class Held(Struct, frozen=True):
    """Someone else has the lock; `by` is a phrase for the user that says who and since when."""

    by: str
    pid: int | None = None


class Standing(Struct, frozen=True):
    """Who holds the lock, and when memory was last consolidated, as of one look.

    `consolidated` is the start of the last successful consolidation: the stamp of the lock, or
    while a lease names the body, the stamp before it. None where there is none, or where the
    stamp lies over an hour ahead (`from_future`): then the time gate is open.
    """

    holder: Held | None
    consolidated: datetime | None
    from_future: bool
    interrupted: Lease | None  # a dream whose process ended without giving the lock back
    verdict: str  # a clause that says who holds it, or how it is known that nobody does
