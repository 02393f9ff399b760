"""The ground a dream stands on: Python, disk, clock, settings, stores and how they fared."""

from __future__ import annotations

import os
import stat
import sys
from datetime import datetime
from pathlib import Path

from dreamd import __version__, config
from dreamd.app import gating
from dreamd.app.wiring import App
from dreamd.checkup import Result, fail, ok, warn
from dreamd.errors import ConfigError, DreamdError
from dreamd.host import clock
from dreamd.ledger import receipts
from dreamd.text.words import plural

_FULL, _LITTLE = 50, 500  # MB free: below, a dream may not be written down; it soon may not
_DAY = 86_400 * 1_000_000_000
_FEW = 3  # named; the others are counted


def state(app: App) -> Result:
    """Look whether the state directory can be written, and is private."""
    folder = app.loaded.paths.state
    if not folder.is_dir():
        above = next(each for each in folder.parents if each.exists())
        if folder.exists() or not (above.is_dir() and os.access(above, os.W_OK | os.X_OK)):
            return fail(f"{folder} cannot be made", f"make {above} a folder you may write to")
        return ok(f"{folder} (the first dream makes it)")
    seen = folder.stat()
    if seen.st_uid != os.getuid():
        return fail(f"{folder} belongs to somebody else", f"`chown -R {os.getuid()} {folder}`")
    if not os.access(folder, os.R_OK | os.W_OK | os.X_OK):
        mend = f"`chmod 700 {folder}`, or mount it writable"
        return fail(f"{folder} cannot be written to", mend)
    if seen.st_mode & (stat.S_IRWXG | stat.S_IRWXO):
        return warn(f"others may look into {folder}", f"`chmod 700 {folder}`")
    return ok(f"{folder}, private and writable")


def configuration(app: App) -> Result:
    """Say where the settings come from, and what is wrong with them."""
    loaded = app.loaded
    try:
        config.load()
    except ConfigError as error:
        mend = "fix that (`dreamd config` says what each setting may be)"
        return fail(str(error), f"{mend}; all below is by the defaults")
    given = [each for each in loaded.sources.values() if each != "default"]
    if not loaded.settings.enabled:
        mend = f"set enabled: true ({loaded.sources['enabled']})"
        return warn("dreaming is switched off", mend)
    file = loaded.paths.config_file
    lead, end = ("", "") if file.exists() else ("no ", " from elsewhere")
    return ok(f"{lead}{file}; {plural(len(given), 'setting')}{end}")


def client(app: App) -> Result:
    """Look whether the client's root is there and can be read."""
    root = app.loaded.paths.claude
    if not root.exists():
        mend = "use the client once, or set CLAUDE_CONFIG_DIR; or name memory directories"
        return warn(f"there is no {root}", mend)
    if not (root.is_dir() and os.access(root, os.R_OK | os.X_OK)):
        return fail(f"{root} cannot be looked into", f"`chmod u+rx {root}`")
    return ok(str(root))


def stores(app: App) -> Result:
    """Look which memory directories there are, and which cannot be looked into or written to."""
    found = app.survey()
    said = plural(len(found.stores), "memory directory")
    closed = [*found.unreadable]
    closed += [
        (each.memory, "not writable")
        for each in found.stores
        if each.memory.is_dir() and not os.access(each.memory, os.W_OK | os.X_OK)
    ]
    if closed:
        mend = f"give yourself the permission: `chmod u+rwx {closed[0][0]}`"
        few = _few([f"{path} ({why})" for path, why in closed])
        return fail(f"{said}, and closed to you: {few}", mend)
    return ok(said)


def history(app: App) -> Result:
    """Look whether each store's database is whole, and for what an earlier dreamd left."""
    from dreamd.host import database  # noqa: PLC0415 - where there is no SQLite, this alone fails
    from dreamd.state.store_db import StoreDb  # noqa: PLC0415

    damaged, odd = [], []
    for store in app.known_stores():
        if said := StoreDb(store.database).fault():
            damaged.append(said)
        odd += [f"{path} (was damaged)" for path in database.aside(store.database)]
        odd += [f"{path} (of an earlier dreamd)" for path in store.of_earlier]
    if damaged:
        return fail(_few(damaged), "copy it first")
    if odd:
        return warn(f"not read any more: {_few(odd)}", "remove it when you need it no more")
    return ok("whole")


def dreams(app: App) -> Result:
    """Say when was dreamt last, and what the user must hear of any store."""
    last, worries = "", []
    for store in app.known_stores():
        if not store.memory.is_dir():
            continue
        try:
            said = [*gating.concerns(app, store), gating.wreck(store)]
            done = receipts.past(receipts.read(store.database))
            last = max(last, *(each.receipt.started for each in done), "")
        except DreamdError as error:
            said = [str(error)]
        worries += [f"{store.memory}: {each}" for each in said if each]
    if worries:
        return warn(_few(worries), "`dreamd why` and `dreamd log` there say more")
    if not last:
        return ok("none yet")
    return ok(f"the last one began {datetime.fromisoformat(last).astimezone():%Y-%m-%d %H:%M}")


def python(_app: App) -> Result:
    """Say which dreamd runs, and under which Python."""
    version = ".".join(map(str, sys.version_info[:3]))
    return ok(f"dreamd {__version__} under Python {version} ({sys.executable})")


def sqlite(_app: App) -> Result:
    """Look whether this Python has SQLite, in which history and evidence are kept."""
    try:
        import sqlite3  # noqa: PLC0415 - a Python may be built without it
    except ImportError as error:
        mend = f"use a Python with SQLite, as most are built: {sys.executable} has none"
        return fail(f"no dream can be kept: {error}", mend)
    return ok(f"SQLite {sqlite3.sqlite_version}")


def disk(app: App) -> Result:
    """Look whether there is room for history and notes."""
    paths = app.loaded.paths
    free, where = min((_free(each), each) for each in (paths.state, paths.claude))
    said = f"{free:,} MB free in {where}"
    if free < _FULL:
        return fail(said, "free some space there: no dream can be written down")
    return warn(said, "free some space there soon") if free < _LITTLE else ok(said)


def time(app: App) -> Result:
    """Look whether the clock can be meant: not before what was written here."""
    now = clock.now_ns()
    known = [Path(__file__), *(each.home for each in app.known_stores())]
    ahead = max(each.stat().st_mtime_ns for each in known if each.exists()) - now
    said = f"{clock.local(now):%Y-%m-%d %H:%M %Z}"
    if ahead > _DAY:
        days = plural(ahead // _DAY, "day")
        mend = "set the clock (`timedatectl set-ntp true`): gates go by it"
        return fail(f"it is {said}, {days} before files that dreamd wrote", mend)
    return ok(said)


def _few(said: list[str]) -> str:
    more = f"; and {len(said) - _FEW} more" if len(said) > _FEW else ""
    return "; ".join(said[:_FEW]) + more


def _free(path: Path) -> int:
    """Return the room for this user where a path lies, in MB; none where no file can be made."""
    seen = os.statvfs(next(each for each in (path, *path.parents) if each.exists()))
    if seen.f_files and not seen.f_favail:
        return 0
    return seen.f_bavail * seen.f_frsize // 1_000_000
