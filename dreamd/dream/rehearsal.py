"""A dream that changes nothing: what it would do, or what it would cost."""

from __future__ import annotations

from msgspec.structs import replace

from dreamd import lock
from dreamd.domain.change import Finding
from dreamd.domain.cost import Estimate
from dreamd.domain.receipt import Kind, Outcome, Receipt, counts
from dreamd.domain.store import Store
from dreamd.domain.tree import Tree
from dreamd.dream import summary
from dreamd.dream.attempt import DreamRun, attempt, refuse_unfit
from dreamd.dream.recall import Recalled, recall
from dreamd.engine import SessionEngine
from dreamd.errors import SessionError
from dreamd.host import clock
from dreamd.memory.diff import diff
from dreamd.memory.scan import scan


def rehearse(store: Store, run: DreamRun) -> tuple[Receipt, Tree, Tree]:
    """Dream without lease, history or commit: return what would change, and both trees."""
    started = clock.now()
    base, recalled = _looked(store, run)
    draft = attempt(run, recalled.brief, base)
    if draft.report.failed:
        raise SessionError(summary.unkept(draft.report))
    about = (Kind.CONSOLIDATION, Outcome.SKIPPED, "", str(store.memory), started.isoformat())
    receipt = Receipt(None, *about, run.engine.name, run.engine.level, run.trigger)
    findings: list[Finding | str] = [*draft.report.mishaps, *recalled.remarks, *draft.findings]
    receipt = summary.summed_up(receipt, draft, diff(base, draft.applied), findings)
    result = draft.proposal or draft.applied if run.propose else draft.applied
    receipt = replace(
        receipt,
        outcome=Outcome.SKIPPED,
        reason=f"dry run, nothing was written: {receipt.reason}",
        changes=counts(diff(base, result)),
        seconds=round((clock.now() - started).total_seconds(), 3),
    )
    return receipt, base, result


def foreseen(store: Store, run: DreamRun) -> Estimate | None:
    """Return what a dream would cost, None where the engine costs nothing; nothing is written."""
    brief = _looked(store, run)[1].brief
    return run.engine.estimate(brief) if isinstance(run.engine, SessionEngine) else None


def _looked(store: Store, run: DreamRun) -> tuple[Tree, Recalled]:
    """Return the notes as they stand, and what is known beside them; nothing is written."""
    base = scan(store.memory) if store.memory.is_dir() else Tree()
    refuse_unfit(base)
    since = lock.standing(store, now=clock.now()).consolidated
    return base, recall(store, run, base, since, writes=False)
