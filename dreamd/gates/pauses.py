"""The pause that any process has left on disk, looked up the cheap way first."""

from __future__ import annotations

from dreamd.domain.store import Store
from dreamd.domain.verdict import Cost
from dreamd.gates import backoff, throttle
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
    waiting = backoff.read(store)
    if waiting is not None and stands(waiting.pause, limits, now):
        pause = waiting.pause
    return pause, Cost(stats=1, reads=1)
