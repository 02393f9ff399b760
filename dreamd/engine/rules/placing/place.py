"""Place new lines in the notes: a known one adds evidence to a line, another becomes one."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from datetime import UTC, datetime
from itertools import groupby
from pathlib import PurePosixPath

from dreamd.domain.change import Heeded, Why
from dreamd.domain.ending import Phase, Step
from dreamd.domain.heard import PersonSaid
from dreamd.domain.settings import Budget
from dreamd.engine.rules.edit import Edit, Insertion, Refusals, Source, apply
from dreamd.engine.rules.orient import Memory, changed
from dreamd.engine.rules.placing.home import Home, Homes
from dreamd.engine.rules.placing.kept import gathers
from dreamd.engine.rules.placing.known import Turned, known, meaning, spoken
from dreamd.engine.rules.placing.line import written
from dreamd.engine.rules.placing.pointer import RULE, entry, head_rows, pointers, retold
from dreamd.engine.rules.topics import Style
from dreamd.text.secrets import secrets
from dreamd.text.time.relative import dated_phrases

MOST = 200  # new lines of one dream: as many as a person reads through; the others come next time
REMEMBERED = "remembered {thing} you said"
AGAIN = "found {known thing} said again"
LEFT = "left {more thing} for the next dream"
_LAST = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class NewLine:
    """A line to be written: its text, the words it comes from, why, and for which kind of note.

    `rule` is the reason that `dreamd why` shows; `kind` is user, feedback, project or reference.
    """

    text: str
    quote: str
    rule: str
    kind: str
    said: PersonSaid


@dataclass(frozen=True, slots=True)
class Placed:
    """The notes with what was placed, what was done, and in whose words."""

    memory: Memory
    steps: tuple[Step, ...] = ()
    whys: tuple[Why, ...] = ()


@dataclass(slots=True)
class _Tally:
    """What one dream did with the new lines so far."""

    placed: int = 0
    left: int = 0
    again: dict[tuple[PurePosixPath, str, str], Why] = field(default_factory=dict)


def place(
    memory: Memory, lines: Iterable[NewLine], heeded: Heeded, budget: Budget, refusals: Refusals
) -> Placed:
    """Return the notes with every new line in its place, oldest first; nothing is read or written.

    What a line says already is not added: its evidence grows. A message is taken whole or, where
    the dream has placed enough, not at all. What the user took back once, in whatever file, stays
    out. Where the budget is small, what belongs to no topic note stands in the index itself.
    """
    in_order = sorted(lines, key=lambda line: line.said.at or _LAST)
    wanted = list(_unheeded(in_order, heeded, refusals))
    if not wanted:
        return Placed(memory)
    placing = _Placing(memory, budget, refusals)
    for _, message in groupby(wanted, key=lambda line: (line.said.session, line.said.message)):
        placing.take(list(message))
    return placing.done()


def _unheeded(lines: Iterable[NewLine], heeded: Heeded, refusals: Refusals) -> Iterator[NewLine]:
    for line in lines:
        message = line.said.message
        if message in heeded.declined:
            refusals.cited.add(heeded.declined[message])
        elif heeded.drew_on(message, line.quote) is None:
            said = _source(line)
            if (said.quote, said.day) not in heeded.quotes:
                yield line


class _Placing:
    """One pass over the new lines of a dream."""

    def __init__(self, memory: Memory, budget: Budget, refusals: Refusals) -> None:
        self._memory = memory
        self._refusals = refusals
        self._known = known(memory)
        self._turned = Turned(refusals)
        self._homes = Homes(memory, self._known, budget, refusals)
        self._tally = _Tally()

    def take(self, message: list[NewLine]) -> None:
        """Place the lines of one message, or leave all of them."""
        new = [line for line in message if self._is_new(line)]
        is_full = self._tally.placed > 0 and self._tally.placed + len(new) > MOST
        if new and (is_full or any(self._home(line) is None for line in new)):
            self._tally.left += len(new)
            return
        for line in message:
            self._put(line)

    def _is_new(self, line: NewLine) -> bool:
        if not meaning(line.text)[0] or self._known.find(line.text, _beside(line)) is not None:
            return False
        return not self._turned.down(line.text, _beside(line))

    def _home(self, line: NewLine) -> Home | None:
        return self._homes.of(line.text, line.kind, len(line.text.encode()))

    def _put(self, line: NewLine) -> None:
        if found := self._known.find(line.text, _beside(line)):
            key = (found.path, found.row, line.said.message)
            self._tally.again.setdefault(key, _heard(found.path, found.row, line))
            return
        home = self._home(line) if self._is_new(line) else None
        text = secrets.redact(line.text)
        words = home and written(text, line.said.day, home.path, self._memory)
        if home is None or not words:
            return
        row = f"{home.spot.bullet}{words}"
        if self._refusals.of_adding(home.path, (row,)):
            return
        self._homes.put(home, row, line)
        self._known.add(spoken(home.path, row))
        self._tally.placed += 1

    def done(self) -> Placed:
        """Return what came of it."""
        tally = self._tally
        texts = {path: note.text for path, note in self._memory.notes.items()}
        applied = apply(texts, list(self._edits()))
        steps = ((REMEMBERED, tally.placed), (AGAIN, len(tally.again)), (LEFT, tally.left))
        return Placed(
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


def _beside(line: NewLine) -> str:
    """Return the day without which a line is not the same: "next Friday" moves with the week."""
    day = line.said.day
    return day.isoformat() if day and dated_phrases(line.text, day) else ""


def _lines(home: Home) -> Iterator[Edit]:
    """Yield an edit for each line of a home, its source behind it, and for what is around them."""
    at, where = home.spot.at, home.path
    for number, (row, line) in enumerate(home.placed):
        lead = ("",) if home.spot.is_loose else () if number else home.spot.lead
        if lead:
            yield Edit(RULE, RULE, (), (Insertion(where, at, lead),))
        change = (Insertion(where, at, (row,)),)
        yield Edit(line.rule, REMEMBERED, (), change, source=_source(line))
    if home.spot.tail:
        yield Edit(RULE, RULE, (), (Insertion(where, at, home.spot.tail),))


def _source(line: NewLine) -> Source:
    said = line.said
    quote = line.quote.encode("utf-8", "replace").decode()
    return Source(quote, said.session, said.message, said.day.isoformat() if said.day else "")


def _heard(path: PurePosixPath, row: str, line: NewLine) -> Why:
    said = _source(line)
    return Why(
        path,
        row,
        "=",
        line.rule,
        quote=said.quote,
        session=said.session,
        message=said.message,
        day=said.day,
        speaker=said.speaker,
    )
