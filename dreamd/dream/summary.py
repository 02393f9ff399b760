"""What a receipt says of a dream: its steps and one sentence, by what came through the review."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from pathlib import PurePosixPath

from dreamd.domain.change import ChangeSet
from dreamd.domain.dream import Report
from dreamd.domain.finding import Finding
from dreamd.domain.receipt import Phase, Step, improved
from dreamd.text.words import count, money, plural

_MOST_FINDINGS = 50  # in a receipt


def steps(report: Report, changes: ChangeSet) -> tuple[Step, ...]:
    """Return what was done: as the engine counted it, else by the lines that came and went.

    `changes` are those that came through the review; a line that went with a source is retired.
    """
    if report.steps:
        return report.steps
    came = sum(bool(line.strip()) for change in changes for line in change.added)
    went = Counter(
        (change.path, line) for change in changes for line in change.removed if line.strip()
    )
    retired = (went & Counter[tuple[PurePosixPath, str]](report.superseded)).total()
    every = [
        Step(Phase.CONSOLIDATE, "wrote {line}", came),
        Step(Phase.PRUNE, "took out or rewrote {line}", went.total() - retired),
        Step(Phase.PRUNE, "retired {line} with its source", retired),
    ]
    return tuple(step for step in every if step.count > 0)


def sentence(report: Report, done: Sequence[Step], changed: ChangeSet, held: ChangeSet) -> str:
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


def unkept(report: Report) -> str:
    """Return why a rehearsal failed, with what it cost: no receipt will say that."""
    usage = report.usage
    if not usage.tokens:
        return report.failed
    dollars = f"{money(usage.dollars)}, " if usage.dollars else ""
    return f"{report.failed}; until then it cost {dollars}{count(usage.tokens)} tokens"


def few(findings: Sequence[Finding | str]) -> tuple[str, ...]:
    """Return findings for a receipt, which is kept for ever: the first, and how many more."""
    said = tuple(map(str, findings[:_MOST_FINDINGS]))
    more = len(findings) - len(said)
    return (*said, f"and {more:,} more like these") if more else said
