"""Deep sleep: six terms of a score and three gates; only what passes them may be written down."""

from __future__ import annotations

import math
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import date

from dreamd.domain.evidence import ClaimKind
from dreamd.domain.settings import Evidence

_OFTEN = 11  # signals that count in full, by their logarithm
_ASKED = 5  # different questions that count in full
_DAYS = 5  # different days that count in full, by their logarithm
_SPAN = 7  # days from the first to the last sighting that count in full
_CONCEPTS = 6  # that count in full
_OF_DAYS, _OF_SPAN = 0.55, 0.45
NOTED_DAYS = 3  # of daily notes in which a claim stands that nobody says in the talk
_EVERGREEN = {ClaimKind.PREFERENCE, ClaimKind.INSTRUCTION}


@dataclass(frozen=True, slots=True)
class Weights:
    """How much each term counts; they sum to 1."""

    relevance: float = Evidence.relevance
    frequency: float = Evidence.frequency
    diversity: float = Evidence.diversity
    recency: float = Evidence.recency
    consolidation: float = Evidence.consolidation
    richness: float = Evidence.richness


@dataclass(frozen=True, slots=True)
class Gates:
    """What a claim needs at least; `half_life` in days.

    `alike` is the share of words that makes two statements one claim.
    """

    score: float = Evidence.score
    signals: int = Evidence.signals
    questions: int = Evidence.questions
    half_life: float = Evidence.half_life_days
    alike: float = Evidence.alike


@dataclass(frozen=True, slots=True)
class Traces:
    """What speaks for one claim: who said it when, and which questions it answers how well.

    `is_noted` says that it stands in daily notes only, `is_passing` that it does not last there.
    """

    kind: ClaimKind
    concepts: int
    sightings: int
    days: Sequence[date]
    recalls: Sequence[float] = ()  # of each question it answers, how well, 0 to 1
    questions: int = 0  # different ones
    is_noted: bool = False
    is_passing: bool = False


def terms(traces: Traces, newest: date | None, half_life: float) -> dict[str, float]:
    """Return the six terms of a claim's score, each from 0 to 1.

    `newest` is the day of the newest evidence there is: by it recency is told, never by the
    clock. What holds until it is taken back does not age; nor does what bears no day.
    """
    days = sorted(set(traces.days))
    span = (days[-1] - days[0]).days if days else 0
    age = (newest - days[-1]).days if newest and days else 0
    is_lasting = traces.kind in _EVERGREEN
    signals = traces.sightings + len(traces.recalls)
    return {
        "relevance": sum(traces.recalls) / len(traces.recalls) if traces.recalls else 0.0,
        "frequency": min(1.0, math.log1p(signals) / math.log(_OFTEN)),
        "diversity": min(1.0, traces.questions / _ASKED),
        "recency": 1.0 if is_lasting else 0.5 ** (max(age, 0) / half_life),
        "consolidation": _OF_DAYS * min(1.0, math.log(max(len(days), 1)) / math.log(_DAYS))
        + _OF_SPAN * min(1.0, span / _SPAN),
        "richness": min(1.0, traces.concepts / _CONCEPTS),
    }


def score(found: Mapping[str, float], weights: Weights) -> float:
    """Return the weighted sum of a claim's terms, from 0 to 1."""
    return float(sum(getattr(weights, name) * value for name, value in found.items()))


def passes(traces: Traces, total: float, gates: Gates) -> bool:
    """Whether a claim of this score passes every gate.

    What stands in daily notes only stands in the memory already: it is raised out of them where
    it recurs on several days and lasts.
    """
    if traces.is_noted and (len(set(traces.days)) < NOTED_DAYS or traces.is_passing):
        return False
    signals = traces.sightings + len(traces.recalls)
    return total >= gates.score and signals >= gates.signals and traces.questions >= gates.questions
