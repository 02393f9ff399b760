"""Which transcripts belong to a memory directory: those of every session that shares it."""

from __future__ import annotations

import os
from collections.abc import Iterable, Iterator
from pathlib import Path

from dreamd.stores.client import memory_directory
from dreamd.stores.project import nominates, slug, worktrees
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
    claude = home_of(memory, claude, state)
    shelf = Shelf(claude / "projects", state)
    return tuple(shelf.folders[name] for name in names_of(memory, shelf, memory_directory(claude)))


def is_awaited(memory: Path, *, claude: Path, state: Path) -> bool:
    """Whether a memory directory that does not exist yet is that of a project with transcripts."""
    claude = home_of(memory, claude, state)
    shelf = Shelf(claude / "projects", state)
    return any(map(shelf.has_sessions, names_of(memory, shelf, memory_directory(claude))))


def home_of(memory: Path, claude: Path, state: Path) -> Path:
    """Return the client's root that a memory directory is laid out in: this one, or its own."""
    place = Path(os.path.realpath(memory))
    chosen = memory_directory(claude)
    if place.name != "memory" or place.parent.parent.name != "projects":
        return claude
    if chosen is not None and os.path.realpath(chosen) == str(place):
        return claude
    own = place.parents[2]
    has_sessions = Shelf(own / "projects", state).has_sessions(place.parent.name)
    return own if has_sessions else claude


def names_of(memory: Path, shelf: Shelf, chosen: Path | None) -> list[str]:
    """Return the names of the folders that belong to a memory directory, sorted.

    Args:
        memory: the directory, which need not exist.
        shelf: the client's project folders.
        chosen: what `autoMemoryDirectory` says.
    """
    place = os.path.realpath(memory)
    if chosen is not None and os.path.realpath(chosen) == place:
        return _each_once([name for name in shelf.folders if not shelf.is_own(name)], shelf)
    found = set()
    for owner in _owners(Path(place), shelf):
        if owner in shelf.folders and not shelf.is_own(owner):
            found.add(owner)
        for root in roots_of(owner, shelf):
            found.update(_sharing(root, shelf))
    return _each_once(found, shelf)


def roots_of(name: str, shelf: Shelf) -> tuple[Path, ...]:
    """Return the project roots of which the client makes this folder name, newest session first.

    Mostly one, found from where sessions were started: those in the folder itself, else in
    sub-directories, else anywhere. None where no session tells.
    """
    below = [each for each in shelf.folders if each != name and nominates(each, name)]
    tried = {name, *below}
    for names in ([name], below, [each for each in shelf.folders if each not in tried]):
        found = {
            root: None
            for each in names
            for cwd in shelf.cwds(each)
            for root in _roots_around(cwd, shelf)
            if slug(root) == name
        }
        if found:
            return tuple(found)
    return ()


def has_root(cwd: Path, root: Path, shelf: Shelf) -> bool:
    """Whether a session started in `cwd` has this project root.

    Where the folder is gone: whether it lay below the root or a work tree that is still listed,
    and no other repository stands between. Below a root that is no git work tree nothing else
    belongs to it.
    """
    if os.path.isdir(cwd):  # noqa: PTH112 - Path.is_dir raises where permission lacks
        return shelf.root(cwd) == root
    tops = [root, *worktrees(root)]
    if not any(inside(str(cwd), str(top)) for top in tops):
        return False
    standing = next(each for each in cwd.parents if os.path.isdir(each))  # noqa: PTH112
    if not any(inside(str(standing), str(top)) for top in tops):
        return True  # the root or the work tree is gone itself
    return shelf.root(standing) == root and os.path.lexists(root / ".git")


def _sharing(root: Path, shelf: Shelf) -> Iterator[str]:
    tops = [slug(top) for top in (root, *worktrees(root))]
    for name in shelf.folders:
        if any(nominates(name, top) for top in tops) and not shelf.is_own(name):
            cwds = shelf.cwds(name)
            # A memory of its own beside sessions whose folder is gone: another project's.
            is_anothers = shelf.has_memory(name) and not any(map(os.path.isdir, cwds))
            if cwds and not is_anothers and all(has_root(cwd, root, shelf) for cwd in cwds):
                yield name


def _owners(place: Path, shelf: Shelf) -> Iterator[str]:
    """Yield the names of the project folders whose `memory` this is, also through a link."""
    projects = Path(os.path.realpath(shelf.path))
    if place.name == "memory" and place.parent.parent == projects:
        yield place.parent.name
        return
    try:
        wanted = place.stat()
    except OSError:
        return
    for name, folder in shelf.folders.items():
        try:
            if os.path.samestat((folder / "memory").stat(), wanted):
                yield name
        except OSError:
            continue


def _roots_around(cwd: Path, shelf: Shelf) -> Iterator[Path]:
    if os.path.isdir(cwd):  # noqa: PTH112 - as above
        yield shelf.root(cwd)
        return
    for above in (cwd, *cwd.parents):
        if above == cwd or has_root(cwd, above, shelf):
            yield above


def _each_once(names: Iterable[str], shelf: Shelf) -> list[str]:
    """Leave out links to a folder that is there itself, and folders that are gone by now."""
    seen: dict[tuple[int, int], str] = {}
    for name in sorted(names, key=lambda each: (shelf.folders[each].is_symlink(), each)):
        try:
            found = shelf.folders[name].stat()
        except OSError:
            continue
        seen.setdefault((found.st_dev, found.st_ino), name)
    return sorted(seen.values())
