"""What this process knows of the leases it holds: the last heartbeat, or how one was lost."""

from __future__ import annotations

import contextlib
import os
import threading
from collections.abc import Callable, Iterator
from datetime import datetime, timedelta
from pathlib import Path

from msgspec import Struct, field

from dreamd.domain.lease import Lease
from dreamd.domain.store import Store
from dreamd.errors import HostError, LeaseLostError, MemoryUnfitError
from dreamd.host import clock
from dreamd.lock import latch
from dreamd.lock.judge import Found

HEARTBEAT = timedelta(minutes=5)
SILENCE = timedelta(minutes=30)  # of boot time: after so long without a heartbeat nothing commits
_LOOK = timedelta(seconds=5)  # how soon after a resume from suspend the next heartbeat comes


class Grip(Struct):
    """One lease as this process holds it; mutable, since a heartbeat changes it."""

    store: Store
    place: str  # the directory as device and inode, by whatever path
    beaten: timedelta  # boot time of the last heartbeat
    lost: str | None = None  # how it was lost
    guard: threading.Lock = field(default_factory=threading.Lock)  # heartbeat against release


_grips: dict[str, Grip] = {}  # by the lease's token
# A forked child has another PID than the one in the lock: it holds nothing.
os.register_at_fork(after_in_child=_grips.clear)


def keep(lease: Lease, store: Store, place: str) -> None:
    """Remember a lease just taken; an older one of this process on the same place is lost.

    Both would write the same PID, so the body alone could not tell them apart.
    """
    for other in list(_grips.values()):
        if other.place == place and other.lost is None:
            other.lost = f"dream {lease.dream} of this same process took it over"
    _grips[lease.token] = Grip(store=store, place=place, beaten=clock.since_boot())


def of(lease: Lease) -> Grip:
    """Return what is known of a lease that this process still holds.

    Raises:
        LeaseLostError: it was given back, lost, or belongs to another process.
    """
    grip = known(lease)
    if grip.lost is not None:
        raise LeaseLostError(f"the lock of {lease.memory} was lost: {grip.lost}")
    return grip


def known(lease: Lease) -> Grip:
    """Return what is known of a lease that this process took, lost or not.

    Raises:
        LeaseLostError: it was given back, or belongs to another process.
    """
    grip = _grips.get(lease.token)
    if grip is None:
        raise LeaseLostError(f"this process does not hold the lock of {lease.memory}")
    return grip


def forget(lease: Lease) -> None:
    """Let go of a lease that was given back."""
    _grips.pop(lease.token, None)


def is_ours(lease: Lease) -> Callable[[Found | None], bool]:
    """Return the question whether what stands in the lock is this lease's PID."""
    return lambda found: found is not None and found.pid == lease.holder.pid


def fence(lease: Lease) -> None:
    """Stand between a holder and a change: return only while the lease is good.

    It is while the body holds our PID and the last heartbeat is under 30 min of boot time old;
    boot time, because a laptop may have slept and a clock may have been set.

    Raises:
        LeaseLostError: it is not; nothing may be committed.
        HostError: the system failed to read the lock.
    """
    grip = of(lease)
    silent = clock.since_boot() - grip.beaten
    if silent >= SILENCE:
        raise LeaseLostError(
            f"the last heartbeat in the lock of {lease.memory} is "
            f"{silent.total_seconds() / 60:.0f} min old"
        )
    mine = is_ours(lease)
    _demand(lease, grip, lambda file: mine(latch.look(file)))


def beat(lease: Lease, *, now: datetime | None = None) -> None:
    """Look whether the lock is ours, and only then stamp it with the time.

    Raises:
        LeaseLostError: a foreign body, no file, no directory; from now on every fence says so.
        HostError: the system failed to read or stamp the lock, which proves no loss.
    """
    stamp = clock.to_ns(now or clock.now())
    grip = of(lease)
    mine = is_ours(lease)
    with grip.guard:
        of(lease)  # it may have been given back while we waited
        _demand(lease, grip, lambda file: latch.touch(file, stamp, mine))
        grip.beaten = clock.since_boot()


@contextlib.contextmanager
def beating(
    lease: Lease,
    *,
    every: timedelta = HEARTBEAT,
    on_lost: Callable[[LeaseLostError], None] | None = None,
) -> Iterator[None]:
    """Beat in a thread of its own while the block runs: every so often, and after a resume.

    When the lease is lost the thread calls `on_lost` once, to stop the engine, and ends; the next
    fence raises at once. A lease given back inside the block ends the thread in silence.
    """
    grip = of(lease)
    done = threading.Event()

    def run() -> None:
        # Short waits, because a thread's timer stands still while the machine sleeps: the boot
        # clock, which does not, shows within one of them that a heartbeat is due.
        while not done.wait(min(every, _LOOK).total_seconds()):
            if lease.token not in _grips:
                return
            if clock.since_boot() - grip.beaten < every:
                continue
            try:
                beat(lease)
            except LeaseLostError as lost:
                if on_lost is not None and lease.token in _grips:
                    on_lost(lost)
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


def _demand(lease: Lease, grip: Grip, holds: Callable[[Path], bool]) -> None:
    file = lease.memory / latch.NAME
    try:
        if holds(file):
            return
        found = latch.look(file)
        how = (
            "its file is gone"
            if found is None
            else f"process {found.pid} stands in it"
            if found.pid is not None
            else "it was emptied"
        )
    except MemoryUnfitError as error:
        how = str(error)
    grip.lost = how
    raise LeaseLostError(f"the lock of {lease.memory} was lost: {how}")
