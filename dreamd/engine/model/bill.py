"""What a session used so far, as its worker counts it; it stands however the session ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dreamd.domain.ending import Usage


def used(event: Mapping[str, Any]) -> Usage:
    """Return what a session used, as an event of its worker says it."""
    usage: Mapping[str, Any] = event.get("usage") or {}
    return Usage(
        input_tokens=int(usage.get("input_tokens") or 0),
        output_tokens=int(usage.get("output_tokens") or 0),
        cache_read_tokens=int(usage.get("cache_read_tokens") or 0),
        cache_write_tokens=int(usage.get("cache_write_tokens") or 0),
        dollars=float(usage.get("dollars") or 0.0),
    )


class Bill:
    """Hears every event of a session, the last one too, and passes it on."""

    def __init__(self, heard: Callable[[Mapping[str, Any]], None]) -> None:
        self._heard = heard
        self.spent = Usage()

    def __call__(self, event: Mapping[str, Any]) -> None:
        """Note what the session used so far, if the event says it."""
        if event.get("usage"):
            self.spent = used(event)
        self._heard(event)
