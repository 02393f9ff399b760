"""Score every statement and return the candidates, best first."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date, timedelta
from itertools import chain, pairwise
from typing import NamedTuple

from msgspec import Struct

from dreamd.domain.evidence import NOTE, Candidate, Snippet
from dreamd.domain.settings import Evidence
from dreamd.evidence.light import NOTED_DAYS, Query, Sighting
from dreamd.evidence.recurring import Recurring, recurring
from dreamd.evidence.relevance import Answer, Answers
from dreamd.text.late import late
from dreamd.text.statement import clean, otherwise
from dreamd.text.stems import ordered
from dreamd.text.tokens import words

_OFTEN = math.log(11)  # of signals that count in full
_ASKED = 5  # different questions that count in full
_DAYS = math.log(5)  # of different days that count in full
_SPAN = 7  # days from the first to the last sighting that count in full
_CONCEPTS = 6  # that count in full
_OF_DAYS, _OF_SPAN = 0.55, 0.45


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


_LASTS = late(r"always|never|prefer|rather")


class Promotion(NamedTuple):
    """Whether every gate is open; `reason` names the one that is not, or what it is instead."""

    passes: bool
    reason: str


def verdict(snippet: Snippet, traces: Traces, total: float, settings: Evidence) -> Promotion:
    """Return the verdict on a claim: the one that is shown, and by which it is written.

    It waits until it was stated on enough days, in enough sessions, with enough signals, and its
    score is reached; then it must be a statement that lasts.
    """
    if missing := recurrence(traces.sessions, len(traces.days), traces.is_noted, settings):
        return Promotion(False, missing)
    if traces.signals < settings.signals:
        return Promotion(False, _more(settings.signals - traces.signals, "signal"))
    if traces.questions < settings.questions:
        return Promotion(False, _more(settings.questions - traces.questions, "question"))
    if total < settings.score:
        return Promotion(False, f"its score {total:.2f} is below {settings.score:g}")
    if kind := unlasting(snippet.quote, snippet.statement):
        return Promotion(False, kind)
    return Promotion(True, "would be written")


def unlasting(quote: str, statement: str) -> str:
    """Return what a claim is instead of a statement that lasts; empty if it is one."""
    return otherwise(quote) or otherwise(statement)


def recurrence(sessions: int, days: int, is_noted: bool, settings: Evidence) -> str:
    """Return for which sessions and days a claim waits; empty where it recurred often enough."""
    if is_noted:
        missing = NOTED_DAYS - days
        return f"waits for {missing} more days in daily notes" if missing > 0 else ""
    if sessions < settings.sessions:
        return _more(settings.sessions - sessions, "session")
    return _more(settings.days - days, "day") if days < settings.days else ""


def _more(count: int, thing: str) -> str:
    number = f"{count} more {thing}s" if count > 1 else f"another {thing}"
    return f"waits for {number}"


def is_lasting(statement: str) -> bool:
    """Whether a statement holds until it is taken back: a preference, or a standing order."""
    if not _LASTS.search(statement.lower()):  # most need no closer look
        return False
    return not {"always", "never", "prefer", "prefers", "rather"}.isdisjoint(words(statement))


_FAR = timedelta(days=365)


def weigh(
    found: Iterable[Sighting | Query], settings: Evidence, *, every: bool = True
) -> tuple[Candidate, ...]:
    """Return every claim as a candidate, best score first; the same for the same evidence.

    Without `every` only those that pass are returned, which is all that promotion needs; most
    claims do not recur, or are no statement that lasts, and need no score then.
    """
    sightings: list[Sighting] = []
    queries: list[Query] = []
    for each in found:
        if isinstance(each, Sighting):
            sightings.append(each)
        else:
            queries.append(each)
    claims = recurring(sightings, settings.alike)
    wanted = [n for n, claim in enumerate(claims) if every or _may_pass(claim, settings)]
    answers = _recalled(claims, queries, wanted)
    days = [each.day for each in sightings if each.day and each.speaker != NOTE]
    newest = _newest(days or (each.day for each in sightings if each.day))
    weights = settings.weights
    candidates = [
        _candidate(claims[n], answers.get(n, _UNASKED), newest, settings, weights) for n in wanted
    ]
    return tuple(sorted([each for each in candidates if every or each.passes], key=_best_first))


def _may_pass(claim: Recurring, settings: Evidence) -> bool:
    """Whether a claim lasts, and was stated on enough days and in enough sessions."""
    if len(claim.sightings) < min(settings.sessions, NOTED_DAYS):
        return False
    if recurrence(len(claim.sessions), len(claim.days), claim.is_noted, settings):
        return False
    return not unlasting(claim.best.quote, clean(claim.best.quote))


class _Answered:
    """How well a claim answers what was asked, and how many different questions."""

    def __init__(self) -> None:
        self.recalls: list[float] = []
        self.questions = 0


_UNASKED = _Answered()


def _candidate(
    claim: Recurring,
    answered: _Answered,
    newest: date | None,
    settings: Evidence,
    weights: Mapping[str, float],
) -> Candidate:
    snippet = Snippet(clean(claim.best.quote), *claim.best)
    traces = Traces(
        len(set(snippet.tags)),
        len(claim.sightings),
        len(claim.sessions),
        sorted(claim.days),
        answered.recalls,
        answered.questions,
        is_noted=snippet.speaker == NOTE,
        is_lasting=is_lasting(snippet.statement),
    )
    parts = terms(traces, newest, settings.half_life_days)
    total = score(parts, weights)
    passes, reason = verdict(snippet, traces, total, settings)
    counts = traces.sightings, len(traces.days), traces.sessions, traces.questions
    return Candidate(snippet, total, parts, *counts, passes, reason)


def _best_first(candidate: Candidate) -> tuple[bool, float, str, str]:
    snippet = candidate.snippet
    return not candidate.passes, -candidate.score, snippet.message, snippet.statement


def _newest(days: Iterable[date]) -> date | None:
    """Return the newest day that has another one within a year before it, or else the first.

    A day far behind all others is that of a clock gone wrong: nothing ages by it. Only a second
    day near it shows that time went on.
    """
    in_order = sorted(set(days))
    near = (day for before, day in pairwise(in_order) if day - before <= _FAR)
    return max(near, default=in_order[0] if in_order else None)


def _recalled(
    claims: Sequence[Recurring], queries: Sequence[Query], wanted: Sequence[int]
) -> Mapping[int, _Answered]:
    """Return for some claims, by number, how they answer what is asked.

    What answers a question best depends on all claims.
    """
    found: dict[int, _Answered] = defaultdict(_Answered)
    if not queries or not wanted:
        return found
    words = frozenset(chain.from_iterable(claims[number].best.tags for number in wanted))
    known = Answers([claim.best.tags for claim in claims], wanted)
    questions: dict[tuple[str, ...], tuple[Answer, ...]] = {}
    for query in queries:
        stems = ordered(query.text)
        answered = questions.get(stems)
        if answered is None:
            answered = () if words.isdisjoint(stems) else known.full(stems)
            questions[stems] = answered
            for number, _ in answered:
                found[number].questions += 1
        for number, how_well in answered:
            found[number].recalls.append(how_well)
    return found
