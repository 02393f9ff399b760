"""Spans, moments and verdicts in a person's words, with local times."""

from __future__ import annotations

from collections.abc import Iterable
from datetime import datetime

from dreamd.domain.verdict import Verdict
from dreamd.host import clock

SECOND = 1_000_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

# A span below the first number is told in steps of the second.
_STEPS = ((MINUTE, SECOND, "s"), (HOUR, MINUTE, "min"), (2 * DAY, HOUR, "h"))
_NAMED = 6 * DAY  # a week ago, a weekday's name would mean today


def span(length: int) -> str:
    """Return a span of nanoseconds, rounded down: "45 s", "7 min", "21 h", "3 days"."""
    length = max(length, 0)
    for below, step, unit in _STEPS:
        if length < below:
            return f"{length // step} {unit}"
    return f"{length // DAY:,} days"


def when(stamp: int, now: int) -> str:
    """Return the local time of a stamp: "Tuesday 09:14", or "2026-11-03 09:14" if that is far.

    Both are nanoseconds since the epoch.
    """
    try:
        local = clock.from_ns(stamp).astimezone()
    except (OverflowError, ValueError, OSError):
        return "at a time that no calendar knows"
    day = "%A" if abs(now - stamp) < _NAMED else "%Y-%m-%d"
    return f"{local:{day} %H:%M}"


def until(moment: datetime, now: datetime) -> str:
    """Return how long it is until a moment, rounded up: "in 7 min", or "now" once it is past."""
    length = clock.to_ns(moment) - clock.to_ns(now)
    if length <= 0:
        return "now"
    step = next((step for below, step, _ in _STEPS if length < below), DAY)
    return f"in {span(-(-length // step) * step)}"


def sentence(verdict: Verdict, now: datetime) -> str:
    """Return one verdict as one sentence; what is closed says when to look next.

    `not now: 3 of 5 sessions since Tuesday 09:14 (gate "sessions"); next look in 7 min`
    """
    if verdict.is_open:
        return f'open: {verdict.read} (gate "{verdict.gate}")'
    said = f'not now: {verdict.read} (gate "{verdict.gate}")'
    if verdict.again is None:
        return f"{said}; open once {verdict.opens}"
    return f"{said}; next look {until(verdict.again, now)}"


def page(verdicts: Iterable[Verdict], now: datetime) -> str:
    """Return all verdicts, one under the other, below the one that decides; ends with a newline."""
    every = tuple(verdicts)
    closed = next((each for each in every if not each.is_open), None)
    lines = ["now: every gate is open" if closed is None else sentence(closed, now), ""]
    wide = max((len(each.gate) for each in every), default=0)
    for each in every:
        state = "open  " if each.is_open else "closed"
        lines.append(f"{each.gate:{wide}}  {state}  {each.read}")
        if not each.is_open:
            lines.append(f"{'':{wide}}          open once {each.opens}")
    return "\n".join(lines) + "\n"
