"""Candidates find their place in the notes, as many as all limits allow."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace

from dreamd.domain.change import Heeded
from dreamd.domain.ending import Phase, Step
from dreamd.domain.evidence import NOTE, Candidate, ClaimKind
from dreamd.domain.heard import PersonSaid
from dreamd.domain.prose.concepts import tags
from dreamd.domain.prose.whole import as_sentence
from dreamd.domain.settings import Budget
from dreamd.domain.tree import INDEX
from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.gather.claim import Claim, Cue
from dreamd.engine.rules.gather.place import REMEMBERED, Gathered, gather
from dreamd.engine.rules.gather.place_home import SMALL
from dreamd.engine.rules.gather.place_kind import gathers
from dreamd.engine.rules.orient import Memory
from dreamd.engine.rules.promote.chosen import chosen, fitted, size
from dreamd.engine.rules.promote.days import with_days, without_days
from dreamd.engine.rules.promote.standing import Standing
from dreamd.engine.rules.raising import free_in_index
from dreamd.text.late import late

ROUNDS = 60  # what is chosen is an estimate of what fits; two are usual
PROMOTED = "noted {thing} you stated"
RAISED = "raised {thing} out of daily notes"
MOST = 150  # lines of one round
_MORE = 3  # words of weight beside what was asked for, by which a statement says more
_CLAUSE = late(r"[,;]\s+(?:and|but|so)\s+(?=(?:i|we|my|our|he|she)\b)", re.IGNORECASE)
FAR = 1.25  # times the budget; what takes notes a little over it opens no new room
_HEAD = 500  # bytes of a new file before its first line, and of its pointer
_FILLED, _FILLED_SMALL = 0.965, 0.98  # share of the budget; the rest is for what is made past


def promote(
    memory: Memory,
    candidates: Sequence[Candidate],
    heeded: Heeded,
    budget: Budget,
    refusals: Refusals,
    *,
    filled: int | None = None,
    standing: Iterable[Candidate] = (),
) -> Gathered:
    """Return the notes with the best candidates as lines, as far as they fit within the budget.

    Sentences that past dreams drew on, and messages that the user took back, are not looked at.
    What only daily notes state finds its place beside them, as if they were not there. What one
    of those `standing` in the notes says whole is not written. `filled` is as of `room`.
    """
    free = room(memory, budget, filled)
    if free <= 0:
        return Gathered(memory)
    still_open = open_ones(memory, candidates, heeded, refusals)
    best = chosen(fitted(still_open, free), free, MOST, standing)
    if not best:
        return Gathered(memory)
    said = [claim_of(each) for each in best if each.snippet.speaker != NOTE]
    noted = [claim_of(each) for each in best if each.snippet.speaker == NOTE]
    found = gather(memory, said, heeded, budget, refusals)
    found = replace(found, steps=_steps(found, PROMOTED))
    if not noted:
        return found
    beside = without_days(found.memory)
    more = gather(beside, noted, heeded, budget, refusals)
    whole = found.memory if more.memory is beside else with_days(more.memory, found.memory)
    return Gathered(whole, (*found.steps, *_steps(more, RAISED)), (*found.whys, *more.whys))


def waits(
    memory: Memory,
    candidates: Iterable[Candidate],
    heeded: Heeded,
    free: int,
    standing: Iterable[Candidate] = (),
) -> bool:
    """Whether candidates are more than fits in `free` bytes, and one would be written else."""
    left = open_ones(memory, candidates, heeded, Refusals())
    return sum(map(size, left)) > free and bool(chosen(left, sum(map(size, left)), 1, standing))


def open_ones(
    memory: Memory, candidates: Iterable[Candidate], heeded: Heeded, refusals: Refusals
) -> list[Candidate]:
    """Return the candidates that no dream drew on, that nobody took back, and no note has."""
    candidates = tuple(candidates)
    standing = Standing.of(memory.texts.values())
    has_notes = any(each.snippet.speaker == NOTE for each in candidates)
    raised = Standing.of(without_days(memory).texts.values() if has_notes else ())
    found = []
    for each in candidates:
        message, quote = each.snippet.message, each.snippet.quote
        if message in heeded.declined:
            refusals.cited.add(heeded.declined[message])
        elif heeded.drew_on(message, quote) is None:
            stands = raised if each.snippet.speaker == NOTE else standing
            if not stands.has(each.snippet.statement):
                found.append(each)
    return found


def standing_ones(memory: Memory, candidates: Iterable[Candidate]) -> list[Candidate]:
    """Return the candidates that stand in the notes word for word; daily notes are none."""
    texts = Standing.of(without_days(memory).texts.values())
    return [each for each in candidates if texts.has(each.snippet.statement)]


def _steps(found: Gathered, text: str) -> tuple[Step, ...]:
    placed = sum(step.count for step in found.steps if step.text == REMEMBERED)
    return (Step(Phase.GATHER, text, placed),) if placed else ()


def used(memory: Memory) -> int:
    """Return the bytes of all notes but the daily ones."""
    return sum(len(text.encode()) for text in without_days(memory).texts.values())


def filling(memory: Memory, budget: Budget) -> int:
    """Return up to how many bytes lines that nobody asked for may fill the notes."""
    if budget.memory_bytes <= SMALL:
        return int(_FILLED_SMALL * budget.memory_bytes)
    has_file = any(map(gathers, memory.notes.values()))
    return int(_FILLED * budget.memory_bytes) - (0 if has_file else _HEAD)


def room(memory: Memory, budget: Budget, filled: int | None = None) -> int:
    """Return how many bytes of new lines the notes have room for.

    Where all notes are far more than a reader sees, as much as the index takes up of gathered
    lines: that is what a reader meets first. With `filled` up to that many bytes in any case.
    Daily notes are not counted.
    """
    size = used(memory)
    if filled is not None:
        return filled - size
    index = memory.notes.get(INDEX)
    if size > FAR * budget.memory_bytes > SMALL and index:
        return free_in_index(index, budget)
    return filling(memory, budget) - size


def without_asked(candidates: Iterable[Candidate], asked: Iterable[Claim]) -> list[Candidate]:
    """Return the candidates that say more than what was asked for in the same message."""
    return [left for left in beside_asked(candidates, asked) if left]


def beside_asked(
    candidates: Iterable[Candidate], asked: Iterable[Claim]
) -> Iterator[Candidate | None]:
    """Yield for each candidate what it says beside what was asked for, None where that is nothing.

    What stands beside it in one sentence is more, and so is what it is for. Where it is the first
    or last sentence of a candidate, or the first of its clauses, the others are the candidate.
    """
    wanted: dict[str, list[str]] = {}
    for claim in asked:
        wanted.setdefault(claim.said.message, []).append(claim.statement.rstrip(".!"))
    for each in candidates:
        left: Candidate | None = each
        for said in wanted.get(each.snippet.message, ()):
            left = left and _beside(left, said)
        yield left


def _beside(candidate: Candidate, said: str) -> Candidate | None:
    """Return what a candidate says beside some words, None where that is next to nothing."""
    whole = candidate.snippet.statement
    at = whole.casefold().find(said.casefold())
    if at < 0:
        return candidate
    before, behind = whole[:at].rstrip(), whole[at + len(said) :].lstrip(".! ")
    if before and before.endswith((".", "!")) and not behind:
        whole = before
    elif not before and whole[at + len(said) :].startswith((".", "!")):
        whole = behind
    elif not before and (clause := _CLAUSE.match(behind)):
        whole = as_sentence(behind[clause.end() :])
    if len(set(tags(whole)) - set(tags(said))) < _MORE:
        return None
    snippet = replace(candidate.snippet, statement=whole, tags=tags(whole))
    return (
        candidate if whole == candidate.snippet.statement else replace(candidate, snippet=snippet)
    )


def claim_of(candidate: Candidate) -> Claim:
    """Return a candidate as what is placed in the notes."""
    snippet = candidate.snippet
    said = PersonSaid(snippet.quote, snippet.session, snippet.message, snippet.at, snippet.day)
    cue = Cue.ADVICE if snippet.kind is ClaimKind.ADVICE else Cue.STATED
    cue = Cue.NOTED if snippet.speaker == NOTE else cue
    return Claim(cue, snippet.statement, snippet.quote, said)
