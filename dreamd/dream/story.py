"""The story: one dream, from the lease to the receipt."""

from __future__ import annotations

from msgspec.structs import replace

from dreamd.domain.receipt import Kind, Outcome, Receipt
from dreamd.domain.store import Store
from dreamd.dream import summary
from dreamd.dream.attempt import Draft, DreamRun, attempt, insertions_only, land, refuse_unfit
from dreamd.dream.recall import Recalled, mark_read, recall
from dreamd.errors import (
    DreamdError,
    HostError,
    MemoryUnfitError,
    RefusedError,
    SessionError,
    WallsError,
)
from dreamd.gates import pause
from dreamd.host import clock
from dreamd.memory.diff import diff
from dreamd.memory.scan import scan_index
from dreamd.transaction.change import Meeting, carry_out, told
from dreamd.transaction.frame import Frame, leased

FRESH_TRIES = 3  # dreams on a fresh snapshot when an edit got in the way
_DONE = {Outcome.DREAMT, Outcome.PROPOSED}


def dream(store: Store, run: DreamRun) -> Receipt:
    """Run one dream over a memory directory and return its receipt.

    Where it failed or was refused, the run's fallback dreams in its stead, and says why; the
    failed one has a receipt of its own. What the fallback achieves clears the back-off and moves
    the schedule on, so a model that fails costs at most one session a period.
    """
    try:
        receipt = _tried(store, run)
        if receipt.outcome in _DONE or run.fallback is None:
            return receipt
        reason = receipt.reason
    except (SessionError, WallsError, RefusedError) as error:
        if run.fallback is None or isinstance(error, MemoryUnfitError):
            raise
        reason = str(error)
    return _tried(store, run.fallen_back(reason))


def _tried(store: Store, run: DreamRun) -> Receipt:
    """Dream once, and set or clear the back-off by what came of it."""
    try:
        receipt = _dreamt(store, run)
    except (DreamdError, KeyboardInterrupt) as error:
        if summary.is_failure(store, run, error):
            pause.failed(store, run.settings.gates, str(error) or "it was stopped")
        raise
    if receipt.outcome not in _DONE:
        pause.failed(store, run.settings.gates, receipt.reason)
        return receipt
    try:
        pause.cleared(store)
    except HostError as error:  # what was dreamt stands
        receipt = replace(receipt, findings=(*receipt.findings, str(error)))
    return summary.write_diary(store, run, receipt)


def _dreamt(store: Store, run: DreamRun) -> Receipt:
    """Dream from the lease to the receipt. A dream is whole or it removes nothing.

    Where an edit that came meanwhile stands against a line of it, the dream is dreamt afresh,
    and in the end only its insertions are applied and the rest is proposed.
    """
    refuse_unfit(scan_index(store.memory))
    kind, began = Kind.CONSOLIDATION, run.trigger
    with leased(store, kind, run.engine, began) as frame, summary.talk_kept(frame, run):
        run = replace(run, progress=frame.telling(run.progress))
        base, stamp = frame.snapshot(), frame.lease.prior_mtime_ns
        since = None if stamp is None else clock.from_ns(stamp)
        recalled = recall(store, run, base, since, writes=True)
        if recalled.known is not None:
            receipt = summary.unchanged(frame, recalled.known)
            return carry_out(frame, receipt, base, base, base, parts={})
        for tries_left in reversed(range(1 + FRESH_TRIES * run.engine.repeatable)):
            draft = attempt(run, recalled.brief, base)
            met, landed = land(frame, run, draft)
            if met.is_whole or met.left_out or not tries_left:
                break
            base, recalled = frame.snapshot(), replace(recalled, fingerprint="")
        if not met.is_whole:
            left_out = met.left_out
            met, landed = land(frame, run, insertions_only(draft, left_out))
            met = replace(met, left_out=left_out)
        return _concluded(frame, run, recalled, landed, met)


def _concluded(
    frame: Frame, run: DreamRun, recalled: Recalled, draft: Draft, met: Meeting
) -> Receipt:
    """Sum the dream up, commit what is to be applied, and note what it has read."""
    report = draft.report
    findings = [*run.remarks, *frame.remarks, *told(met.left_out), *summary.keep_talk(frame, run)]
    findings += [*report.mishaps, *recalled.remarks]
    changed = diff(met.live, met.result)
    receipt = summary.summed_up(frame.receipt(""), draft, changed, [*findings, *draft.findings])
    if receipt.outcome in _DONE:
        receipt = replace(receipt, lock_left_ns=clock.to_ns(frame.started))
    parts = summary.parts(draft, met.left_out)
    receipt = carry_out(frame, receipt, draft.base, met.live, met.result, parts=parts)
    if receipt.outcome in _DONE and report.missed is not None and not report.capped:
        seen = set(recalled.brief.unread) - set(report.missed)
        mark_read(frame.store, run.engine.name, seen)
    is_cut = report.missed or report.mishaps or recalled.remarks
    is_idle = receipt.outcome is Outcome.DREAMT and not receipt.changes and not receipt.proposed
    if run.engine.repeatable and recalled.fingerprint and is_idle and not is_cut:
        frame.history.know(run.engine.name, recalled.fingerprint, frame.id)
    return receipt
