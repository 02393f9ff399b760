"""What a holder does with its lease: stand guard, beat, and give the lock back."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from msgspec import Struct, field

from dreamd.domain.store import Lease, Store
from dreamd.errors import HostError, LeaseLostError, MemoryUnfitError
from dreamd.host import clock
from dreamd.host.mutex import mutex
from dreamd.lock import lockfile, record
from dreamd.lock.lockfile import LockFile
from dreamd.lock.rules import names

HEARTBEAT = timedelta(minutes=5)
SILENCE = timedelta(minutes=30)  # of boot time: after so long without a heartbeat nothing commits
_LOOK = timedelta(seconds=5)  # how soon after a resume from suspend the next heartbeat comes


class Grip(Struct):
    """One lease as this process holds it; mutable, since a heartbeat changes it."""

    store: Store
    file: Path  # the lock
    record: Path  # of the lease; one file for every path to the directory
    beaten: timedelta  # boot time of the last heartbeat
    lost: str | None = None  # how it was lost
    guard: threading.Lock = field(default_factory=threading.Lock)  # heartbeat against release


_grips: dict[str, Grip] = {}  # by the lease's token
# A forked child has another PID than the one in the lock: it holds nothing.
os.register_at_fork(after_in_child=_grips.clear)


def keep(lease: Lease, store: Store, file: Path, lease_file: Path) -> None:
    """Remember a lease just taken; an older one of this process on the same directory is lost.

    Both would write the same PID, so the body alone could not tell them apart.
    """
    for other in list(_grips.values()):
        if other.record == lease_file and other.lost is None:
            other.lost = f"dream {lease.dream} of this same process took it over"
    _grips[lease.token] = Grip(store, file, lease_file, clock.since_boot())


def fence(lease: Lease) -> None:
    """Stand between a holder and a change: return only while the lease is good.

    It is while the body holds our PID and the last heartbeat is under 30 min of boot time old;
    boot time, because a laptop may have slept and a clock may have been set.

    Raises:
        LeaseLostError: it is not; nothing may be committed.
    """
    grip = _grip(lease)
    silent = clock.since_boot() - grip.beaten
    if grip.lost is None and silent >= SILENCE:
        raise LeaseLostError(
            f"the last heartbeat in the lock of {grip.store.memory} is "
            f"{silent.total_seconds() / 60:.0f} min old"
        )
    _demand(grip, lambda: names(lease, lockfile.look(grip.file)))


def beat(lease: Lease, *, now: datetime | None = None) -> None:
    """Look whether the lock is ours, and only then stamp it with the time.

    Raises:
        LeaseLostError: a foreign body, no file, no directory; from now on every fence says so.
        HostError: the system failed to read or stamp the lock, which proves no loss.
    """
    stamp = clock.to_ns(now or clock.now())
    with _grip(lease).guard:
        grip = _grip(lease)  # it may have been given back while we waited
        _demand(grip, lambda: lockfile.touch(grip.file, stamp, partial(names, lease)))
        grip.beaten = clock.since_boot()


@contextlib.contextmanager
def beating(lease: Lease, *, every: timedelta = HEARTBEAT) -> Iterator[None]:
    """Beat in a thread of its own while the block runs: every so often, and after a resume.

    When the lease is lost or given back the thread ends; the next fence says which.
    """
    grip = _grip(lease)
    done = threading.Event()

    def run() -> None:
        # Short waits, because a thread's timer stands still while the machine sleeps: the boot
        # clock, which does not, shows within one of them that a heartbeat is due.
        while not done.wait(min(every, _LOOK).total_seconds()):
            if clock.since_boot() - grip.beaten < every:
                continue
            try:
                beat(lease)
            except LeaseLostError:
                return
            except HostError:
                continue  # no proof of loss: try again soon; the fence counts the silence

    thread = threading.Thread(target=run, name=f"heartbeat of {lease.dream}", daemon=True)
    thread.start()
    try:
        yield
    finally:
        done.set()
        thread.join()


def tell(lease: Lease, said: str) -> None:
    """Let others know how far the holder has come; nothing once the lock is given back."""
    if (grip := _grips.get(lease.token)) is not None:
        with grip.guard:  # or it would come after the lock was given back
            if lease.token in _grips:
                record.tell(grip.record, lease, said)


def finish(lease: Lease, mtime_ns: int | None) -> int | None:
    """Give the lock back: body empty, with this mtime; with None no lock file is left.

    Returns:
        The mtime as the file system keeps it: some round to 1 or 2 s.

    Raises:
        LeaseLostError: the lock is no longer ours; it was not touched.
    """
    grip = _grip(lease)
    wanted = None if mtime_ns is None else LockFile(b"", mtime_ns)
    kept: int | None = None
    with grip.guard:
        try:
            # Not even the record is touched outside the mutex: a new holder may write its own.
            with mutex(grip.store.locks, grip.store.memory):
                if grip.lost is None:
                    with contextlib.suppress(MemoryUnfitError):  # a link there is not our lock
                        kept = lockfile.change(grip.file, wanted, partial(names, lease))
                # Last: a record without a lock of ours is harmless, a lock of ours without its
                # record would be a heartbeat that nobody can tell from a consolidation.
                record.remove(grip.record, lease)
        except MemoryUnfitError:  # the directory is gone: nobody takes a lease of it either
            record.remove(grip.record, lease)
        _grips.pop(lease.token, None)
    if kept is None:
        raise _lost(grip)
    return None if wanted is None else kept


def roll_back(lease: Lease) -> bool:
    """Give the lock back as it was found; False if it was no longer ours, and is not touched."""
    try:
        finish(lease, lease.prior_mtime_ns)
    except LeaseLostError:
        return False  # whoever stands there now is to find it untouched
    return True


def _grip(lease: Lease) -> Grip:
    grip = _grips.get(lease.token)
    if grip is None:  # given back, or of another process
        raise LeaseLostError(f"this process does not hold the lock for dream {lease.dream}")
    return grip


def _demand(grip: Grip, holds: Callable[[], bool]) -> None:
    if grip.lost is None:
        with contextlib.suppress(MemoryUnfitError):
            if holds():
                return
    raise _lost(grip)


def _lost(grip: Grip) -> LeaseLostError:
    """Note how a lease was lost, where that is not known yet, and return it as an error."""
    if grip.lost is None:
        try:
            found = lockfile.look(grip.file)
        except MemoryUnfitError as error:
            grip.lost = str(error)
        else:
            pid = found.pid if found else None
            there = f"process {pid} stands in it" if pid else "it was emptied"
            grip.lost = there if found else "its file is gone"
    return LeaseLostError(f"the lock of {grip.store.memory} was lost: {grip.lost}")
