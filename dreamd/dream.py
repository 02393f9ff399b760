"""The story: one dream, from the lease to the receipt."""

from __future__ import annotations

import tempfile
from collections.abc import Sequence
from dataclasses import dataclass, replace
from pathlib import Path

from dreamd import conversations, lock
from dreamd.domain.change import ChangeSet, Why
from dreamd.domain.ending import Kind, Outcome
from dreamd.domain.explained import explained
from dreamd.domain.finding import Finding, Severity
from dreamd.domain.receipt import Receipt, counts
from dreamd.domain.store import Store
from dreamd.domain.tree import Tree, stamped
from dreamd.domain.words import improved
from dreamd.draft import Draft, Night, imagine, insertions_only, recall
from dreamd.errors import BusyError, DreamdError, HostError, MemoryUnfitError
from dreamd.gates import backoff
from dreamd.host import clock
from dreamd.memory.check import unfit
from dreamd.memory.diff import diff
from dreamd.memory.history import History
from dreamd.memory.review import review
from dreamd.memory.scan import scan
from dreamd.recount import recounted
from dreamd.transaction.change import carry_out, meet
from dreamd.transaction.frame import Frame, Snapshot, leased

MOST_FINDINGS = 50  # in a receipt
FRESH_TRIES = 3  # dreams on a fresh snapshot when an edit got in the way


@dataclass(frozen=True, slots=True)
class Landing:
    """A draft merged into the notes as they are now, and reviewed there once more.

    `is_whole` is false where a line of the dream was dropped or held out in this second look.
    """

    live: Tree
    result: Tree
    is_whole: bool
    findings: tuple[Finding, ...] = ()
    refused: str | None = None


def dream(store: Store, night: Night) -> Receipt:
    """Run one dream over a memory directory and return its receipt.

    A failure sets the back-off that gated dreams heed, a success clears it; where it cannot be
    cleared, a finding says so, for what was dreamt stands.

    A dream is whole or it removes nothing: where an edit that came meanwhile stands against a
    line of it, the dream is dreamt afresh, and in the end only its insertions are applied and
    the rest is proposed.

    Raises:
        BusyError: someone else has the lock.
        MemoryUnfitError: the directory cannot be worked on as it stands.
        HostError, HistoryError: something failed; no note was changed, the lock is as it was.
        LeaseLostError: another process stands in the lock; no note was changed.
    """
    try:
        receipt = _dreamt(store, night)
    except BusyError:
        raise
    except DreamdError as error:
        if store.home.is_dir():  # else it never came so far as to open the store
            backoff.failed(store, night.settings, str(error))
        raise
    if receipt.outcome is Outcome.REFUSED:
        backoff.failed(store, night.settings, receipt.reason)
        return receipt
    try:
        backoff.cleared(store)
    except HostError as error:
        receipt = replace(receipt, findings=(*receipt.findings, str(error)))
    return recounted(store, night, receipt)


def _dreamt(store: Store, night: Night) -> Receipt:
    if sentence := unfit(_standing(store)):
        raise MemoryUnfitError(sentence)
    with leased(store, Kind.CONSOLIDATION, night.engine) as frame:
        prior = frame.lease.prior_mtime_ns
        since = None if prior is None else clock.from_ns(prior)
        recalled = recall(store, frame.history, night, since)
        tries = FRESH_TRIES if night.engine.repeatable else 0
        for _ in range(tries):
            base = frame.snapshot()
            draft = imagine(night, base.tree, store.stages / frame.id, recalled)
            landing = land(frame, night, draft)
            if landing.is_whole:
                return conclude(frame, night, base, draft, landing)
        base = frame.snapshot()
        draft = imagine(night, base.tree, store.stages / frame.id, recalled)
        landing = land(frame, night, draft)
        if not landing.is_whole:
            draft = insertions_only(draft)
            landing = land(frame, night, draft)
        return conclude(frame, night, base, draft, landing)


def _standing(store: Store) -> Tree:
    """Return the notes as they stand; none where the memory directory is still to be made."""
    return scan(store.memory) if store.memory.is_dir() else Tree()


def land(frame: Frame, night: Night, draft: Draft) -> Landing:
    """Merge a draft into the live notes; where they are no longer its base, review the result."""
    meeting = meet(frame, draft.base, draft.applied)
    if meeting.live.files == draft.base.files:
        return Landing(meeting.live, meeting.result, is_whole=True)
    verdict = review(meeting.live, meeting.result, settings=night.settings, report=draft.report)
    held = any(finding.severity is Severity.HELD_OUT for finding in verdict.findings)
    return Landing(
        meeting.live,
        meeting.live
        if verdict.refused
        else stamped(meeting.live, verdict.applied, clock.to_ns(clock.now())),
        is_whole=meeting.is_whole and not held and verdict.refused is None,
        findings=verdict.findings,
        refused=verdict.refused,
    )


