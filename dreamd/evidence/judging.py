"""What speaks for each claim: its traces in the talk, the terms of its score, what it answers."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from dreamd.domain.evidence import NOTE, Query, Snippet
from dreamd.domain.prose.concepts import tokens
from dreamd.evidence.deep import Gates, Traces, Weights, score, terms
from dreamd.evidence.passing import passing
from dreamd.evidence.recurring import Recurring, recurring
from dreamd.evidence.relevance import Answer, Answers


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
    heard: Iterable[Snippet | Query], weights: Weights, gates: Gates
) -> tuple[tuple[Judged, ...], date | None]:
    """Return every claim as it is judged, in order of its first sighting, and the newest day.

    The newest day of the talk, or of daily notes where nobody talked, is what recency is told
    from; None where nothing bears a day.
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
    newest = max(days or noted, default=None)
    of_a_day = passing(claims, gates.alike)
    answers = Answers([tokens(claim.snippet.statement) for claim in claims])
    recalls: list[list[tuple[Query, float]]] = [[] for _ in claims]
    questions: dict[tuple[str, ...], tuple[Answer, ...]] = {}
    asked = [0] * len(claims)  # different questions
    for query in queries:
        words = tuple(tokens(query.text))
        answered = questions.get(words)
        if answered is None:
            answered = questions[words] = answers.to(words)
            for number, _ in answered:
                asked[number] += 1
        for number, how_well in answered:
            recalls[number].append((query, how_well))
    found = []
    for number, claim in enumerate(claims):
        traces = Traces(
            claim.snippet.kind,
            len(claim.snippet.tags),
            len(claim.sightings),
            [each.day for each in claim.sightings if each.day],
            [how_well for _, how_well in recalls[number]],
            asked[number],
            is_noted=claim.is_noted,
            is_passing=number in of_a_day,
        )
        parts = terms(traces, newest, gates.half_life)
        total = score(parts, weights)
        found.append(Judged(claim, traces, parts, total, tuple(recalls[number])))
    return tuple(found), newest
