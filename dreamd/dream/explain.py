"""Explain what became of what people said: written, known, waiting, or no statement at all."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path

from msgspec import Struct

from dreamd.domain.change import Heeded
from dreamd.domain.evidence import PERSON, Candidate, PersonSaid, Snippet
from dreamd.domain.settings import Settings
from dreamd.domain.store import Store
from dreamd.domain.tree import Tree
from dreamd.dream.recall import talk
from dreamd.engine.rules import placing
from dreamd.engine.rules.changes import changes
from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.facts import Index, facts
from dreamd.engine.rules.known import Known, known
from dreamd.engine.rules.orient import Memory, orient
from dreamd.engine.rules.requests import requests
from dreamd.engine.rules.supersede import superseded
from dreamd.host import clock
from dreamd.ledger import receipts
from dreamd.memory.scan import scan
from dreamd.text.sentences import OWN, Sentence, sentences
from dreamd.text.statement import clean, otherwise
from dreamd.transaction.past import heeded

_NEXT = ("next dream", "the next dream writes it")
_NO_ROOM = (
    "no room",
    "the dream has no room left: see `evidence.lines` and the limits of the memory",
)


class Explained(Struct, frozen=True):
    """A sentence that somebody said, with the verdict on it and the reason for that.

    `score`, from 0 to 1, its `terms`, and the counts are those of the statement that it is, or
    nothing where it is none.
    """

    text: str
    verdict: str
    reason: str
    session: str
    message: str
    day: str
    speaker: str = "person"
    score: float = 0.0
    terms: Mapping[str, float] = {}
    sightings: int = 0
    sessions: int = 0
    days: int = 0
    queries: int = 0


class Talk:
    """What the evidence says as of the last dream and what is new since; nothing is written."""

    def __init__(self, store: Store, folders: Sequence[Path], settings: Settings) -> None:
        """Read the notes, the evidence and what past dreams drew on."""
        self._settings = settings
        tree = scan(store.memory) if store.memory.is_dir() else Tree()
        self._memory: Memory = orient(tree)
        self._known: Known = known(self._memory)
        budget, weights = clock.CpuBudget(settings.cpu_seconds), settings.evidence
        found = talk(store, folders, weights, tree, budget, writes=False)
        self.remarks = found.remarks
        self._said = found.said
        self._candidates = found.candidates
        self._heeded: Heeded = heeded(store, receipts.past(receipts.read(store.database)))
        self._written = {path: clock.from_ns(e.mtime_ns) for path, e in tree.files.items()}

    def open(self) -> Iterator[Explained]:
        """Yield everything people stated that no dream took up, best first, with its verdict."""
        said = [each.snippet for each in self._candidates]
        fates = [self._fate(each.statement, each.message, each.quote) for each in said]
        every = list(zip(self._candidates, fates, strict=True))
        unused = [each for each, fate in every if fate is None]
        chosen = {line.text for line in placing.chosen(unused, self._memory, self._settings)}
        for each, fate in every:
            why = fate or ("candidate", each.reason)
            if fate is None and each.passes:
                why = _NEXT if each.snippet.statement in chosen else _NO_ROOM
            if why[0] not in {"stands", "used"}:
                yield _explained(each.snippet, each.snippet.statement, *why, each)

    def sentences(self, wanted: str) -> Iterator[Explained]:
        """Yield each sentence that a person typed with some words in it, newest first."""
        by_quote = {each.snippet.quote: each for each in self._candidates}
        for said in reversed(self._said):
            if wanted not in " ".join(said.text.split()).casefold():
                continue
            for sentence in sentences(said.text):
                if wanted in " ".join(sentence.text.split()).casefold():
                    text, one = clean(sentence.text), by_quote.get(sentence.text)
                    fate = self._fate(text, said.message, sentence.text)
                    why = fate or self._reading(said, sentence, one)
                    yield _explained(said, text, *why, one)

    def _fate(self, text: str, message: str, quote: str) -> tuple[str, str] | None:
        """Return what became of a sentence in the notes; None where nothing did."""
        found = self._known.find(text)
        dream = self._heeded.drew_on(message, quote)
        if found is not None:
            by = f", by dream {dream}" if dream else ""
            return "stands", f"it stands in {found.path}{by}"
        if message in self._heeded.declined:
            return "turned down", f"you took back dream {self._heeded.declined[message]}"
        return None if dream is None else ("used", f"dream {dream} drew on it")

    def _reading(
        self, said: PersonSaid, sentence: Sentence, candidate: Candidate | None
    ) -> tuple[str, str]:
        """Return how the rules read a sentence, by the code that writes."""
        if sentence.kind not in OWN:
            return "quoted", f"it is {sentence.kind.value}, not in your own words"
        asked = [each for each in requests([said]) if sentence.text in each.quote]
        if asked:
            return "next dream", f"you asked to keep it ({asked[0].asks}): the next dream writes it"
        told = [each for each in changes([said]) if each.sentence.text == sentence.text]
        found = superseded(Index(list(facts(self._memory, self._written))), told, Refusals())
        if found.edits:
            return "next dream", f"it replaces a value in {next(iter(found.edits))[0]}"
        if found.suspected:
            one = found.suspected[0]
            return "suspected", f'it may contradict "{one.line.strip()}" in {one.path}'
        if sentence.text.endswith("?"):
            return "question", "a question is not kept"
        if kind := otherwise(sentence.text) or otherwise(clean(sentence.text)):
            return kind, "only statements that last are kept"
        return "candidate", candidate.reason if candidate else "it says too little"


def _explained(
    source: Snippet | PersonSaid, text: str, verdict: str, reason: str, one: Candidate | None
) -> Explained:
    day = source.day.isoformat() if source.day else ""
    where = (source.session, source.message, day, getattr(source, "speaker", PERSON))
    if one is None:
        return Explained(text, verdict, reason, *where)
    terms = {name: round(value, 4) for name, value in one.terms.items()}
    counts = (one.sightings, one.sessions, one.days, one.queries)
    return Explained(text, verdict, reason, *where, round(one.score, 4), terms, *counts)
