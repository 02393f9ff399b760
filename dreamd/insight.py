"""What the evidence of a memory directory says, looked at without reading anything into it."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import date
from pathlib import Path

from dreamd import receipts
from dreamd.domain.evidence import Query, Snippet
from dreamd.domain.heard import PersonSaid
from dreamd.domain.settings import Settings
from dreamd.domain.store import Store
from dreamd.domain.tree import Tree
from dreamd.engine.rules.gather.claim import claims
from dreamd.engine.rules.orient import orient
from dreamd.engine.rules.promote.fates import Became, Fate, fates, standing
from dreamd.evidence.behind import Behind, behind
from dreamd.evidence.deep import Gates, Weights, passes
from dreamd.evidence.judging import Judged, judged
from dreamd.evidence.light import VERSION
from dreamd.evidence.store import copied
from dreamd.evidence.verdict import Gate, gates_of, wanting
from dreamd.evidence.weigh import candidate
from dreamd.memory.scan import scan
from dreamd.tier import Asked, became_of, tier
from dreamd.transaction.past import heeded
from dreamd.weighed import measures


@dataclass(frozen=True, slots=True)
class Seen:
    """A claim with what speaks for it, each gate, what would open them, and what became of it.

    `tier` is the rule by which it was asked for: no gate is asked of it then. "" for any other.
    """

    judged: Judged
    gates: tuple[Gate, ...]
    wanting: tuple[str, ...]
    became: Became
    tier: str = ""

    @property
    def is_open(self) -> bool:
        """Whether every gate is open to it."""
        return all(gate.is_open for gate in self.gates)


@dataclass(frozen=True, slots=True)
class Insight:
    """All claims, those that were asked for first, then by score; what people said and asked.

    `behind` is what is not yet read. A claim that was asked for is no second time among the others.
    """

    claims: tuple[Seen, ...]
    said: tuple[PersonSaid, ...]
    queries: tuple[Query, ...]
    days: tuple[date, ...]
    behind: Behind
    notes: Tree
    heeded: frozenset[str]  # messages that past dreams drew on, or that were taken back

    @property
    def sightings(self) -> int:
        """How often they were said: what is in one message is said once."""
        return sum(len(each.judged.claim.sightings) for each in self.claims)

    def matching(self, wanted: str) -> list[Seen]:
        """Return the claims with some words, folded and without double blanks, in their order.

        In a sighting of theirs as it was said, or in the line that says what they say.
        """
        return [
            each
            for each in self.claims
            if any(
                wanted in " ".join(text.split()).casefold()
                for one in each.judged.claim.sightings
                for text in (one.statement, one.quote, each.became.line)
            )
        ]


def insight(store: Store, folders: Sequence[Path], settings: Settings) -> Insight:
    """Return what the evidence says as of the last dream; nothing is read into it or written.

    Raises:
        EvidenceError: a newer dreamd has written it.
        DamagedError, HostError, HistoryError: something cannot be read.
    """
    weights, least = measures(settings.evidence)
    with copied(store.evidence) as held:
        snippets, queries, said = held.snippets(), held.queries(), held.said()
        left = behind(held, folders, VERSION)
    found, newest = judged((*snippets, *queries), weights, least)
    settled = heeded(store, receipts.past(receipts.read(store.receipts)))
    tree = scan(store.memory) if store.memory.is_dir() else Tree()
    memory = orient(tree)
    ordered = sorted(found, key=_best_first)
    open_ones = [each for each in ordered if passes(each.traces, each.score, least)]
    wanted = tuple(claims(said))
    passing = [candidate(each) for each in open_ones]
    asked = [each for each in wanted if each.said.message not in settled.taken]
    became = fates(memory, passing, asked, settled, settings.budget)
    ends = {each.claim.snippet: end for each, end in zip(open_ones, became, strict=True)}
    closed = [each.claim.snippet for each in ordered if each.claim.snippet not in ends]
    ends |= standing(memory, closed)
    tiers = tier(wanted, found, queries, newest, (weights, least))
    stands = standing(memory, (said for each in tiers for said in each.judged.claim.sightings))
    above = [_asked(each, became_of(each, stands, ends, settled)) for each in tiers]
    within = {one.claim.snippet for each in tiers for one in each.same}
    others = [each for each in ordered if each.claim.snippet not in within]
    return Insight(
        (
            *sorted(above, key=lambda each: _best_first(each.judged)),
            *(_seen(each, ends, newest, weights, least) for each in others),
        ),
        said,
        queries,
        tuple(sorted(_days(said, snippets))),
        left,
        tree,
        frozenset(settled.taken) | frozenset(settled.declined),
    )


def _asked(asked: Asked, became: Became) -> Seen:
    return Seen(asked.judged, (), (), became, asked.cue)


def _best_first(claim: Judged) -> tuple[float, str]:
    return -claim.score, claim.claim.snippet.statement


def _seen(
    claim: Judged,
    ends: dict[Snippet, Became],
    newest: date | None,
    weights: Weights,
    least: Gates,
) -> Seen:
    became = ends.get(claim.claim.snippet, Became(Fate.CLOSED))
    missing = wanting(claim, newest, weights, least)
    return Seen(claim, gates_of(claim, least), missing, became)


def _days(said: Sequence[PersonSaid], snippets: Sequence[Snippet]) -> set[date]:
    return {each.day for each in said if each.day} | {each.day for each in snippets if each.day}
