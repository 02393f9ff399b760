"""What one try of a dream brings: an engine at work on a private copy, and the review of it."""

from __future__ import annotations

import math
from collections.abc import Collection, Mapping, Sequence
from contextlib import nullcontext
from datetime import datetime
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from dreamd import __version__, lock
from dreamd.domain.change import Declined, Heeded
from dreamd.domain.cost import Estimate
from dreamd.domain.dream import Brief, Report
from dreamd.domain.evidence import Candidate, PersonSaid
from dreamd.domain.finding import Finding
from dreamd.domain.receipt import Phase, Trigger, Usage
from dreamd.domain.settings import EngineChoice, Settings
from dreamd.domain.store import Store
from dreamd.domain.tree import Entry, Tree, digest, edited, like_neighbours, stamped
from dreamd.dream.recall import talk
from dreamd.engine.protocol import Engine, Progress, SessionEngine
from dreamd.errors import MemoryUnfitError
from dreamd.host import clock
from dreamd.ledger import receipts
from dreamd.ledger.receipts import Past
from dreamd.memory.check import unfit
from dreamd.memory.diff import diff
from dreamd.memory.merge import merge_trees
from dreamd.memory.review import Reviewed, review
from dreamd.memory.scan import scan
from dreamd.memory.stage import harvest, stage
from dreamd.state.history import History
from dreamd.transaction.change import without
from dreamd.transaction.past import declined, heeded, once
from dreamd.transcripts import Unread


class Wish(Struct, frozen=True):
    """What was asked for beside a plain dream."""

    sessions: Sequence[Path] = ()
    propose: bool = False  # hold everything out as a proposal
    fork: Mapping[str, Any] | None = None  # another client's request, for a model to continue
    trigger: Trigger = Trigger.HAND  # what began it


class Night(Struct, frozen=True):
    """What stays the same over all tries of one dream."""

    engine: Engine
    settings: Settings
    wish: Wish = Wish()
    progress: Progress = lambda _phase, _text: None
    fallback: Engine | None = None  # dreams where the engine's dream failed or was refused
    remarks: tuple[str, ...] = ()  # to stand in the receipt before what the dream found

    def fallen_back(self, reason: str) -> Night:
        """Return the night as the fallback dreams it, with the reason in its receipt."""
        said = f"the {self.engine.name}'s session failed: {reason}"
        return replace(self, engine=self.fallback or self.engine, fallback=None, remarks=(said,))


class Recalled(Struct, frozen=True):
    """What is known beside the notes, the same over all tries of one dream.

    What people said, and what became of what former dreams did.
    """

    memory: Path
    since: datetime | None
    said: Sequence[PersonSaid]
    unheard: Sequence[Unread]
    declined: Declined
    heeded: Heeded
    past: Sequence[Usage] = ()  # what the engine's sessions cost
    candidates: Sequence[Candidate] = ()  # of what was said, for remembering
    remarks: tuple[str, ...] = ()  # on the evidence, where it is not as it should be
    unread: Sequence[str] = ()  # ids of messages that no dream by rules has read
    budget: clock.CpuBudget = field(default_factory=lambda: clock.CpuBudget(math.inf))
    fingerprint: str = ""  # of notes and words, for an engine that makes the same of the same
    known: str | None = None  # the dream that found nothing to change in the same


class Draft(Struct, frozen=True):
    """What one try brought: the base, what is to be applied, and what is held out of it.

    `unheard` says what of the sessions could not be read, or not be kept as evidence.
    """

    base: Tree
    applied: Tree
    proposal: Tree | None
    report: Report
    findings: tuple[Finding, ...] = ()
    refused: str | None = None
    unheard: tuple[str, ...] = ()


def standing(store: Store) -> Tree:
    """Return the notes as they stand; none where the memory directory is still to be made."""
    return scan(store.memory) if store.memory.is_dir() else Tree()


def recall(
    store: Store,
    history: History,
    night: Night,
    since: datetime | None,
    *,
    writes: bool,
    notes: Tree,
) -> Recalled:
    """Return what people said in the sessions, and which changes and messages are settled.

    `since` is when the last dream began. With `writes`, what is new in the sessions is written
    into the evidence. Where an earlier dream found nothing to change in the same notes and words,
    they are not read again.

    Raises:
        HostError, HistoryError: the receipts or the history cannot be read.
    """
    dreams = receipts.past(receipts.read(store.database))
    night.progress(Phase.GATHER, "reading the sessions")
    sessions, settings = night.wish.sessions, night.settings.evidence
    known = history.known(night.engine.name) if writes and night.engine.repeatable else None

    def is_known(tip: tuple[int, int]) -> bool:
        return known is not None and known[0] == fingerprint(night, dreams, notes, tip)

    every = night.engine.name != EngineChoice.RULES  # a model sees also what is not promoted
    budget = clock.CpuBudget(night.settings.cpu_seconds)
    told = talk(
        store,
        sessions,
        settings,
        writes=writes,
        notes=notes,
        every=every,
        budget=budget,
        is_known=is_known,
    )
    if told.is_known and known is not None:
        nothing = Declined(), Heeded()
        return Recalled(store.memory, since, told.said, told.unheard, *nothing, known=known[1])
    settled = heeded(store, dreams)
    return Recalled(
        memory=store.memory,
        since=since,
        said=once(told.said, settled),
        unheard=told.unheard,
        declined=declined(history, dreams),
        heeded=settled,
        past=receipts.sessions((dream.receipt for dream in dreams), night.engine.name),
        candidates=told.candidates,
        remarks=told.remarks,
        unread=told.unread,
        budget=budget,
        fingerprint=fingerprint(night, dreams, notes, told.tip),
    )


