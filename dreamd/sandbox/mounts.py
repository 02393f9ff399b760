"""The same file under another path: where a bind mount shows what stands elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable
from pathlib import Path
from typing import Final, NamedTuple

_TABLE: Final = Path("/proc/self/mountinfo")
_ESCAPE: Final = re.compile(rb"\\([0-7]{3})")


class Mount(NamedTuple):
    """A part of a file system, and where it is shown."""

    device: str  # major:minor
    root: str  # within the file system
    point: str
    kind: str  # of file system, as mount(8) calls it


def mounts() -> tuple[Mount, ...]:
    """Return the mounts of this process, in the order of mounting; none where no /proc is."""
    try:
        return parse(_TABLE.read_bytes())
    except OSError:
        return ()


def parse(table: bytes) -> tuple[Mount, ...]:
    """Return the mounts of a mountinfo table (proc(5), /proc/PID/mountinfo)."""
    found = []
    for line in table.splitlines():
        place, dash, what = line.partition(b" - ")
        fields = [_ESCAPE.sub(lambda at: bytes([int(at[1], 8)]), each) for each in place.split()]
        if dash and len(fields) > 4:
            shown = (*fields[2:5], what.split(b" ")[0])
            found.append(Mount(*(each.decode("utf-8", "surrogateescape") for each in shown)))
    return tuple(found)


def aliases(paths: Iterable[Path], table: Iterable[Mount]) -> tuple[Path, ...]:
    """Return the paths, and every other path at which a mount shows one or a part of one."""
    mounted = tuple(table)
    found = dict.fromkeys(map(str, paths))
    for path in list(found):
        covering = [each for each in mounted if _below(path, each.point) is not None]
        if not covering:
            continue
        own = max(covering, key=lambda each: len(each.point.rstrip("/")))
        inner = own.root.rstrip("/") + (_below(path, own.point) or "")
        for other in mounted:
            if other.device != own.device:
                continue
            if (rest := _below(inner, other.root)) is not None:
                found[other.point.rstrip("/") + rest] = None
            elif _below(other.root, inner) is not None:
                found[other.point] = None
    return tuple(map(Path, found))


def _below(path: str, place: str) -> str | None:
    """Return what follows a place in a path beneath it, with its slash; None where it is not."""
    place = place.rstrip("/")
    if path == place or path.startswith(place + "/"):
        return path[len(place) :]
    return None
