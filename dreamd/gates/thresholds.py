"""The limits of the gates in whole nanoseconds."""

from __future__ import annotations

from msgspec import Struct

from dreamd.domain.settings import Gates, hours_of_day

SECOND = 1_000_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR


class Thresholds(Struct, frozen=True):
    """What the rules compare with; spans in nanoseconds, none negative."""

    rest: int = 24 * HOUR  # since the last consolidation
    sessions: int = 5
    grace: int = 2 * SECOND
    throttle: int = 10 * MINUTE
    backoff: int = 10 * MINUTE  # after the first failure
    longest_backoff: int = 24 * HOUR
    quiet: tuple[int, int] | None = None  # minutes of the local day
    load: float = 1.0  # per processor
    pressure: float = 20.0  # %
    battery: int = 40  # %
    network: bool = True
    passes: int = 6  # an hour
    idle: int = 10 * MINUTE
    cadence_sessions: int = 20
    cadence: int = 48 * HOUR

    def wait(self, failures: int) -> int:
        """Return how long to wait after so many failures in a row: doubling, and bounded."""
        doublings = min(max(failures - 1, 0), 64)  # 2**64 ns are 585 years
        return min(self.backoff << doublings, self.longest_backoff)


def thresholds(gates: Gates) -> Thresholds:
    """Return the limits that the settings name; the configuration refused nonsense."""
    return Thresholds(
        rest=round(gates.hours * HOUR),
        sessions=gates.sessions,
        grace=round(gates.grace_seconds * SECOND),
        throttle=round(gates.throttle_minutes * MINUTE),
        backoff=round(gates.backoff_minutes * MINUTE),
        longest_backoff=round(gates.backoff_most_hours * HOUR),
        quiet=hours_of_day(gates.quiet),
        load=gates.load,
        pressure=gates.memory_pressure,
        battery=gates.battery,
        network=gates.network,
        passes=gates.passes_per_hour,
        idle=round(gates.idle_minutes * MINUTE),
        cadence_sessions=gates.cadence_sessions,
        cadence=round(gates.cadence_hours * HOUR),
    )
