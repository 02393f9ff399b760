"""What time it is: wall time as aware datetimes, and a clock that also runs while asleep."""

from __future__ import annotations

import time
from datetime import UTC, datetime, timedelta


def now() -> datetime:
    """Return the wall time in UTC; it may jump when the user sets the clock."""
    return datetime.now(UTC)


def since_boot() -> timedelta:
    """Return the time since boot, suspend included (CLOCK_BOOTTIME; monotonic where absent)."""
    clock = getattr(time, "CLOCK_BOOTTIME", time.CLOCK_MONOTONIC)
    return timedelta(seconds=time.clock_gettime(clock))


def to_ns(moment: datetime) -> int:
    """Return a moment as integer nanoseconds since the epoch, exact to the microsecond."""
    delta = moment - datetime(1970, 1, 1, tzinfo=UTC)
    return ((delta.days * 86_400 + delta.seconds) * 1_000_000 + delta.microseconds) * 1_000


def from_ns(stamp: int) -> datetime:
    """Return nanoseconds since the epoch as a moment in UTC, rounded down to the microsecond."""
    return datetime(1970, 1, 1, tzinfo=UTC) + timedelta(microseconds=stamp // 1_000)
