"""What the laptop runs on: mains, or how much a battery holds."""

from __future__ import annotations

import sys
from pathlib import Path

from msgspec import Struct

_SUPPLIES = Path("/sys/class/power_supply")
_FED = {"Charging", "Full", "Not charging"}  # the last: full enough, or too warm, and plugged in


class Power(Struct, frozen=True):
    """What a machine with a battery runs on; None where the system does not say."""

    on_mains: bool | None = None
    percent: float | None = None  # of all its batteries together


def power(supplies: Path = _SUPPLIES) -> Power | None:
    """Return what this machine runs on; None where it has no battery.

    On Linux read from sysfs (Documentation/ABI/testing/sysfs-class-power): a supply that is no
    battery feeds the machine while `online` is not 0; a battery of a mouse or a headset
    (`scope` Device) is none of the machine's. Files that cannot be read tell nothing.
    """
    if sys.platform != "linux":
        return _by_psutil()
    try:
        found = sorted(supplies.iterdir())
    except OSError:
        return None
    levels: list[float] = []
    states: list[str] = []
    is_fed = False
    has_feed = False
    for each in found:
        if _word(each, "type") != "Battery":
            online = _number(each, "online")
            has_feed |= online is not None
            is_fed |= bool(online)
        elif _word(each, "scope") != "Device" and _number(each, "present") != 0:
            states.append(_word(each, "status"))
            level = _number(each, "capacity")
            if level is not None and 0 <= level <= 100:
                levels.append(level)
    if not states:
        return None
    percent = sum(levels) / len(levels) if levels else None
    return Power(_on_mains(states, is_fed=is_fed, has_feed=has_feed), percent)


def _on_mains(states: list[str], *, is_fed: bool, has_feed: bool) -> bool | None:
    if is_fed or any(state in _FED for state in states):
        return True
    return False if has_feed or "Discharging" in states else None


def _word(supply: Path, name: str) -> str:
    """Return what a file says; nothing where it is not there, or its driver fails to say."""
    try:
        return (supply / name).read_bytes()[:64].decode("ascii", "replace").strip()
    except OSError:
        return ""


def _number(supply: Path, name: str) -> int | None:
    try:
        return int(_word(supply, name))
    except ValueError:
        return None


def _by_psutil() -> Power | None:
    import psutil  # noqa: PLC0415 - only off Linux: 20 ms that no command on Linux should pay

    try:
        battery = psutil.sensors_battery()
    except (AttributeError, OSError, psutil.Error):
        return Power()
    return None if battery is None else Power(battery.power_plugged, battery.percent)
