"""The notes as one dream by rules leaves them: tidied, up to date, with what was asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from datetime import datetime
from pathlib import PurePosixPath

from msgspec import Struct, field
from msgspec.structs import replace

from dreamd.domain.change import Declined, Heeded, Why
from dreamd.domain.evidence import Candidate, PersonSaid
from dreamd.domain.receipt import Phase, Step
from dreamd.domain.settings import Settings
from dreamd.engine import Progress
from dreamd.engine.rules import dating, notes_against_notes, orders, placing
from dreamd.engine.rules.changes import Change, changes
from dreamd.engine.rules.edit import Edit, Refusals, edited
from dreamd.engine.rules.facts import Index, facts
from dreamd.engine.rules.orient import Memory
from dreamd.engine.rules.placing import NewLine, place
from dreamd.engine.rules.requests import Request, requests
from dreamd.engine.rules.settling import lasting, settled
from dreamd.engine.rules.supersede import Suspicion, superseded

_ROUNDS = 8  # of values that replace each other within one dream


class Input(Struct, frozen=True):
    """What people said, what past dreams drew on, what may be promoted, best first.

    A note was last modified when `written` says. `unread` are ids of messages that are read first,
    as no dream has read them. Once it `is_late` nothing further is taken up.
    """

    said: Sequence[PersonSaid] = ()
    heeded: Heeded = field(default_factory=Heeded)
    candidates: Sequence[Candidate] = ()
    written: Mapping[PurePosixPath, datetime] = field(default_factory=dict)
    unread: Sequence[str] = ()
    is_late: Callable[[], bool] = lambda: False


class Consolidated(Struct, frozen=True):
    """The texts that a dream leaves, what it did, and why each line came or went.

    `cited` are undone or rejected dreams that it does not repeat, `suspected` lines that something
    said may contradict, `held` texts for the proposal: with new lines that contradict a line.
    `is_cut` says that it became late, `missed` which of the unread messages were not read for that.
    """

    texts: Mapping[PurePosixPath, str]
    steps: tuple[Step, ...]
    whys: tuple[Why, ...]
    cited: tuple[str, ...] = ()
    suspected: tuple[Suspicion, ...] = ()
    held: Mapping[PurePosixPath, str] = field(default_factory=dict)
    is_cut: bool = False
    missed: frozenset[str] = frozenset()


_NOTHING = Input()


def consolidated(
    memory: Memory,
    settings: Settings,
    declined: Declined,
    progress: Progress,
    given: Input = _NOTHING,
) -> Consolidated:
    """Return the notes as one dream leaves them; nothing is read or written.

    First the notes are put in order. Then come what recurs, values that people plainly replaced,
    what they asked to be kept, and notes that contradict notes; at last they are put in order
    once more. A sentence is used once: what replaces a line is not written beside it.

    When it becomes late, what was read by then is still acted on, and the rest is left.
    """
    work = _Work(memory, settings, Refusals(declined), progress, given)
    work.tidy()
    work.place([] if given.is_late() else placing.chosen(given.candidates, work.memory, settings))
    if given.said:
        progress(Phase.GATHER, "reading what was said")
        work.supersede(work.read())
        work.keep()
    is_cut = given.is_late()
    if not is_cut:
        work.edit(notes_against_notes.edits(work.memory, work.refusals))
        work.edit(dating.edits(work.memory, work.refusals))
    work.tidy()
    return work.done(memory, is_cut=is_cut)


class _Work(Struct):
    """The state of one dream."""

    memory: Memory
    settings: Settings
    refusals: Refusals
    progress: Progress
    given: Input
    steps: Counter[tuple[Phase, str]] = field(default_factory=Counter)
    whys: list[Why] = field(default_factory=list)
    tidied: Memory | None = None
    wanted: list[Request] = field(default_factory=list)
    missed: frozenset[str] = frozenset()
    indexed: tuple[Memory, Index] | None = None
    used: set[tuple[str, str]] = field(default_factory=set)
    suspected: tuple[Suspicion, ...] = ()
    held: list[NewLine] = field(default_factory=list)

    def tidy(self) -> None:
        """Put the notes in order, unless they have been and nothing has changed since."""
        if self.memory is not self.tidied:
            is_late = self.given.is_late if self.tidied is None else _NOTHING.is_late
            budget = self.settings.budget
            done = settled(self.memory, budget, self.refusals, self.progress, is_late)
            self.memory = self.tidied = done.memory
            self.steps.update(done.counts)
            self.whys += done.whys

    def edit(self, edits: Iterable[Edit]) -> None:
        """Apply some edits, and count what they did."""
        if found := tuple(edits):
            self.memory, whys = edited(self.memory, found)
            self.whys += whys
            for each in found:
                self.steps[Phase.CONSOLIDATE, each.step] += each.count

    def read(self) -> list[Change]:
        """Read what people said, first what no dream has read, and at least one message.

        Return what they stated to have changed; what they asked for is kept.
        """
        declined = self.given.heeded.declined
        fresh = [each for each in self.given.said if each.message not in declined]
        first = {message: rank for rank, message in enumerate(self.given.unread)}
        index = self._index()
        read: dict[str, tuple[list[Change], list[Request]]] = {}
        for message in sorted(fresh, key=lambda each: first.get(each.message, len(first))):
            read[message.message] = list(changes([message], index)), list(requests([message]))
            if self.given.is_late():
                break
        ids = [each.message for each in fresh]
        self.missed = frozenset(each for each in ids if each in first and each not in read)
        found = [read[each] for each in ids if each in read]
        self.wanted = [each for _, wanted in found for each in wanted]
        return [each for told, _ in found for each in told]

    def supersede(self, told: Iterable[Change]) -> None:
        """Bring up to date what people plainly replaced."""
        left = list(told)
        for _ in range(_ROUNDS):  # a later change may name the value of an earlier one
            left = [each for each in left if self._is_open(each.said.message, each.sentence.text)]
            found = superseded(self._index(), left, self.refusals)
            self.edit(found.edits.values())
            self.used |= found.used
            self.suspected = found.suspected
            if not found.edits:
                break

    def _index(self) -> Index:
        """Return the lines of the notes as they are now."""
        if self.indexed is None or self.indexed[0] is not self.memory:
            self.indexed = self.memory, Index(list(facts(self.memory, self.given.written)))
        return self.indexed[1]

    def keep(self) -> None:
        """Write what people asked to be kept, or bring a line up to date by it.

        A line that contradicts another one is held for the proposal.
        """
        new: list[NewLine] = []
        met: set[object] = set()
        for each in self.wanted:
            if not self._is_open(each.said.message, each.quote):
                continue
            keys = orders.keys(each.text)
            if keys & met:  # it may replace a line that is still to be written
                self.place(new)
                new, met = [], set()
            met |= keys
            own = superseded(self._index(), [Change.asked(each)], self.refusals)
            told = changes([replace(each.said, text=each.text)], self._index())
            if found := own.edits or superseded(self._index(), told, self.refusals).edits:
                self.edit(found.values())
            else:
                line = NewLine(each.text, each.quote, str(each.asks), each.kind, each.said)
                (self.held if own.suspected else new).append(line)
        self.place(new)

    def place(self, lines: Iterable[NewLine]) -> None:
        """Write new lines, as far as there is room."""
        placed = place(self.memory, lines, self.given.heeded, self.refusals)
        self.memory = placed.memory
        self.whys += placed.whys
        self.steps.update({(Phase.GATHER, step): n for step, n in placed.counts.items()})

    def _is_open(self, message: str, quote: str) -> bool:
        is_used = (message, quote) in self.used
        return not is_used and self.given.heeded.drew_on(message, quote) is None

    def done(self, before: Memory, *, is_cut: bool) -> Consolidated:
        """Return what came of it."""
        texts = {path: note.text for path, note in self.memory.notes.items()}
        old = {path: note.text for path, note in before.notes.items()}
        more = place(self.memory, self.held, self.given.heeded, self.refusals)
        held = {path: note.text for path, note in more.memory.notes.items()}
        return Consolidated(
            texts,
            tuple(Step(phase, text, n) for (phase, text), n in self.steps.items() if n),
            tuple(lasting([*self.whys, *more.whys], old, {**texts, **held})),
            tuple(sorted(self.refusals.cited)),
            self.suspected,
            {path: text for path, text in held.items() if texts.get(path) != text},
            is_cut,
            self.missed,
        )
