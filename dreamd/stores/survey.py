"""Every store below the client's configuration root, as of one look."""

from __future__ import annotations

import os
from pathlib import Path

from msgspec import Struct

from dreamd.domain.store import Store
from dreamd.errors import UsageError
from dreamd.stores.belonging import has_root
from dreamd.stores.identity import read_all, store_at
from dreamd.stores.project import memory_directory, slug
from dreamd.stores.shelf import Shelf


class Survey(Struct, frozen=True):
    """The stores that were found, by path; and by path what could not be looked into, and why."""

    stores: tuple[Store, ...]
    unreadable: tuple[tuple[Path, str], ...]


def every(claude: Path, state: Path) -> Survey:
    """Return the store of every memory directory below `<claude>/projects`, each once.

    And of every project that has transcripts and no memory yet: that of the project root, so
    that sub-directories and linked work trees bring none of their own. Where the client's
    `autoMemoryDirectory` is set, that directory is the one such projects share. dreamd's own
    sessions count as nothing. Nothing is created.
    """
    shelf, chosen = Shelf(claude / "projects", state), memory_directory(claude)
    found: dict[Path, None] = {}
    for name in shelf.folders:
        if shelf.is_own(name):
            continue
        if shelf.has_memory(name):
            found[shelf.path / name / "memory"] = None
        elif shelf.has_sessions(name):
            found[chosen or shelf.path / _project(name, shelf) / "memory"] = None
    if chosen is not None and os.path.isdir(chosen):  # noqa: PTH112 - no permission, no store
        found[chosen] = None
    marks, stores = read_all(state), dict[Path, Store]()
    for memory in found:
        try:
            if os.path.lexists(memory):
                os.scandir(memory).close()
            store = store_at(memory, state, marks)
            stores.setdefault(store.memory, store)
        except (OSError, UsageError) as error:
            shelf.unreadable[memory] = getattr(error, "strerror", None) or str(error)
    return Survey(
        tuple(stores[memory] for memory in sorted(stores)), tuple(sorted(shelf.unreadable.items()))
    )


def _project(name: str, shelf: Shelf) -> str:
    """Return the folder name of the project whose sessions a folder without a memory holds.

    Itself, where no session in it was started in a folder of which its name is made: then it
    was renamed or copied from elsewhere, and only its name tells.
    """
    for cwd in (each for each in shelf.cwds(name) if slug(each) == name):
        if os.path.isdir(cwd):  # noqa: PTH112 - as above
            return slug(shelf.root(cwd))
        for above in reversed(cwd.parents):  # a repository, or a project gone as a whole
            its = slug(above)
            if has_root(cwd, above, shelf) and (
                above.exists() or shelf.has_memory(its) or shelf.has_sessions(its)
            ):
                return its
    return name
