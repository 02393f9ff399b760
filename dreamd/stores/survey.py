"""Every store below the client's configuration root, as of one look."""

from __future__ import annotations

import os
from dataclasses import dataclass, replace
from pathlib import Path

from dreamd.domain.record import Record
from dreamd.domain.store import Store
from dreamd.errors import UsageError
from dreamd.stores import mark
from dreamd.stores.belonging import has_root
from dreamd.stores.client import memory_directory
from dreamd.stores.home import store_at
from dreamd.stores.project import slug
from dreamd.stores.shelf import Shelf


@dataclass(frozen=True, eq=False, repr=False)
class Survey(Record):
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
    shelf = Shelf(claude / "projects", state)
    chosen = memory_directory(claude)
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
    marks = mark.read_all(state / "stores")
    stores: dict[Path, Store] = {}
    for memory in found:
        try:
            with os.scandir(memory):
                pass
        except FileNotFoundError:
            pass  # not there yet
        except OSError as error:
            shelf.unreadable[memory] = error.strerror or str(error)
            continue
        try:
            store = store_at(memory, state, marks)
        except UsageError as error:
            shelf.unreadable[memory] = str(error)
            continue
        stores.setdefault(store.memory, replace(store, client=claude))
    return Survey(
        tuple(stores[memory] for memory in sorted(stores)), tuple(sorted(shelf.unreadable.items()))
    )


def _project(name: str, shelf: Shelf) -> str:
    """Return the folder name of the project whose sessions a folder without a memory holds.

    Itself, where no session in it was started in a folder of which its name is made: then it
    was renamed or copied from elsewhere, and only its name tells.
    """
    for cwd in shelf.cwds(name):
        if slug(cwd) != name:
            continue
        if os.path.isdir(cwd):  # noqa: PTH112 - as above
            return slug(shelf.root(cwd))
        for above in reversed(cwd.parents):  # a repository, or a project gone as a whole
            if has_root(cwd, above, shelf) and (above.exists() or _is_used(slug(above), shelf)):
                return slug(above)
    return name


def _is_used(name: str, shelf: Shelf) -> bool:
    return shelf.has_memory(name) or shelf.has_sessions(name)
