"""`store.json`: which directory a store belongs to, and by what it is known again elsewhere."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path

from dreamd.domain.record import Record
from dreamd.host import files
from dreamd.stores.peek import beginning

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from typing import Any

NAME = "store.json"
_LARGEST = 1 << 16  # bytes; paths have at most 4,096


@dataclass(frozen=True, eq=False, repr=False)
class Anchor(Record):
    """Where a memory directory stands in git: the root commit, and its path below the work tree.

    `within` is "" for the memory that the client keeps elsewhere for a whole project.
    """

    root_commit: str | None = None
    within: str | None = None
    remote: str | None = None  # without credentials


# Without slots: many are made by a command that only looks.
@dataclass(frozen=True, eq=False, repr=False)
class Mark(Record):
    """What `store.json` says; `born` is the birth time of the directory in ns, if known."""

    path: Path
    device: int
    inode: int
    born: int | None = None
    anchor: Anchor | None = None  # None where it was never looked for

    def is_of(self, path: Path, found: os.stat_result) -> bool:
        """Whether it names this path and the directory that stands there now."""
        return (self.path, self.device, self.inode) == (path, found.st_dev, found.st_ino)


def read(home: Path) -> Mark | None:
    """Return the mark of a store's folder; None where there is none or it is damaged."""
    text = beginning(f"{home}/{NAME}", _LARGEST)
    if text is None:
        return None
    try:
        fields = json.loads(text)
        path = Path(fields["path"])
        os.fsencode(path)
        mark = Mark(path, _whole(fields["device"]), _whole(fields["inode"]), _born(fields))
        return Mark(**{**vars(mark), "anchor": _anchor(fields)})
    except (KeyError, TypeError, ValueError, RecursionError):
        return None


def write(home: Path, mark: Mark) -> None:
    """Put the mark in place, durably.

    Raises:
        HostError: the state directory cannot be written.
    """
    anchor = mark.anchor or Anchor()
    fields = {
        "path": str(mark.path),
        "device": mark.device,
        "inode": mark.inode,
        "born": mark.born,
        "root_commit": anchor.root_commit,
        "within": anchor.within,
        "remote": anchor.remote,
    }
    with files.faults("write", home / NAME):
        files.replace(home / NAME, json.dumps(fields).encode("ascii") + b"\n")


def read_all(homes: Path) -> dict[str, Mark]:
    """Return the marks of all stores by the name of the store's folder, sorted."""
    try:
        names = sorted(os.listdir(homes))  # noqa: PTH208 - a third of the time, for 100 stores
    except OSError:
        return {}
    found = {name: read(Path(f"{homes}/{name}")) for name in names}
    return {name: mark for name, mark in found.items() if mark is not None}


def _whole(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(value)
    return value


def _born(fields: Mapping[str, Any]) -> int | None:
    value = fields.get("born")
    return value if isinstance(value, int) and not isinstance(value, bool) else None


def _anchor(fields: Mapping[str, Any]) -> Anchor | None:
    names = ("root_commit", "within", "remote")
    if not all(name in fields for name in names):
        return None
    return Anchor(*(v if isinstance(v := fields[name], str) else None for name in names))
