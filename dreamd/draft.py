"""What one try of a dream brings: an engine at work on a private copy, and the review of it."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import datetime
from pathlib import Path
from typing import Any

from dreamd import receipts, transcripts
from dreamd.domain.change import Declined, Heeded
from dreamd.domain.dream import Brief, Report
from dreamd.domain.ending import Phase
from dreamd.domain.finding import Finding
from dreamd.domain.settings import Settings
from dreamd.domain.store import Store
from dreamd.domain.tree import Tree, stamped
from dreamd.engine.protocol import Engine, Progress
from dreamd.errors import MemoryUnfitError
from dreamd.host import clock
from dreamd.memory.check import unfit
from dreamd.memory.diff import diff
from dreamd.memory.history import History
from dreamd.memory.review import review
from dreamd.memory.stage import harvest, stage
from dreamd.memory.trees import insertions_only_tree
from dreamd.transaction.past import declined, heeded, once
from dreamd.transcripts import Heard


@dataclass(frozen=True, slots=True)
class Wish:
    """What was asked for beside a plain dream."""

    sessions: Sequence[Path] = ()
    propose: bool = False  # hold everything out as a proposal
    fork: Mapping[str, Any] | None = None  # another client's request, for a model to continue


@dataclass(frozen=True, slots=True)
class Night:
    """What stays the same over all tries of one dream."""

    engine: Engine
    settings: Settings
    wish: Wish = Wish()
    progress: Progress = lambda _phase, _text: None


@dataclass(frozen=True, slots=True)
class Recalled:
    """What is known beside the notes, the same over all tries of one dream.

    What people said, and what became of what former dreams did.
    """

    memory: Path
    since: datetime | None
    heard: Heard
    declined: Declined
    heeded: Heeded


@dataclass(frozen=True, slots=True)
class Draft:
    """What one try brought: the base, what is to be applied, and what is held out of it.

    `unheard` says what of the sessions could not be read.
    """

    base: Tree
    applied: Tree
    proposal: Tree | None
    report: Report
    findings: tuple[Finding, ...] = ()
    refused: str | None = None
    unheard: tuple[str, ...] = ()


def recall(store: Store, history: History, night: Night, since: datetime | None) -> Recalled:
    """Return what people said in the sessions, and which changes and messages are settled.

    `since` is when the last dream began.

    Raises:
        HostError, HistoryError: the receipts or the history cannot be read.
    """
    dreams = receipts.past(receipts.read(store.receipts))
    night.progress(Phase.GATHER, "reading the sessions")
    heard = transcripts.people(night.wish.sessions, state=store.state)
    settled = heeded(store, dreams)
    heard = replace(heard, said=once(heard.said, settled))
    return Recalled(store.memory, since, heard, declined(history, dreams), settled)


def imagine(night: Night, base: Tree, folder: Path, recalled: Recalled) -> Draft:
    """Let the engine work on a private copy, and review what it really did there.

    Raises:
        MemoryUnfitError: the index cannot be worked on: a link, binary, too large.
    """
    if sentence := unfit(base):
        raise MemoryUnfitError(sentence)
    with stage(base, folder) as copy:
        report = night.engine.dream(
            Brief(
                stage=copy,
                base=base,
                settings=night.settings,
                memory=recalled.memory,
                since=recalled.since,
                sessions=night.wish.sessions,
                said=recalled.heard.said,
                declined=recalled.declined,
                heeded=recalled.heeded,
                fork=night.wish.fork,
            ),
            night.progress,
        )
        after = harvest(base, copy)
    verdict = review(base, after, settings=night.settings, report=report)
    now = clock.to_ns(clock.now())  # of a line that the review mended
    applied = stamped(base, verdict.applied, now)
    proposal = None if verdict.proposal is None else stamped(base, verdict.proposal, now)
    if report.capped and not verdict.refused:  # what passed waits; what did not, a finding names
        proposal = applied if diff(base, applied) else proposal
    if night.wish.propose or verdict.refused or report.capped:
        applied, proposal = base, proposal or applied
    if proposal is not None and not diff(applied, proposal):
        proposal = None
    unheard = tuple(f"{each.path} was not heard: {each.reason}" for each in recalled.heard.unread)
    return Draft(base, applied, proposal, report, verdict.findings, verdict.refused, unheard)


def insertions_only(draft: Draft) -> Draft:
    """Return a draft that removes nothing; what it would have removed becomes the proposal."""
    return replace(
        draft,
        applied=insertions_only_tree(draft.base, draft.applied),
        proposal=draft.proposal or draft.applied,
    )
