"""The diary's file: an entry for each dream that changed notes, appended, for people to read."""

from __future__ import annotations

from pathlib import Path

from dreamd.domain.receipt import Receipt
from dreamd.domain.settings import Settings
from dreamd.domain.store import Store
from dreamd.errors import HostError
from dreamd.host import clock, files


def place(store: Store, settings: Settings) -> Path:
    """Return the file: the one that is set, as it is, else `DREAMS.md` in the store's folder.

    A relative path starts in the store's folder, so that it means the same wherever one stands.
    """
    named = settings.diary_file
    return store.home / Path(named).expanduser() if named else store.diary


def add(path: Path, receipt: Receipt, text: str) -> None:
    """Append an entry under the day, the dream's id and its memory directory.

    Raises:
        HostError: the file cannot be written, or is no file.
    """
    day = clock.local_day(clock.now()).isoformat()
    memory = "".join(letter for letter in receipt.memory if letter.isprintable())
    entry = f"\n## {day} · dream {receipt.dream} · {memory}\n\n{text}\n"
    with files.faults("write", path):
        is_new = not path.exists()
        if not is_new and not path.is_file():
            raise HostError(f"cannot write the diary: {path} is no regular file (diary_file)")
        head = "# Dreams\n" if is_new else ""
        files.append(path, f"{head}{entry}".encode("utf-8", "backslashreplace"))
