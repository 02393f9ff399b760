"""The lease on disk: who took the lock, and what stood in it before."""

from __future__ import annotations

import contextlib
import json
from collections.abc import Callable
from datetime import datetime
from pathlib import Path

from dreamd.domain.lease import Lease, ProcessIdentity
from dreamd.domain.store import Store
from dreamd.host.files import content, faults, make_private, replace


def write(lease: Lease) -> None:
    """Make the record of a lease durable, in place of any other.

    Raises:
        HostError: the state directory cannot be written.
    """
    make_private(lease.file.parent)
    fields = {
        "memory": str(lease.memory),
        "pid": lease.holder.pid,
        "ticks": lease.holder.ticks,
        "boot": lease.holder.boot,
        "host": lease.holder.host,
        "token": lease.token,
        "dream": lease.dream,
        "kind": lease.kind,
        "prior_mtime_ns": lease.prior_mtime_ns,  # null: there was no lock file
        "started": lease.started.isoformat(),
        "deadline": lease.deadline.isoformat(),
    }
    with faults("write", lease.file):
        replace(lease.file, json.dumps(fields, indent=1).encode("ascii") + b"\n")


def read(file: Path) -> Lease | None:
    """Return the lease recorded in a file; None where there is none or it is not of our making.

    Raises:
        HostError: the file is there and cannot be read.
    """
    with faults("read", file):
        try:
            text = content(file)
        except (FileNotFoundError, NotADirectoryError):
            return None
    try:
        return _parsed(json.loads(text), file)
    except (KeyError, TypeError, ValueError, RecursionError):
        # Records are replaced whole, so this is none of ours: it says nothing about the lock.
        return None


def remove(lease: Lease) -> None:
    """Remove the record of a lease, unless another lease stands there by now.

    Raises:
        HostError: the state directory cannot be written.
    """
    standing = read(lease.file)
    if standing is not None and standing.token == lease.token:
        with faults("remove", lease.file):
            lease.file.unlink(missing_ok=True)


def naming(
    store: Store, pid: int | None, is_alive: Callable[[ProcessIdentity], bool]
) -> Lease | None:
    """Return the lease that bears this PID, else the store's own, if any.

    A directory reached by a bind mount has a second store with a record of its own, which may be
    the one that tells who holds the lock, and the stamp of old; so the other stores of the same
    directory are asked too. Of several that bear the PID, as a reused one may, a living holder's
    counts, then the one written last.
    """
    own = read(store.lease)
    if pid is None or (own is not None and own.holder.pid == pid and is_alive(own.holder)):
        return own
    bearing = [own] if own is not None and own.holder.pid == pid else []
    with contextlib.suppress(OSError):
        for file in sorted(store.home.parent.glob("*/lease.json")):
            other = read(file) if file != store.lease else None
            if other is not None and other.holder.pid == pid:
                with contextlib.suppress(OSError):
                    if other.memory.samefile(store.memory):
                        bearing.append(other)
    return max(bearing, key=lambda each: (is_alive(each.holder), _written(each)), default=own)


def _written(lease: Lease) -> int:
    try:
        return lease.file.stat().st_mtime_ns
    except OSError:
        return 0  # removed meanwhile


def _parsed(fields: object, file: Path) -> Lease:
    if not isinstance(fields, dict):
        raise TypeError(file)
    prior = fields["prior_mtime_ns"]
    started = datetime.fromisoformat(_text(fields["started"]))
    deadline = datetime.fromisoformat(_text(fields["deadline"]))
    if started.tzinfo is None or deadline.tzinfo is None:
        raise ValueError(file)
    return Lease(
        memory=Path(_text(fields["memory"])),
        file=file,
        holder=ProcessIdentity(
            pid=_number(fields["pid"]),
            ticks=_number(fields["ticks"]),
            boot=_text(fields["boot"]),
            host=_text(fields["host"]),
        ),
        token=_text(fields["token"]),
        dream=_text(fields["dream"]),
        kind=_text(fields["kind"]),
        prior_mtime_ns=None if prior is None else _number(prior),
        started=started,
        deadline=deadline,
    )


def _text(value: object) -> str:
    if not isinstance(value, str) or "\0" in value:
        raise TypeError(value)
    return value


def _number(value: object) -> int:
    if not isinstance(value, int) or isinstance(value, bool):
        raise TypeError(value)
    return value
