"""The machine: Python, disk, file watches, walls, the clock."""

from __future__ import annotations

import os
import sys
from pathlib import Path

from dreamd import __version__
from dreamd.checkup.result import Patient, Result, fail, ok, warn
from dreamd.host import clock
from dreamd.sandbox import choose
from dreamd.sandbox.policy import Level
from dreamd.stores import survey
from dreamd.text.words import plural

_FULL, _LITTLE = 50, 500  # MB free: below, a dream may not be written down; it soon may not
_SPARE = 64  # watches that other programs may take meanwhile
_WATCHES = Path("/proc/sys/fs/inotify/max_user_watches")
_DAY = 86_400 * 1_000_000_000


def python(patient: Patient) -> Result:
    """Say which dreamd runs, and under which Python."""
    del patient
    version = ".".join(map(str, sys.version_info[:3]))
    return ok(f"dreamd {__version__} under Python {version} ({sys.executable})")


def sqlite(patient: Patient) -> Result:
    """Look whether this Python has SQLite, in which history and evidence are kept."""
    del patient
    try:
        import sqlite3  # noqa: PLC0415 - a Python may be built without it
    except ImportError as error:
        mend = f"use a Python with SQLite, as most are built: {sys.executable} has none"
        return fail(f"no dream can be kept: {error}", mend)
    return ok(f"SQLite {sqlite3.sqlite_version}")


def disk(patient: Patient) -> Result:
    """Look whether there is room for history and notes."""
    paths = patient.app.loaded.paths
    rooms = [(_free(each), each) for each in map(_standing, (paths.state, paths.claude))]
    free, where = min(rooms)
    said = f"{free:,} MB free in {where}"
    if free < _FULL:
        return fail(said, "free some space there: no dream can be written down")
    return warn(said, "free some space there soon") if free < _LITTLE else ok(said)


def watches(patient: Patient) -> Result:
    """Look whether the system lets the daemon listen for file events at every folder."""
    if sys.platform != "linux":
        return ok("file events come from the system here")
    app, paths = patient.app, patient.app.loaded.paths
    found = survey.every(paths.claude, paths.state).stores
    folders = {folder for store in found for folder in app.folders(store)}
    try:
        allowed = int(_WATCHES.read_text("ascii"))
    except (OSError, ValueError) as error:
        return warn(f"the daemon cannot listen for file events: {error}", "it looks slowly only")
    said = f"{allowed:,} file watches for you, {plural(len(folders), 'folder')} to listen at"
    if allowed < len(folders) + _SPARE:
        return warn(said, "raise fs.inotify.max_user_watches (`sysctl`) for quicker answers")
    return ok(said)


def walls(patient: Patient) -> Result:
    """Look which walls a model's session would have around its tools."""
    del patient
    best = choose.best()
    if best.level is Level.PATHS:
        mend = "a model has no shell here; Linux 5.13 or later with Landlock gives it one"
        return warn(best.words, mend)
    return ok(best.words)


def time(patient: Patient) -> Result:
    """Look whether the clock can be meant: not before what was written here."""
    now = clock.now_ns()
    places = [Path(__file__), *(each.home for each in patient.app.known_stores())]
    ahead = max((each.stat().st_mtime_ns for each in places if each.exists()), default=0) - now
    said = f"{clock.local(now):%Y-%m-%d %H:%M %Z}"
    if ahead > _DAY:
        days = plural(ahead // _DAY, "day")
        mend = "set the clock (`timedatectl set-ntp true`): gates go by it"
        return fail(f"it is {said}, {days} before files that dreamd wrote", mend)
    return ok(said)


def _standing(path: Path) -> Path:
    """Return the path, or what of it stands."""
    return next(each for each in (path, *path.parents) if each.exists())


def _free(path: Path) -> int:
    """Return the room for this user where a path lies, in MB; none where no file can be made."""
    seen = os.statvfs(path)
    if seen.f_files and not seen.f_favail:
        return 0
    return seen.f_bavail * seen.f_frsize // 1_000_000
