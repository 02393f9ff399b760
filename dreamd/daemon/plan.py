"""What to do next, given the time, the stores that wait, and the child: rules without a clock."""

from __future__ import annotations

from datetime import datetime, timedelta
from enum import Enum, auto

from msgspec import Struct

from dreamd.domain.verdict import Verdict

SECOND = 1_000_000_000
GRACE = 4 * SECOND  # for a child that was told to end: with the rest, a stop takes under 5 s
_SOON = timedelta(hours=1)  # a gate that opens later than this hears no events


class Action(Enum):
    """One thing the daemon does, before it asks again what is next."""

    LEAVE = auto()
    TERMINATE = auto()
    KILL = auto()
    RESCAN = auto()
    HEAR = auto()
    ASK = auto()
    WAIT = auto()


class Limits(Struct, frozen=True):
    """How long things may take, in ns: between rescans, of quiet after events, a dream."""

    rescan: int
    quiet: int
    most_quiet: int
    dream: int


class Running(Struct, frozen=True):
    """A child: for how long it has run, and for how long it knows that it is to end; in ns."""

    ran: int
    told: int | None = None
    is_killed: bool = False


class Situation(Struct, frozen=True):
    """How things stand at one moment; times in ns by one clock, which also runs while asleep."""

    now: int
    rescan_at: int
    hear_at: int | None = None  # when a burst of events is to be answered
    is_stopping: bool = False
    has_waiting: bool = False  # a store waits to be asked, or to be dreamt about
    child: Running | None = None


def next_step(situation: Situation, limits: Limits) -> tuple[Action, int]:
    """Return what to do now, and with WAIT for how many ns at most nothing is to be done.

    Whoever is told to stop looks at nothing any more; while a child dreams no gate is asked,
    for what it said would be old when the child has ended.
    """
    child = situation.child
    if child is None and situation.is_stopping:
        return Action.LEAVE, 0
    waits = []
    if child is not None:
        step, wait = _with_child(child, limits, is_stopping=situation.is_stopping)
        if step is not Action.WAIT or situation.is_stopping:
            return step, wait
        waits.append(wait)
    for step, at in (
        (Action.RESCAN, situation.rescan_at),
        (Action.HEAR, situation.hear_at),
        (Action.ASK, situation.now if situation.has_waiting and child is None else None),
    ):
        if at is None:
            continue
        if situation.now >= at:
            return step, 0
        waits.append(at - situation.now)
    return Action.WAIT, min(waits)


def _with_child(child: Running, limits: Limits, *, is_stopping: bool) -> tuple[Action, int]:
    if child.is_killed:
        return Action.WAIT, limits.rescan
    if child.told is not None:
        return (Action.KILL, 0) if child.told >= GRACE else (Action.WAIT, GRACE - child.told)
    if is_stopping or child.ran >= limits.dream:
        return Action.TERMINATE, 0
    return Action.WAIT, limits.dream - child.ran


def listens(verdict: Verdict | None, now: datetime) -> bool:
    """Whether a file event could soon change what the gates of a store say.

    One that only time can open, hours from now, is not worth a watch.
    """
    return verdict is None or verdict.again is None or verdict.again - now < _SOON
