"""Whether the lock of a memory directory is held, from what stands in it: rules without I/O."""

from __future__ import annotations

from datetime import UTC, datetime

from msgspec import Struct

from dreamd.domain.store import Held, Lease
from dreamd.host.clock import from_ns, to_ns
from dreamd.lock.lockfile import LockFile

_BELIEVED = 3_600 * 10**9  # ns: how long a PID without a lease, or another host's word, counts


class Look(Struct, frozen=True):
    """What was read of lock, lease and processes at one moment."""

    found: LockFile | None  # None if there is no file
    lease: Lease | None  # whether or not it has to do with what was found
    here: str  # the name of this host, as leases bear it
    pid_exists: bool  # some process here has the PID in the body
    holder_alive: bool  # the process that took the lease runs here, as the very same


class Free(Struct, frozen=True):
    """Nobody holds the lock; `why` is a clause that says how that is known."""

    why: str


def is_ahead(mtime_ns: int, now: datetime) -> bool:
    """Whether an mtime lies over an hour in the future, which is no time at all."""
    return mtime_ns - to_ns(now) > _BELIEVED


def names(lease: Lease | None, found: LockFile | None) -> bool:
    """Whether the body holds the PID of this lease: while it does, the mtime is a heartbeat."""
    return lease is not None and found is not None and found.pid == lease.holder.pid


def judge(look: Look, now: datetime) -> Free | Held:
    """Say whether the lock is held.

    A lease is believed of a living process until its deadline, whatever the mtime says (a clock
    may have been set); of another host for an hour after its last heartbeat. Without one, the
    body is believed for an hour and while its PID exists: clients leave theirs after success.
    """
    found = look.found
    if found is None:
        return Free("there is no lock")
    if found.pid is None:
        return Free("the lock names no process")
    lease = look.lease if names(look.lease, found) else None
    if lease and lease.holder.host == look.here and look.holder_alive and now < lease.deadline:
        return Held(_dream(lease))
    stamped = _moment(found.mtime_ns)
    if is_ahead(found.mtime_ns, now):
        return Free(f"the lock is stamped {stamped}, which lies ahead and is no time")
    is_fresh = to_ns(now) - found.mtime_ns < _BELIEVED
    if lease and lease.holder.host != look.here:
        if is_fresh:
            return Held(_dream(lease))
        return Free(f"no heartbeat came from host {lease.holder.host} since {stamped}")
    if not look.pid_exists:
        return Free(f"process {found.pid} in the lock is gone")
    if is_fresh:
        return Held(f"process {found.pid}, in the lock since {stamped}")
    return Free(f"process {found.pid} has not touched the lock since {stamped}")


def dead_lease(look: Look, now: datetime) -> Lease | None:
    """Return the lease if its holder has ended or lost it for good, so that others may clear up.

    A living holder before its deadline has not, even where its PID was wiped from the lock: it
    may be in the middle of a commit. Of another host's holder only the lock can tell.
    """
    lease = look.lease
    if lease is None:
        return None
    if lease.holder.host == look.here:
        if not look.holder_alive:
            return lease
        if now < lease.deadline:
            return None
    is_held = names(lease, look.found) and isinstance(judge(look, now), Held)
    return None if is_held else lease


def _dream(lease: Lease) -> str:
    since = lease.started.astimezone(UTC)
    return (
        f"dream {lease.dream} ({lease.kind}) in process {lease.holder.pid} "
        f"on {lease.holder.host}, since {since:%Y-%m-%d %H:%M} UTC"
    )


def _moment(mtime_ns: int) -> str:
    try:
        return f"{from_ns(mtime_ns):%Y-%m-%d %H:%M} UTC"
    except OverflowError:
        return "at no time a calendar knows"
