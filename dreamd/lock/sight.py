"""What stands in the lock: for whoever asks without wanting to take it."""

from __future__ import annotations

from datetime import UTC, datetime

from msgspec import Struct

from dreamd.domain.lease import Held, Lease, Standing
from dreamd.domain.store import Store
from dreamd.host import clock, process
from dreamd.lock import latch, record
from dreamd.lock.judge import BELIEVED, Found, Free, Taken, is_dead, judge, names


class Sight(Struct, frozen=True):
    """One look at lock, lease and processes, with the verdict on them."""

    found: Found | None
    lease: Lease | None
    holder_alive: bool
    verdict: Free | Taken


def sight(store: Store, *, now: datetime) -> Sight:
    """Look at the lock and judge it; good for as long as the caller holds the mutex, if at all.

    Raises:
        MemoryUnfitError: something else than a readable regular file stands in its place.
        HostError: the system failed to read it.
    """
    found = latch.look(store.memory / latch.NAME)
    pid = None if found is None else found.pid
    lease = record.naming(store, pid, process.is_alive)
    holder_alive = lease is not None and process.is_alive(lease.holder)
    verdict = judge(
        found,
        lease,
        now=now,
        here=process.host(),
        pid_exists=pid is not None and process.pid_exists(pid),
        holder_alive=holder_alive,
    )
    return Sight(found=found, lease=lease, holder_alive=holder_alive, verdict=verdict)


def standing(store: Store, *, now: datetime) -> Standing:
    """Say where the lock stands, changing nothing and waiting for nobody.

    Raises:
        MemoryUnfitError: something else than a readable regular file stands in its place.
        HostError: the system failed to read it.
    """
    seen = sight(store, now=now)
    stamp = None if seen.found is None else seen.found.mtime_ns
    if seen.lease is not None and names(seen.lease, seen.found):
        stamp = seen.lease.prior_mtime_ns  # the lock's own is a heartbeat
    ahead = stamp is not None and Found(b"", stamp).age(now) < -BELIEVED
    holder: Held | None = None
    match seen.verdict:
        case Taken(by=by, pid=pid):
            holder, verdict = Held(by=by, pid=pid), f"held by {by}"
        case Free(why=verdict):
            pass
    if ahead:
        verdict += "; the last consolidation is stamped over an hour ahead, which is no time"
    return Standing(
        holder=holder,
        consolidated=None if stamp is None or ahead else _moment(stamp),
        from_future=ahead,
        interrupted=_dead(store, seen, now=now),
        verdict=verdict,
    )


def dead_lease(store: Store, *, now: datetime) -> Lease | None:
    """Return the lease of a dream whose holder ended without giving it back, None if none did.

    It is to be adopted, and finished or rolled back, before anything else changes the memory.

    Raises:
        MemoryUnfitError: something else than a readable regular file stands in the lock's place.
        HostError: the system failed to read lock or lease.
    """
    return _dead(store, sight(store, now=now), now=now)


def _dead(store: Store, seen: Sight, *, now: datetime) -> Lease | None:
    lease, holder_alive = seen.lease, seen.holder_alive
    if lease is not None and lease.file != store.lease:
        # Another path to this directory has it; its store recovers it, ours only its own.
        lease = record.read(store.lease)
        holder_alive = lease is not None and process.is_alive(lease.holder)
    if lease is None:
        return None
    ended = is_dead(
        lease,
        seen.found,
        seen.verdict,
        now=now,
        here=process.host(),
        holder_alive=holder_alive,
    )
    return lease if ended else None


def _moment(stamp: int) -> datetime:
    return clock.from_ns(stamp) if stamp >= 0 else datetime(1970, 1, 1, tzinfo=UTC)
