"""The notes as one dream leaves them: settled, with what was heard in its place, settled again."""

from __future__ import annotations

from collections import Counter
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import PurePosixPath

from dreamd.domain.change import Declined, Heeded, Why
from dreamd.domain.ending import Phase, Step
from dreamd.domain.evidence import Candidate
from dreamd.domain.heard import PersonSaid
from dreamd.domain.settings import Budget
from dreamd.engine.protocol import Progress
from dreamd.engine.rules.edit import Refusals, apply
from dreamd.engine.rules.gather.claim import Claim, claims
from dreamd.engine.rules.gather.place import Gathered, gather
from dreamd.engine.rules.gather.place_home import SMALL
from dreamd.engine.rules.lasting import lasting
from dreamd.engine.rules.noticing import Noticing
from dreamd.engine.rules.orient import Memory, changed
from dreamd.engine.rules.placed import placed
from dreamd.engine.rules.promote import promote
from dreamd.engine.rules.promote.retold import retold
from dreamd.engine.rules.promote.talk import joined_talk
from dreamd.engine.rules.promote.yielding import STEP, yielding
from dreamd.engine.rules.settling import Settled, settled
from dreamd.engine.rules.together import STEP as TOGETHER
from dreamd.engine.rules.updates.updates import Updated, updates
from dreamd.host.cycles import unsought

_TRIES = 6  # of noting less, where the notes came out over their budget
_CLOSE = 0.05  # share of the budget that may then be left


@dataclass(frozen=True, slots=True)
class Heard:
    """What people asked to be remembered, and which messages past dreams drew on.

    `candidates` are what deserves to be remembered unasked, as far as there is room. `said` is
    all that people said; what of it gives something a newer value brings lines up to date, whose
    notes were last written when `edited` says; `noticing` knows what is noticed in it. The last
    dream began at `since`.
    """

    claims: Iterable[Claim] = ()
    heeded: Heeded = field(default_factory=Heeded)
    candidates: Sequence[Candidate] = ()
    said: Sequence[PersonSaid] = ()
    edited: Mapping[PurePosixPath, datetime] = field(default_factory=dict)
    noticing: Noticing | None = None
    since: datetime | None = None

    def ever_asked(self) -> Iterable[Claim]:
        """Return all that people ever asked to be remembered, past dreams' included."""
        return self.noticing.claims(self.said) if self.noticing else claims(self.said)


_SILENCE = Heard()


@dataclass(frozen=True, slots=True)
class Consolidated:
    """The texts that a dream leaves, what it did, why each line came or went, and what it obeyed.

    `cited` are the dreams that the user undid or rejected and that this one does not repeat.
    """

    texts: Mapping[PurePosixPath, str]
    steps: tuple[Step, ...]
    whys: tuple[Why, ...]
    cited: tuple[str, ...] = ()


@unsought()
def consolidated(
    memory: Memory, budget: Budget, declined: Declined, progress: Progress, heard: Heard = _SILENCE
) -> Consolidated:
    """Return the notes as one dream leaves them; nothing is read or written.

    Where lines that were brought up to date took more room than there was, less is noted unasked.
    Notes a little over their budget do not grow: what is new takes the room of what yields.
    """
    had = sum(len(text.encode()) for text in memory.texts.values())
    within = max(had, budget.memory_bytes)
    if within > promote.FAR * budget.memory_bytes:
        return _dreamt(memory, budget, declined, progress, heard)
    low = high = spare = had - promote.used(memory)
    best: tuple[int, Consolidated] | None = None  # by how much it stays below the budget
    most: Consolidated | None = None  # where nothing that is noted less helps
    for tried in range(_TRIES):
        dream = _dreamt(memory, budget, declined, progress, heard, spare=spare, within=within)
        texts = changed(memory, dream.texts).texts
        left = within - sum(len(text.encode()) for text in texts.values())
        if left < 0:
            low, most = spare, most or dream
        else:
            high = spare
            best = min(best or (left, dream), (left, dream), key=lambda each: each[0])
        if best is None:
            spare += -left << tried  # less noted brings less up to date
        elif best[0] <= _CLOSE * budget.memory_bytes or high - low < 2:
            break
        else:
            spare = (low + high) // 2
    return best[1] if best else most or dream


