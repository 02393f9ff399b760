"""What people asked to be remembered: a tier of its own, of which no gate is asked."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime

from dreamd.domain.change import Heeded
from dreamd.domain.evidence import PERSON, ClaimKind, Query, Snippet
from dreamd.domain.prose.concepts import tags
from dreamd.engine.rules.gather.claim import Claim, Cue
from dreamd.engine.rules.promote.fates import Became, Fate
from dreamd.engine.rules.promote.promote import beside_asked
from dreamd.evidence.deep import Gates, Weights
from dreamd.evidence.firmness import kind
from dreamd.evidence.judging import Judged, verdicts
from dreamd.evidence.recurring import Recurring, recurring, same_as
from dreamd.evidence.subject import subject, value
from dreamd.evidence.weigh import candidate

_KINDS = {
    Cue.CORRECTION: ClaimKind.CORRECTION,
    Cue.INSTRUCTION: ClaimKind.INSTRUCTION,
    Cue.PREFERENCE: ClaimKind.PREFERENCE,
}
_LAST = datetime.max.replace(tzinfo=UTC)
_WAITS = {Fate.NEXT, Fate.NO_ROOM}


@dataclass(frozen=True, slots=True)
class Asked:
    """A claim that somebody asked to be remembered, by which rule, as it would be judged.

    `asked` are those of its sightings that ask, oldest first; `same` are the claims of the
    evidence that say no more.
    """

    cue: Cue
    judged: Judged
    asked: tuple[Snippet, ...]
    same: tuple[Judged, ...]


def tier(
    wanted: Sequence[Claim],
    found: Sequence[Judged],
    queries: Sequence[Query],
    newest: date | None,
    measures: tuple[Weights, Gates],
) -> tuple[Asked, ...]:
    """Return what was asked for, the same asked twice once, with all in the evidence that says it.

    `found` is what the evidence holds as it is judged without it. That somebody asks for it is no
    question that it answers.
    """
    weights, gates = measures
    cues = {_snippet(each): each.cue for each in reversed(wanted)}
    groups = recurring(map(_snippet, wanted), gates.alike)
    if not groups:
        return ()
    same: list[list[Judged]] = [[] for _ in groups]
    others: list[Recurring] = []
    for each, number in zip(found, _numbers(groups, wanted, found, gates), strict=True):
        if number is None:
            others.append(each.claim)
        else:
            same[number].append(each)
    whole = [_together(group, mine) for group, mine in zip(groups, same, strict=True)]
    judged = verdicts((*whole, *others), _questions(queries, wanted), newest, weights, gates)
    return tuple(
        Asked(cues[group.sightings[0]], claim, group.sightings, tuple(mine))
        for group, claim, mine in zip(groups, judged, same, strict=False)
    )


def became_of(
    claim: Asked,
    stands: Mapping[Snippet, Became],
    ends: Mapping[Snippet, Became],
    heeded: Heeded,
) -> Became:
    """Return what became of a claim that was asked for.

    `stands` has those of its sightings that stand in the notes, `ends` what became of the claims
    of the evidence that are the same.
    """
    standing = [stands[each] for each in reversed(claim.judged.claim.sightings) if each in stands]
    if standing:
        return next((each for each in standing if each.fate is Fate.STANDS), standing[0])
    for each in reversed(claim.asked):
        if (dream := heeded.declined.get(each.message)) is not None:
            return Became(Fate.TURNED_DOWN, dream=dream)
    drawn = [_drew_on(each, heeded) for each in claim.asked]
    if None in drawn:
        return Became(Fate.ASKED)
    waiting = (ends[each.claim.snippet] for each in claim.same if each.claim.snippet in ends)
    gone = Became(Fate.DRAWN_ON, dream=drawn[-1] or "")
    return next((each for each in waiting if each.fate in _WAITS), gone)


def _drew_on(said: Snippet, heeded: Heeded) -> str | None:
    """Return the dream that drew on a sighting or its copy, "" for one unknown; None where none."""
    day = said.day.isoformat() if said.day else ""
    dream = heeded.drew_on(said.message, said.quote)
    return "" if dream is None and (said.quote, day) in heeded.quotes else dream


def _snippet(claim: Claim) -> Snippet:
    said, concepts = claim.said, tags(claim.statement)
    return Snippet(
        claim.statement,
        claim.quote,
        _KINDS.get(claim.cue) or kind(claim.statement),
        subject(concepts),
        value(claim.statement),
        concepts,
        PERSON,
        said.session,
        said.message,
        said.at,
        said.day,
    )


def _questions(queries: Sequence[Query], wanted: Sequence[Claim]) -> Sequence[Query]:
    """Return what was asked but for the sentences that ask for something to be remembered."""
    quotes: dict[str, list[str]] = defaultdict(list)
    for each in wanted:
        quotes[each.said.message].append(each.quote)
    return [
        each
        for each in queries
        if not any(each.text in quote for quote in quotes.get(each.message, ()))
    ]


def _numbers(
    groups: Sequence[Recurring], wanted: Sequence[Claim], found: Sequence[Judged], gates: Gates
) -> Iterable[int | None]:
    """Return for each claim of the evidence the number of what was asked for that says it all."""
    alike = same_as(groups, [each.claim for each in found], gates.alike)
    beside = beside_asked([candidate(each) for each in found], wanted)
    of_message = {
        said.message: number for number, each in enumerate(groups) for said in each.sightings
    }
    for judged, number, left in zip(found, alike, beside, strict=True):
        yield of_message.get(judged.claim.snippet.message) if left is None else number


def _together(asked: Recurring, same: Sequence[Judged]) -> Recurring:
    """Return what was asked for with all that says the same, oldest first, each message once."""
    every = {each.message: each for judged in same for each in judged.claim.sightings}
    every |= {each.message: each for each in asked.sightings}
    return Recurring(tuple(sorted(every.values(), key=lambda each: each.at or _LAST)))
