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
from dreamd.transaction.past import heeded
from dreamd.weighed import measures


@dataclass(frozen=True, slots=True)
class Seen:
    """A claim with what speaks for it, each gate, what would open them, and what became of it."""

    judged: Judged
    gates: tuple[Gate, ...]
    wanting: tuple[str, ...]
    became: Became

    @property
    def is_open(self) -> bool:
        """Whether every gate is open to it."""
        return all(gate.is_open for gate in self.gates)


@dataclass(frozen=True, slots=True)
class Insight:
    """All claims, best score first; what people said and asked; what is not yet read."""

    claims: tuple[Seen, ...]
    said: tuple[PersonSaid, ...]
    queries: tuple[Query, ...]
    sightings: int
    days: tuple[date, ...]
    behind: Behind
    notes: Tree
    heeded: frozenset[str]  # messages that past dreams drew on, or that were taken back

    def matching(self, wanted: str) -> list[Seen]:
        """Return the claims with some words, folded and without double blanks, best score first.

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
    ordered = sorted(found, key=lambda each: (-each.score, each.claim.snippet.statement))
    open_ones = [each for each in ordered if passes(each.traces, each.score, least)]
    asked = [each for each in claims(said) if each.said.message not in settled.taken]
    passing = [candidate(each) for each in open_ones]
    became = fates(memory, passing, asked, settled, settings.budget)
    ends = {each.claim.snippet: end for each, end in zip(open_ones, became, strict=True)}
    closed = [each.claim.snippet for each in ordered if each.claim.snippet not in ends]
    ends |= standing(memory, closed)
    return Insight(
        tuple(_seen(each, ends, newest, weights, least) for each in ordered),
        said,
        queries,
        len(snippets),
        tuple(sorted(_days(said, snippets))),
        left,
        tree,
        frozenset(settled.taken) | frozenset(settled.declined),
    )


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