def fingerprint(night: Night, dreams: Sequence[Past], notes: Tree, tip: tuple[int, int]) -> str:
    """Return the SHA-256 of all that the rules look at: from the same they make the same."""
    kept = [(dream.id, dream.undone, dream.proposal) for dream in dreams if dream.receipt.changes]
    files = [(str(p), e.sha, e.mode, e.mtime_ns) for p, e in notes.files.items()]
    said = (__version__, night.settings, night.wish.propose, kept, tip, files, sorted(notes.unread))
    return digest(repr(said).encode("utf-8", "backslashreplace"))


def brief(night: Night, base: Tree, recalled: Recalled, stage: Path) -> Brief:
    """Return what the engine is given to know."""
    return Brief(
        stage=stage,
        base=base,
        settings=night.settings,
        memory=recalled.memory,
        since=recalled.since,
        sessions=night.wish.sessions,
        said=recalled.said,
        candidates=recalled.candidates,
        declined=recalled.declined,
        heeded=recalled.heeded,
        fork=night.wish.fork,
        past=recalled.past,
        unread=recalled.unread,
        is_late=recalled.budget.is_used,
    )


def imagine(night: Night, base: Tree, folder: Path, recalled: Recalled) -> Draft:
    """Let the engine work on a private copy or in memory, and review what it really did.

    Raises:
        MemoryUnfitError: the index cannot be worked on: a link, binary, too large.
    """
    if sentence := unfit(base):
        raise MemoryUnfitError(sentence)
    with nullcontext(Path()) if night.engine.in_memory else stage(base, folder) as copy:
        report = night.engine.dream(brief(night, base, recalled, copy), night.progress)
        after = _left(base, report, copy)
    verdict = review(base, after, settings=night.settings, report=report)
    verdict = _with_held(verdict, report)
    now = clock.to_ns(clock.now())  # of a line that the review mended
    applied = stamped(base, verdict.applied, now)
    proposal = None if verdict.proposal is None else stamped(base, verdict.proposal, now)
    is_cut = bool(report.capped or report.failed)
    if is_cut and not verdict.refused:  # what passed waits; what did not, a finding names
        proposal = applied if diff(base, applied) else proposal
    if night.wish.propose or verdict.refused or is_cut:
        applied, proposal = base, proposal or applied
    if proposal is not None and not diff(applied, proposal):
        proposal = None
    unheard = [f"{each.path} was not heard: {each.reason}" for each in recalled.unheard]
    remarks = (*unheard, *recalled.remarks)
    return Draft(base, applied, proposal, report, verdict.findings, verdict.refused, remarks)


def _left(base: Tree, report: Report, copy: Path) -> Tree:
    """Return the notes as an engine left them: by its edits, else as they are in its copy."""
    if report.is_dropped:
        return base
    if report.edits is None:
        return like_neighbours(base, harvest(base, copy))
    return like_neighbours(base, edited(base, report.edits, clock.to_ns(clock.now())))


def _with_held(verdict: Reviewed, report: Report) -> Reviewed:
    """Return a verdict with what the engine itself holds back in the proposal."""
    if not report.held or verdict.refused:
        return verdict
    proposal = verdict.proposal or verdict.applied
    files = dict(proposal.files)
    for path, text in report.held.items():
        if proposal.files.get(path) == verdict.applied.files.get(path):
            mode = files[path].mode if path in files else 0o600
            files[path] = Entry(text.encode(), mode)
    return replace(verdict, proposal=replace(proposal, files=files))


def foreseen(store: Store, night: Night) -> Estimate | None:
    """Return what a dream would cost, None where the engine costs nothing; nothing is written.

    Raises:
        MemoryUnfitError: the directory cannot be worked on as it stands.
        HostError, HistoryError: something cannot be read.
    """
    base = standing(store)
    if sentence := unfit(base):
        raise MemoryUnfitError(sentence)
    if not isinstance(night.engine, SessionEngine):
        return None
    since = lock.standing(store, now=clock.now()).consolidated
    recalled = recall(store, History(store.database), night, since, writes=False, notes=base)
    return night.engine.estimate(brief(night, base, recalled, Path()))


def insertions_only(draft: Draft, left_out: Collection[PurePosixPath] = ()) -> Draft:
    """Return a draft that removes nothing, and does not touch some paths; the rest it proposes."""
    grown = merge_trees(Tree(), draft.base, draft.applied).tree
    return replace(
        draft,
        applied=without(draft.base, grown, left_out),
        proposal=draft.proposal or draft.applied,
    )
