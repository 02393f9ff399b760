"""The claims that deserve to be remembered, with every term of their score."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from datetime import date

from dreamd.domain.evidence import Candidate, Query, Snippet
from dreamd.evidence.deep import Gates, Traces, Weights, passes, score, terms
from dreamd.evidence.firmness import firmness
from dreamd.evidence.recurring import Recurring, recurring
from dreamd.evidence.relevance import Answers
from dreamd.evidence.tags import tokens


def weigh(
    heard: Iterable[Snippet | Query], weights: Weights, gates: Gates
) -> tuple[Candidate, ...]:
    """Return the claims that pass every gate, best score first; the same for the same evidence."""
    snippets: list[Snippet] = []
    queries: list[Query] = []
    for each in heard:
        if isinstance(each, Snippet):
            snippets.append(each)
        else:
            queries.append(each)
    claims = recurring(snippets, gates.alike)
    newest = max((each.day for each in snippets if each.day), default=None)
    found = list(_candidates(claims, queries, newest, weights, gates))
    return tuple(sorted(found, key=_best_first))


def _candidates(
    claims: tuple[Recurring, ...],
    queries: list[Query],
    newest: date | None,
    weights: Weights,
    gates: Gates,
) -> Iterator[Candidate]:
    answers = Answers([tokens(claim.snippet.statement) for claim in claims])
    recalls: dict[int, list[float]] = defaultdict(list)
    asked: dict[int, set[tuple[str, ...]]] = defaultdict(set)
    for query in queries:
        words = tuple(tokens(query.text))
        for number, how_well in answers.to(words):
            recalls[number].append(how_well)
            asked[number].add(words)
    for number, claim in enumerate(claims):
        days = [each.day for each in claim.sightings if each.day]
        traces = Traces(
            claim.snippet.kind,
            len(claim.snippet.tags),
            len(claim.sightings),
            days,
            recalls[number],
            len(asked[number]),
        )
        found = terms(traces, newest, gates.half_life)
        total = score(found, weights)
        if passes(traces, total, gates):
            many = (len(claim.sightings), len(set(days)), traces.questions)
            firm = firmness(claim.snippet.statement, claim.snippet.kind)
            yield Candidate(claim.snippet, total, found, firm, *many)


def _best_first(candidate: Candidate) -> tuple[float, str, str]:
    return -candidate.score, candidate.snippet.message, candidate.snippet.statement
