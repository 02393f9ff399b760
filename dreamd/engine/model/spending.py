"""What a session may spend, what it spends, and what it will: tokens by kind, and dollars."""

from __future__ import annotations

import time
from collections.abc import Callable, Mapping, Sequence
from math import ceil
from pathlib import PurePosixPath
from statistics import median_low
from typing import Any, Literal

import msgspec
from msgspec.structs import asdict, replace

from dreamd.domain.cost import Estimate, Price
from dreamd.domain.dream import Brief
from dreamd.domain.receipt import Usage
from dreamd.domain.settings import Model
from dreamd.engine.model.conversation import Conversation, begun, body_size, continued
from dreamd.engine.model.page import BYTES, size

_LEAST_ANSWER = 512  # tokens; less room than this is not worth a request
_FIRST_RATE = 1 / 3  # tokens a byte before the API has counted once: above the usual quarter
_LEAST_RATE = 1 / 4
_REQUESTS = 7  # of a session, where none is known: between a short one of 4 and a long one of 12
_ANSWER = 150  # tokens: a call with its arguments, and a sentence
_AROUND = 50  # tokens around a call and its result
_LOOKED_AT = 1.5  # times that what there is is looked at in a session
_RESULT = 3_000  # tokens: half of what one call may bring, the most of them on average
_OF_LATE = 9  # sessions that speak for the next
_LEAST_CACHED = (  # tokens of a prefix; shorter ones are not cached
    *(("haiku-4-5", 4_096), ("opus-4-5", 4_096), ("opus-4-6", 4_096), ("haiku-3", 2_048)),
    ("", 1_024),
)


class SessionEnd(msgspec.Struct, frozen=True):
    """How a session ended, and why, as a sentence goes on after "the session ended: "."""

    ending: Literal["done", "capped", "stopped", "failed"]
    reason: str


class SessionBudget:
    """The limits of one session and what is spent of them; its time runs from now.

    `lost` says what broken attempts and the request underway cost: billed like the rest. `billed`
    are the dollars of all of it, where another counts them.
    """

    def __init__(self, caps: Model, price: Price | None) -> None:
        self.caps = caps
        self.price = price
        self.turns = 0
        self.uncounted = 0  # answers whose tokens are estimated
        self.lost: Callable[[], Usage] = Usage
        self.billed: float | None = None
        self._until = time.monotonic() + caps.seconds
        self._paid = self._last = Usage()
        self._last_bytes = 0
        self._closed: Usage | None = None

    @property
    def spent(self) -> Usage:
        """All that will be billed."""
        return self._paid + self.lost()

    @property
    def time_is_up(self) -> str:
        """Why the session ends at its deadline."""
        return f"its {self.caps.seconds:g} seconds were over (model.seconds)"

    @property
    def seconds_left(self) -> float:
        """Seconds until the one deadline; never below zero."""
        return max(0.0, self._until - time.monotonic())

    def pay(self, tokens: Usage, size: int, *, is_counted: bool) -> None:
        """Count an answered request whose body had `size` bytes."""
        self.turns += 1
        self.uncounted += not is_counted
        self._paid += tokens
        self._last, self._last_bytes = tokens, size

    def allowance(self, size: int) -> int | str:
        """Return how many tokens the answer to a body of `size` bytes may have.

        The input is estimated from what the API counted last; the answer gets what is left, at
        most `caps.output_tokens`, so that no cap is passed even by the longest answer. A
        sentence, where too little is left, names the cap.
        """
        caps, price, last = self.caps, self.price, self._last
        if self.turns >= caps.turns:
            return f"it reached its limit of {caps.turns} requests (model.turns)"
        if not self.seconds_left:
            return self.time_is_up
        rate = max(_LEAST_RATE, last.read / self._last_bytes) if self._last_bytes else _FIRST_RATE
        known = min(last.read, size)
        fresh = ceil(max(0, size - self._last_bytes) * rate)
        least = min(_LEAST_ANSWER, caps.output_tokens)
        room = caps.tokens - self.spent.tokens - known - fresh
        if room < least:
            return f"the next request would pass its limit of {caps.tokens:,} tokens (model.tokens)"
        if price is not None:
            dear = max(price.input, price.cache_write)  # cheap is only what was cached last
            cheap = price.cache_read if last.read > last.input_tokens else dear
            cost = (known * cheap + fresh * dear) / 1_000_000
            left = caps.dollars - self.spent.cost(price) - cost
            paid = left / price.output * 1_000_000 if price.output else room
            if paid < least:
                return f"the next request would pass its limit of ${caps.dollars:g} (model.dollars)"
            room = min(room, int(paid))
        return min(room, caps.output_tokens)

    def close(self) -> Usage:
        """Return what was spent; what a request that is given up costs later is not known here."""
        spent = self.spent
        dollars = spent.cost(self.price) if self.billed is None else self.billed
        self._closed = self._closed or replace(spent, dollars=dollars, requests=self.turns)
        return self._closed


