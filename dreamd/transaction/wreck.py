"""What a process that died left undone, for whoever only looks."""

from __future__ import annotations

from dreamd import lock
from dreamd.domain.store import Store
from dreamd.host import clock


def wreck(store: Store) -> str:
    """Return a sentence about what an earlier process left undone, "" where nothing waits.

    Only looks; a journal whose lease is alive is a commit in progress and no wreck.
    """
    standing = lock.standing(store, now=clock.now())
    dead, waiting = standing.interrupted, None
    if store.database.exists():
        from dreamd.state import journal  # noqa: PLC0415 - SQLite: 7 ms

        waiting = journal.waiting(store.database)
    if waiting is not None and (dead is not None or standing.lease is None):
        return (
            f"an interrupted commit ({waiting.dream}) waits: "
            "the next command that changes something completes it"
        )
    if dead is not None:
        return f"{dead.kind} {dead.dream} died; the next command that changes something clears up"
    return ""
