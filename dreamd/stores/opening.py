"""Opening a store to change something: its folder, its mark, and a memory that is still to be."""

from __future__ import annotations

import contextlib
import os
from pathlib import Path

from dreamd.domain.store import Store
from dreamd.errors import BusyError, MemoryUnfitError
from dreamd.host import files
from dreamd.stores import mark
from dreamd.stores.mark import Mark


def open_home(store: Store, *, create: bool = False) -> bool:
    """Create the store's folder and note which directory it belongs to.

    A store that this directory takes over from a path that is gone is made its own here, by
    replacing `store.json` under a mutex: of two that claim it the first gets it.

    Args:
        store: as `locate` or `store_at` gave it.
        create: make the memory directory, 0700 and durably, where it is lacking and a project
            with transcripts awaits it.

    Returns:
        Whether the memory directory was made; `take_back` removes it where nothing came of it.

    Raises:
        MemoryUnfitError: the memory directory does not exist, and was not to be made.
        BusyError: another directory has just taken the store over.
        HostError: the state directory or the memory directory cannot be written.
    """
    made = False
    if not _stands(store.memory):
        if create and _is_awaited(store):
            made = _make(store.memory)
        elif not _stands(store.memory):  # somebody else may have made it meanwhile
            raise MemoryUnfitError(_absent(store))
    try:
        files.make_private(store.home)
        with files.faults("look at", store.memory):
            found = store.memory.stat()
        old = mark.read(store.home)
        if old is None or old.anchor is None or not old.is_of(store.memory, found):
            _mark(store, found)
    except BaseException:
        if made:
            take_back(store)
        raise
    return made


def take_back(store: Store) -> None:
    """Remove a memory directory that `open_home` made, if nothing came into it."""
    with contextlib.suppress(OSError):
        store.memory.rmdir()


def _stands(memory: Path) -> bool:
    return os.path.isdir(memory)  # noqa: PTH112 - Path.is_dir raises on no permission


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


def _mark(store: Store, found: os.stat_result) -> None:
    # A new mark is rare: only then git, and 40 ms for the mutex, are paid for.
    from dreamd.host.birth import birth_ns  # noqa: PLC0415
    from dreamd.host.mutex import mutex  # noqa: PLC0415
    from dreamd.stores import identity  # noqa: PLC0415

    anchor = identity.anchor_of(store.memory, store.state)
    new = Mark(store.memory, found.st_dev, found.st_ino, birth_ns(store.memory), anchor)
    with mutex(store.locks, store.home):
        old = mark.read(store.home)
        if old is not None and old.path != store.memory:
            is_here = os.path.realpath(old.path) == str(store.memory)
            if not is_here and not identity.is_gone(old.path):
                raise BusyError(
                    f"{old.path} has just taken over the store of {store.memory}; try again"
                )
        mark.write(store.home, new)


def _is_awaited(store: Store) -> bool:
    from dreamd.stores.belonging import is_awaited  # noqa: PLC0415 - only where one is made

    claude, projects = store.client, store.memory.parent.parent
    if claude is None and projects.name == "projects":
        claude = projects.parent
    return (
        claude is not None
        and not os.path.lexists(store.memory)
        and is_awaited(store.memory, claude=claude, state=store.state)
    )


def _absent(store: Store) -> str:
    if mark.read(store.home) is None:
        return f"there are no notes in {store.memory} yet: `dreamd dream` writes the first"
    return (
        f"{store.memory} does not exist any more: "
        "`dreamd restore DREAM` brings the notes of that moment back"
    )
