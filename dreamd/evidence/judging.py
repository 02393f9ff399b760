"""What speaks for each claim: its traces in the talk, the terms of its score, what it answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date, timedelta
from itertools import pairwise

from dreamd.domain.evidence import NOTE, Query, Snippet
from dreamd.domain.prose.concepts import tokens
from dreamd.evidence.deep import NOTED_DAYS, Gates, Traces, Weights, score, terms
from dreamd.evidence.passing import passing
from dreamd.evidence.recurring import Recurring, recurring
from dreamd.evidence.relevance import Answer, Answers

_FAR = timedelta(days=365)


@dataclass(frozen=True, slots=True)
class Judged:
    """A claim with all that speaks for it, whether or not it passes a gate.

    `answers` are the things that people asked which it answers, each with how well (0 to 1), in
    the order in which they were asked.
    """

    claim: Recurring
    traces: Traces
    terms: Mapping[str, float]
    score: float
    answers: tuple[tuple[Query, float], ...]


def judged(
    heard: Iterable[Snippet | Query], weights: Weights, gates: Gates, *, is_brief: bool = False
) -> tuple[tuple[Judged, ...], date | None]:
    """Return every claim as it is judged, in order of its first sighting, and the newest day.

    The newest day of the talk, or of daily notes where nobody talked, is what recency is told
    from, but for a lone one far behind all others; None where nothing bears a day. In brief it is
    told of no claim which questions it answers, and of none that stands only in daily notes of too
    few days to pass a gate.
    """
    snippets: list[Snippet] = []
    queries: list[Query] = []
    for each in heard:
        if isinstance(each, Snippet):
            snippets.append(each)
        else:
            queries.append(each)
    claims = recurring(snippets, gates.alike)
    days = [each.day for each in snippets if each.day and each.speaker != NOTE]
    noted = (each.day for each in snippets if each.day)  # a file may bear any day
    newest = _newest(days or noted)
    return verdicts(claims, queries, newest, weights, gates, is_brief=is_brief), newest


def verdicts(
    claims: Sequence[Recurring],
    queries: Sequence[Query],
    newest: date | None,
    weights: Weights,
    gates: Gates,
    *,
    is_brief: bool = False,
) -> tuple[Judged, ...]:
    """Return each claim as it is judged among the others, as by `judged`, in their order."""
    of_a_day = passing(claims, gates.alike, least_days=NOTED_DAYS if is_brief else 0)
    answers: list[list[tuple[Query, float]]] = [[] for _ in (() if is_brief else claims)]
    recalls, asked = _recalled(claims, queries, answers)
    found = []
    for number, claim in enumerate(claims):
        snippet = claim.snippet
        is_noted = snippet.speaker == NOTE
        if is_noted and is_brief and len(claim.days) < NOTED_DAYS:
            continue
        traces = Traces(
            snippet.kind,
            len(snippet.tags),
            len(claim.sightings),
            [each.day for each in claim.sightings if each.day],
            recalls[number],
            asked[number],
            is_noted=is_noted,
            is_passing=number in of_a_day,
        )
        parts = terms(traces, newest, gates.half_life)
        total = score(parts, weights)
        told = () if is_brief else tuple(answers[number])
        found.append(Judged(claim, traces, parts, total, told))
    return tuple(found)


def _newest(days: Iterable[date]) -> date | None:
    """Return the newest day that has another one within a year before it, or else the first.

    A day far behind all others is that of a clock gone wrong: nothing ages by it. Only a second
    day near it shows that time went on.
    """
    ordered = sorted(set(days))
    near = (day for before, day in pairwise(ordered) if day - before <= _FAR)
    return max(near, default=ordered[0] if ordered else None)


def _recalled(
    claims: Sequence[Recurring],
    queries: Sequence[Query],
    answers: Sequence[list[tuple[Query, float]]],
) -> tuple[Sequence[Sequence[float]], Sequence[int]]:
    """Return for each claim how well it answers what is asked, and how many different questions.

    The questions themselves are added to the `answers` of each claim, where there are any.
    """
    recalls: list[list[float]] = [[] for _ in claims]
    asked = [0] * len(claims)
    if not queries:
        return recalls, asked
    known = Answers([tokens(claim.snippet.statement) for claim in claims])
    questions: dict[tuple[str, ...], tuple[Answer, ...]] = {}
    for query in queries:
        words = tuple(tokens(query.text))
        answered = questions.get(words)
        if answered is None:
            answered = questions[words] = known.full(words)
            for number, _ in answered:
                asked[number] += 1
        for number, how_well in answered:
            recalls[number].append(how_well)
            if answers:
                answers[number].append((query, how_well))
    return recalls, asked