def conclude(frame: Frame, night: Night, base: Snapshot, draft: Draft, landing: Landing) -> Receipt:
    """Record the dream and its proposal in history, commit what is to be applied, and sum up."""
    days = night.settings.model.keep_days
    unkept: tuple[str, ...] = ()
    try:
        conversations.keep(frame.store.conversations, frame.id, draft.report.conversation, days)
    except HostError as error:  # what was said is no reason to lose what was dreamt
        unkept = (f"the conversation is not kept: {error}",)
    changes = diff(base.tree, draft.applied)
    whole = diff(base.tree, draft.proposal or draft.applied)
    mine, rest = _split(explained(draft.report.whys, changes, whole), changes)
    applied = frame.record("dream", draft.applied, parent=base.commit, whys=mine)
    held: ChangeSet = ChangeSet()
    if draft.proposal is not None:
        frame.record("proposal", draft.proposal, parent=applied.commit, whys=rest)
        held = diff(draft.applied, draft.proposal)
    refused = draft.refused or landing.refused
    changed = diff(landing.live, landing.result)
    if draft.report.capped and not changed and not held:
        refused = refused or f"nothing was done before it ended, for {draft.report.capped}"
    outcome = Outcome.DREAMT if changed or not held else Outcome.PROPOSED
    said = improved(draft.report.steps, notes=len(changed.changes), proposed=len(held.changes))
    if draft.report.capped:
        said = f"Ended early, for {draft.report.capped}: {said[:1].lower()}{said[1:]}"
    elif draft.report.remark and not changed and not held:
        said += f": {draft.report.remark}"
    if draft.report.cited:
        said += f"; what you undid or rejected of {' and '.join(draft.report.cited)} stays so"
    receipt = Receipt(
        dream=frame.id,
        kind=frame.kind,
        outcome=Outcome.REFUSED if refused else outcome,
        reason=f"refused: {refused}" if refused else said,
        memory=str(frame.store.memory),
        started=frame.started.isoformat(),
        engine=night.engine.name,
        level=night.engine.level,
        proposed=len(held.changes),
        steps=draft.report.steps,
        findings=_few([*unkept, *draft.unheard, *draft.findings, *landing.findings]),
        usage=draft.report.usage,
    )
    started = clock.to_ns(frame.started)
    return carry_out(
        frame,
        base,
        landing.live,
        landing.result,
        receipt=receipt,
        lock_mtime_ns=frame.lease.prior_mtime_ns if refused else started,
    )


def rehearse(store: Store, night: Night) -> tuple[Receipt, Tree, Tree]:
    """Dream without lease, history or commit: return what would change, and both trees.

    Raises:
        MemoryUnfitError: the directory cannot be worked on as it stands.
    """
    started = clock.now()
    base = _standing(store)
    since = lock.standing(store, now=started).consolidated
    recalled = recall(store, History(store.history), night, since)
    with tempfile.TemporaryDirectory(prefix="dreamd-rehearsal-") as folder:
        draft = imagine(night, base, Path(folder) / "stage", recalled)
    result = draft.proposal or draft.applied if night.wish.propose else draft.applied
    changes = diff(base, result)
    held = () if draft.proposal is None else diff(draft.applied, draft.proposal).changes
    receipt = Receipt(
        dream=None,
        kind=Kind.CONSOLIDATION,
        outcome=Outcome.SKIPPED,
        reason="dry run, nothing was written: "
        + improved(draft.report.steps, notes=len(changes.changes), proposed=len(held)),
        memory=str(store.memory),
        started=started.isoformat(),
        engine=night.engine.name,
        level=night.engine.level,
        proposed=len(held),
        changes=counts(changes),
        steps=draft.report.steps,
        findings=_few([*draft.unheard, *draft.findings]),
        usage=draft.report.usage,
        seconds=round((clock.now() - started).total_seconds(), 3),
    )
    return receipt, base, result


def _split(whys: Sequence[Why], changes: ChangeSet) -> tuple[list[Why], list[Why]]:
    lines = {(c.path, "+", line) for c in changes for line in c.added}
    lines |= {(c.path, "-", line) for c in changes for line in c.removed}
    mine: list[Why] = []
    rest: list[Why] = []
    for why in whys:
        stands = why.sign == "=" or (why.path, why.sign, why.line) in lines
        (mine if stands else rest).append(why)
    return mine, rest


def _few(findings: Sequence[Finding | str]) -> tuple[str, ...]:
    """Return findings for a receipt, which is kept for ever: the first, and how many more."""
    said = tuple(map(str, findings[:MOST_FINDINGS]))
    more = len(findings) - len(said)
    return (*said, f"and {more:,} more like these") if more else said
