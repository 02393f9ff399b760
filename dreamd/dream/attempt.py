"""One try of a dream: an engine at work on the notes in memory, the review of it, and the merge."""

from __future__ import annotations

from collections.abc import Collection, Mapping, Sequence
from functools import lru_cache
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec import Struct
from msgspec.structs import replace

from dreamd.domain.change import ChangeSet, Finding, Severity
from dreamd.domain.dream import Brief, Report
from dreamd.domain.receipt import Trigger
from dreamd.domain.settings import Settings
from dreamd.domain.tree import Entry, Tree, edited, like_neighbours, stamped
from dreamd.engine import Engine, Progress
from dreamd.errors import MemoryUnfitError
from dreamd.host import clock
from dreamd.memory.check import unfit
from dreamd.memory.diff import diff
from dreamd.memory.faults import read
from dreamd.memory.merge import merge_trees
from dreamd.memory.review import Reviewed, grounded, review
from dreamd.transaction.change import Meeting, meet, without
from dreamd.transaction.frame import Frame

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dreamd.domain.evidence import Sources
    from dreamd.memory.review.grounding import Grounding


class DreamRun(Struct, frozen=True):
    """What stays the same over all tries of one dream."""

    engine: Engine
    settings: Settings
    sessions: Sequence[Path] = ()  # folders of transcripts
    propose: bool = False  # hold everything out as a proposal
    fork: Mapping[str, Any] | None = None  # another client's request, for a model to continue
    trigger: Trigger = Trigger.HAND  # what began it
    progress: Progress = lambda _phase, _text: None
    tidy: Engine | None = None  # puts the notes in order before a session with a model
    fallback: Engine | None = None  # dreams where the engine's dream failed or was refused
    remarks: tuple[str, ...] = ()  # to stand in the receipt before what the dream found

    def fallen_back(self, reason: str) -> DreamRun:
        """Return it as the fallback dreams it, with the reason in its receipt."""
        said = f"the {self.engine.name}'s session failed: {reason}"
        engine = self.fallback or self.engine
        return replace(self, engine=engine, tidy=None, fallback=None, remarks=(said,))


class Draft(Struct, frozen=True):
    """What one try brought: the base, what is to be applied, and what is held out of it."""

    base: Tree
    applied: Tree
    proposal: Tree | None
    report: Report
    findings: tuple[Finding, ...] = ()
    refused: str | None = None
    tidied: Report = Report()
    begun: Tree = Tree()  # the notes as the session found them

    @property
    def held(self) -> ChangeSet:
        """What is held out."""
        return ChangeSet() if self.proposal is None else diff(self.applied, self.proposal)


def refuse_unfit(notes: Tree) -> None:
    """Refuse notes whose index cannot be worked on: a link, binary, too large."""
    if sentence := unfit(notes):
        raise MemoryUnfitError(sentence)


def attempt(run: DreamRun, brief: Brief, base: Tree) -> Draft:
    """Let the engine work on the notes, and review what it really did.

    Before a session begins, the rules put the notes in order, which is reviewed by itself: the
    session, and the review of what it did, start from there.
    """
    refuse_unfit(base)
    brief, tidied = replace(brief, base=base), Report()
    findings: tuple[Finding, ...] = ()
    if run.tidy is not None:
        asked_for = replace(brief, said=(), candidates=(), unread=())
        order = run.tidy.dream(asked_for, run.progress)
        first = _judged(run, base, order)
        if first.refused is None and first.applied != base:
            tidied, findings = order, first.findings
            brief = replace(brief, base=_as_old(base, first.applied), tidied=order.steps)
    begun = brief.base

    @lru_cache(maxsize=1)  # of one session all reviews hold its lines against the same
    def ground(sources: Sources | None) -> Grounding | None:
        return grounded(read(begun, run.settings), sources)

    def judge(report: Report) -> Reviewed:
        return _judged(run, begun, report, ground(report.grounds))

    report = run.engine.dream(
        replace(brief, judge=lambda report: judge(report).findings), run.progress
    )
    verdict = _with_held(judge(report), report)
    now = clock.to_ns(clock.now())  # of a line that the review mended
    applied = stamped(base, verdict.applied, now)
    proposal = None if verdict.proposal is None else stamped(base, verdict.proposal, now)
    is_cut = bool(report.capped or report.failed)
    if is_cut and not verdict.refused:  # what passed waits; what did not, a finding names
        proposal = applied if diff(brief.base, applied) else proposal
        applied = base
    if run.propose or verdict.refused or is_cut:
        applied, proposal = base, proposal or applied
    if proposal is not None and not diff(applied, proposal):
        proposal = None
    findings = tuple(dict.fromkeys((*findings, *verdict.findings)))
    return Draft(base, applied, proposal, report, findings, verdict.refused, tidied, begun)


def _as_old(base: Tree, tidied: Tree) -> Tree:
    """Return tidied notes as old as they were: a session is to know when people changed them."""
    files = {
        path: replace(entry, mtime_ns=base.files[path].mtime_ns) if path in base.files else entry
        for path, entry in tidied.files.items()
    }
    return replace(tidied, files=files)


def _judged(
    run: DreamRun, before: Tree, report: Report, known: Grounding | None = None
) -> Reviewed:
    """Return what the review makes of an engine's edits."""
    after = like_neighbours(before, edited(before, report.edits, clock.to_ns(clock.now())))
    return review(before, after, settings=run.settings, report=report, grounding=known)


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


def land(frame: Frame, run: DreamRun, draft: Draft) -> tuple[Meeting, Draft]:
    """Merge a draft into the live notes; where they are no longer its base, review the result.

    The meeting is whole if no line of the dream was dropped, nor held out in this second look.
    """
    met = meet(frame, draft.base, draft.applied)
    if met.live.files == draft.base.files:
        return replace(met, is_whole=not met.left_out), draft
    before = met.live
    if draft.begun.files != draft.base.files:  # what the rules did first is judged as it was
        tidied = merge_trees(draft.base, met.live, draft.begun).tree
        first = review(met.live, tidied, settings=run.settings, report=draft.tidied)
        before = first.applied
    verdict = review(before, met.result, settings=run.settings, report=draft.report)
    held = any(finding.severity is Severity.HELD_OUT for finding in verdict.findings)
    result = stamped(met.live, verdict.applied, clock.to_ns(clock.now()))
    met = replace(
        met,
        result=met.live if verdict.refused else result,
        is_whole=met.is_whole and not held and verdict.refused is None,
    )
    findings = (*draft.findings, *verdict.findings)
    return met, replace(draft, findings=findings, refused=draft.refused or verdict.refused)


def insertions_only(draft: Draft, left_out: Collection[PurePosixPath] = ()) -> Draft:
    """Return a draft that removes nothing, and does not touch some paths; the rest it proposes."""
    grown = merge_trees(Tree(), draft.base, draft.applied).tree
    applied = without(draft.base, grown, left_out)
    tidied = replace(draft.tidied, steps=())  # how much of it came to be nobody counts
    return replace(draft, applied=applied, proposal=draft.proposal or draft.applied, tidied=tidied)
