"""The notes as one dream by rules leaves them: tidied, brought up to date, with what was asked."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from operator import itemgetter
from pathlib import PurePosixPath

from dreamd.domain.change import Declined, Heeded, Why
from dreamd.domain.ending import Phase, Step
from dreamd.domain.evidence import Candidate
from dreamd.domain.heard import PersonSaid
from dreamd.domain.settings import Settings
from dreamd.engine.protocol import Progress
from dreamd.engine.rules import notes_against_notes, orders, promote
from dreamd.engine.rules.changes import Change, changes
from dreamd.engine.rules.edit import Edit, Refusals, apply
from dreamd.engine.rules.facts import facts
from dreamd.engine.rules.lasting import lasting
from dreamd.engine.rules.orient import Memory, changed
from dreamd.engine.rules.placing.place import NewLine, place
from dreamd.engine.rules.requests import Request, requests
from dreamd.engine.rules.settling import settled
from dreamd.engine.rules.supersede import Index, Suspicion, contradicted, superseded
from dreamd.host.cycles import unsought


@dataclass(frozen=True, slots=True)
class Input:
    """What a dream knows beside the notes.

    `said` is what people said, `heeded` what past dreams drew on, `candidates` what of it may be
    promoted, best first; a note was last modified when `written` says. `unread` are ids of
    messages that are read first, as no dream has read them. Once it `is_late` nothing further is
    taken up.
    """

    said: Sequence[PersonSaid] = ()
    heeded: Heeded = field(default_factory=Heeded)
    candidates: Sequence[Candidate] = ()
    written: Mapping[PurePosixPath, datetime] = field(default_factory=dict)
    unread: Sequence[str] = ()
    is_late: Callable[[], bool] = lambda: False


@dataclass(frozen=True, slots=True)
class Consolidated:
    """The texts that a dream leaves, what it did, and why each line came or went.

    `cited` are the dreams that the user undid or rejected and that this one does not repeat.
    `suspected` are lines that something said may contradict. `held` are texts of notes with the
    lines that a person asked for and that contradict a line: they are for the proposal. `is_cut`
    says that it became late, `missed` which of the unread messages were not read for that.
    """

    texts: Mapping[PurePosixPath, str]
    steps: tuple[Step, ...]
    whys: tuple[Why, ...]
    cited: tuple[str, ...] = ()
    suspected: tuple[Suspicion, ...] = ()
    held: Mapping[PurePosixPath, str] = field(default_factory=dict)
    is_cut: bool = False
    missed: frozenset[str] = frozenset()


_ROUNDS = 8  # of values that replace each other within one dream
_NOTHING = Input()


@unsought()
def consolidated(
    memory: Memory,
    settings: Settings,
    declined: Declined,
    progress: Progress,
    given: Input = _NOTHING,
) -> Consolidated:
    """Return the notes as one dream leaves them; nothing is read or written.

    First the notes are put in order. Then come values that people plainly replaced, what they
    asked to be kept, what recurs, and notes that contradict notes; at last they are put in order
    once more. A sentence is used once: what replaces a line is not written beside it.

    When it becomes late, what was read by then is still acted on, and the rest is left.
    """
    work = _Work(memory, settings, Refusals(declined), progress, given)
    work.tidy()
    if given.said:
        progress(Phase.GATHER, "reading what was said")
        work.supersede(work.read())
        work.keep()
    is_cut = given.is_late()
    if not is_cut:
        if work.promote():
            work.supersede(work.told_again())
        work.edit(Phase.CONSOLIDATE, notes_against_notes.edits(work.memory, work.refusals))
    work.tidy()
    return work.done(memory, is_cut=is_cut)


class _Work:
    """The state of one dream."""

    def __init__(
        self,
        memory: Memory,
        settings: Settings,
        refusals: Refusals,
        progress: Progress,
        given: Input,
    ) -> None:
        self.memory = memory
        self.refusals = refusals
        self._settings = settings
        self._progress = progress
        self._given = given
        self._steps: Counter[tuple[Phase, str]] = Counter()
        self._whys: list[Why] = []
        self._tidied: Memory | None = None
        self._read: list[PersonSaid] = []
        self._wanted: list[Request] = []
        self._missed: frozenset[str] = frozenset()
        self._indexed: tuple[Memory, Index] | None = None
        self._used: set[tuple[str, str]] = set()
        self._suspected: tuple[Suspicion, ...] = ()
        self._held: list[NewLine] = []

    def tidy(self) -> None:
        """Put the notes in order, unless they have been and nothing has changed since."""
        if self.memory is self._tidied:
            return
        is_late = self._given.is_late if self._tidied is None else _NOTHING.is_late
        budget = self._settings.budget
        done = settled(self.memory, budget, self.refusals, self._progress, is_late)
        self.memory = self._tidied = done.memory
        self._steps.update(done.counts)
        self._whys += done.whys

    def edit(self, phase: Phase, edits: Iterable[Edit]) -> None:
        """Apply some edits, and count what they did."""
        found = tuple(edits)
        if not found:
            return
        applied = apply({path: note.text for path, note in self.memory.notes.items()}, found)
        self.memory = changed(self.memory, applied.texts)
        self._whys += applied.whys
        for each in found:
            self._steps[phase, each.step] += each.count

    def read(self) -> list[Change]:
        """Read what people said, first what no dream has read, and at least one message.

        Return what they stated to have changed; what they asked for is kept.
        """
        declined = self._given.heeded.declined
        fresh = [each for each in self._given.said if each.message not in declined]
        first = {message: rank for rank, message in enumerate(self._given.unread)}
        order = sorted(enumerate(fresh), key=lambda each: first.get(each[1].message, len(first)))
        index = self._index()
        found: list[tuple[int, list[Change], list[Request]]] = []
        for number, message in order:
            found.append((number, list(changes([message], index)), list(requests([message]))))
            if self._given.is_late():
                break
        left = (message.message for _, message in order[len(found) :])
        self._missed = frozenset(each for each in left if each in first)
        found.sort(key=itemgetter(0))
        self._read = [fresh[number] for number, _, _ in found]
        self._wanted = [each for _, _, wanted in found for each in wanted]
        return [each for _, told, _ in found for each in told]

    def told_again(self) -> Iterable[Change]:
        """Return the changes in what was read, for the notes as they are now."""
        return changes(self._read, self._index())

    def supersede(self, told: Iterable[Change]) -> None:
        """Bring up to date what people plainly replaced."""
        heeded = self._given.heeded
        open_ = [
            each
            for each in told
            if heeded.drew_on(each.said.message, each.sentence.text) is None
            and (each.said.message, each.sentence.text) not in self._used
        ]
        found = superseded(self._index(), open_, self.refusals)
        self.edit(Phase.CONSOLIDATE, found.edits)
        self._used |= found.used
        self._suspected = found.suspected

    def _index(self) -> Index:
        """Return the lines of the notes as they are now."""
        if self._indexed is None or self._indexed[0] is not self.memory:
            self._indexed = self.memory, Index(list(facts(self.memory, self._given.written)))
        return self._indexed[1]

    def keep(self) -> None:
        """Write what people asked to be kept, or bring a line up to date by it.

        In rounds: what replaces a line that is still to be written waits until it is. A line that
        contradicts another one is held for the proposal.
        """
        wanted = [each for each in self._wanted if self._is_open(each)]
        for _ in range(_ROUNDS):
            if not wanted:
                break
            wanted = self._kept(wanted)

    def _kept(self, wanted: Sequence[Request]) -> list[Request]:
        """Write the requests of one round; return those that have to wait."""
        lines = orders.Lines(facts(self.memory, self._given.written))
        index = Index(lines.facts)
        edits: dict[orders.Place, Edit] = {}
        new: list[NewLine] = []
        met: dict[object, str] = {}
        later: list[Request] = []
        for each in wanted:
            found = lines.replaced(each, self.refusals)
            if found.keys() & edits.keys() or _waits(each, met):
                later.append(each)
            elif found:
                edits |= found
            elif _contradicts(each, index):
                self._held.append(_line(each))
            else:
                new.append(_line(each))
        self.edit(Phase.CONSOLIDATE, edits.values())
        self._place(new)
        return later

    def _is_open(self, request: Request) -> bool:
        message = request.said.message
        if (message, request.quote) in self._used:
            return False
        return self._given.heeded.drew_on(message, request.quote) is None

    def _place(self, lines: Iterable[NewLine]) -> None:
        budget = self._settings.budget
        placed = place(self.memory, lines, self._given.heeded, budget, self.refusals)
        self.memory = placed.memory
        self._whys += placed.whys
        self._steps.update({(step.phase, step.text): step.count for step in placed.steps})

    def promote(self) -> bool:
        """Write what recurs, as far as the gates and the budget let it; whether anything did."""
        chosen = list(promote.chosen(self._given.candidates, self.memory, self._settings))
        self._place(chosen)
        return bool(chosen)

    def done(self, before: Memory, *, is_cut: bool) -> Consolidated:
        """Return what came of it."""
        texts = {path: note.text for path, note in self.memory.notes.items()}
        old = {path: note.text for path, note in before.notes.items()}
        steps = [Step(phase, text, n) for (phase, text), n in self._steps.items() if n]
        held: dict[PurePosixPath, str] = {}
        if self._held:
            budget = self._settings.budget
            more = place(self.memory, self._held, self._given.heeded, budget, self.refusals)
            held = {path: note.text for path, note in more.memory.notes.items()}
            self._whys += more.whys
        return Consolidated(
            texts,
            tuple(steps),
            tuple(lasting(self._whys, old, {**texts, **held})),
            tuple(sorted(self.refusals.cited)),
            self._suspected,
            {path: text for path, text in held.items() if texts.get(path) != text},
            is_cut,
            self._missed,
        )


def _line(request: Request) -> NewLine:
    return NewLine(request.text, request.quote, str(request.asks), request.kind, request.said)


def _waits(request: Request, met: dict[object, str]) -> bool:
    """Whether a request gives another value than one before it in the same round."""
    found = list(orders.keys(request.text))
    is_other = any(met.get(key, request.text) != request.text for key in found)
    if not is_other:
        met.update(dict.fromkeys(found, request.text))
    return is_other


def _contradicts(request: Request, index: Index) -> bool:
    """Whether a line that was asked for gives what another line speaks of another value."""
    change = Change.of(request.said, request.text)
    return change is not None and any(
        contradicted(fact, change) for fact in index.near(change.words)
    )
