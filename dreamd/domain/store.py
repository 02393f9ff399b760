"""One memory directory and the place where dreamd keeps what belongs to it."""

from __future__ import annotations

from dataclasses import dataclass, field
from pathlib import Path

DIARY = "DREAMS.md"  # what phases did, for a person; never a source


@dataclass(frozen=True, slots=True)
class Store:
    """A memory directory (its real path) with its folder in the state directory."""

    memory: Path
    state: Path  # $XDG_STATE_HOME/dreamd
    name: str
    client: Path | None = field(default=None, compare=False)  # its root, where its settings chose

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

    @property
    def forgotten(self) -> Path:
        """The ids, a line each, of messages with a text that the user had forgotten."""
        return self.home / "forgotten"

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
