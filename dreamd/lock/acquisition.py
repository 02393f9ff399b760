"""Taking the lock: read, judge, write the own PID, wait, and read it back; or only asking."""

from __future__ import annotations

import contextlib
import os
import time
from datetime import datetime, timedelta
from functools import partial
from pathlib import Path

from dreamd.domain.store import Held, Lease, Standing, Store
from dreamd.errors import BusyError, DreamdError, MemoryUnfitError
from dreamd.host import clock, process
from dreamd.host.mutex import mutex
from dreamd.lock import holder, lockfile, record
from dreamd.lock.lockfile import LockFile
from dreamd.lock.rules import Look, dead_lease, is_ahead, judge, names

LASTING = timedelta(hours=2)
# A client of the plain protocol reads, writes and reads back within this time, so whoever came
# together with us shows in the body at its end (20 ms sufficed where this was measured).
SETTLE = timedelta(milliseconds=50)


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
    verdict = f"held by {answer.by}" if isinstance(answer, Held) else answer.why
    if ahead:
        verdict += "; the last consolidation is stamped over an hour ahead, which is no time"
    return Standing(
        holder=answer if isinstance(answer, Held) else None,
        consolidated=None if stamp is None or ahead else clock.from_ns(max(stamp, 0)),
        from_future=ahead,
        interrupted=dead_lease(look, now),
        verdict=verdict,
        lease=look.lease,
    )


def running(store: Store) -> Lease | None:
    """Return the lease of a process that holds the lock and lives here.

    None where nobody holds it, or who does is no process of dreamd on this host.
    """
    look = look_at(store)
    return look.lease if look.holder_alive and names(look.lease, look.found) else None


def progress(store: Store) -> str:
    """Return how far the holder of the lock has come; "" where none runs here, or nobody can say.

    What a dead process had written says nothing.
    """
    with contextlib.suppress(DreamdError):
        if (lease := running(store)) is not None:
            return record.told(record.file_of(store), lease)
    return ""


def acquire(
    store: Store, *, dream: str, kind: str, now: datetime, dead: Lease | None = None
) -> Lease | Held:
    """Take the lock of a memory directory, if it is free, for a dream that starts now.

    With `dead`, take over the lease of a holder that has ended, to finish its dream or roll it
    back: the new lease bears the start of that dream.

    The mtime that a crashed holder left is never mistaken for a consolidation: where its lease
    still names the body, the lock is first put back to what stood there before that lease, so
    that `prior_mtime_ns` of the new lease is right and no crash in between can lose it. Where
    the body names another (the holder ended while giving the lock back, or the user or another
    client wrote since) what stands there now is the truth and is kept.
    """
    file = store.memory / lockfile.NAME
    try:
        with mutex(store.locks, store.memory):
            look = look_at(store)
            found, before = look.found, look.lease
            if dead is not None and (before is None or before.token != dead.token):
                return Held("another process, which has recovered the same dream")
            if isinstance(held := judge(look, now), Held):
                return held
            if before is not None and names(before, found):
                done = _put_back(file, before, lambda stands: stands == found)
                found = lockfile.look(file)
                if done is None or (found is not None and found.pid is not None):
                    return _outrun(found)
            lease = Lease(
                holder=process.myself(),
                token=os.urandom(16).hex(),
                store=store.name,
                dream=dream,
                kind=kind,
                prior_mtime_ns=None if found is None else found.mtime_ns,
                started=now if dead is None else dead.started,
                deadline=now + LASTING,
            )
            return _write(store, lease, found, before, now)
    except BusyError:
        return Held("another process, which is judging the lock right now")


def _write(
    store: Store, lease: Lease, found: LockFile | None, before: Lease | None, now: datetime
) -> Lease | Held:
    file, lease_file = store.memory / lockfile.NAME, record.file_of(store)

    def forget() -> None:
        if before is None:
            record.remove(lease_file, lease)
        else:
            record.write(lease_file, before)  # a dream that still waits for its recovery

    lockfile.clear_temps(store.memory)
    try:
        record.write(lease_file, lease)  # durable first: where our PID stands, so does the mtime
        wanted = LockFile(b"%d" % lease.holder.pid, clock.to_ns(now))
        written = lockfile.change(file, wanted, lambda stands: stands == found) is not None
        if written:
            time.sleep(SETTLE.total_seconds())
        settled = lockfile.look(file)
    except BaseException:
        # Where even this fails the record stays, and the next one who comes puts the lock back.
        with contextlib.suppress(DreamdError):
            with contextlib.suppress(MemoryUnfitError):  # a link or a folder is not our lock
                _put_back(file, lease, partial(names, lease))
            forget()
        raise
    if not written or not names(lease, settled):
        forget()
        return _outrun(settled)
    holder.keep(lease, store, file, lease_file)
    return lease


def _put_back(file: Path, lease: Lease, expected: lockfile.Expected) -> int | None:
    """Undo what a holder did to the lock; its record stays until it is replaced or removed."""
    stamp = lease.prior_mtime_ns
    return lockfile.change(file, None if stamp is None else LockFile(b"", stamp), expected)


def _outrun(found: LockFile | None) -> Held:
    who = f"process {found.pid}" if found and found.pid else "somebody"
    return Held(f"{who}, who wrote to the lock at the same moment")
