"""What a process that died left undone, for whoever only looks."""

from __future__ import annotations

from dreamd import lock
from dreamd.domain.store import Store
from dreamd.host import clock


def wreck(store: Store) -> str:
    """Return a sentence about what an earlier process left undone, "" where nothing waits.

    Only looks; a journal whose lease is alive is a commit in progress and no wreck.
    """
    dead = lock.dead_lease(store, now=clock.now())
    waiting = _waiting(store)
    if waiting and (dead is not None or not store.lease.exists()):
        return (
            f"an interrupted commit ({', '.join(waiting)}) waits: "
            "the next command that changes something completes it"
        )
    if dead is not None:
        return f"{dead.kind} {dead.dream} died; the next command that changes something clears up"
    return ""


def _waiting(store: Store) -> list[str]:
    if not store.journal.is_dir() or not any(store.journal.iterdir()):
        return []
    from dreamd.memory import journal  # noqa: PLC0415 - hardly ever needed

    return journal.waiting(store.journal)
