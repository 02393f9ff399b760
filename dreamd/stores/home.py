"""Where dreamd keeps what belongs to a memory directory: the store of a path."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from pathlib import Path

from dreamd.domain.store import Store
from dreamd.errors import UsageError
from dreamd.stores import mark
from dreamd.stores.mark import Mark

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


def real(path: Path) -> Path:
    """Return the real path.

    Raises:
        UsageError: it is a link that leads to itself.
    """
    try:
        return path.resolve()
    except (OSError, RuntimeError) as error:
        raise UsageError(f"{path} cannot be followed: {error}") from error


def store_at(memory: Path, state: Path, marks: dict[str, Mark] | None = None) -> Store:
    """Return the store of a memory directory, by its real path; nothing is written.

    A new path gets a store of its own, named after it, unless it takes over that of a directory
    that was moved or renamed: `dreamd.stores.identity` says when. Then the store keeps its name,
    and its folder never moves, so that nobody who works in it is disturbed; `open_home` makes
    the change by replacing one file. From there on the path in `store.json` leads here.

    Args:
        memory: the directory, which need not exist.
        state: dreamd's state directory.
        marks: those of all stores, where the caller has read them already.

    Raises:
        UsageError: the path is a link that leads to itself.
    """
    place = real(memory)
    homes, name = state / "stores", name_of(place)
    own = mark.read(homes / name)
    if own is not None and own.path == place:
        return Store(place, state, name)
    marks = mark.read_all(homes) if marks is None else marks
    for other, each in marks.items():
        if each.path == place:
            return Store(place, state, other)
    if own is None and _holds_something(homes / name):  # its mark was damaged
        return Store(place, state, name)
    if marks:
        from dreamd.stores import identity  # noqa: PLC0415 - only for a path not known yet

        heir = identity.heir(place, state, marks)
        if heir is not None:
            return Store(place, state, heir)
    free, number = name, 1
    while free in marks:  # the store of this name has gone elsewhere, and this is another one
        number += 1
        free = f"{name}-{number}"
    return Store(place, state, free)


def known(state: Path) -> Iterator[Store]:
    """Return every store that has a folder in the state directory, by name."""
    for name, each in mark.read_all(state / "stores").items():
        yield Store(memory=each.path, state=state, name=name)


def name_of(place: Path) -> str:
    """Return the name of a new store: the last two parts of its path, and 8 hex of its SHA-256."""
    last = "-".join(re.sub(r"[^a-zA-Z0-9]+", "-", part).strip("-") for part in place.parts[-2:])
    digest = _sha256(os.fsencode(place)).hexdigest()[:8]
    return f"{last[:80].strip('-')}-{digest}"


def _holds_something(home: Path) -> bool:
    """Whether there is more than what a skipped or failed dream leaves."""
    return any(os.path.lexists(home / each) for each in (mark.NAME, "store.db"))
