"""Giving the history of one memory directory to another, as after a copy to another disk."""

from __future__ import annotations

import contextlib
import shutil

from dreamd import lock
from dreamd.domain.store import Store
from dreamd.errors import BusyError, RefusedError
from dreamd.host import clock, files, process
from dreamd.host.mutex import mutex, place
from dreamd.ledger import receipts
from dreamd.lock import record
from dreamd.stores import identity
from dreamd.text.words import plural


def adopt(old: Store, new: Store) -> None:
    """Make the store of one directory that of another; one file is replaced, under both locks.

    The old directory may be gone; the new one stands. Its own store goes first: without a dream
    it holds nothing that is not made again. Ended anywhere and run again, this ends the same.
    """
    spots = {place(each.memory): each.memory for each in (old, new) if each.memory.is_dir()}
    with contextlib.ExitStack() as held:
        held.enter_context(mutex(old.locks, old.home))
        for _, memory in sorted(spots.items()):
            held.enter_context(mutex(old.locks, memory))
        for store in (old, new):
            _must_be_idle(store)
        known = identity.read(old.home)
        if known is None or known.path != old.memory:
            raise BusyError(f"the history of {old.memory} has just gone elsewhere; try again")
        mark = identity.mark_of(new.memory, adopted=str(old.memory))
        if new.home != old.home:
            if dreams := len(receipts.past(receipts.read(new.database))):
                raise RefusedError(
                    f"{new.memory} has a history of its own ({plural(dreams, 'dream')}); "
                    f"remove {new.home} to give it up"
                )
            if new.home.exists():
                with files.faults("remove", new.home):
                    shutil.rmtree(new.home)
        identity.write(old.home, mark)


def _must_be_idle(store: Store) -> None:
    holder = lock.standing(store, now=clock.now()).holder
    mark = identity.read(store.home)  # the directory may be gone from under a dream
    lease = record.read(store.locks / f"{mark.device}-{mark.inode}.lease") if mark else None
    by = holder.by if holder else f"dream {lease.dream}" if lease else ""
    if holder or (lease and process.is_alive(lease.holder)):
        raise BusyError(f"{store.memory} is being dreamt over by {by}; try again later")
