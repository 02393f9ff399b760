"""REM sleep: themes over concepts, and how likely each claim is to be a lasting truth."""

from __future__ import annotations

import math
from collections import Counter
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dreamd.evidence.deep import Traces

KEPT = 0.45  # confidence from which a candidate truth is one
_RECALLS, _DAYS, _CONCEPTS = 7, 3, 6  # that count in full
_WEIGHTS = {"relevance": 0.45, "recall": 0.25, "days": 0.20, "richness": 0.10}
_FEWEST = 3  # claims of a theme


@dataclass(frozen=True, slots=True)
class Theme:
    """A concept that several claims speak of, by their numbers."""

    concept: str
    claims: tuple[int, ...]


def confidence(traces: Traces) -> float:
    """Return how likely a claim is to be a lasting truth, from 0 to 1: a rank, no verdict."""
    found = parts(traces)
    return float(sum(_WEIGHTS[name] * value for name, value in found.items()))


def parts(traces: Traces) -> dict[str, float]:
    """Return the four terms of a claim's confidence, each from 0 to 1."""
    recalls = len(traces.recalls)
    return {
        "relevance": sum(traces.recalls) / recalls if recalls else 0.0,
        "recall": min(1.0, math.log1p(recalls) / math.log(_RECALLS)),
        "days": min(1.0, len(set(traces.days)) / _DAYS),
        "richness": min(1.0, traces.concepts / _CONCEPTS),
    }


def themes(concepts: Sequence[Iterable[str]]) -> tuple[Theme, ...]:
    """Return the themes of claims, given the concepts of each: the one most spoken of first."""
    found: dict[str, list[int]] = {}
    for number, named in enumerate(concepts):
        for concept in dict.fromkeys(named):
            found.setdefault(concept, []).append(number)
    many = Counter({concept: len(numbers) for concept, numbers in found.items()})
    return tuple(
        Theme(concept, tuple(found[concept]))
        for concept, count in sorted(many.items(), key=lambda each: (-each[1], each[0]))
        if count >= _FEWEST and not concept[0].isdigit()
    )
