"""The story: one dream, from the lease to the receipt."""

from __future__ import annotations

import contextlib
import tempfile
from collections.abc import Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any

from msgspec.structs import replace

from dreamd import lock
from dreamd.domain.change import ChangeSet, Why, explained
from dreamd.domain.finding import Finding
from dreamd.domain.receipt import Kind, Outcome, Receipt, counts, improved
from dreamd.domain.store import Store
from dreamd.domain.tree import Tree
from dreamd.dream import summary
from dreamd.dream.apply import Landing, land
from dreamd.dream.attempt import Draft, Night, Recalled, imagine, insertions_only, recall, standing
from dreamd.dream.recall import mark_read
from dreamd.engine.protocol import SessionEngine
from dreamd.errors import (
    BusyError,
    DreamdError,
    HostError,
    MemoryUnfitError,
    RefusedError,
    SessionError,
    WallsError,
)
from dreamd.gates import pause
from dreamd.host import clock
from dreamd.ledger import conversations, diary, receipts
from dreamd.memory.check import unfit
from dreamd.memory.diff import diff
from dreamd.memory.scan import scan_index
from dreamd.state.history import History
from dreamd.state.store_db import StoreDb
from dreamd.text.secrets.secrets import redact
from dreamd.transaction.change import carry_out, told
from dreamd.transaction.frame import Frame, Snapshot, leased

_DONE = {Outcome.DREAMT, Outcome.PROPOSED}
FRESH_TRIES = 3  # dreams on a fresh snapshot when an edit got in the way


