"""One memory directory and the place where dreamd keeps what belongs to it."""

from __future__ import annotations

from dataclasses import dataclass
from pathlib import Path


@dataclass(frozen=True, slots=True)
class Store:
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
        """Where the kernel mutexes lie, one per memory directory, for all stores."""
        return self.state / "locks"

    @property
    def history(self) -> Path:
        """The bare git repository that holds every snapshot."""
        return self.home / "history.git"

    @property
    def lease(self) -> Path:
        """The record of who holds the lock."""
        return self.home / "lease.json"

    @property
    def journal(self) -> Path:
        """The folder of commits in progress."""
        return self.home / "journal"

    @property
    def stages(self) -> Path:
        """The folder of private copies, one per dream."""
        return self.home / "stages"

    @property
    def receipts(self) -> Path:
        """One JSON line per dream."""
        return self.home / "receipts.jsonl"
