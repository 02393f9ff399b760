"""What a session used and said so far, as its worker tells; it stands however it ends."""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

from dreamd.domain.ending import Usage
from dreamd.domain.prices import Price


def used(event: Mapping[str, Any]) -> Usage:
    """Return what a session used, as an event of its worker says it."""
    usage: Mapping[str, Any] = event.get("usage") or {}
    return Usage(
        input_tokens=int(usage.get("input_tokens") or 0),
        output_tokens=int(usage.get("output_tokens") or 0),
        cache_read_tokens=int(usage.get("cache_read_tokens") or 0),
        cache_write_tokens=int(usage.get("cache_write_tokens") or 0),
        dollars=float(usage.get("dollars") or 0.0),
        requests=int(usage.get("turns") or 0),
    )


class Bill:
    """Hears every event of a session, the last one too, and passes it on.

    `messages` are what was said, `edited` says whether notes were. A request that is asked and
    whose worker ends without a last word counts as its input, unread by any cache: it is billed,
    and nobody can say any more how much of it.
    """

    def __init__(
        self,
        heard: Callable[[Mapping[str, Any]], None] = lambda _event: None,
        price: Price | None = None,
    ) -> None:
        self._heard, self._price = heard, price
        self._paid = self._underway = Usage()
        self.messages: list[Mapping[str, Any]] = []
        self.edited = False

    @property
    def spent(self) -> Usage:
        """What the session used so far, the request underway included."""
        return self._paid + self._underway

    def __call__(self, event: Mapping[str, Any]) -> None:
        """Note what the event says."""
        if event.get("event") == "asking":
            tokens = int(event.get("tokens") or 0)
            dollars = 0.0 if self._price is None else tokens * self._price.input / 1_000_000
            self._underway = Usage(input_tokens=tokens, dollars=dollars)
        elif event.get("usage"):
            self._paid, self._underway = used(event), Usage()
        self.messages = list(event.get("messages") or self.messages)
        self.edited = self.edited or bool(event.get("edited") or event.get("calls"))
        self._heard(event)