def _dreamt(
    memory: Memory,
    budget: Budget,
    declined: Declined,
    progress: Progress,
    heard: Heard,
    *,
    spare: int | None = None,
    within: int = 0,
) -> Consolidated:
    """Settle the notes, place what was heard, settle again; `spare` bytes take nothing unasked.

    Without these the notes are more than a reader sees: nothing yields, and the index has its
    room; else all notes stay `within` so many bytes. New lines find their place in notes that are
    in order: a pointer that a lost note still lacks, or that detail leaving the index needs,
    stands before those to new lines, so that a reader meets what was there before what came. But
    where an index is all that there is room for, nothing leaves it before lines have yielded.
    """
    refusals = Refusals(declined)
    before = {path: note.text for path, note in memory.notes.items()}
    own = _own(before, heard.heeded)
    renewed = _renewed(memory, heard, refusals)
    is_late = spare is not None and budget.memory_bytes <= SMALL
    done = Settled(renewed.memory, Counter(), ())
    if not is_late:
        done = settled(renewed.memory, budget, refusals, progress)
    memory, counts, whys = done.memory, done.counts, [*renewed.whys, *done.whys]
    placed = Counter({(step.phase, step.text): step.count for step in renewed.steps})
    drawn: set[tuple[str, str]] = set()  # of what the dream itself wrote it is not told again
    stood = 0
    for round_ in range(2 + promote.ROUNDS):
        if round_ == 0:
            found = gather(memory, heard.claims, heard.heeded, budget, refusals)
        elif round_ == 1:
            found = _yielded(memory, budget, heard, refusals, spare=spare, within=within)
            stood = min(promote.used(memory), within - (spare or 0)) if found.steps else 0
        else:
            most = None if spare is None else max(promote.filling(memory, budget) - spare, stood)
            still_open = [each for each in heard.candidates if _key(each) not in drawn]
            written = promote.standing_ones(memory, heard.candidates)
            found = promote.promote(
                memory, still_open, heard.heeded, budget, refusals, filled=most, standing=written
            )
            free = promote.room(memory, budget, most)
            if not found.whys and promote.waits(memory, still_open, heard.heeded, free, written):
                found = _closer(memory, refusals, own)
            drawn |= {(why.message, why.quote) for why in found.whys}
        placed.update({(step.phase, step.text): step.count for step in found.steps})
        whys += found.whys
        if is_late and round_ == 0:
            memory = found.memory
        elif found.memory is not memory or (is_late and round_ == 1):
            again = settled(found.memory, budget, refusals, progress)
            memory, counts = again.memory, counts + again.counts
            whys += again.whys
        elif round_ > 1 and not found.whys:
            break
    renewed = _renewed(memory, heard, refusals, whys)
    if renewed.memory is not memory:
        placed.update({(step.phase, step.text): step.count for step in renewed.steps})
        again = settled(renewed.memory, budget, refusals, progress)
        memory, counts = again.memory, counts + again.counts
        whys += (*renewed.whys, *again.whys)
    steps = [Step(phase, text, n) for (phase, text), n in (*placed.items(), *counts.items()) if n]
    whys = lasting(whys, before, memory.texts)
    after = {path: note.text for path, note in memory.notes.items()}
    return Consolidated(after, tuple(steps), tuple(whys), tuple(sorted(refusals.cited)))


def _key(candidate: Candidate) -> tuple[str, str]:
    return candidate.snippet.message, candidate.snippet.quote


def _own(texts: Mapping[PurePosixPath, str], heeded: Heeded) -> frozenset[str]:
    """Return the lines that no past dream wrote as they are."""
    rows = {row for text in texts.values() for row in text.replace("\r\n", "\n").split("\n")}
    return frozenset(rows.difference(row for (_, row), by in heeded.rules.items() if "" not in by))


def _closer(memory: Memory, refusals: Refusals, own: Collection[str]) -> Gathered:
    """Make room for more in full notes: what one person said on one day shares a line."""
    edits = joined_talk(memory, refusals, own)
    applied = apply({path: note.text for path, note in memory.notes.items()}, edits)
    counts = sum(edit.count for edit in edits if edit.step == TOGETHER)
    steps = (Step(Phase.PRUNE, TOGETHER, counts),) if counts else ()
    return Gathered(changed(memory, applied.texts) if edits else memory, steps, applied.whys)


def _yielded(
    memory: Memory,
    budget: Budget,
    heard: Heard,
    refusals: Refusals,
    *,
    spare: int | None,
    within: int,
) -> Gathered:
    if spare is None:
        return Gathered(memory)
    edits = yielding(
        memory,
        heard.candidates,
        heard.heeded,
        budget,
        refusals,
        asked=heard.ever_asked,
        since=heard.since,
        filled=promote.filling(memory, budget) - spare,
        within=within - spare,
    )
    applied = apply({path: note.text for path, note in memory.notes.items()}, edits)
    gone = sum(edit.count for edit in edits if edit.step == STEP)
    steps = (Step(Phase.PRUNE, STEP, gone),) if gone else ()
    return Gathered(changed(memory, applied.texts) if edits else memory, steps, applied.whys)


def _renewed(
    memory: Memory, heard: Heard, refusals: Refusals, whys: Iterable[Why] | None = None
) -> Updated:
    """Bring lines up to date; with `whys` only those that they say were placed in this dream."""
    renewed = updates(
        memory,
        heard.said,
        heard.heeded,
        refusals,
        edited=heard.edited,
        placed=None if whys is None else placed(whys),
        noticing=heard.noticing,
        asked=heard.claims,
    )
    if whys is not None:
        return renewed
    return retold(renewed, heard.candidates, heard.heeded, refusals, heard.edited)
