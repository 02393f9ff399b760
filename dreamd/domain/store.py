"""One memory directory and the place where dreamd keeps what belongs to it."""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

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
        names = ("history.git", "receipts.jsonl", "journal", "forgotten")
        return [self.home / name for name in names if (self.home / name).exists()]

    @property
    def stages(self) -> Path:
        """The folder of private copies, one per dream."""
        return self.home / "stages"

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
