"""How busy the machine is, and what it runs on."""

from __future__ import annotations

import os

from msgspec import Struct


class Battery(Struct, frozen=True):
    """A battery: how full it is, and whether mains feed the machine (None: nobody can say)."""

    percent: float
    on_mains: bool | None


def load() -> float | None:
    """Return the load of the last minute per processor (getloadavg(3)); None if nobody can say."""
    try:
        return os.getloadavg()[0] / (os.cpu_count() or 1)
    except OSError:
        return None


def battery() -> Battery | None:
    """Return the battery of this machine; None where there is none, or where it cannot be read."""
    import psutil  # noqa: PLC0415 - 20 ms, which no gate before this one should pay

    try:
        found = psutil.sensors_battery()
    except (AttributeError, OSError, ValueError, psutil.Error):
        return None
    return None if found is None else Battery(found.percent, found.power_plugged)
