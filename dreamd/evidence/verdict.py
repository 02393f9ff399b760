"""Which gates a claim passes, and what would have to be said for it to pass the others."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace
from datetime import date, timedelta

from dreamd.evidence.deep import NOTED_DAYS, Gates, Traces, Weights, passes, score, terms
from dreamd.evidence.judging import Judged

_MOST = 12  # more days, or questions, are no advice


@dataclass(frozen=True, slots=True)
class Gate:
    """One gate as it stands to a claim: what the claim has, and what it needs at least."""

    name: str
    value: float
    least: float

    @property
    def is_open(self) -> bool:
        """Whether the claim passes it."""
        return self.value >= self.least


def gates_of(claim: Judged, gates: Gates) -> tuple[Gate, ...]:
    """Return the three gates of a claim, and the two more of one that only daily notes state."""
    traces = claim.traces
    of_notes = (
        Gate("days", len(set(traces.days)), NOTED_DAYS),
        Gate("lasting", float(not traces.is_passing), 1),
    )
    return (
        Gate("score", claim.score, gates.score),
        Gate("signals", traces.sightings + len(traces.recalls), gates.signals),
        Gate("questions", traces.questions, gates.questions),
        *(of_notes if traces.is_noted else ()),
    )


def wanting(claim: Judged, newest: date | None, weights: Weights, gates: Gates) -> tuple[str, ...]:
    """Return what would let a claim pass every gate, each enough by itself; nothing if it passes.

    Each is the fewest days on which it is said again, the fewest further questions that it
    answers as well as can be, or both together where neither does.
    """
    if passes(claim.traces, claim.score, gates):
        return ()

    def is_enough(traces: Traces, last: date | None) -> bool:
        total = score(terms(traces, last, gates.half_life), weights)
        return passes(traces, total, gates)

    def fewest(more: Callable[[int], tuple[Traces, date | None]]) -> int | None:
        return next((n for n in range(1, _MOST + 1) if is_enough(*more(n))), None)

    traces = claim.traces
    days = fewest(lambda n: _said_again(traces, newest, n))
    questions = fewest(lambda n: (_asked(traces, n), newest))
    found = []
    if days:
        found.append(f"{_more(days, 'day')} on which it is said")
    if questions:
        found.append(f"{_more(questions, 'question')} that it answers")
    if not found and (both := fewest(lambda n: _both(traces, newest, n))):
        found.append(f"{_more(both, 'day')} on which it is said and {_more(both, 'question')}")
    return tuple(found)


def _said_again(traces: Traces, newest: date | None, count: int) -> tuple[Traces, date | None]:
    last = newest or date(2000, 1, 1)  # any: only what lies between days counts
    days = [last + timedelta(number) for number in range(1, count + 1)]
    grown = replace(traces, sightings=traces.sightings + count, days=[*traces.days, *days])
    grown = replace(grown, is_noted=False)  # a person says it
    return grown, days[-1]


def _asked(traces: Traces, count: int) -> Traces:
    recalls = [*traces.recalls, *([1.0] * count)]
    return replace(traces, recalls=recalls, questions=traces.questions + count)


def _both(traces: Traces, newest: date | None, count: int) -> tuple[Traces, date | None]:
    grown, last = _said_again(traces, newest, count)
    return _asked(grown, count), last


def _more(count: int, noun: str) -> str:
    return f"one more {noun}" if count == 1 else f"{count} more {noun}s"
