"""Score a claim: six terms, each from 0 to 1, and their weighted sum."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from datetime import date

from msgspec import Struct

_OFTEN = math.log(11)  # of signals that count in full
_ASKED = 5  # different questions that count in full
_DAYS = math.log(5)  # of different days that count in full
_SPAN = 7  # days from the first to the last sighting that count in full
_CONCEPTS = 6  # that count in full
_OF_DAYS, _OF_SPAN = 0.55, 0.45
NOTED_DAYS = 3  # of daily notes in which a claim stands that nobody states in a session


class Traces(Struct, frozen=True):
    """The evidence for one claim: its sightings, and the questions that it answers.

    `days` are the different ones of its sightings, in order. `is_lasting` says that it holds
    until it is taken back, as an order or a preference does.
    """

    concepts: int
    sightings: int
    sessions: int
    days: Sequence[date]
    recalls: Sequence[float] = ()  # of each question it answers, how well, 0 to 1
    questions: int = 0  # different ones
    is_noted: bool = False
    is_lasting: bool = False

    @property
    def signals(self) -> int:
        """How often it was said or looked up."""
        return self.sightings + len(self.recalls)


def terms(traces: Traces, newest: date | None, half_life: float) -> dict[str, float]:
    """Return the six terms of a claim's score, each from 0 to 1.

    `newest` is the day of the newest evidence there is: recency counts from it, never from the
    clock. What holds until it is taken back does not age; nor does what bears no day.
    """
    days = traces.days
    span = (days[-1] - days[0]).days if days else 0
    age = (newest - days[-1]).days if newest and days else 0
    return {
        "relevance": sum(traces.recalls) / len(traces.recalls) if traces.recalls else 0.0,
        "frequency": min(1.0, math.log1p(traces.signals) / _OFTEN),
        "diversity": min(1.0, traces.questions / _ASKED),
        "recency": 1.0 if traces.is_lasting else 0.5 ** (max(age, 0) / half_life),
        "consolidation": _OF_DAYS * min(1.0, math.log(max(len(days), 1)) / _DAYS)
        + _OF_SPAN * min(1.0, span / _SPAN),
        "richness": min(1.0, traces.concepts / _CONCEPTS),
    }


def score(found: Mapping[str, float], weights: Mapping[str, float]) -> float:
    """Return the weighted sum of a claim's terms, from 0 to 1."""
    return float(sum([weights[name] * value for name, value in found.items()]))
