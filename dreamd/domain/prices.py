"""What models cost, as published; an unknown model has no price, and its tokens are counted only.

Source: https://platform.claude.com/docs/en/about-claude/pricing, as it stood in October 2026;
cache writes are those kept for five minutes.
"""

from __future__ import annotations

import math

from msgspec import Struct

from dreamd.text.late import late

# The table is as of 2026-10.
MOST = 1_000_000  # dollars per million tokens; more is a slip


class Price(Struct, frozen=True):
    """Dollars per million tokens."""

    input: float
    output: float
    cache_read: float
    cache_write: float

    def dollars(self, *, input_: int, output: int, cache_read: int, cache_write: int) -> float:
        """Return what so many tokens of each kind cost."""
        return (
            input_ * self.input
            + output * self.output
            + cache_read * self.cache_read
            + cache_write * self.cache_write
        ) / 1_000_000


_OPUS = Price(5, 25, 0.50, 6.25)
_SONNET = Price(3, 15, 0.30, 3.75)
_KNOWN = {
    "claude-haiku-4-5": Price(1, 5, 0.10, 1.25),
    "claude-sonnet-4": _SONNET,
    "claude-sonnet-4-5": _SONNET,
    "claude-sonnet-4-6": _SONNET,
    "claude-sonnet-5": Price(2, 10, 0.20, 2.50),
    "claude-opus-4-1": Price(15, 75, 1.50, 18.75),
    "claude-opus-4-5": _OPUS,
    "claude-opus-4-6": _OPUS,
    "claude-opus-4-7": _OPUS,
    "claude-opus-4-8": _OPUS,
    "claude-opus-5": _OPUS,
}
_DATED = late(r"-(?:20\d{6}|latest)$")


def price_of(model: str, setting: str = "") -> Price | None:
    """Return the price of a model: what the setting says, else what is published, else None.

    A date at the end of a model's name does not matter. The setting is four numbers between
    slashes: input, output, cache read, cache write.

    Raises:
        ValueError: the setting is no price: not four numbers, or one negative or beyond `MOST`.
    """
    if not setting.strip():
        return _KNOWN.get(_DATED.sub("", model))
    parts = [float(part) for part in setting.split("/")]
    if len(parts) != 4 or not all(math.isfinite(part) and 0 <= part <= MOST for part in parts):
        raise ValueError(setting)
    return Price(*parts)