def dream(store: Store, night: Night) -> Receipt:
    """Run one dream over a memory directory and return its receipt.

    Where it failed or was refused, the night's fallback dreams in its stead, and says why; the
    failed one has a receipt of its own. What the fallback achieves clears the back-off and moves
    the schedule on, so a model that fails costs at most one session a period.

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
        receipt = _tried(store, night)
        is_done = receipt.outcome not in {Outcome.FAILED, Outcome.REFUSED}
        if is_done or night.fallback is None:
            return receipt
        reason = receipt.reason
    except (SessionError, WallsError, RefusedError) as error:
        if night.fallback is None or isinstance(error, MemoryUnfitError):
            raise
        reason = str(error)
    return _tried(store, night.fallen_back(reason))


def _tried(store: Store, night: Night) -> Receipt:
    """Dream once, and set or clear the back-off by what came of it."""
    try:
        receipt = _dreamt(store, night)
    except BusyError:
        raise
    except DreamdError as error:
        if store.home.is_dir():  # else it never came so far as to open the store
            pause.failed(store, night.settings.gates, str(error))
        raise
    if receipt.outcome in {Outcome.REFUSED, Outcome.FAILED}:
        pause.failed(store, night.settings.gates, receipt.reason)
        return receipt
    try:
        pause.cleared(store)
    except HostError as error:
        receipt = replace(receipt, findings=(*receipt.findings, str(error)))
    return _told(store, night, receipt)


def _told(store: Store, night: Night, receipt: Receipt) -> Receipt:
    """Write a dream that changed notes into the diary, if one is wanted; nothing depends on it."""
    if not night.settings.diary or receipt.outcome is not Outcome.DREAMT or not receipt.changes:
        return receipt
    said = night.engine.said if isinstance(night.engine, SessionEngine) else ()
    try:
        diary.add(diary.place(store, night.settings), receipt, said)
    except DreamdError as error:
        lacking = redact(f"the diary lacks this dream: {error}")
        receipt = replace(receipt, findings=(*receipt.findings, lacking))
        with contextlib.suppress(DreamdError):
            receipts.put(StoreDb(store.database), receipt)
    return receipt


def _dreamt(store: Store, night: Night) -> Receipt:
    if sentence := unfit(scan_index(store.memory)):
        raise MemoryUnfitError(sentence)
    began = night.wish.trigger
    with (
        leased(store, Kind.CONSOLIDATION, night.engine, began) as frame,
        _speaking(frame, night),
    ):
        prior = frame.lease.prior_mtime_ns
        since = None if prior is None else clock.from_ns(prior)
        base = frame.snapshot()
        recalled = recall(store, frame.history, night, since, writes=True, notes=base.tree)
        if recalled.known is not None:
            return unchanged(frame, night, base, recalled)
        tries = FRESH_TRIES if night.engine.repeatable else 0
        while True:
            draft = imagine(night, base.tree, store.stages / frame.id, recalled)
            landing = land(frame, night, draft)
            if landing.is_whole or landing.left_out or not tries:
                break
            tries -= 1
            base = frame.snapshot()
            recalled = replace(recalled, fingerprint="")
        if not landing.is_whole:
            left_out = landing.left_out
            draft = insertions_only(draft, left_out)
            landing = replace(land(frame, night, draft), left_out=left_out)
        receipt = conclude(frame, night, base, draft, landing)
        if night.engine.repeatable and recalled.fingerprint and _is_settled(receipt, draft):
            frame.history.know(night.engine.name, recalled.fingerprint, frame.id)
        return receipt


def _is_settled(receipt: Receipt, draft: Draft) -> bool:
    """Whether an engine that makes the same of the same would find nothing to change again."""
    report = draft.report
    is_whole = not (report.missed or report.mishaps or draft.unheard)
    return (
        receipt.outcome is Outcome.DREAMT
        and not receipt.changes
        and not receipt.proposed
        and is_whole
    )


def unchanged(frame: Frame, night: Night, base: Snapshot, recalled: Recalled) -> Receipt:
    """Sum up a dream over notes and words in which an earlier one found nothing to change."""
    earlier = receipts.find(frame.history.db, recalled.known or "")
    receipt = Receipt(
        dream=frame.id,
        kind=frame.kind,
        outcome=Outcome.DREAMT,
        reason="Nothing to change" if earlier is None else earlier.reason,
        memory=str(frame.store.memory),
        started=frame.started.isoformat(),
        engine=night.engine.name,
        level=night.engine.level,
        findings=() if earlier is None else earlier.findings,
        suspected=() if earlier is None else earlier.suspected,
    )
    return carry_out(
        frame, base, base.tree, base.tree, receipt=receipt, lock_mtime_ns=clock.to_ns(frame.started)
    )


@contextlib.contextmanager
def _speaking(frame: Frame, night: Night) -> Iterator[None]:
    """Keep what was said in a session also where the dream breaks off, by a signal too."""
    try:
        yield
    except BaseException:
        if isinstance(night.engine, SessionEngine):
            with contextlib.suppress(HostError):  # what broke it off is to be told
                _keep(frame, night, night.engine.said)
        raise


def _keep(frame: Frame, night: Night, messages: Sequence[Mapping[str, Any]]) -> None:
    days = night.settings.model.keep_days
    conversations.keep(frame.store.conversations, frame.id, messages, days)


def conclude(frame: Frame, night: Night, base: Snapshot, draft: Draft, landing: Landing) -> Receipt:
    """Record the dream and its proposal in history, commit what is to be applied, and sum up."""
    unkept: tuple[str, ...] = ()
    try:
        _keep(frame, night, draft.report.conversation)
    except HostError as error:  # what was said is no reason to lose what was dreamt
        unkept = (f"the conversation is not kept: {error}",)
    changes = diff(base.tree, draft.applied)
    whole = diff(base.tree, draft.proposal or draft.applied)
    mine, rest = _split(explained(draft.report.whys, changes, whole), changes)
    parts: dict[str, tuple[Tree, Sequence[Why]]] = {"dream": (draft.applied, mine)}
    held: ChangeSet = ChangeSet()
    if draft.proposal is not None:
        parts["proposal"] = draft.proposal, rest
        held = diff(draft.applied, draft.proposal)
    refused = draft.refused or landing.refused
    changed = diff(landing.live, landing.result)
    if draft.report.capped and not changed and not held:
        refused = refused or f"nothing was done before it ended, for {draft.report.capped}"
    done = summary.steps(draft.report, changed or held)
    said = summary.sentence(draft.report, done, changed, held)
    outcome = Outcome.DREAMT if changed or not held else Outcome.PROPOSED
    if draft.report.failed:
        outcome = Outcome.FAILED
    elif refused:
        outcome, said = Outcome.REFUSED, f"refused: {refused}"
    found: list[Finding | str] = [
        *night.remarks,
        *frame.remarks,
        *told(landing.left_out),
        *unkept,
        *draft.report.mishaps,
        *draft.unheard,
        *draft.findings,
    ]
    receipt = Receipt(
        dream=frame.id,
        kind=frame.kind,
        outcome=outcome,
        reason=said,
        memory=str(frame.store.memory),
        started=frame.started.isoformat(),
        engine=night.engine.name,
        level=night.engine.level,
        proposed=len(held.changes),
        steps=done,
        findings=summary.few([*found, *landing.findings]),
        suspected=tuple(map(redact, draft.report.suspected)),
        usage=draft.report.usage,
        estimate=draft.report.estimate,
    )
    started = clock.to_ns(frame.started)
    receipt = carry_out(
        frame,
        base,
        landing.live,
        landing.result,
        receipt=receipt,
        lock_mtime_ns=started if outcome in _DONE else frame.lease.prior_mtime_ns,
        parts=parts,
    )
    if outcome in _DONE and draft.report.missed is not None:
        mark_read(frame.store, draft.report.missed)
    return receipt


def rehearse(store: Store, night: Night) -> tuple[Receipt, Tree, Tree]:
    """Dream without lease, history or commit: return what would change, and both trees.

    Raises:
        MemoryUnfitError: the directory cannot be worked on as it stands.
    """
    started = clock.now()
    base = standing(store)
    since = lock.standing(store, now=started).consolidated
    recalled = recall(store, History(store.database), night, since, writes=False, notes=base)
    with tempfile.TemporaryDirectory(prefix="dreamd-rehearsal-") as folder:
        draft = imagine(night, base, Path(folder) / "stage", recalled)
    if draft.report.failed:
        raise SessionError(summary.unkept(draft.report))
    result = draft.proposal or draft.applied if night.wish.propose else draft.applied
    changes = diff(base, result)
    held = () if draft.proposal is None else diff(draft.applied, draft.proposal).changes
    done = summary.steps(draft.report, changes)
    receipt = Receipt(
        dream=None,
        kind=Kind.CONSOLIDATION,
        outcome=Outcome.SKIPPED,
        reason="dry run, nothing was written: "
        + improved(done, notes=len(changes.changes), proposed=len(held)),
        memory=str(store.memory),
        started=started.isoformat(),
        engine=night.engine.name,
        level=night.engine.level,
        trigger=night.wish.trigger,
        proposed=len(held),
        changes=counts(changes),
        steps=done,
        findings=summary.few([*draft.report.mishaps, *draft.unheard, *draft.findings]),
        suspected=tuple(map(redact, draft.report.suspected)),
        usage=draft.report.usage,
        estimate=draft.report.estimate,
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
