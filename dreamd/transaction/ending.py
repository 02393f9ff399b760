"""The last steps of a commit: names and receipt in one transaction, then the lock."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from dreamd import lock
from dreamd.domain.change import Why
from dreamd.domain.lease import Lease
from dreamd.domain.receipt import Kind, Outcome, Receipt, counts
from dreamd.domain.store import Store
from dreamd.domain.tree import Entry, Tree
from dreamd.errors import HistoryError, LeaseLostError
from dreamd.host import jsonl
from dreamd.ledger import receipts
from dreamd.memory import commit
from dreamd.memory.commit import Back, Committed
from dreamd.memory.diff import diff
from dreamd.memory.merge import merge3
from dreamd.state import journal
from dreamd.state.history import History
from dreamd.state.journal import Journal
from dreamd.state.store_db import StoreDb
from dreamd.text.words import plural


class Closing(Struct, frozen=True):
    """What is to follow once the files are in place; it stands in the journal.

    `lock_mtime_ns` is the mtime the lock is left with, None for no lock file at all.
    """

    receipt: Receipt
    lock_mtime_ns: int | None

    def to_json(self) -> str:
        """Return the plan as the journal holds it."""
        return jsonl.encode(self).decode()


def plan_of(record: Journal) -> Closing:
    """Return the plan of a journal.

    Raises:
        HistoryError: it is none.
    """
    try:
        return jsonl.decode(record.plan, Closing)
    except ValueError as error:
        raise HistoryError(f"the journal of {record.dream} is damaged: {error}") from error


def conclude(
    store: Store, lease: Lease, record: Journal, plan: Closing, done: Committed | None = None
) -> Receipt:
    """Record how a transaction ended, then leave the lock as planned.

    Each step may be repeated after a crash without harm.

    Raises:
        HostError: the state directory is full or gone; the next changing command concludes.
    """
    db = StoreDb(store.database)
    with db.writing():
        if done is not None:
            plan = replace(plan, receipt=_as_it_came(History(db), plan.receipt, done))
        receipts.put(db, plan.receipt)
        journal.close(db, record.dream, plan.to_json())
    return finish(store, lease, record, plan)


def finish(store: Store, lease: Lease, record: Journal, plan: Closing) -> Receipt:
    """Clear the temps of a closed journal, leave the lock as planned, and remove the journal."""
    db = StoreDb(store.database)
    if record.turns:
        commit.clear(store.memory, record.turns, History(db).holds)
    receipt = replace(plan.receipt, lock_left_ns=_left(lease, plan.lock_mtime_ns))
    with db.writing():
        receipts.put(db, receipt)
        journal.remove(db, record.dream)
    return receipt


def _left(lease: Lease, mtime_ns: int | None) -> int | None:
    """Leave the lock with this mtime, or without a file; return what the file system kept."""
    try:
        return lock.finish(lease, mtime_ns)
    except LeaseLostError:  # the notes are in place; whoever stands in the lock is left alone
        return mtime_ns


def _as_it_came(history: History, receipt: Receipt, done: Committed) -> Receipt:
    """Record what stands now, and return the receipt with what was given back.

    What a dream could not change waits in its proposal.
    """
    dream = receipt.dream or ""
    planned = _tree(history, dream, "merged")
    files: dict[PurePosixPath, Entry | None] = {**planned.files, **done.entries}
    stands = Tree({path: entry for path, entry in files.items() if entry is not None})
    if done.found:
        late = _tree(history, dream, "late") if history.named(dream, "late") else Tree()
        history.write(Tree({**late.files, **done.found}), dream=dream, parts=["late"])
    if not done.given_back:
        return receipt
    history.write(stands, dream=dream, parts=["merged"])
    before = _tree(history, dream, "live" if history.named(dream, "live") else "base")
    said = tuple(f"{path}: {back.why}" for path, back in sorted(done.given_back.items()))
    said += tuple(
        f"{path}: what was in it for a moment is kept: `dreamd restore {dream} late/{path}`"
        for path in sorted(done.found)
    )
    changes = counts(diff(before, stands))
    theirs = {path for path, back in done.given_back.items() if not back.gained}
    receipt = replace(
        receipt,
        findings=(*receipt.findings, *said),
        changes=tuple(each for each in changes if PurePosixPath(each.path) not in theirs),
        reason=f"{receipt.reason}; {plural(len(done.given_back), 'note')} could not be changed",
    )
    if receipt.kind is not Kind.CONSOLIDATION:
        return receipt
    held = _hold_back(history, dream, done.given_back)
    outcome = receipt.outcome
    if outcome is Outcome.DREAMT and not receipt.changes:
        outcome = Outcome.PROPOSED
    return replace(receipt, outcome=outcome, proposed=held)


def _hold_back(history: History, dream: str, given_back: Mapping[PurePosixPath, Back]) -> int:
    """Move what was given back from what a dream did to its proposal; count the files of that."""
    base, did = _tree(history, dream, "base"), _tree(history, dream, "dream")
    has_proposal = history.named(dream, "proposal") is not None
    proposal = _tree(history, dream, "proposal") if has_proposal else did
    files: dict[PurePosixPath, Entry] = dict(did.files)
    for path, back in given_back.items():
        was, entry = base.files.get(path), did.files.get(path)
        grown = merge3(None, was.data, entry.data).data if was and entry and back.gained else None
        if grown is not None and entry is not None:
            files[path] = replace(entry, data=grown)
        elif was is not None:
            files[path] = was
        else:
            files.pop(path, None)
    stays: list[Why] = []
    waits = list(history.whys(dream, "proposal"))
    for why in history.whys(dream, "dream"):
        at = given_back.get(why.path)
        is_held = at is not None and (why.sign == "-" or not at.gained)
        (waits if is_held else stays).append(why)
    applied = replace(did, files=files)
    history.write(applied, dream=dream, parts=["dream"], whys=stays)
    history.write(proposal, dream=dream, parts=["proposal"], whys=waits)
    return len(diff(applied, proposal).changes)


def _tree(history: History, dream: str, part: str) -> Tree:
    snapshot = history.named(dream, part)
    if snapshot is None:
        raise HistoryError(f"history holds no {part} of {dream} any more")
    return history.read(snapshot)
