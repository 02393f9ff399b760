"""What is kept of a dream beside the notes: its receipt, the talk of its session, a diary entry."""

from __future__ import annotations

import contextlib
from collections import Counter
from collections.abc import Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from msgspec.structs import replace

from dreamd.domain.change import ChangeSet, Finding, Severity, Why, explained, signed
from dreamd.domain.cost import count, money
from dreamd.domain.dream import Report
from dreamd.domain.receipt import Outcome, Phase, Receipt, Step, Trigger, improved
from dreamd.domain.store import Store
from dreamd.domain.tree import Tree
from dreamd.dream.attempt import Draft, DreamRun
from dreamd.engine import SessionEngine
from dreamd.errors import BusyError, DreamdError, HostError
from dreamd.host import clock
from dreamd.ledger import conversations, diary, receipts
from dreamd.memory.diff import diff
from dreamd.state.store_db import StoreDb
from dreamd.text.markdown.markdown import bare, lines
from dreamd.text.secrets.secrets import redact
from dreamd.text.words import plural
from dreamd.transaction.change import Parts
from dreamd.transaction.frame import Frame

_MOST_FINDINGS = 50  # in a receipt
_UNSURE = "may contradict a line that is named as perhaps out of date"


def summed_up(
    receipt: Receipt,
    draft: Draft,
    changed: ChangeSet,
    findings: Sequence[Finding | str],
) -> Receipt:
    """Return a receipt with what came of a draft of which so much `changed` the notes."""
    report, held, refused = draft.report, draft.held, draft.refused
    done = _steps(draft, changed or held)
    outcome = Outcome.DREAMT if changed or not held else Outcome.PROPOSED
    said = _sentence(report, done, changed, held)
    if report.capped and not changed and not held:
        refused = refused or f"nothing was done before it ended, for {report.capped}"
    if report.failed:
        outcome = Outcome.FAILED
    elif refused:
        outcome, said = Outcome.REFUSED, f"refused: {refused}"
    return replace(
        receipt,
        outcome=outcome,
        reason=said,
        proposed=len(held.changes),
        steps=done,
        findings=_few(findings),
        suspected=tuple(map(redact, report.suspected)),
        usage=report.usage,
        estimate=report.estimate,
    )


def parts(draft: Draft, left_out: Mapping[PurePosixPath, str]) -> Parts:
    """Return what history keeps of a draft, with the reason of every line.

    `left_out` are paths that could not be changed, and why.
    """
    changes = diff(draft.base, draft.applied)
    whole = diff(draft.base, draft.proposal or draft.applied)
    done, waiting = set(signed(changes)), set(signed(whole))
    mine: list[Why] = []
    rest: list[Why] = []
    for why in explained((*draft.tidied.whys, *draft.report.whys), changes, whole):
        at = why.path, why.sign, why.line
        if why.sign == "=" or at in done:
            mine.append(why)
        elif at in waiting:  # else it came and went again, or was mended
            rest.append(why)
    dream = {"dream": (draft.applied, mine)}
    if draft.proposal is None:
        return dream
    waits = _with_findings(rest, draft, draft.proposal, left_out)
    return dream | {"proposal": (draft.proposal, waits)}


def _with_findings(
    held: Sequence[Why], draft: Draft, proposal: Tree, left_out: Mapping[PurePosixPath, str]
) -> list[Why]:
    """Return the reasons of held lines, each with why it is held: what the review said of it.

    What holds for a whole note stands at the first line that is held in it.
    """
    known: dict[tuple[object, ...], int] = {}
    for number, why in enumerate(held):
        for at in ((why.path, why.sign, why.line), (why.path,)):
            known.setdefault(at, number)
    done = [
        replace(each, held=_UNSURE) if each.message and each.path in draft.report.held else each
        for each in held
    ]
    for path in left_out:
        if (number := known.get((path,), -1)) >= 0:
            done[number] = replace(done[number], held=left_out[path])
    for finding in draft.findings:
        path, places = finding.path, list[tuple[object, ...]]()
        for sign, tree in (("+", proposal), ("-", draft.base)):
            rows = lines((tree.data(path) or b"").decode("utf-8", "replace"))
            places += [(path, sign, bare(row)) for row in rows[finding.line - 1 : finding.line]]
        number = next((known[at] for at in (*places, (path,)) if at in known), -1)
        if finding.severity is Severity.HELD_OUT and number >= 0 and not done[number].held:
            done[number] = replace(done[number], held=f"{finding.message} ({finding.rule})")
    return done


