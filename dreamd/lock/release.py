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
    held = grip.known(lease)
    with held.guard:
        try:
            # Not even the record is touched outside the mutex: a new holder may write its own.
            with mutex(held.store.locks, lease.memory):
                kept = None if held.lost else _changed(lease, wanted, held)
                # Last: a record without a lock of ours is harmless, a lock of ours without its
                # record would be a heartbeat that nobody can tell from a consolidation.
                record.remove(lease)
        except MemoryUnfitError as error:
            kept, held.lost = None, str(error)
            record.remove(lease)  # where the directory is gone, nobody takes a lease either
        grip.forget(lease)
    if kept is None:
        raise LeaseLostError(f"the lock of {lease.memory} was lost: {held.lost}")
    return kept


def _changed(lease: Lease, wanted: latch.Wanted | None, held: grip.Grip) -> int | None:
    try:
        kept = latch.change(lease.memory / latch.NAME, wanted, grip.is_ours(lease))
    except MemoryUnfitError as error:
        held.lost = str(error)
        return None
    if kept is None:
        held.lost = "another holder stands in it, or it was emptied or removed"
    return kept
