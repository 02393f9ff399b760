"""One memory directory and the place where dreamd keeps what belongs to it."""

from __future__ import annotations

from datetime import datetime
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

Aware = Annotated[datetime, Meta(tz=True)]


class ProcessIdentity(Struct, frozen=True):
    """One process on one boot of one host; a reused PID has other ticks or another boot id."""

    pid: int
    ticks: int  # process start in clock ticks since boot (Linux /proc/PID/stat field 22)
    boot: str
    host: str


class Lease(Struct, frozen=True):
    """The right to change one memory directory, durable beside the mutex before the lock is.

    `store` names the state folder of the path that the holder came by: its journal lies there.
    `prior_mtime_ns` is the lock's mtime before this lease, None where there was no lock file.
    `deadline` bounds how long the lease is believed of a living process.
    """

    holder: ProcessIdentity
    token: str
    store: str
    dream: str
    kind: str
    prior_mtime_ns: int | None
    started: Aware
    deadline: Aware


class Held(Struct, frozen=True):
    """Someone else has the lock; `by` is a phrase for the user that says who and since when."""

    by: str


class Standing(Struct, frozen=True):
    """Who holds the lock, and when memory was last consolidated, as of one look.

    `consolidated` is the start of the last successful consolidation: the mtime of the lock, or
    while a lease names the body, the mtime before it. None where there is none, or where it lies
    over an hour ahead (`from_future`): then the time gate is open.
    """

    holder: Held | None
    consolidated: datetime | None
    from_future: bool
    interrupted: Lease | None  # a dream whose process ended without giving the lock back
    verdict: str  # a clause that says who holds it, or how it is known that nobody does
    lease: Lease | None = None  # as it is recorded, of a holder alive or dead


DIARY = "DREAMS.md"  # what phases did, for a person; never a source


class Store(Struct, frozen=True):
    """A memory directory (its real path) with its folder in the state directory."""

    memory: Path
    state: Path  # $XDG_STATE_HOME/dreamd
    name: str

    @property
    def home(self) -> Path:
        """The folder of this store in the state directory."""
        return self.state / "stores" / self.name

    @property
    def locks(self) -> Path:
        """Where mutexes and leases lie, by device and inode of the memory directory."""
        return self.state / "locks"

    @property
    def database(self) -> Path:
        """Snapshots, receipts and the journal: what cannot be rebuilt."""
        return self.home / "store.db"

    @property
    def of_earlier(self) -> list[Path]:
        """What earlier versions of dreamd kept here, as far as it is there; nobody reads it."""
        names = ("history.git", "receipts.jsonl", "journal", "forgotten", "stages")
        return [self.home / name for name in names if (self.home / name).exists()]

    @property
    def pause(self) -> Path:
        """Before its mtime no dream begins by itself; its content says why."""
        return self.home / "pause"

    @property
    def diary(self) -> Path:
        """What dreams say they learned, for people to read; no note, and no source of one."""
        return self.home / DIARY

    @property
    def conversations(self) -> Path:
        """The folder of what was said in model sessions, a file each."""
        return self.home / "conversations"

    @property
    def evidence(self) -> Path:
        """The database of what was said in the sessions."""
        return self.home / "evidence.db"
