"""What a session spends: tokens by kind, dollars, and how much the next request may have."""

from __future__ import annotations

import time
from collections.abc import Callable
from math import ceil
from typing import Literal

import msgspec

from dreamd.domain.cost import Price
from dreamd.domain.receipt import Usage

_LEAST_ANSWER = 512  # tokens; less room than this is not worth a request
_FIRST_RATE = 1 / 3  # tokens a byte before the API has counted once: above the usual quarter
_LEAST_RATE = 1 / 4


class Caps(msgspec.Struct, frozen=True):
    """Hard limits of one session; `output_tokens` is the most one answer may have."""

    turns: int
    tokens: int  # of all kinds, over the whole session
    dollars: float
    seconds: float
    output_tokens: int


class Ending(msgspec.Struct, frozen=True):
    """How a session ended, and why, as a sentence goes on after "the session ended: "."""

    ending: Literal["done", "capped", "stopped", "failed"]
    reason: str


class Tokens(msgspec.Struct, frozen=True):
    """Tokens by the kinds that are priced."""

    input: int = 0
    output: int = 0
    cache_read: int = 0
    cache_write: int = 0

    def __add__(self, other: Tokens) -> Tokens:
        return Tokens(
            self.input + other.input,
            self.output + other.output,
            self.cache_read + other.cache_read,
            self.cache_write + other.cache_write,
        )

    @property
    def read(self) -> int:
        """All that the model was given, from a cache or not."""
        return self.input + self.cache_read + self.cache_write

    @property
    def all(self) -> int:
        """The tokens of every kind."""
        return self.read + self.output

    def dollars(self, price: Price) -> float:
        """Return what these tokens cost."""
        return price.dollars(
            input_=self.input,
            output=self.output,
            cache_read=self.cache_read,
            cache_write=self.cache_write,
        )


class Budget:
    """The caps of one session and what is spent of them; its time runs from now.

    `lost` says what broken attempts and the request underway cost: billed like the rest.
    """

    def __init__(self, caps: Caps, price: Price | None) -> None:
        self.caps = caps
        self.price = price
        self.until = time.monotonic() + caps.seconds
        self.turns = 0
        self.lost: Callable[[], Tokens] = Tokens
        self._paid = Tokens()
        self._last = Tokens()
        self._last_bytes = 0
        self._closed: Usage | None = None

    @property
    def spent(self) -> Tokens:
        """All that will be billed."""
        return self._paid + self.lost()

    @property
    def dollars(self) -> float | None:
        """What is spent, None where the model's price is not known."""
        return None if self.price is None else self.spent.dollars(self.price)

    @property
    def time_is_up(self) -> str:
        """Why the session ends at its deadline."""
        return f"its {self.caps.seconds:g} seconds were over (model.seconds)"

    @property
    def seconds_left(self) -> float:
        """Seconds until the one deadline; never below zero."""
        return max(0.0, self.until - time.monotonic())

    def pay(self, tokens: Tokens, size: int) -> None:
        """Count an answered request whose body had `size` bytes."""
        self.turns += 1
        self._paid += tokens
        self._last = tokens
        self._last_bytes = size

    def allowance(self, size: int) -> int | str:
        """Return how many tokens the answer to a body of `size` bytes may have.

        The input is estimated from what the API counted last; the answer gets what is left, at
        most `caps.output_tokens`, so that no cap is passed even by the longest answer. A
        sentence, where too little is left, names the cap.
        """
        caps = self.caps
        if self.turns >= caps.turns:
            return f"it reached its limit of {caps.turns} requests (model.turns)"
        if not self.seconds_left:
            return self.time_is_up
        known = min(self._last.read, size)
        fresh = ceil(max(0, size - self._last_bytes) * self._rate)
        least = min(_LEAST_ANSWER, caps.output_tokens)
        room = caps.tokens - self.spent.all - known - fresh
        if room < least:
            return f"the next request would pass its limit of {caps.tokens:,} tokens (model.tokens)"
        if self.price is not None:
            left = caps.dollars - self.spent.dollars(self.price) - self._cost(known, fresh)
            paid = left / self.price.output * 1_000_000 if self.price.output else room
            if paid < least:
                return f"the next request would pass its limit of ${caps.dollars:g} (model.dollars)"
            room = min(room, int(paid))
        return min(room, caps.output_tokens)

    def close(self) -> Usage:
        """Return what was spent; what a request that is given up costs later is not known here."""
        spent = self.spent
        self._closed = self._closed or Usage(
            input_tokens=spent.input,
            output_tokens=spent.output,
            cache_read_tokens=spent.cache_read,
            cache_write_tokens=spent.cache_write,
            dollars=0.0 if self.price is None else spent.dollars(self.price),
            requests=self.turns,
        )
        return self._closed

    @property
    def _rate(self) -> float:
        if not self._last_bytes:
            return _FIRST_RATE
        return max(_LEAST_RATE, self._last.read / self._last_bytes)

    def _cost(self, known: int, fresh: int) -> float:
        """Estimate the dollars of an input: cheap for what was cached last, dear for the rest."""
        if self.price is None:
            return 0.0
        dear = max(self.price.input, self.price.cache_write)
        is_cached = self._last.cache_read + self._last.cache_write > 0
        return (known * (self.price.cache_read if is_cached else dear) + fresh * dear) / 1_000_000
