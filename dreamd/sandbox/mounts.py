"""The same file under another path: where a bind mount shows what stands elsewhere."""

from __future__ import annotations

import re
from collections.abc import Iterable
from dataclasses import dataclass
from pathlib import Path, PurePosixPath
from typing import Final

_TABLE: Final = Path("/proc/self/mountinfo")
_ESCAPE: Final = re.compile(rb"\\([0-7]{3})")


@dataclass(frozen=True, slots=True)
class Mount:
    """A part of a file system, and where it is shown."""

    device: str  # major:minor
    root: PurePosixPath  # within the file system
    point: PurePosixPath
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
        fields = place.split(b" ")
        if dash and len(fields) > 4:
            kind = what.split(b" ")[0].decode("ascii", "replace")
            found.append(Mount(fields[2].decode(), _path(fields[3]), _path(fields[4]), kind))
    return tuple(found)


def aliases(paths: Iterable[Path], table: Iterable[Mount]) -> tuple[Path, ...]:
    """Return the paths, and every other path at which a mount shows one or a part of one."""
    mounted = [(each.device, str(each.root), str(each.point)) for each in table]
    found = dict.fromkeys(map(str, paths))
    for path in list(found):
        covering = [each for each in mounted if _below(path, each[2]) is not None]
        if not covering:
            continue
        own, root, point = max(covering, key=lambda each: len(each[2].rstrip("/")))
        inner = root.rstrip("/") + (_below(path, point) or "")
        for device, other_root, other_point in mounted:
            if device != own:
                continue
            if (rest := _below(inner, other_root)) is not None:
                found[other_point.rstrip("/") + rest] = None
            elif _below(other_root, inner) is not None:
                found[other_point] = None
    return tuple(map(Path, found))


def _below(path: str, place: str) -> str | None:
    """Return what follows a place in a path beneath it, with its slash; None where it is not."""
    place = place.rstrip("/")
    if path == place or path.startswith(place + "/"):
        return path[len(place) :]
    return None


def _path(text: bytes) -> PurePosixPath:
    plain = _ESCAPE.sub(lambda match: bytes([int(match[1], 8)]), text)
    return PurePosixPath(plain.decode("utf-8", "surrogateescape"))
