"""What time it is: wall time as aware datetimes, and a clock that also runs while asleep."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta

_BOOT: int = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)


def now() -> datetime:
    """Return the wall time in UTC; it may jump when the user sets the clock."""
    return datetime.now(UTC)


def now_ns() -> int:
    """Return the wall time in integer nanoseconds since the epoch, as file stamps have it."""
    return time.time_ns()


def since_boot() -> timedelta:
    """Return the time since boot, suspend included (CLOCK_BOOTTIME; monotonic where absent)."""
    return timedelta(seconds=time.clock_gettime(_BOOT))


def boot_ns() -> int:
    """Return the time since boot, suspend included, in integer nanoseconds."""
    return time.clock_gettime_ns(_BOOT)


def to_ns(moment: datetime) -> int:
    """Return a moment as integer nanoseconds since the epoch, exact to the microsecond."""
    delta = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return ((delta.days * 86_400 + delta.seconds) * 1_000_000 + delta.microseconds) * 1_000


def from_ns(stamp: int) -> datetime:
    """Return nanoseconds since the epoch as a moment in UTC, rounded down to the microsecond."""
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=stamp // 1_000)


def local_day(moment: datetime) -> date:
    """Return the day of a moment by this machine's calendar, as its owner would name it."""
    return date.fromtimestamp(moment.timestamp())  # noqa: DTZ012 - the local day is what is asked