def is_failure(store: Store, run: DreamRun, error: BaseException) -> bool:
    """Whether a dream that broke off makes the next one wait.

    Not where another dream ran, or it never came so far as to open the store. Of stops, those
    count that nobody else sees: neither a person's own, nor the daemon's, which counts itself.
    """
    is_seen = isinstance(error, KeyboardInterrupt) and run.trigger in {Trigger.HAND, Trigger.DAEMON}
    return store.home.is_dir() and not is_seen and not isinstance(error, BusyError)


def unkept(report: Report) -> str:
    """Return why a rehearsal failed, with what it cost: no receipt will say that."""
    usage = report.usage
    if not usage.tokens:
        return report.failed
    dollars = f"{money(usage.dollars)}, " if usage.dollars else ""
    return f"{report.failed}; until then it cost {dollars}{count(usage.tokens)} tokens"


def _steps(draft: Draft, changes: ChangeSet) -> tuple[Step, ...]:
    """Return what was done: as an engine counted it, else by the lines that came and went.

    `changes` are those that came through the review; a line that went with a source is retired.
    """
    report, tidied = draft.report, draft.tidied
    if report.steps:
        return report.steps
    came, went = (
        Counter(
            (each.path, line)
            for each in changes
            for line in (each.added if sign == "+" else each.removed)
            if line.strip()
        )
        - Counter((why.path, why.line) for why in tidied.whys if why.sign == sign)
        for sign in "+-"
    )
    retired = (went & Counter[tuple[PurePosixPath, str]](report.superseded)).total()
    every = [
        *tidied.steps,
        Step(Phase.CONSOLIDATE, "wrote {line}", came.total()),
        Step(Phase.PRUNE, "took out or rewrote {line}", went.total() - retired),
        Step(Phase.PRUNE, "retired {line} with its source", retired),
    ]
    return tuple(step for step in every if step.count > 0)


def _sentence(report: Report, done: Sequence[Step], changed: ChangeSet, held: ChangeSet) -> str:
    """Return one sentence on a dream that changed and held out so much."""
    notes, proposed = len(changed.changes), len(held.changes)
    if report.failed:
        if proposed:
            rest = f"; its changes to {plural(proposed, 'note')} until then wait as a proposal"
        else:
            rest = "; nothing of its work until then passed the review" if report.whys else ""
        return report.failed + rest
    said = improved(done, notes=notes, proposed=proposed)
    if report.capped:
        said = f"Ended early, for {report.capped}: {said[:1].lower()}{said[1:]}"
    elif report.remark and not changed and not held:
        said += f": {report.remark}"
    if report.cited:
        said += f"; what you undid or rejected of {' and '.join(report.cited)} stays so"
    return said


def _few(findings: Sequence[Finding | str]) -> tuple[str, ...]:
    """Return findings for a receipt, which is kept for ever: the first, and how many more."""
    said = tuple(map(str, findings[:_MOST_FINDINGS]))
    more = len(findings) - len(said)
    return (*said, f"and {more:,} more like these") if more else said


def _said(run: DreamRun) -> Sequence[Mapping[str, Any]]:
    return run.engine.said if isinstance(run.engine, SessionEngine) else ()


def keep_talk(frame: Frame, run: DreamRun) -> tuple[str, ...]:
    """Keep what was said in a session; say so where that fails: it is no reason to lose a dream."""
    days = run.settings.model.keep_days
    try:
        conversations.keep(frame.store.conversations, frame.id, _said(run), days)
    except HostError as error:
        return (f"the conversation is not kept: {error}",)
    return ()


@contextlib.contextmanager
def talk_kept(frame: Frame, run: DreamRun) -> Iterator[None]:
    """Keep what was said also where the dream breaks off, by a signal too."""
    try:
        yield
    except BaseException:
        keep_talk(frame, run)
        raise


def write_diary(store: Store, run: DreamRun, receipt: Receipt) -> Receipt:
    """Write a dream that changed notes into the diary, if one is wanted; nothing depends on it."""
    if not run.settings.diary or receipt.outcome is not Outcome.DREAMT or not receipt.changes:
        return receipt
    try:
        diary.add(store.diary, receipt, _said(run))
    except DreamdError as error:
        lacking = redact(f"the diary lacks this dream: {error}")
        receipt = replace(receipt, findings=(*receipt.findings, lacking))
        with contextlib.suppress(DreamdError):
            receipts.put(StoreDb(store.database), receipt)
    return receipt


def unchanged(frame: Frame, known: str) -> Receipt:
    """Return the receipt of a dream over the notes and words in which `known` found no change."""
    earlier = receipts.find(frame.history.db, known) or frame.receipt("Nothing to change")
    stamp = clock.to_ns(frame.started)
    receipt = frame.receipt(earlier.reason, findings=earlier.findings, lock_left_ns=stamp)
    return replace(receipt, suspected=earlier.suspected)
