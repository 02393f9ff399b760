"""What model sessions cost in a day, over all memory directories: one ledger that processes share.

A line is a JSON object: a dream with what it may cost at most when it begins, and the same dream
with what it did cost when it ends. A dream that was killed counts as what it might have cost.
"""

from __future__ import annotations

from datetime import date
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from dreamd.errors import RefusedError
from dreamd.host import clock, files, jsonl
from dreamd.host.mutex import mutex


class Amount(Struct, frozen=True):
    """Tokens of all kinds, and dollars; the latter are 0 where the model's price is not known."""

    tokens: int = 0
    dollars: float = 0.0

    def __add__(self, other: Amount) -> Amount:
        """Return both together."""
        return Amount(self.tokens + other.tokens, self.dollars + other.dollars)


class _Line(Struct, frozen=True):
    """The last word on what a dream costs."""

    dream: str
    tokens: Annotated[int, Meta(ge=0)]
    dollars: Annotated[float, Meta(ge=0)]


def spent(folder: Path, day: date) -> Amount:
    """Return what the dreams of a day cost; one that is not over counts as what it may cost.

    Raises:
        HostError: the ledger is there and cannot be read.
    """
    lines = jsonl.read(folder / f"{day.isoformat()}.jsonl", _Line)
    last = {line.dream: Amount(line.tokens, line.dollars) for line in lines}
    return sum(last.values(), Amount())


def reserve(folder: Path, day: date, dream: str, wanted: Amount, most: Amount) -> Amount:
    """Set aside what a dream may cost, at most what the day has left, and return that.

    Raises:
        RefusedError: nothing is left of the day's budget, or it is nothing at all.
        BusyError, HostError: the ledger cannot be written.
    """
    for key, none in (
        ("day_tokens", most.tokens <= 0),
        ("day_dollars", wanted.dollars > 0 and most.dollars <= 0),
    ):
        if none:
            raise RefusedError(
                f"the day's budget for model sessions is nothing (model.{key} is 0): raise it, "
                "or let the rules dream (engine: rules)"
            )
    files.make_private(folder)
    with mutex(folder / "locks", folder):
        gone = spent(folder, day)
        left = Amount(most.tokens - gone.tokens, most.dollars - gone.dollars)
        if left.tokens <= 0 or (wanted.dollars > 0 and left.dollars <= 0):
            raise RefusedError(
                f"the day's budget for model sessions is used up: {gone.tokens:,} of "
                f"{most.tokens:,} tokens, ${gone.dollars:.2f} of ${most.dollars:.2f} "
                "(model.day_tokens, model.day_dollars); it is full again tomorrow"
            )
        granted = Amount(min(wanted.tokens, left.tokens), min(wanted.dollars, left.dollars))
        _write(folder, day, dream, granted)
    return granted


def settle(folder: Path, day: date, dream: str, cost: Amount) -> None:
    """Put down what a dream really cost, in place of what was set aside for it.

    Raises:
        HostError: the ledger cannot be written.
    """
    _write(folder, day, dream, cost)


def _write(folder: Path, day: date, dream: str, amount: Amount) -> None:
    line = _Line(dream, amount.tokens, round(amount.dollars, 6))
    jsonl.append(folder / f"{day.isoformat()}.jsonl", line)


class Purse:
    """The money of the day on which a dream begins."""

    def __init__(self, folder: Path, most: Amount) -> None:
        self._folder, self._most = folder, most
        self._days: dict[str, date] = {}

    def left(self, tokens: int, dollars: float) -> tuple[int, float]:
        """Return how much of that the day still has, and set nothing aside.

        Raises:
            HostError: the ledger is there and cannot be read.
        """
        gone = spent(self._folder, clock.local_day(clock.now()))
        most = self._most
        return (
            max(0, min(tokens, most.tokens - gone.tokens)),
            max(0.0, min(dollars, most.dollars - gone.dollars)),
        )

    def reserve(self, dream: str, tokens: int, dollars: float) -> tuple[int, float]:
        """Set aside what a session may cost; return how much of it the day still has.

        Raises:
            RefusedError: nothing is left.
            BusyError, HostError: the ledger cannot be written.
        """
        day = self._days[dream] = clock.local_day(clock.now())
        granted = reserve(self._folder, day, dream, Amount(tokens, dollars), self._most)
        return granted.tokens, granted.dollars

    def settle(self, dream: str, tokens: int, dollars: float) -> None:
        """Put down what it did cost, in place of what was set aside, on the day it began.

        Raises:
            HostError: the ledger cannot be written.
        """
        settle(self._folder, self._days[dream], dream, Amount(tokens, dollars))
