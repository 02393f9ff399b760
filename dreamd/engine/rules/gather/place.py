"""Claims find their place in the notes: known ones add weight to a line, new ones become one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby
from pathlib import PurePosixPath

from dreamd.domain.change import Heeded, Why
from dreamd.domain.ending import Phase, Step
from dreamd.domain.evidence import ASSISTANT, NOTE, PERSON
from dreamd.domain.settings import Budget
from dreamd.engine.rules.edit import Edit, Insertion, Refusals, Source, apply
from dreamd.engine.rules.gather.claim import Claim, Cue
from dreamd.engine.rules.gather.known import Known, Spoken, Turned, known, spoken
from dreamd.engine.rules.gather.place_home import Home, Homes
from dreamd.engine.rules.gather.place_kind import gathers, kind_of
from dreamd.engine.rules.gather.place_line import written
from dreamd.engine.rules.gather.place_phrase import Phrase, phrase
from dreamd.engine.rules.gather.place_pointer import (
    RULE,
    entry,
    head_rows,
    pointers,
    retold,
)
from dreamd.engine.rules.orient import Memory, changed
from dreamd.engine.rules.topics import Style
from dreamd.text.secrets import secrets
from dreamd.text.time.told_days import told_days

MOST = 200  # new lines of one dream: as many as a person reads through; the others come next time
REMEMBERED = "remembered {thing} you said"
AGAIN = "heard {known thing} again"
LEFT = "left {more thing} for the next dream"
_LAST = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Gathered:
    """The notes with what was placed, what was done, and in whose words."""

    memory: Memory
    steps: tuple[Step, ...] = ()
    whys: tuple[Why, ...] = ()


@dataclass(slots=True)
class _Tally:
    """What one dream did with the claims so far."""

    placed: int = 0
    size: int = 0  # bytes of the lines placed
    left: int = 0
    again: dict[tuple[PurePosixPath, str, str], Why] = field(default_factory=dict)
    drawn: set[tuple[PurePosixPath, str, str]] = field(default_factory=set)


def gather(
    memory: Memory,
    claims: Iterable[Claim],
    heeded: Heeded,
    budget: Budget,
    refusals: Refusals,
) -> Gathered:
    """Return the notes with every new claim as one line, oldest first; nothing is read or written.

    What a line says already is not added: its evidence grows, and it keeps the day on which it
    was said first. A message is taken whole or, where the dream has placed enough, not at all, so
    that nothing of it is forgotten. What the user took back once, in whatever file, stays out.
    Where the budget is small, what belongs to no topic note stands in the index itself.
    """
    in_order = sorted(claims, key=lambda claim: claim.said.at or _LAST)
    wanted = list(_unheeded(in_order, heeded, refusals))
    if not wanted:
        return Gathered(memory)
    placing = _Placing(memory, budget, refusals)
    for _, message in groupby(wanted, key=lambda claim: (claim.said.session, claim.said.message)):
        placing.take(list(message))
    return placing.done()


def _unheeded(claims: Iterable[Claim], heeded: Heeded, refusals: Refusals) -> Iterator[Claim]:
    for claim in claims:
        message = claim.said.message
        if message in heeded.declined:
            refusals.cited.add(heeded.declined[message])
        elif heeded.drew_on(message, claim.quote) is not None or secrets.find(claim.quote):
            continue
        elif (said := _source(claim)) and (said.quote, said.day) not in heeded.quotes:
            yield claim


class _Placing:
    """One pass over the claims of a dream."""

    def __init__(self, memory: Memory, budget: Budget, refusals: Refusals) -> None:
        self._memory = memory
        self._refusals = refusals
        self._most_bytes = budget.memory_bytes
        self._known = known(memory)
        self._fresh = Known()
        self._turned = Turned(refusals)
        self._homes = Homes(memory, self._known, budget, refusals)
        self._tally = _Tally()

    def take(self, message: list[Claim]) -> None:
        """Place the claims of one message, or leave all of them."""
        new = [claim for claim in message if self._is_new(claim)]
        rows = [len(claim.statement.encode()) for claim in new]
        is_full = self._tally.placed > 0 and (
            self._tally.placed + len(new) > MOST or self._tally.size + sum(rows) > self._most_bytes
        )
        if new and (is_full or any(self._home(claim) is None for claim in new)):
            self._tally.left += len(new)
            return
        for claim in message:
            self._put(claim)

    def _is_new(self, claim: Claim) -> bool:
        said = phrase(claim.statement)
        if not said.words or self._found(claim, said) is not None:
            return False
        return not self._turned.down(said, _beside(claim))

    def _found(self, claim: Claim, said: Phrase) -> Spoken | None:
        beside = _beside(claim)
        return self._known.find(said, beside) or self._fresh.find(said, beside)

    def _home(self, claim: Claim) -> Home | None:
        said = phrase(claim.statement)
        return self._homes.of(said, kind_of(claim), len(claim.statement.encode()))

    def _put(self, claim: Claim) -> None:
        said = phrase(claim.statement)
        if line := self._found(claim, said):
            row = line.row(said)
            key = (line.path, row, claim.said.message)
            if key not in self._tally.drawn:
                self._tally.drawn.add(key)
                self._tally.again[key] = _heard(line.path, row, claim)
            return
        home = self._home(claim) if self._is_new(claim) else None
        words = home and written(claim.statement, claim.said.day, home.path, self._memory)
        if home is None or not words:
            return
        row = f"{home.spot.bullet}{words}"
        if self._refusals.of_adding(home.path, (row,)):
            return
        self._homes.put(home, row, claim)
        self._fresh.add(spoken(home.path, row))
        self._tally.placed += 1
        self._tally.size += len(row.encode()) + 1
        self._tally.drawn.add((home.path, row, claim.said.message))

    def done(self) -> Gathered:
        """Return what came of it."""
        tally = self._tally
        texts = {path: note.text for path, note in self._memory.notes.items()}
        applied = apply(texts, list(self._edits()))
        steps = ((REMEMBERED, tally.placed), (AGAIN, len(tally.again)), (LEFT, tally.left))
        return Gathered(
            changed(self._memory, applied.texts) if tally.placed else self._memory,
            tuple(Step(Phase.GATHER, text, count) for text, count in steps if count),
            (*applied.whys, *tally.again.values()),
        )

    def _edits(self) -> Iterator[Edit]:
        style = Style.of(self._memory)
        entries = []
        for home in self._homes:
            rows = [row for row, _ in home.placed]
            if home.is_new:
                head = head_rows(home.path, home.kind, home.title, rows, style)
                yield Edit(RULE, RULE, (), (Insertion(home.path, 0, head),))
                entries.append(entry(home.path, home.title, rows))
            elif gathers(note := self._memory.notes[home.path]):
                yield from retold(self._memory, note, rows, self._refusals)
            yield from _lines(home)
        yield from pointers(self._memory, entries, self._refusals)


def _beside(claim: Claim) -> str:
    """Return the day without which a line is not the same: "next Friday" moves with the week."""
    day = claim.said.day
    return day.isoformat() if day and told_days(claim.statement, day) else ""


def _lines(home: Home) -> Iterator[Edit]:
    """Yield an edit for each line of a home, its source behind it, and for what is around them."""
    at, where = home.spot.at, home.path
    for number, (row, claim) in enumerate(home.placed):
        lead = ("",) if home.spot.is_loose else () if number else home.spot.lead
        if lead:
            yield Edit(RULE, RULE, (), (Insertion(where, at, lead),))
        change = (Insertion(where, at, (row,)),)
        yield Edit(str(claim.cue), REMEMBERED, (), change, source=_source(claim))
    if home.spot.tail:
        yield Edit(RULE, RULE, (), (Insertion(where, at, home.spot.tail),))


def _source(claim: Claim) -> Source:
    said = claim.said
    quote = claim.quote.encode("utf-8", "replace").decode()
    day = said.day.isoformat() if said.day else ""
    speaker = {Cue.ADVICE: ASSISTANT, Cue.NOTED: NOTE}.get(claim.cue, PERSON)
    return Source(quote, said.session, said.message, day, speaker)


def _heard(path: PurePosixPath, row: str, claim: Claim) -> Why:
    said = _source(claim)
    return Why(
        path,
        row,
        "=",
        str(claim.cue),
        quote=said.quote,
        session=said.session,
        message=said.message,
        day=said.day,
        speaker=said.speaker,
    )
