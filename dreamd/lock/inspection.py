"""One look at lock, lease and processes: for who takes the lock, and who only asks about it."""

from __future__ import annotations

from datetime import datetime

from dreamd.domain.lease import Held, Standing
from dreamd.domain.store import Store
from dreamd.errors import MemoryUnfitError
from dreamd.host import clock, process
from dreamd.lock import lockfile, record
from dreamd.lock.rules import Look, dead_lease, is_ahead, judge, names


def look_at(store: Store) -> Look:
    """Read what there is; good for as long as the caller holds the mutex, if at all."""
    found = lockfile.look(store.memory / lockfile.NAME)
    try:
        lease = record.read(record.file_of(store))
    except MemoryUnfitError:
        lease = None  # where no directory is, nobody holds anything
    return Look(
        found=found,
        lease=lease,
        here=process.host(),
        pid_exists=found is not None and found.pid is not None and process.pid_exists(found.pid),
        holder_alive=lease is not None and process.is_alive(lease.holder),
    )


def standing(store: Store, *, now: datetime) -> Standing:
    """Say where the lock stands, changing nothing and waiting for nobody.

    A lease that is `interrupted` is to be adopted, and finished or rolled back, before anything
    else changes the memory.
    """
    look = look_at(store)
    stamp = None if look.found is None else look.found.mtime_ns
    if look.lease is not None and names(look.lease, look.found):
        stamp = look.lease.prior_mtime_ns  # the lock's own is a heartbeat
    ahead = stamp is not None and is_ahead(stamp, now)
    answer = judge(look, now)
    holder = answer if isinstance(answer, Held) else None
    verdict = f"held by {answer.by}" if isinstance(answer, Held) else answer.why
    if ahead:
        verdict += "; the last consolidation is stamped over an hour ahead, which is no time"
    return Standing(
        holder=holder,
        consolidated=None if stamp is None or ahead else clock.from_ns(max(stamp, 0)),
        from_future=ahead,
        interrupted=dead_lease(look, now),
        verdict=verdict,
        lease=look.lease,
    )
