"""Taking the lock: read, judge, write the own PID, wait, and read it back."""

from __future__ import annotations

import contextlib
import secrets
import time
from datetime import datetime, timedelta

from msgspec.structs import replace

from dreamd.domain.lease import Held, Lease
from dreamd.domain.store import Store
from dreamd.errors import BusyError, DreamdError, MemoryUnfitError
from dreamd.host import clock, process
from dreamd.host.mutex import mutex, place
from dreamd.lock import grip, latch, record
from dreamd.lock.judge import Found, Taken, names
from dreamd.lock.sight import sight

LASTING = timedelta(hours=2)
# A client of the plain protocol reads, writes and reads back within this time, so whoever came
# together with us shows in the body at its end (20 ms sufficed where this was measured).
SETTLE = timedelta(milliseconds=50)


def acquire(
    store: Store, *, dream: str, kind: str, now: datetime, lasting: timedelta = LASTING
) -> Lease | Held:
    """Take the lock of a memory directory, if it is free.

    The stamp that a crashed holder left is never mistaken for a consolidation: where its lease
    still names the body, the lock is first put back to what stood there before that lease, so
    that `prior_mtime_ns` of the new lease is right and no crash in between can lose it.

    Args:
        store: the memory directory, which must exist.
        dream: the id of the dream the lock is taken for.
        kind: its kind, for whoever looks into the lease.
        now: wall time; it becomes the start of the dream.
        lasting: how long the lease is believed of this process while it lives.

    Raises:
        MemoryUnfitError: there is no such directory, or no regular file in place of the lock.
        HostError: the memory directory or the state directory cannot be written.
    """
    return _take(store, _wish(store, dream, kind, started=now, deadline=now + lasting), now=now)


def adopt(
    store: Store, dead: Lease, *, now: datetime, lasting: timedelta = LASTING
) -> Lease | Held:
    """Take over the lease of a holder that has ended, to finish its dream or roll it back.

    The lease returned bears the dead one's dream, kind and start, and the stamp from before it.
    Where the body no longer names the dead holder (it ended while giving the lock back, or the
    user or another client wrote since) what stands there now is the truth and is kept.

    Raises:
        MemoryUnfitError: there is no such directory, or no regular file in place of the lock.
        HostError: the memory directory or the state directory cannot be written.
    """
    wish = _wish(store, dead.dream, dead.kind, started=dead.started, deadline=now + lasting)
    return _take(store, wish, now=now, dead=dead)


def _wish(store: Store, dream: str, kind: str, *, started: datetime, deadline: datetime) -> Lease:
    return Lease(
        memory=store.memory,
        file=store.lease,
        holder=process.myself(),
        token=secrets.token_hex(16),
        dream=dream,
        kind=kind,
        prior_mtime_ns=None,
        started=started,
        deadline=deadline,
    )


def _take(store: Store, wish: Lease, *, now: datetime, dead: Lease | None = None) -> Lease | Held:
    try:
        with mutex(store.locks, store.memory):
            if dead is not None and not _still_stands(dead):
                return Held(by="another process, which has recovered the same dream")
            seen = sight(store, now=now)
            if isinstance(seen.verdict, Taken):
                return Held(by=seen.verdict.by, pid=seen.verdict.pid)
            found = seen.found
            if seen.lease is not None and names(seen.lease, found):
                if not _put_back(store, seen.lease, found):
                    return _outrun(latch.look(store.memory / latch.NAME))
                found = latch.look(store.memory / latch.NAME)
                if found is not None and found.pid is not None:
                    return _outrun(found)
            return _write(store, wish, found, now=now)
    except BusyError:
        return Held(by="another process, which is judging the lock right now")


def _still_stands(dead: Lease) -> bool:
    standing = record.read(dead.file)
    return standing is not None and standing.token == dead.token


def _put_back(store: Store, dead: Lease, found: Found | None) -> bool:
    """Undo what a dead holder did to the lock; its record stays until another replaces it."""
    file, stamp = store.memory / latch.NAME, dead.prior_mtime_ns
    wanted = None if stamp is None else latch.Wanted(b"", stamp)
    return latch.change(file, wanted, lambda seen: seen == found) is not None


def _write(store: Store, wish: Lease, found: Found | None, *, now: datetime) -> Lease | Held:
    lease = replace(wish, prior_mtime_ns=None if found is None else found.mtime_ns)
    file, spot = store.memory / latch.NAME, place(store.memory)
    latch.clear_temps(store.memory)
    before = record.read(store.lease)
    try:
        record.write(lease)  # durable first: where our PID stands, the stamp of old is on disk
        body = latch.Wanted(b"%d" % lease.holder.pid, clock.to_ns(now))
        written = latch.change(file, body, lambda seen: seen == found) is not None
        if written:
            time.sleep(SETTLE.total_seconds())
        settled = latch.look(file)
        won = written and grip.is_ours(lease)(settled)
    except BaseException:
        # Where even this fails the record stays, and the next one who comes puts the lock back.
        with contextlib.suppress(DreamdError):
            _unwrite(lease)
            _unrecord(lease, before)
        raise
    if not won:
        _unrecord(lease, before)
        return _outrun(settled)
    grip.keep(lease, store, spot)
    return lease


def _unwrite(lease: Lease) -> None:
    stamp = lease.prior_mtime_ns
    wanted = None if stamp is None else latch.Wanted(b"", stamp)
    with contextlib.suppress(MemoryUnfitError):  # a link or a folder there is not our lock
        latch.change(lease.memory / latch.NAME, wanted, grip.is_ours(lease))


def _unrecord(lease: Lease, before: Lease | None) -> None:
    if before is None:
        record.remove(lease)
    else:
        record.write(before)  # a dream that still waits for its recovery


def _outrun(found: Found | None) -> Held:
    pid = None if found is None else found.pid
    who = "somebody" if pid is None else f"process {pid}"
    return Held(by=f"{who}, who wrote to the lock at the same moment", pid=pid)
