"""When sessions were touched: one pass over each transcript directory."""

from __future__ import annotations

import os
import stat
from collections.abc import Collection, Sequence
from pathlib import Path

from dreamd.domain.verdict import Cost
from dreamd.gates.sessions import LONG, SESSION
from dreamd.gates.surroundings import Recent

_EVER = -(2**127)  # before any stamp


def recent(
    folders: Sequence[Path], *, since: int | None, grace: int, skip: Collection[str] = ()
) -> tuple[Recent, Cost]:
    """Return when the newest session was touched, how many were since, and else the oldest.

    A session is what `sessions.touched` takes for one; `since` less `grace` (ns; None: ever) is
    where they begin to count. A folder that is missing or cannot be read holds none.
    """
    after = _EVER if since is None else since - grace
    own = {f"{each}.jsonl" for each in skip}
    stamps: dict[str, int] = {}
    newest = _EVER
    stats = scans = names = 0
    for folder in folders:
        scans += 1
        try:
            with os.scandir(folder) as entries:
                for entry in entries:
                    names += 1
                    if len(entry.name) != LONG:
                        continue
                    try:
                        seen = entry.stat(follow_symlinks=False)
                    except FileNotFoundError:
                        continue  # removed since its name was read
                    stats += 1
                    stamp = seen.st_mtime_ns
                    if stamp <= after and stamp <= newest:
                        continue  # as most are
                    if not stat.S_ISREG(seen.st_mode) or entry.name in own:
                        continue
                    if SESSION.fullmatch(entry.name):
                        newest = max(newest, stamp)
                        stamps[entry.name] = max(stamps.get(entry.name, stamp), stamp)
        except OSError:
            continue
    found = Recent(
        newest=newest if stamps else None,
        oldest=min(stamps.values(), default=None) if since is None else None,
        count=sum(stamp > after for stamp in stamps.values()),
        since=since,
    )
    return found, Cost(stats=stats, scans=scans, names=names)
