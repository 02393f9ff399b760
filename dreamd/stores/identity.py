"""Which store belongs to a memory directory: the one of its path, or the one it was moved with."""

from __future__ import annotations

import os
import re
import stat
from pathlib import Path

from msgspec import Struct

from dreamd.domain.store import Store
from dreamd.errors import UsageError
from dreamd.host import files, jsonl

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from hashlib import sha256 as _sha256
else:
    try:  # as the standard library's `random` does: hashlib loads OpenSSL, 4 % of a short command
        from _sha2 import sha256 as _sha256
    except ImportError:
        try:
            from _sha256 import sha256 as _sha256  # before Python 3.12
        except ImportError:
            from hashlib import sha256 as _sha256

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
    """Put the mark in place, durably.

    Raises:
        HostError: the state directory cannot be written.
    """
    with files.faults("write", home / _NAME):
        files.replace(home / _NAME, jsonl.encode(mark) + b"\n")


def mark_of(memory: Path, adopted: str | None = None) -> Mark:
    """Return the mark of a directory as it stands now.

    Raises:
        HostError: it cannot be looked at.
    """
    with files.faults("look at", memory):
        found = memory.stat()
    return Mark(memory, found.st_dev, found.st_ino, files.birth_ns(memory), adopted)


def is_moved_to(place: Path, found: os.stat_result, old: Mark) -> bool:
    """Whether the directory that was marked stands at this path now, and no longer at its own.

    Device, inode and birth time prove it: inode numbers are used again. Where the file system
    keeps no birth times nothing does. A link that was left in the old place is no directory.
    """
    if (old.device, old.inode) != (found.st_dev, found.st_ino) or old.born is None:
        return False
    is_left = os.path.realpath(old.path) == str(place) or _is_gone(old.path)
    return is_left and files.birth_ns(place) == old.born


def store_at(memory: Path, state: Path, marks: dict[str, Mark] | None = None) -> Store:
    """Return the store of a memory directory, by its real path; nothing is written.

    A new path gets a store of its own, named after it, unless its directory was moved or renamed
    from a path that has one. Then the store keeps its name and its folder, so that nobody who
    works in it is disturbed; `open_home` replaces `store.json`, which leads here from then on.

    Args:
        memory: the directory, which need not exist.
        state: dreamd's state directory.
        marks: those of all stores, where the caller has read them already.

    Raises:
        UsageError: the path is a link that leads to itself.
    """
    place, homes = real(memory), state / "stores"
    name = name_of(place)
    own = read(homes / name)
    if own is not None and own.path == place:
        return Store(place, state, name)
    marks = read_all(state) if marks is None else marks
    for other, each in marks.items():
        if each.path == place:
            return Store(place, state, other)
    try:
        found = place.stat()
        moved = [other for other, each in marks.items() if is_moved_to(place, found, each)]
        if moved:  # of several the last: it was known under each of their paths
            return Store(place, state, max(moved, key=lambda each: _written(homes / each)))
    except OSError:
        pass  # it does not exist yet
    free, number = name, 1
    while free in marks:  # the store of this name has gone elsewhere, and this is another one
        number += 1
        free = f"{name}-{number}"
    return Store(place, state, free)


def known(state: Path) -> list[Store]:
    """Return every store that has a folder in the state directory, by name."""
    return [Store(each.path, state, name) for name, each in read_all(state).items()]


def real(path: Path) -> Path:
    """Return the real path.

    Raises:
        UsageError: it is a link that leads to itself.
    """
    try:
        return path.resolve()
    except (OSError, RuntimeError) as error:
        raise UsageError(f"{path} cannot be followed: {error}") from error


def name_of(place: Path) -> str:
    """Return the name of a new store: the last two parts of its path, and 8 hex of its SHA-256."""
    last = "-".join(re.sub(r"[^a-zA-Z0-9]+", "-", part).strip("-") for part in place.parts[-2:])
    digest = _sha256(os.fsencode(place)).hexdigest()[:8]
    return f"{last[:80].strip('-')}-{digest}"


def _is_gone(path: Path) -> bool:
    """Whether no directory stands at a path; what may not be looked at is not gone."""
    try:
        return not stat.S_ISDIR(path.stat().st_mode)
    except (FileNotFoundError, NotADirectoryError):
        return True
    except OSError:
        return False


def _written(home: Path) -> int:
    return (home / _NAME).stat().st_mtime_ns
