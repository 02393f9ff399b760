"""Which transcripts belong to which memory directory: those of every session that shares it."""

from __future__ import annotations

import os
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from dreamd.domain.store import Store
from dreamd.errors import UsageError
from dreamd.stores.identity import read_all, store_at
from dreamd.stores.project import memory_directory, nominates, slug, worktrees
from dreamd.stores.shelf import Shelf, inside


def transcript_folders(memory: Path, *, claude: Path, state: Path) -> tuple[Path, ...]:
    """Return the client's project folders whose sessions use a memory directory, by name.

    Of `<claude>/projects/<slug>/memory`: `<slug>` itself, and the folders of sessions started in
    sub-directories of that project, in its other git work trees, and below those. Folder names
    are lossy and only nominate; a folder belongs if each of its newest sessions was started
    (its first `cwd`) in this project. Of the directory that `autoMemoryDirectory` names: all.
    Of any other: none. Folders of dreamd's own sessions never.

    The memory directory need not exist yet. What cannot be read belongs nowhere. A directory laid
    out as the client does it elsewhere, with transcripts beside it (a copy, another account's),
    is judged there.
    """
    shelf, names = _sharing(memory, claude, state)
    return tuple(shelf.folders[name] for name in names)


def is_awaited(memory: Path, *, claude: Path, state: Path) -> bool:
    """Whether a memory directory that does not exist yet is that of a project with transcripts."""
    shelf, names = _sharing(memory, claude, state)
    return any(map(shelf.has_sessions, names))


class Survey(Struct, frozen=True):
    """The stores that were found, by path; and by path what could not be looked into, and why."""

    stores: tuple[Store, ...]
    unreadable: tuple[tuple[Path, str], ...]


def survey(claude: Path, state: Path) -> Survey:
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
    unreadable = tuple(sorted(shelf.unreadable.items()))
    return Survey(tuple(stores[memory] for memory in sorted(stores)), unreadable)


def _has_root(cwd: Path, root: Path, shelf: Shelf) -> bool:
    """Whether a session started in `cwd` has this project root.

    Where the folder is gone: whether it lay below the root or a work tree that is still listed,
    and no other repository stands between. Below a root that is no git work tree nothing else
    belongs to it.
    """
    if os.path.isdir(cwd):  # noqa: PTH112 - Path.is_dir raises where permission lacks
        return shelf.root(cwd) == root
    tops = [str(root), *map(str, worktrees(root))]
    if not any(inside(str(cwd), top) for top in tops):
        return False
    standing = next(each for each in cwd.parents if os.path.isdir(each))  # noqa: PTH112
    if not any(inside(str(standing), top) for top in tops):
        return True  # the root or the work tree is gone itself
    return shelf.root(standing) == root and os.path.lexists(root / ".git")


def _sharing(memory: Path, claude: Path, state: Path) -> tuple[Shelf, list[str]]:
    """Return the client's folders, and the names of those that belong to a memory directory."""
    place, chosen = Path(os.path.realpath(memory)), memory_directory(claude)
    shelf, found = Shelf(claude / "projects", state), set[str]()
    if chosen is not None and os.path.realpath(chosen) == str(place):
        found.update(shelf.folders)
    else:
        if place.name == "memory" and place.parent.parent.name == "projects":
            beside = Shelf(place.parent.parent, state)
            shelf = beside if beside.has_sessions(place.parent.name) else shelf
        for owner in _owners(place, shelf):
            found.update({owner} & shelf.folders.keys())
            for root in _roots_of(owner, shelf):
                found.update(_started_in(root, shelf))
    return shelf, sorted(name for name in found if not shelf.is_own(name))


def _owners(place: Path, shelf: Shelf) -> list[str]:
    """Return the names of the project folders whose `memory` this is, also through a link."""
    if place.name == "memory" and str(place.parent.parent) == os.path.realpath(shelf.path):
        return [place.parent.name]
    links = {name: shelf.folders[name] / "memory" for name in shelf.folders}
    return [name for name, link in links.items() if os.path.realpath(link) == str(place)]


def _roots_of(name: str, shelf: Shelf) -> list[Path]:
    """Return the project roots of which the client makes this folder name, newest session first.

    Mostly one, found from where sessions were started: those in the folder itself, else in
    sub-directories, else anywhere. None where no session tells.
    """
    below = [each for each in shelf.folders if each != name and nominates(each, name)]
    for names in ([name], below, list(shelf.folders)):
        roots = [root for each in names for cwd in shelf.cwds(each) for root in _around(cwd, shelf)]
        if found := [root for root in dict.fromkeys(roots) if slug(root) == name]:
            return found
    return []


def _around(cwd: Path, shelf: Shelf) -> list[Path]:
    """Return the roots that a session started in a folder may have, the outermost last."""
    if os.path.isdir(cwd):  # noqa: PTH112 - as above
        return [shelf.root(cwd)]
    standing = next(each for each in cwd.parents if os.path.isdir(each))  # noqa: PTH112
    above = (*cwd.parents, shelf.root(standing))
    return [cwd, *(each for each in above if _has_root(cwd, each, shelf))]


def _started_in(root: Path, shelf: Shelf) -> Iterator[str]:
    """Yield the names of the folders of which each of the newest sessions has this root."""
    tops = [slug(top) for top in (root, *worktrees(root))]
    for name in shelf.folders:
        if any(nominates(name, top) for top in tops):
            cwds = shelf.cwds(name)
            # A memory of its own beside sessions whose folder is gone: another project's.
            is_anothers = shelf.has_memory(name) and not any(map(os.path.isdir, cwds))
            if cwds and not is_anothers and all(_has_root(cwd, root, shelf) for cwd in cwds):
                yield name


def _project(name: str, shelf: Shelf) -> str:
    """Return the folder name of the project whose sessions a folder without a memory holds.

    Itself, where no session in it was started in a folder of which its name is made: then it
    was renamed or copied from elsewhere, and only its name tells.
    """
    for cwd in (each for each in shelf.cwds(name) if slug(each) == name):
        for root in reversed(_around(cwd, shelf)):  # a repository, or a project gone as a whole
            its = slug(root)
            if root.exists() or shelf.has_memory(its) or shelf.has_sessions(its):
                return its
    return name
