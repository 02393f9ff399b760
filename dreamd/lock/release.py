"""Giving the lock back, with the stamp that the ending deserves."""

from __future__ import annotations

from dreamd.domain.lease import Lease
from dreamd.errors import LeaseLostError, MemoryUnfitError
from dreamd.host import clock
from dreamd.host.mutex import mutex
from dreamd.lock import grip, latch, record


def finish(lease: Lease, *, mtime_ns: int | None = None) -> int:
    """Give the lock back after success: body empty, stamp = start of the dream unless given.

    Returns:
        The stamp in ns since the epoch as the file system keeps it: some round to 1 or 2 s.

    Raises:
        LeaseLostError: the lock is no longer ours; it was not touched.
        BusyError: another process kept judging it.
        HostError: the memory directory cannot be written; the lease stands as it was.
    """
    stamp = clock.to_ns(lease.started) if mtime_ns is None else mtime_ns
    return _give_back(lease, latch.Wanted(b"", stamp))


def leave(lease: Lease, mtime_ns: int | None) -> None:
    """Give the lock back with this stamp, or with None leave no lock file behind.

    Raises:
        LeaseLostError, BusyError, HostError: as `finish`.
    """
    _give_back(lease, None if mtime_ns is None else latch.Wanted(b"", mtime_ns))


def put_back(lease: Lease) -> None:
    """Give the lock back as it was found, after a success that is no consolidation.

    Raises:
        LeaseLostError, BusyError, HostError: as `finish`.
    """
    leave(lease, lease.prior_mtime_ns)


def roll_back(lease: Lease) -> bool:
    """Give the lock back as it was found, after a failure; False if it was no longer ours.

    Raises:
        BusyError, HostError: as `finish`.
    """
    try:
        put_back(lease)
    except LeaseLostError:
        return False  # whoever stands there now is to find it untouched
    return True


def _give_back(lease: Lease, wanted: latch.Wanted | None) -> int:
    try:
        held = grip.of(lease)
    except LeaseLostError:
        record.remove(lease)
        grip.forget(lease)
        raise
    file = lease.memory / latch.NAME
    with held.guard:
        try:
            with mutex(held.store.locks, lease.memory):
                kept = latch.change(file, wanted, grip.is_ours(lease))
                # Last: a record without a lock of ours is harmless, a lock of ours without its
                # record would be a stamp that nobody can put back.
                record.remove(lease)
        except MemoryUnfitError as error:
            kept, reason = None, str(error)
        else:
            reason = "another holder stands in it, or it was emptied or removed"
        grip.forget(lease)
    if kept is None:
        raise LeaseLostError(f"the lock of {lease.memory} was lost: {reason}")
    return kept
