"""What the laptop does: its load, its battery; the client's program, and its sessions alive."""

from __future__ import annotations

import os
import re
from pathlib import Path
from typing import Any

import msgspec
from msgspec import Struct

from dreamd.host import files, process

_NAME = re.compile(r"[0-9]{1,10}\.json")
_MOST = 500  # files of the client; a person has a few
_LARGEST = 64 * 1024  # bytes; such a file has some hundred
_NOTHING = 2**63 // 1_000_000  # milliseconds that fit no nanoseconds of a file stamp


class Battery(Struct, frozen=True):
    """A battery: how full it is, and whether mains feed the machine (None: nobody can say)."""

    percent: float
    on_mains: bool | None


class Client(Struct, frozen=True):
    """A session of the client in a process that is alive."""

    session: str
    pid: int
    status: str  # "busy", "idle", "waiting" (for its person), "shell"; empty where it tells none
    told: int | None = None  # when it told that, in ns since the epoch


class _SessionFile(Struct, rename="camel"):
    session_id: str
    pid: int | None = None
    cwd: str = ""
    status: str = ""
    proc_start: Any = None
    status_updated_at: Any = None
    updated_at: Any = None


def load() -> float | None:
    """Return the load of the last minute per processor (getloadavg(3)); None if nobody can say."""
    try:
        return os.getloadavg()[0] / (os.cpu_count() or 1)
    except OSError:
        return None


def battery() -> Battery | None:
    """Return the battery of this machine; None where there is none, or where it cannot be read."""
    import psutil  # noqa: PLC0415 - 20 ms, which no gate before this one should pay

    try:
        found = psutil.sensors_battery()
    except (AttributeError, OSError, ValueError, psutil.Error):
        return None
    return None if found is None else Battery(found.percent, found.power_plugged)


def clients(folder: Path, own: Path) -> tuple[Client, ...]:
    """Return the sessions that `<client root>/sessions/<pid>.json` tells of and that are alive.

    One that stands below `own` is a dream, not a person's.
    A process is alive where its PID is, with the start that the file names (`procStart`, field
    22 of /proc/PID/stat): a reused PID is somebody else. What cannot be read, names another
    PID than the file does, or is no such object, is passed over.
    """
    try:
        with os.scandir(folder) as entries:
            names = [each.name for _, each in zip(range(_MOST), entries, strict=False)]
    except OSError:
        return ()
    found, top = [], os.path.realpath(own)
    for name in filter(_NAME.fullmatch, sorted(names)):
        pid = int(name.removesuffix(".json"))
        try:
            said = msgspec.json.decode(files.content(folder / name, _LARGEST), type=_SessionFile)
        except (OSError, ValueError, RecursionError):
            continue
        is_own = bool(said.cwd) and Path(said.cwd).is_relative_to(top)
        if said.pid in {None, pid} and not is_own and _is_alive(pid, said.proc_start):
            told = _stamp(said.status_updated_at) or _stamp(said.updated_at)
            found.append(Client(said.session_id[:100], pid, said.status[:40], told))
    return tuple(found)


def _is_alive(pid: int, started: object) -> bool:
    seen = process.seen(pid)
    if seen is None or not str(started).isdecimal():
        return process.pid_exists(pid)  # the start in words, as on a Mac: there is no more to go by
    ticks, is_zombie = seen
    return not is_zombie and str(ticks) == str(started)


def _stamp(milliseconds: object) -> int | None:
    if not isinstance(milliseconds, int | float) or not 0 < milliseconds < _NOTHING:
        return None
    return round(milliseconds * 1_000_000)
