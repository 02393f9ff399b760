"""Which store belongs to a memory directory: the one of its path, or the one it was moved with.

A directory is known by device, inode and birth time, for inode numbers are used again. Where the
file system keeps no birth times nothing proves a move, and `dreamd adopt` gives the history.
"""

from __future__ import annotations

import contextlib
import os
import re
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct

from dreamd.domain.store import Store
from dreamd.errors import BusyError, MemoryUnfitError, UsageError
from dreamd.host import files
from dreamd.ledger import jsonl

_NAME = "store.json"
_LARGEST = 1 << 16  # bytes; paths have at most 4,096


class Mark(Struct, frozen=True):
    """The directory of a store, as `store.json` has it; `born` in ns, None where not known."""

    path: Path
    device: int
    inode: int
    born: int | None = None
    adopted: str | None = None  # the path that its history was taken from by hand


def read(home: Path) -> Mark | None:
    """Return the mark of a store's folder; None where there is none or it is damaged."""
    try:
        return jsonl.decode(files.content(home / _NAME, _LARGEST), Mark)
    except (OSError, ValueError):
        return None


def read_all(state: Path) -> dict[str, Mark]:
    """Return the marks of all stores by the name of the store's folder, sorted."""
    homes = state / "stores"
    try:
        names = sorted(os.listdir(homes))  # noqa: PTH208 - a third of the time, for 100 stores
    except OSError:
        return {}
    found = {name: read(homes / name) for name in names}
    return {name: mark for name, mark in found.items() if mark is not None}


def write(home: Path, mark: Mark) -> None:
    """Put the mark in place, durably."""
    with files.faults("write", home / _NAME):
        files.replace(home / _NAME, jsonl.encode(mark) + b"\n")


def mark_of(memory: Path, adopted: str | None = None) -> Mark:
    """Return the mark of a directory as it stands now."""
    with files.faults("look at", memory):
        found = memory.stat()
    return Mark(memory, found.st_dev, found.st_ino, files.birth_ns(memory), adopted)


def store_at(memory: Path, state: Path, marks: dict[str, Mark] | None = None) -> Store:
    """Return the store of a memory directory, by its real path; nothing is written.

    A new path gets a store of its own, named after it, unless its directory was moved from a
    path that has one. Then the store keeps its name and its folder, so that nobody who works in
    it is disturbed; `opened` replaces `store.json`, which leads here from then on. The marks of
    all stores are read, unless the caller has them already.
    """
    place, marks = real(memory), read_all(state) if marks is None else marks
    for name, each in marks.items():
        if each.path == place:
            return Store(place, state, name)
    moved = [name for name, each in marks.items() if _is_moved_to(place, each)]
    if moved:  # of several the last: it was known under each of their paths
        written = {name: (state / "stores" / name / _NAME).stat().st_mtime_ns for name in moved}
        return Store(place, state, max(moved, key=lambda each: written[each]))
    name, number = (free := name_of(place)), 1
    while free in marks:  # the store of this name has gone elsewhere, and this is another one
        number += 1
        free = f"{name}-{number}"
    return Store(place, state, free)


def known(state: Path) -> list[Store]:
    """Return every store that has a folder in the state directory, by name."""
    return [Store(each.path, state, name) for name, each in read_all(state).items()]


def real(path: Path) -> Path:
    """Return the real path."""
    try:
        return path.resolve()
    except (OSError, RuntimeError) as error:
        raise UsageError(f"{path} cannot be followed: {error}; name a folder") from error


def name_of(place: Path) -> str:
    """Return the name of a new store: the last two parts of its path, and 8 hex of its SHA-256."""
    from hashlib import sha256  # noqa: PLC0415 - OpenSSL: a store that exists has a name

    last = "-".join(re.sub(r"[^a-zA-Z0-9]+", "-", part).strip("-") for part in place.parts[-2:])
    return f"{last[:80].strip('-')}-{sha256(os.fsencode(place)).hexdigest()[:8]}"


@contextlib.contextmanager
def opened(store: Store, *, create: bool = False) -> Iterator[None]:
    """Open a store to change something: its folder exists, and its mark names the directory.

    With `create` the memory directory is made, 0700 and durably, where it is lacking. Where the
    block fails, it goes again unless something came into it.
    """
    is_there = os.path.isdir(store.memory)  # noqa: PTH112 - Path.is_dir raises on no permission
    if not is_there and not create:
        said = f"there are no notes in {store.memory} yet: `dreamd dream` writes the first"
        if read(store.home) is not None:
            said = f"{store.memory} does not exist any more: "
            said += "`dreamd restore DREAM` brings the notes of that moment back"
        raise MemoryUnfitError(said)
    made = not is_there and files.make_private(store.memory)
    try:
        files.make_private(store.home)
        _mark(store)
        yield
    except BaseException:
        if made:
            with contextlib.suppress(OSError):
                store.memory.rmdir()
        raise


def must_still_be_its_own(store: Store) -> None:
    """Refuse a store that was given to another directory since it was opened."""
    mark = read(store.home)
    if mark is not None and mark.path != store.memory:
        raise BusyError(f"{mark.path} has just taken over the store of {store.memory}; try again")


def _is_moved_to(place: Path, old: Mark) -> bool:
    """Whether the directory that was marked stands at this path now, and none at its own.

    A link that was left in the old place is no directory.
    """
    try:
        found = place.stat()
    except OSError:  # it does not exist yet
        return False
    if (old.device, old.inode) != (found.st_dev, found.st_ino) or old.born is None:
        return False
    is_left = os.path.isdir(old.path) and os.path.realpath(old.path) != str(place)  # noqa: PTH112
    return not is_left and files.birth_ns(place) == old.born


def _mark(store: Store) -> None:
    old = read(store.home)
    now = mark_of(store.memory, old.adopted if old else None)
    if old == now:
        return
    from dreamd.host.mutex import mutex  # noqa: PLC0415 - 40 ms, and a new mark is rare

    with mutex(store.locks, store.home):
        old = read(store.home)
        if old is None or not _is_moved_to(store.memory, old):
            must_still_be_its_own(store)
        write(store.home, now)
