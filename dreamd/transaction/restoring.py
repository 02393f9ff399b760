"""Bringing back exact bytes: into the live directory through a transaction, or into a folder."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from dreamd.domain.receipt import Kind, Receipt
from dreamd.domain.store import Store
from dreamd.domain.tree import Entry
from dreamd.errors import UsageError
from dreamd.host import files
from dreamd.host.folder import opened
from dreamd.state.history import History
from dreamd.text.words import plural
from dreamd.transaction import past
from dreamd.transaction.change import edit

_FEW = 3  # named of what stood
_LATE = PurePosixPath("late")


def restore(store: Store, receipt: Receipt, paths: Sequence[str]) -> Receipt:
    """Put notes back as they stood when a transaction began; notes that came later stay.

    The live directory is recorded first, so a restore can be undone like a dream. A memory
    directory that is gone is created again.
    """
    wanted = _chosen(store, receipt, paths)
    if not store.memory.exists():
        files.make_private(store.memory)
    return edit(
        store,
        Kind.RESTORE,
        lambda live: replace(live, files={**live.files, **wanted}),
        of=receipt.dream,
        reason=f"restored {plural(len(wanted), 'note')}, as of when {receipt.dream} began",
    )


def write_out(store: Store, receipt: Receipt, paths: Sequence[str], folder: Path) -> int:
    """Write the memory as it stood when a transaction began into a new or empty folder.

    Names, bytes, modes and mtimes are those of that moment. Returns how many files were written.
    """
    wanted = _chosen(store, receipt, paths)
    if folder.resolve().is_relative_to(store.memory):
        raise UsageError(f"--to: {folder} lies in the memory directory: name a folder elsewhere")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"--to: {folder} is not an empty folder: name a new one")
    with files.faults("write into", folder):
        files.make_private(folder)
        with opened(folder) as top:
            for path, entry in wanted.items():
                top.make_folders(path.parent)
                with top.below(path.parent) as inside:
                    inside.write_new(path.name, entry)
    return len(wanted)


def _chosen(store: Store, receipt: Receipt, paths: Sequence[str]) -> dict[PurePosixPath, Entry]:
    """Return the notes as a transaction found them; below `late/`, what it met on its way."""
    history = History(store.database)
    then = past.began(history, receipt)
    found = dict(then.files)
    if not paths:
        return found
    if late := history.named(receipt.dream or "", "late"):
        found |= {_LATE / path: entry for path, entry in history.read(late).files.items()}
    wanted: dict[PurePosixPath, Entry] = {}
    for name in paths:
        path = PurePosixPath(name)
        below = {p: e for p, e in found.items() if p == path or path in p.parents}
        if not below:
            few = ", ".join(map(str, sorted(then.files)[:_FEW])) or "nothing"
            more = f" and {len(then.files) - _FEW} more" if len(then.files) > _FEW else ""
            raise UsageError(f"{name} did not stand in the memory then, but {few}{more} did")
        wanted |= below
    return wanted
