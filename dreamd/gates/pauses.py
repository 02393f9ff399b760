"""The pause that any process has left on disk, looked up the cheap way first."""

from __future__ import annotations

from dreamd.domain.store import Store
from dreamd.domain.verdict import Cost
from dreamd.gates import throttle
from dreamd.gates.readings import Pause
from dreamd.gates.rules import stands
from dreamd.gates.thresholds import Thresholds


def on_disk(
    store: Store, limits: Thresholds, now: int, *, ours: int | None = None, explain: bool = False
) -> tuple[Pause | None, Cost]:
    """Return the pause that any process has left, None where none lasts.

    `throttle` alone tells it in one stat; what it does not hold back is worth reading the
    record of failures for, before sessions are counted. `ours` is the stamp of this process,
    whose own memory knows better, for a clock may have been set since.
    """
    pause = throttle.look(store.throttle, limits)
    if pause is not None and (pause.began == ours or not stands(pause, limits, now)):
        pause = None
    if pause is not None and not (explain and pause.failed):
        return pause, Cost(stats=1)
    try:
        store.backoff.stat()
    except (OSError, ValueError):  # mostly there is none, and no need for what reads it
        return pause, Cost(stats=2)
    from dreamd.gates import backoff  # noqa: PLC0415 - only after a failure

    waiting = backoff.read(store)
    if waiting is not None and stands(waiting.pause, limits, now):
        pause = waiting.pause
    return pause, Cost(stats=2, reads=1)