class SessionPlan(msgspec.Struct, frozen=True):
    """One session to be held: with which model and limits, from which first message.

    `price` is None for a model whose price is not known. `fork` is the body of another client's
    last request, to be continued instead of a session of our own. `missed` are unread messages that
    `first` does not tell whole; `unwritten` returns what was asked to be remembered and some notes
    do not say.
    """

    model: Model
    price: Price | None
    first: str
    fork: Mapping[str, Any] | None = None
    missed: frozenset[str] = frozenset()
    unwritten: Callable[[Mapping[PurePosixPath, str]], Sequence[str]] = lambda _notes: ()

    def conversation(self) -> Conversation:
        """Return the conversation as it begins."""
        fork = self.fork
        return begun(self.model.name, self.first) if fork is None else continued(fork, self.first)


def material(brief: Brief) -> int:
    """Return the bytes that a session has to look at: the notes, and what it was not told yet."""
    unread = {*brief.unread}
    recent = (one for one in brief.said if one.message in unread)
    notes = sum(len(entry.data) for entry in brief.base.files.values())
    return notes + sum(size(one.text) for one in recent)


def estimate(plan: SessionPlan, *, material: int, past: Sequence[Usage] = ()) -> Estimate:
    """Return what a session is expected to cost, and what it may at most.

    The first request has a token for every four bytes. How many follow, how long an answer is and
    by how much the conversation grows are the medians of the last sessions over the same notes
    (`past`): a third like two before costs what is said here, give or take a fifth. Without any
    there are seven of 150 tokens, and the conversation grows by one and a half times the
    `material`, at most 3,000 tokens a request: half to twice of what scripted sessions of 4 and
    of 12 requests cost. What another dream left in the cache is left out.
    """
    model = plan.model
    late = [each for each in past if each.requests][-_OF_LATE:]
    requests = median_low([each.requests for each in late]) if late else _REQUESTS
    answers = [each.output_tokens // each.requests for each in late]
    requests = min(requests, model.turns)
    answer = min(median_low(answers) if answers else _ANSWER, model.output_tokens)
    first = body_size(plan.conversation().body(model.output_tokens)) // BYTES
    growth = min(int(material / BYTES * _LOOKED_AT) // requests, _RESULT)
    if grown := [  # by how much each request was longer than the one before it
        2 * ((each.tokens - each.output_tokens) // each.requests - first) // (each.requests - 1)
        for each in late
        if each.requests > 1
    ]:
        growth = min(max(0, median_low(grown) - answer - _AROUND), 2 * _RESULT)
    growth += answer + _AROUND
    inherited = 0 if plan.fork is None else body_size(plan.fork) // BYTES
    least = next(least for name, least in _LEAST_CACHED if name in model.name)
    lengths = range(first, first + requests * growth, growth)
    used = cached(lengths, inherited, least) + Usage(output_tokens=requests * answer)
    most, dollars = None, None
    if plan.price is not None:
        most, dollars = model.dollars, round(used.cost(plan.price), 6)
    expected = asdict(used) | {"requests": requests, "dollars": dollars}
    return Estimate(model.name, model.tokens, most, **expected)


def cached(lengths: Sequence[int], inherited: int, least: int) -> Usage:
    """Return what requests of these lengths in tokens read, each the beginning of the next.

    Of the first, `inherited` is cached already; a prefix of fewer than `least` is not cached.
    Rules of the cache: https://platform.claude.com/docs/en/build-with-claude/prompt-caching.
    Each request reads what the last one wrote, and writes what was added to it.
    """
    fresh = read = written = 0
    known = inherited if inherited >= least else 0
    for length in lengths:
        read += known
        if length >= least:
            written += length - known
            known = length
        else:
            fresh += length
    return Usage(fresh, cache_read_tokens=read, cache_write_tokens=written)
