"""Many events close together are one: when to answer them."""

from __future__ import annotations

from msgspec import Struct


class Burst(Struct, frozen=True):
    """Events that came close together: when the first was heard, and the last; in ns."""

    first: int
    last: int


def heard(burst: Burst | None, now: int) -> Burst:
    """Return the burst with one more event, a new one where there was none."""
    return Burst(now, now) if burst is None else Burst(burst.first, now)


def due(burst: Burst, quiet: int, most: int) -> int:
    """Return when to answer: after so much quiet, and at most so long after the first; in ns."""
    return min(burst.last + quiet, burst.first + most)
