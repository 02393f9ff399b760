"""What speaks for each claim: its traces in the talk, the terms of its score, what it answers."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from datetime import date

from dreamd.domain.evidence import Query, Snippet
from dreamd.evidence.deep import Gates, Traces, Weights, score, terms
from dreamd.evidence.recurring import Recurring, recurring
from dreamd.evidence.relevance import Answer, Answers
from dreamd.evidence.tags import tokens


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

    The newest day of the evidence is what recency is told from; None where nothing bears a day.
    """
    snippets: list[Snippet] = []
    queries: list[Query] = []
    for each in heard:
        if isinstance(each, Snippet):
            snippets.append(each)
        else:
            queries.append(each)
    claims = recurring(snippets, gates.alike)
    newest = max((each.day for each in snippets if each.day), default=None)
    answers = Answers([tokens(claim.snippet.statement) for claim in claims])
    recalls: dict[int, list[tuple[Query, float]]] = defaultdict(list)
    asked: dict[int, set[int]] = defaultdict(set)
    questions: dict[tuple[str, ...], tuple[int, tuple[Answer, ...]]] = {}  # numbered
    for query in queries:
        words = tuple(tokens(query.text))
        if words not in questions:
            questions[words] = len(questions), answers.to(words)
        question, answered = questions[words]
        for number, how_well in answered:
            recalls[number].append((query, how_well))
            asked[number].add(question)
    found = []
    for number, claim in enumerate(claims):
        traces = Traces(
            claim.snippet.kind,
            len(claim.snippet.tags),
            len(claim.sightings),
            [each.day for each in claim.sightings if each.day],
            [how_well for _, how_well in recalls[number]],
            len(asked[number]),
        )
        parts = terms(traces, newest, gates.half_life)
        total = score(parts, weights)
        found.append(Judged(claim, traces, parts, total, tuple(recalls[number])))
    return tuple(found), newest
