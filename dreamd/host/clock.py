"""What time it is: wall time as aware datetimes, and clocks of the boot and of this process."""

from __future__ import annotations

import time
from datetime import UTC, date, datetime, timedelta
from datetime import time as time_of_day

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


def local(stamp: int) -> datetime:
    """Return nanoseconds since the epoch as local time, in the zone the machine is in by now."""
    time.tzset()  # a process keeps the zone of its start, and a laptop travels
    return from_ns(stamp).astimezone()


def at_local(day: date, minute: int = 0) -> int:
    """Return when a minute of a local day begins, in nanoseconds since the epoch.

    The minute 1,440 is the next midnight. A minute that summer time leaves out is the one an hour
    sooner; of two, the earlier is meant.
    """
    moment = datetime.combine(day, time_of_day()) + timedelta(minutes=minute)  # on the wall
    return to_ns(moment.astimezone(UTC))


class CpuBudget:
    """How much CPU time this process may take from now on."""

    def __init__(self, seconds: float) -> None:
        self.seconds = seconds
        self._began = time.process_time()

    def is_used(self, share: float = 1.0) -> bool:
        """Whether a share of the time is used up."""
        return time.process_time() - self._began > self.seconds * share
