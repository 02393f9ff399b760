"""Score every statement and return the candidates, best first."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from datetime import date, timedelta
from itertools import pairwise

from dreamd.domain.evidence import NOTE, Candidate, Query, Snippet
from dreamd.domain.settings import Evidence
from dreamd.evidence.deep import Traces, score, terms
from dreamd.evidence.recurring import Recurring, recurring
from dreamd.evidence.relevance import Answer, Answers
from dreamd.evidence.verdict import is_lasting, verdict
from dreamd.host import cycles
from dreamd.text.stems import ordered

_FAR = timedelta(days=365)


def weigh(found: Iterable[Snippet | Query], settings: Evidence) -> tuple[Candidate, ...]:
    """Return every claim as a candidate, best score first; the same for the same evidence."""
    with cycles.unsought():
        return _weigh(found, settings)


def _weigh(found: Iterable[Snippet | Query], settings: Evidence) -> tuple[Candidate, ...]:
    snippets: list[Snippet] = []
    queries: list[Query] = []
    for each in found:
        if isinstance(each, Snippet):
            snippets.append(each)
        else:
            queries.append(each)
    claims = recurring(snippets, settings.alike)
    days = [each.day for each in snippets if each.day and each.speaker != NOTE]
    newest = _newest(days or (each.day for each in snippets if each.day))
    recalls, asked = _recalled(claims, queries)
    candidates = [
        _candidate(claim, recalls[number], asked[number], newest, settings)
        for number, claim in enumerate(claims)
    ]
    return tuple(sorted(candidates, key=_best_first))


def _candidate(
    claim: Recurring,
    recalls: Sequence[float],
    asked: int,
    newest: date | None,
    settings: Evidence,
) -> Candidate:
    snippet = claim.snippet
    traces = Traces(
        len(set(snippet.tags)),
        len(claim.sightings),
        len(claim.sessions),
        [each.day for each in claim.sightings if each.day],
        recalls,
        asked,
        is_noted=claim.is_noted,
        is_lasting=is_lasting(snippet.statement),
    )
    parts = terms(traces, newest, settings.half_life_days)
    total = score(parts, settings)
    passes, reason = verdict(snippet, traces, total, settings)
    return Candidate(
        snippet,
        total,
        parts,
        traces.sightings,
        len(claim.days),
        traces.sessions,
        asked,
        passes,
        reason,
    )


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
    claims: Sequence[Recurring], queries: Sequence[Query]
) -> tuple[Sequence[Sequence[float]], Sequence[int]]:
    """Return for each claim how well it answers what is asked, and how many different questions."""
    recalls: list[list[float]] = [[] for _ in claims]
    asked = [0] * len(claims)
    if not queries:
        return recalls, asked
    known = Answers([claim.snippet.tags for claim in claims])
    questions: dict[tuple[str, ...], tuple[Answer, ...]] = {}
    for query in queries:
        stems = ordered(query.text)
        answered = questions.get(stems)
        if answered is None:
            answered = questions[stems] = known.full(stems)
            for number, _ in answered:
                asked[number] += 1
        for number, how_well in answered:
            recalls[number].append(how_well)
    return recalls, asked
