"""Which sessions of the client are alive, by the files it keeps about them."""

from __future__ import annotations

import os
import stat
from collections.abc import Iterator
from pathlib import Path

from msgspec import Struct
from msgspec.structs import replace

from dreamd.errors import HostError
from dreamd.host import process

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from typing import Any

_MOST = 500  # files; a person has a few
_LARGEST = 64 * 1024  # bytes; such a file has some hundred
_NOTHING = 2**63 // 1_000_000  # milliseconds that fit no nanoseconds of a file stamp


class Client(Struct, frozen=True):
    """A session of the client in a process that is alive."""

    session: str
    pid: int
    status: str  # "busy", "idle", "waiting" (for its person), "shell"; empty where it tells none
    told: int | None = None  # when it told that, in ns since the epoch


def clients(folder: Path) -> tuple[Client, ...]:
    """Return the sessions that `<client root>/sessions/<pid>.json` tells of and that are alive.

    A process is alive where its PID is, with the start that the file names (`procStart`, field
    22 of /proc/PID/stat): a reused PID is somebody else. What cannot be read, names another
    PID than the file does, or is no such object, is passed over.
    """
    found = []
    for pid, path in _files(folder):
        fields = _fields(path)
        session, status = fields.get("sessionId"), fields.get("status", "")
        if not isinstance(session, str) or not isinstance(status, str):
            continue
        if fields.get("pid", pid) != pid or not _is_alive(pid, fields.get("procStart")):
            continue
        told = _stamp(fields.get("statusUpdatedAt", fields.get("updatedAt")))
        found.append(Client(session[:100], pid, status[:40], told))
    return tuple(found)


def _files(folder: Path) -> Iterator[tuple[int, Path]]:
    try:
        with os.scandir(folder) as entries:
            names = [each.name for _, each in zip(range(_MOST), entries, strict=False)]
    except OSError:
        return
    for name in sorted(names):
        stem = name.removesuffix(".json")
        if stem != name and stem.isascii() and stem.isdecimal() and len(stem) < 11:
            yield int(stem), folder / name


def _fields(path: Path) -> dict[str, Any]:
    import json  # noqa: PLC0415 - only where somebody has a client running

    try:
        # A pipe of that name must not make anybody wait.
        descriptor = os.open(path, os.O_RDONLY | os.O_CLOEXEC | os.O_NONBLOCK | os.O_NOFOLLOW)
    except OSError:
        return {}
    try:
        if not stat.S_ISREG(os.fstat(descriptor).st_mode):
            return {}
        value = json.loads(os.read(descriptor, _LARGEST))
    except (OSError, ValueError, RecursionError):
        return {}
    finally:
        os.close(descriptor)
    return value if isinstance(value, dict) else {}


def _is_alive(pid: int, started: object) -> bool:
    if not process.pid_exists(pid):
        return False
    if not isinstance(started, str | int) or not str(started).isdecimal():
        return True  # the start in words, as on a Mac: the PID is all there is to go by
    try:
        return process.is_alive(replace(process.myself(), pid=pid, ticks=int(started)))
    except (HostError, ValueError):
        return True


def _stamp(milliseconds: object) -> int | None:
    if not isinstance(milliseconds, int | float) or not 0 < milliseconds < _NOTHING:
        return None
    return round(milliseconds * 1_000_000)
