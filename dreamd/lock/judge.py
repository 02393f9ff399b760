"""Whether the lock of a memory directory is held, from what stands in it: rules without I/O."""

from __future__ import annotations

import re
from datetime import UTC, datetime, timedelta

from msgspec import Struct

from dreamd.domain.lease import Lease
from dreamd.host.clock import from_ns, to_ns

BELIEVED = timedelta(hours=1)  # how long a PID without a lease, or another host's word, counts
_LARGEST_PID = 2**31 - 1
_NS = timedelta(microseconds=1)


class Found(Struct, frozen=True):
    """What stood in the lock file at one look; times in ns since the epoch."""

    body: bytes
    mtime_ns: int
    mode: int = 0o600

    @property
    def pid(self) -> int | None:
        """The PID in the body; None where it is empty or names no process."""
        # Ten digits hold every pid_t; int() of a longer hostile number could raise.
        match = re.fullmatch(rb"\s*([0-9]{1,10})\s*", self.body)
        pid = int(match[1]) if match else 0
        return pid if 0 < pid <= _LARGEST_PID else None

    def age(self, now: datetime) -> timedelta:
        """How long ago the stamp was set; negative if it lies in the future."""
        # Whole microseconds, clamped: a hostile stamp may be too far off for a datetime.
        micros = (to_ns(now) - self.mtime_ns) // 1_000
        far = 10**17  # some 3,000 years
        return max(-far, min(far, micros)) * _NS

    def is_from_future(self, now: datetime) -> bool:
        """Whether the stamp lies over an hour ahead, which is no time at all."""
        return self.age(now) < -BELIEVED


class Free(Struct, frozen=True):
    """Nobody holds the lock; `why` is a clause that says how that is known."""

    why: str


class Taken(Struct, frozen=True):
    """Somebody holds the lock; `by` is a phrase that says who and since when."""

    by: str
    pid: int


def names(lease: Lease | None, found: Found | None) -> bool:
    """Whether the body holds the PID of this lease: while it does, the stamp is a heartbeat."""
    return lease is not None and found is not None and found.pid == lease.holder.pid


def judge(
    found: Found | None,
    lease: Lease | None,
    *,
    now: datetime,
    here: str,
    pid_exists: bool,
    holder_alive: bool,
) -> Free | Taken:
    """Say whether the lock is held.

    Args:
        found: what stands in the lock, None if there is no file.
        lease: the record on disk, whether or not it has to do with what was found.
        now: wall time.
        here: the name of this host, as leases bear it.
        pid_exists: whether some process here has the PID in the body.
        holder_alive: whether the process that took the lease runs here, as the very same.

    A lease is believed of a living process until its deadline, whatever the stamp says (a clock
    may have been set); of another host for an hour after its last heartbeat. Without one, the
    body is believed for an hour and while its PID exists: clients leave theirs after success.
    """
    if found is None:
        return Free("there is no lock")
    if found.pid is None:
        return Free("the lock names no process")
    ours = lease if lease is not None and names(lease, found) else None
    if ours and ours.holder.host == here and holder_alive and now < ours.deadline:
        return Taken(_dream(ours), found.pid)
    if found.is_from_future(now):
        return Free(f"the lock is stamped {_moment(found)}, which lies ahead and is no time")
    if ours and ours.holder.host != here:
        if found.age(now) < BELIEVED:
            return Taken(_dream(ours), found.pid)
        return Free(f"no heartbeat came from host {ours.holder.host} since {_moment(found)}")
    if not pid_exists:
        return Free(f"process {found.pid} in the lock is gone")
    if found.age(now) < BELIEVED:
        return Taken(f"process {found.pid}, in the lock since {_moment(found)}", found.pid)
    return Free(f"process {found.pid} has not touched the lock since {_moment(found)}")


def is_dead(
    lease: Lease,
    found: Found | None,
    verdict: Free | Taken,
    *,
    now: datetime,
    here: str,
    holder_alive: bool,
) -> bool:
    """Say whether the holder of a lease has ended or lost it for good, so that others may clear up.

    A living holder before its deadline has not, even where its PID was wiped from the lock: it
    may be in the middle of a commit. Of another host's holder only the lock can tell.
    """
    if lease.holder.host == here and not holder_alive:
        return True
    if holder_alive and now < lease.deadline:
        return False
    return isinstance(verdict, Free) or not names(lease, found)


def _dream(lease: Lease) -> str:
    since = lease.started.astimezone(UTC)
    return (
        f"dream {lease.dream} ({lease.kind}) in process {lease.holder.pid} "
        f"on {lease.holder.host}, since {since:%Y-%m-%d %H:%M} UTC"
    )


def _moment(found: Found) -> str:
    try:
        return f"{from_ns(found.mtime_ns):%Y-%m-%d %H:%M} UTC"
    except OverflowError:
        return "at no time a calendar knows"
