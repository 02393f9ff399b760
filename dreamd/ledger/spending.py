"""What model sessions cost in a day, over all memory directories: one ledger that processes share.

A line is a JSON object: a dream with what it may cost at most when it begins, and the same dream
with what it did cost when it ends. A dream that was killed counts as what it might have cost.
"""

from __future__ import annotations

from collections.abc import Callable
from datetime import date
from pathlib import Path
from typing import Annotated

from msgspec import Meta, Struct

from dreamd.errors import RefusedError
from dreamd.host import clock, files
from dreamd.host.mutex import mutex
from dreamd.ledger import jsonl


class Amount(Struct, frozen=True):
    """Tokens of all kinds, and dollars; the latter are 0 where the model's price is not known."""

    tokens: int = 0
    dollars: float = 0.0


class _Line(Struct, frozen=True):
    """The last word on what a dream costs."""

    dream: str
    tokens: Annotated[int, Meta(ge=0)]
    dollars: Annotated[float, Meta(ge=0)]


def _today() -> date:
    return clock.local_day(clock.now())


class Purse:
    """The money for all sessions of the day on which each begins, `most` in all."""

    def __init__(self, folder: Path, most: Amount, today: Callable[[], date] = _today) -> None:
        self._folder, self._most, self._today = folder, most, today
        self._days: dict[str, date] = {}  # on which a session of ours began

    def spent(self) -> Amount:
        """Return what the sessions of today cost; one that is not over counts as what it may cost.

        Raises:
            HostError: the ledger is there and cannot be read.
        """
        lines = jsonl.read(self._ledger(self._today()), _Line)
        last = {line.dream: line for line in lines}.values()
        return Amount(sum(each.tokens for each in last), sum(each.dollars for each in last))

    def left(self, tokens: int, dollars: float) -> tuple[int, float]:
        """Return how much of that the day still has, and set nothing aside."""
        gone, most = self.spent(), self._most
        return (
            max(0, min(tokens, most.tokens - gone.tokens)),
            max(0.0, min(dollars, most.dollars - gone.dollars)),
        )

    def reserve(self, dream: str, tokens: int, dollars: float) -> tuple[int, float]:
        """Set aside what a session may cost; return how much of it the day still has.

        Raises:
            RefusedError: nothing is left of the day's budget, or it is nothing at all.
            BusyError, HostError: the ledger cannot be written.
        """
        most, day = self._most, self._today()
        if most.tokens <= 0 or (dollars > 0 and most.dollars <= 0):
            key = "day_tokens" if most.tokens <= 0 else "day_dollars"
            raise RefusedError(
                f"the day's budget for model sessions is nothing (model.{key} is 0): raise it, "
                "or let the rules dream (engine: rules)"
            )
        files.make_private(self._folder)
        with mutex(self._folder / "locks", self._folder):
            left = self.left(tokens, dollars)
            if not left[0] or (dollars > 0 and not left[1]):
                gone = self.spent()
                raise RefusedError(
                    f"the day's budget for model sessions is used up: {gone.tokens:,} of "
                    f"{most.tokens:,} tokens, ${gone.dollars:.2f} of ${most.dollars:.2f} "
                    "(model.day_tokens, model.day_dollars); it is full again tomorrow"
                )
            self._days[dream] = day
            self.settle(dream, *left)
        return left

    def settle(self, dream: str, tokens: int, dollars: float) -> None:
        """Put down what a session costs, in place of what was set aside, on the day it began."""
        day = self._days.get(dream, self._today())
        line = jsonl.encode(_Line(dream, tokens, round(dollars, 6)))
        with files.faults("write", ledger := self._ledger(day)):
            files.append(ledger, b"\n" + line + b"\n")  # also behind one that a crash tore

    def _ledger(self, day: date) -> Path:
        return self._folder / f"{day.isoformat()}.jsonl"
