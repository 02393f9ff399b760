"""Where things lie: state, configuration, the client's root, the stores and how they fared."""

from __future__ import annotations

import os
import stat
from datetime import datetime
from pathlib import Path

from dreamd.app import gating
from dreamd.checkup.result import Patient, Result, fail, ok, warn
from dreamd.domain.words import plural
from dreamd.errors import DreamdError
from dreamd.gates.wording import when
from dreamd.host import clock
from dreamd.ledger import receipts
from dreamd.stores import survey
from dreamd.transaction.wreck import wreck

_FEW = 3  # named; the others are counted


def state(patient: Patient) -> Result:
    """Look whether the state directory can be written, and is private."""
    folder = patient.app.loaded.paths.state
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


def configuration(patient: Patient) -> Result:
    """Say where the settings come from, and what is wrong with them."""
    loaded = patient.app.loaded
    if patient.fault:
        mend = "fix that (`dreamd config` says what each setting may be)"
        return fail(patient.fault, f"{mend}; all below is by the defaults")
    given = [each for each in loaded.sources.values() if each != "default"]
    if not loaded.settings.enabled:
        mend = f"set enabled: true ({loaded.sources['enabled']})"
        return warn("dreaming is switched off", mend)
    if not loaded.paths.config_file.exists():
        return ok(f"no {loaded.paths.config_file}; {plural(len(given), 'setting')} from elsewhere")
    return ok(f"{loaded.paths.config_file}, {plural(len(given), 'setting')}")


def client(patient: Patient) -> Result:
    """Look whether the client's root is there and can be read."""
    root = patient.app.loaded.paths.claude
    if not root.exists():
        mend = "use the client once, or set CLAUDE_CONFIG_DIR; or name memory directories"
        return warn(f"there is no {root}", mend)
    if not (root.is_dir() and os.access(root, os.R_OK | os.X_OK)):
        return fail(f"{root} cannot be looked into", f"`chmod u+rx {root}`")
    return ok(str(root))


def stores(patient: Patient) -> Result:
    """Look which memory directories there are, and which cannot be looked into or written to."""
    paths = patient.app.loaded.paths
    found = survey.every(paths.claude, paths.state)
    said = plural(len(found.stores), "memory directory")
    closed = [f"{path} ({why})" for path, why in found.unreadable]
    closed += [
        f"{each.memory} (not writable)"
        for each in found.stores
        if each.memory.is_dir() and not os.access(each.memory, os.W_OK | os.X_OK)
    ]
    if closed:
        mend = f"give yourself the permission: `chmod u+rwx {_first_path(closed[0])}`"
        return fail(f"{said}, and closed to you: {_few(closed)}", mend)
    return ok(said)


def history(patient: Patient) -> Result:
    """Look whether each store's database is whole, and for what an earlier dreamd left."""
    from dreamd.host import database  # noqa: PLC0415 - where there is no SQLite, this alone fails
    from dreamd.state.store_db import StoreDb  # noqa: PLC0415

    damaged, odd = [], []
    for store in patient.app.known_stores():
        if said := StoreDb(store.database).fault():
            damaged.append(f"{store.database} ({said})")
        odd += [f"{path} (was damaged)" for path in database.aside(store.database)]
        odd += [f"{path} (of an earlier dreamd)" for path in store.of_earlier]
    if damaged:
        mend = "the next dream sets it aside and goes on with a new one; copy it first"
        return fail(f"damaged: {_few(damaged)}", mend)
    if odd:
        return warn(f"not read any more: {_few(odd)}", "remove it when you need it no more")
    return ok("whole")


def dreams(patient: Patient) -> Result:
    """Say when was dreamt last, and what the user must hear of any store."""
    app = patient.app
    last, worries = "", []
    for store in app.known_stores():
        if not store.memory.is_dir():
            continue
        try:
            worries += [f"{store.memory}: {each}" for each in gating.concerns(app, store)]
            if undone := wreck(store):
                worries.append(f"{store.memory}: {undone}")
            done = receipts.past(receipts.read(store.database))
            last = max(last, *(each.receipt.started for each in done), "")
        except DreamdError as error:
            worries.append(f"{store.memory}: {error}")
    if worries:
        return warn(_few(worries), "`dreamd why` and `dreamd log` there say more")
    return ok(f"the last one began {_when(last)}" if last else "none yet")


def _when(started: str) -> str:
    try:
        stamp = clock.to_ns(datetime.fromisoformat(started))
    except (TypeError, ValueError):
        return started
    return when(stamp, clock.now_ns())


def _few(said: list[str]) -> str:
    more = f"; and {len(said) - _FEW} more" if len(said) > _FEW else ""
    return "; ".join(said[:_FEW]) + more


def _first_path(said: str) -> Path:
    return Path(said.rpartition(" (")[0])
