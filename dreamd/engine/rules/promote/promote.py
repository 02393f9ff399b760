"""Candidates find their place in the notes, as many as all limits allow."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import replace

from dreamd.domain.change import Heeded
from dreamd.domain.ending import Phase, Step
from dreamd.domain.evidence import Candidate, ClaimKind
from dreamd.domain.heard import PersonSaid
from dreamd.domain.settings import Budget
from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.gather.claim import Claim, Cue
from dreamd.engine.rules.gather.place import REMEMBERED, Gathered, gather
from dreamd.engine.rules.orient import Memory
from dreamd.engine.rules.promote.chosen import chosen

ROUNDS = 6  # what is chosen is an estimate of what fits; two are usual
PROMOTED = "noted {thing} you stated"
MOST = 150  # lines of one round
_HEAD = 500  # bytes of a new file before its first line, and of its pointer
_FILLED, _FILLED_SMALL = 0.965, 0.98  # share of the budget; the rest is for what is made past
_SMALL = 4_096  # bytes; in so little a file of its own, with its pointer, would be the most of it


def promote(
    memory: Memory,
    candidates: Sequence[Candidate],
    heeded: Heeded,
    budget: Budget,
    refusals: Refusals,
) -> Gathered:
    """Return the notes with the best candidates as lines, as far as they fit within the budget.

    Nothing that stands makes room for them. Sentences that past dreams drew on, and messages that
    the user took back, are not looked at.
    """
    is_small = budget.memory_bytes <= _SMALL
    standing = "\n".join(memory.texts.values()).casefold()
    open_ones = []
    for each in candidates:
        message, quote = each.snippet.message, each.snippet.quote
        if message in heeded.declined:
            refusals.cited.add(heeded.declined[message])
        elif heeded.drew_on(message, quote) is None and _words(each) not in standing:
            open_ones.append(each)
    best = chosen(open_ones, room(memory, budget), MOST)
    if not best:
        return Gathered(memory)
    found = gather(memory, map(_claim, best), heeded, budget, refusals, is_in_index=is_small)
    placed = sum(step.count for step in found.steps if step.text == REMEMBERED)
    steps = (Step(Phase.GATHER, PROMOTED, placed),) if placed else ()
    return replace(found, steps=steps)


def room(memory: Memory, budget: Budget) -> int:
    """Return how many bytes of new lines the notes have room for."""
    used = sum(len(text.encode()) for text in memory.texts.values())
    if budget.memory_bytes <= _SMALL:
        return int(_FILLED_SMALL * budget.memory_bytes) - used
    return int(_FILLED * budget.memory_bytes) - used - _HEAD


def without_asked(candidates: Iterable[Candidate], asked: Iterable[Claim]) -> list[Candidate]:
    """Return the candidates that say more than what was asked for in the same message."""
    quotes: dict[str, list[str]] = {}
    for claim in asked:
        quotes.setdefault(claim.said.message, []).append(claim.statement.rstrip(".!"))
    return [
        each
        for each in candidates
        if not any(said in each.snippet.quote for said in quotes.get(each.snippet.message, ()))
    ]


def _words(candidate: Candidate) -> str:
    """Return the words of a candidate as they are compared: a capital tells nothing apart."""
    return candidate.snippet.statement.rstrip(".!?").casefold()


def _claim(candidate: Candidate) -> Claim:
    snippet = candidate.snippet
    said = PersonSaid(snippet.quote, snippet.session, snippet.message, snippet.at, snippet.day)
    cue = Cue.ADVICE if snippet.kind is ClaimKind.ADVICE else Cue.STATED
    return Claim(cue, snippet.statement, snippet.quote, said)
