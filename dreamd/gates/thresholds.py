"""The limits of the gates in whole nanoseconds, with defaults in the place of garbage."""

from __future__ import annotations

from dataclasses import dataclass, fields

from dreamd.domain.record import Record
from dreamd.domain.settings import Gates

SECOND = 1_000_000_000
MINUTE = 60 * SECOND
HOUR = 60 * MINUTE
DAY = 24 * HOUR

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from typing import Any


@dataclass(frozen=True, eq=False, repr=False)
class Thresholds(Record):
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
    """Return the limits that the settings name.

    Configuration refuses nonsense when it is read; what comes from elsewhere and is no number,
    not finite, or out of the range written beside its setting is replaced by the default: a
    gate is neither shut for ever nor left open by a slip.
    """
    sound = {each.name: _sound(getattr(gates, each.name), each) for each in fields(gates)}
    return Thresholds(
        rest=round(sound["hours"] * HOUR),
        sessions=sound["sessions"],
        grace=round(sound["grace_seconds"] * SECOND),
        throttle=round(sound["throttle_minutes"] * MINUTE),
        backoff=round(sound["backoff_minutes"] * MINUTE),
        longest_backoff=round(sound["backoff_most_hours"] * HOUR),
        quiet=sound["quiet"],
        load=sound["load"],
        pressure=sound["memory_pressure"],
        battery=sound["battery"],
        network=sound["network"],
        passes=sound["passes_per_hour"],
        idle=round(sound["idle_minutes"] * MINUTE),
        cadence_sessions=sound["cadence_sessions"],
        cadence=round(sound["cadence_hours"] * HOUR),
    )


def _sound(value: Any, setting: Any) -> Any:
    """Return a value that its setting allows, or else the default of the setting."""
    if isinstance(setting.default, bool):
        return value if isinstance(value, bool) else setting.default
    if isinstance(setting.default, str):
        return _form(value, setting)
    whole = isinstance(setting.default, int)
    if isinstance(value, bool) or not isinstance(value, int if whole else int | float):
        return setting.default
    # Exact for ints too large for a float, and false for what is no number.
    within = setting.metadata["least"] <= value <= setting.metadata["most"]
    return value if within else setting.default


def _form(value: Any, setting: Any) -> Any:
    """Return what a text of some form means, or else what the default does."""
    means = setting.metadata["means"]
    try:
        return means(value) if isinstance(value, str) else means(setting.default)
    except ValueError:
        return means(setting.default)
