"""The story: one dream, from the lease to the receipt."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from itertools import count
from pathlib import Path

from dreamd import receipts
from dreamd.domain.change import ChangeSet, Declined, Why
from dreamd.domain.dream import Brief, Kind, Outcome, Phase, Report
from dreamd.domain.finding import Finding, Severity
from dreamd.domain.receipt import Receipt, counts
from dreamd.domain.settings import Settings
from dreamd.domain.store import Store
from dreamd.domain.tree import Tree
from dreamd.domain.words import improved
from dreamd.engine.protocol import Engine
from dreamd.errors import MemoryUnfitError
from dreamd.host import clock
from dreamd.memory.check import unfit
from dreamd.memory.diff import diff
from dreamd.memory.review import Verdict, review
from dreamd.memory.scan import scan
from dreamd.memory.stage import stage
from dreamd.memory.trees import insertions_only_tree
from dreamd.transaction.change import Meeting, carry_out, meet
from dreamd.transaction.frame import Frame, Snapshot, leased
from dreamd.transaction.past import declined

Progress = Callable[[Phase, str], None]
FRESH_TRIES = 3  # dreams on a fresh snapshot when an edit got in the way


@dataclass(frozen=True, slots=True)
class Wish:
    """What was asked for beside a plain dream."""

    sessions: Sequence[Path] = ()
    propose: bool = False  # hold everything out as a proposal


@dataclass(frozen=True, slots=True)
class Draft:
    """What one night brought: the base, what is to be applied, and what is held out of it."""

    base: Tree
    applied: Tree
    proposal: Tree | None
    report: Report
    findings: tuple[Finding, ...] = ()
    refused: str | None = None


def dream(
    store: Store, engine: Engine, settings: Settings, wish: Wish, progress: Progress
) -> Receipt:
    """Run one dream over a memory directory and return its receipt.

    A dream is whole or it removes nothing: where an edit that came meanwhile stands against a
    line of it, the dream is dreamt afresh, and in the end only its insertions are applied and
    the rest is proposed.

    Raises:
        BusyError: someone else has the lock.
        MemoryUnfitError: the directory cannot be worked on as it stands.
        HostError, HistoryError: something failed; no note was changed, the lock is as it was.
        LeaseLostError: another process stands in the lock; no note was changed.
    """
    if sentence := unfit(scan(store.memory)):
        raise MemoryUnfitError(sentence)
    with leased(store, Kind.CONSOLIDATION) as frame:
        no = declined(frame.history, receipts.past(receipts.read(store.receipts)))
        for attempt in count(1):
            last = attempt > FRESH_TRIES or not engine.repeatable
            base = frame.snapshot()
            folder = store.stages / frame.id
            draft = imagine(folder, base.tree, engine, settings, wish, no, progress)
            meeting = meet(frame, base.tree, draft.applied)
            if meeting.dropped and last:
                draft = insertions_only(draft)
                meeting = meet(frame, base.tree, draft.applied)
            verdict = review_again(draft, meeting, settings)
            if last or (not meeting.dropped and fits(verdict)):
                return conclude(frame, base, draft, meeting, verdict, engine)
    raise AssertionError("count() does not end")


def imagine(
    folder: Path,
    base: Tree,
    engine: Engine,
    settings: Settings,
    wish: Wish,
    no: Declined,
    progress: Progress,
) -> Draft:
    """Let the engine work on a private copy, and review what it really did there.

    Raises:
        MemoryUnfitError: the index cannot be worked on: a link, binary, too large.
    """
    if sentence := unfit(base):
        raise MemoryUnfitError(sentence)
    with stage(base, folder) as copy:
        report = engine.dream(
            Brief(stage=copy, base=base, settings=settings, sessions=wish.sessions, declined=no),
            progress,
        )
        after = scan(copy)
    verdict = review(base, after, settings=settings, report=report)
    applied, proposal = verdict.applied, verdict.proposal
    if wish.propose or verdict.refused:
        applied, proposal = base, proposal or applied
    if proposal is not None and not diff(applied, proposal):
        proposal = None
    return Draft(base, applied, proposal, report, verdict.findings, verdict.refused)


def insertions_only(draft: Draft) -> Draft:
    """Return a draft that removes nothing; what it would have removed becomes the proposal."""
    return replace(
        draft,
        applied=insertions_only_tree(draft.base, draft.applied),
        proposal=draft.proposal or draft.applied,
    )


def review_again(draft: Draft, meeting: Meeting, settings: Settings) -> Verdict:
    """Review the merged text, where something came in between; else the first verdict stands."""
    if meeting.live.files == draft.base.files:
        return Verdict(applied=meeting.result, proposal=None, findings=(), refused=None)
    return review(meeting.live, meeting.result, settings=settings, report=draft.report)


def fits(verdict: Verdict) -> bool:
    """Whether a dream went whole into the notes as they are now."""
    held = any(finding.severity is Severity.HELD_OUT for finding in verdict.findings)
    return verdict.refused is None and not held


def conclude(
    frame: Frame,
    base: Snapshot,
    draft: Draft,
    meeting: Meeting,
    verdict: Verdict,
    engine: Engine,
) -> Receipt:
    """Record the dream and its proposal in history, commit what is to be applied, and sum up."""
    changes = diff(base.tree, draft.applied)
    mine, rest = _split(draft.report.whys, changes)
    applied = frame.record("dream", draft.applied, parent=base.commit, whys=mine)
    held: ChangeSet = ChangeSet()
    if draft.proposal is not None:
        frame.record("proposal", draft.proposal, parent=applied.commit, whys=rest)
        held = diff(draft.applied, draft.proposal)
    refused = draft.refused or verdict.refused
    result = meeting.live if verdict.refused else verdict.applied
    landing = diff(meeting.live, result)
    outcome = Outcome.DREAMT if landing or not held else Outcome.PROPOSED
    said = improved(draft.report.steps, notes=len(landing.changes), proposed=len(held.changes))
    receipt = Receipt(
        dream=frame.id,
        kind=frame.kind,
        outcome=Outcome.REFUSED if refused else outcome,
        reason=f"refused: {refused}" if refused else said,
        memory=str(frame.store.memory),
        started=frame.started.isoformat(),
        engine=engine.name,
        level=engine.level,
        proposed=len(held.changes),
        steps=draft.report.steps,
        findings=tuple(map(str, draft.findings + verdict.findings)),
        usage=draft.report.usage,
    )
    started = clock.to_ns(frame.started)
    return carry_out(
        frame,
        base,
        meeting.live,
        result,
        receipt=receipt,
        lock_mtime_ns=frame.lease.prior_mtime_ns if refused else started,
    )


def rehearse(
    store: Store, engine: Engine, settings: Settings, wish: Wish, progress: Progress
) -> tuple[Receipt, Tree, Tree]:
    """Dream without lease, history or commit: return what would change, and both trees.

    Raises:
        MemoryUnfitError: the directory cannot be worked on as it stands.
    """
    started = clock.now()
    base = scan(store.memory)
    no = Declined()
    if store.history.is_dir():
        from dreamd.memory.history import History  # noqa: PLC0415 - only where there is a history

        no = declined(History(store.history), receipts.past(receipts.read(store.receipts)))
    folder = store.stages / f"rehearsal-{clock.to_ns(started)}"
    draft = imagine(folder, base, engine, settings, wish, no, progress)
    result = draft.proposal or draft.applied
    changes = diff(base, result)
    receipt = Receipt(
        dream=None,
        kind=Kind.CONSOLIDATION,
        outcome=Outcome.SKIPPED,
        reason="dry run, nothing was written: "
        + improved(draft.report.steps, notes=len(changes.changes), proposed=0),
        memory=str(store.memory),
        started=started.isoformat(),
        engine=engine.name,
        level=engine.level,
        changes=counts(changes),
        steps=draft.report.steps,
        findings=tuple(map(str, draft.findings)),
        usage=draft.report.usage,
        seconds=round((clock.now() - started).total_seconds(), 3),
    )
    return receipt, base, result


def _split(whys: Sequence[Why], changes: ChangeSet) -> tuple[list[Why], list[Why]]:
    lines = {(c.path, "+", line) for c in changes for line in c.added}
    lines |= {(c.path, "-", line) for c in changes for line in c.removed}
    mine = [why for why in whys if (why.path, why.sign, why.line) in lines]
    return mine, [why for why in whys if (why.path, why.sign, why.line) not in lines]
