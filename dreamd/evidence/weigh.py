"""The claims that deserve to be remembered, with every term of their score."""

from __future__ import annotations

from collections.abc import Iterable

from dreamd.domain.evidence import Candidate, Query, Snippet
from dreamd.evidence.deep import Gates, Weights, passes
from dreamd.evidence.firmness import firmness
from dreamd.evidence.judging import Judged, judged
from dreamd.host import cycles


def weigh(
    heard: Iterable[Snippet | Query], weights: Weights, gates: Gates
) -> tuple[Candidate, ...]:
    """Return the claims that pass every gate, best score first; the same for the same evidence."""
    with cycles.unsought():
        claims, _ = judged(heard, weights, gates, is_brief=True)
        return candidates(claims, gates)


def candidates(claims: Iterable[Judged], gates: Gates) -> tuple[Candidate, ...]:
    """Return those of some claims that pass every gate, best score first."""
    found = [candidate(each) for each in claims if passes(each.traces, each.score, gates)]
    return tuple(sorted(found, key=_best_first))


def candidate(claim: Judged) -> Candidate:
    """Return a claim as one that may be written down."""
    snippet, traces = claim.claim.snippet, claim.traces
    many = (traces.sightings, len(set(traces.days)), traces.questions)
    firm = firmness(snippet.statement, snippet.kind)
    return Candidate(snippet, claim.score, claim.terms, firm, *many)


def _best_first(candidate: Candidate) -> tuple[float, str, str]:
    return -candidate.score, candidate.snippet.message, candidate.snippet.statement
