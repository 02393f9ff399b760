"""Opening a store to change something: its folder, its mark, and a memory that is still to be."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from dreamd.domain.store import Store
from dreamd.errors import BusyError, MemoryUnfitError
from dreamd.host import files
from dreamd.stores import identity
from dreamd.stores.identity import Mark


def open_home(store: Store, *, create: bool = False) -> bool:
    """Create the store's folder and note which directory it belongs to.

    Args:
        store: as `locate` or `store_at` gave it.
        create: make the memory directory, 0700 and durably, where it is lacking.

    Returns:
        Whether the memory directory was made; `take_back` removes it where nothing came of it.

    Raises:
        MemoryUnfitError: the memory directory does not exist, and was not to be made.
        BusyError: another directory has just taken the store over.
        HostError: the state directory or the memory directory cannot be written.
    """
    is_there = os.path.isdir(store.memory)  # noqa: PTH112 - Path.is_dir raises on no permission
    if not is_there and not create:
        raise MemoryUnfitError(_absent(store))
    made = not is_there and _make(store.memory)
    try:
        files.make_private(store.home)
        old = identity.read(store.home)
        now = identity.mark_of(store.memory, old.adopted if old else None)
        if old != now:
            _mark(store, now)
    except BaseException:
        if made:
            take_back(store)
        raise
    return made


def take_back(store: Store) -> None:
    """Remove a memory directory that `open_home` made, if nothing came into it."""
    with contextlib.suppress(OSError):
        store.memory.rmdir()


def must_still_be_its_own(store: Store) -> None:
    """Refuse a store that was given to another directory since it was opened.

    Raises:
        BusyError: it was.
    """
    mark = identity.read(store.home)
    if mark is not None and mark.path != store.memory:
        raise BusyError(f"{mark.path} has just taken over the store of {store.memory}; try again")


def _make(memory: Path) -> bool:
    """Make the directory, durably; whether it was this process that made it."""
    files.make_private(memory.parent)
    with files.faults("create", memory):
        try:
            memory.mkdir(mode=0o700)
        except FileExistsError:
            return False
        files.sync_folder(memory.parent)
    return True


def _mark(store: Store, now: Mark) -> None:
    from dreamd.host.mutex import mutex  # noqa: PLC0415 - 40 ms, and a new mark is rare

    with mutex(store.locks, store.home):
        old = identity.read(store.home)
        if old is None or not identity.is_moved_to(store.memory, store.memory.stat(), old):
            must_still_be_its_own(store)
        identity.write(store.home, now)


def _absent(store: Store) -> str:
    if identity.read(store.home) is None:
        return f"there are no notes in {store.memory} yet: `dreamd dream` writes the first"
    return (
        f"{store.memory} does not exist any more: "
        "`dreamd restore DREAM` brings the notes of that moment back"
    )
