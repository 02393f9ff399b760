"""Changing one's mind: the same merge with other ends, or the exact bytes of a moment."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path, PurePosixPath

from msgspec.structs import replace

from dreamd.domain.receipt import Kind, Outcome, Receipt
from dreamd.domain.store import Store
from dreamd.domain.tree import Entry
from dreamd.errors import RefusedError, UsageError
from dreamd.host import files
from dreamd.host.folder import opened
from dreamd.ledger import receipts
from dreamd.ledger.receipts import Past
from dreamd.state.history import History
from dreamd.text.words import plural
from dreamd.transaction import ending
from dreamd.transaction.change import apply, edit
from dreamd.transaction.ending import conclude, journal_of
from dreamd.transaction.frame import leased
from dreamd.transaction.past import began, held_out, whole

_DONE = {
    Kind.UNDO: "undid dream {}",
    Kind.REDO: "did dream {} again",
    Kind.ACCEPT: "accepted what dream {} proposed",
    Kind.REJECT: "rejected what dream {} proposed",
}

_FEW = 3  # named of what stood
_LATE = PurePosixPath("late")


def turn(store: Store, dream: Past, kind: Kind) -> Receipt:
    """Undo or redo a dream, or accept or reject what the review held out of it.

    An undo takes an accepted proposal back too, but not what the user wrote since; the lock's
    mtime returns to what it was before the dream, if no later dream moved it. A rejected proposal
    changes no note, and no later dream makes it again. Where nothing is to do, the receipt says so.
    """
    ending.recover(store)  # which may complete the undo of it
    ledger = receipts.read(store.database)
    dream = next((each for each in receipts.past(ledger) if each.id == dream.id), dream)
    if why := _nothing_to_do(dream, kind):
        said, started = f"dream {dream.id}: {why}; nothing changed", dream.receipt.started
        return Receipt(None, kind, Outcome.SKIPPED, said, str(store.memory), started, of=dream.id)
    done = _DONE[kind].format(dream.id)
    with leased(store, kind) as frame:
        of_proposal = kind in {Kind.ACCEPT, Kind.REJECT}
        base, theirs = (held_out if of_proposal else whole)(frame.history, dream)
        if kind is Kind.REJECT:
            receipt = frame.receipt(done, of=dream.id)
            return conclude(store, frame.lease, journal_of(receipt), receipt)
        stamp = frame.lease.prior_mtime_ns
        if kind is Kind.UNDO:
            base, theirs = theirs, base
            is_its_own = stamp == _left_since(ledger, dream.receipt)
            if is_its_own and dream.receipt.kind is Kind.CONSOLIDATION:
                stamp = dream.receipt.lock_prior_ns
        return apply(frame, base, theirs, done, of=dream.id, lock_left_ns=stamp)


def _nothing_to_do(dream: Past, kind: Kind) -> str:
    """Return why a dream cannot be turned this way; "" if it can."""
    if kind is Kind.UNDO:
        if dream.undone:
            return "it was undone already"
        is_change = dream.changed and dream.receipt.kind is not Kind.FORGET
        return "" if is_change else "it changed no note, so there is nothing to undo"
    if kind is Kind.REDO:
        return "" if dream.undone else "it is not undone"
    match dream.proposal:
        case "waiting" if kind is Kind.ACCEPT and dream.undone:
            raise RefusedError(f"dream {dream.id} was undone: `dreamd redo {dream.id}` it first")
        case "waiting":
            return ""
        case "accepted" if dream.undone:
            return f"it was accepted and then undone: `dreamd redo {dream.id}` does both again"
        case "accepted" | "rejected" as settled:
            return f"its proposal was {settled} already"
        case _:
            return "it proposed nothing"


def _left_since(ledger: Sequence[Receipt], dream: Receipt) -> int | None:
    """Return the lock's mtime as a dream left it, or as dreams that changed nothing left it since.

    So that "dream, dream again without a change, undo" puts the schedule back too.
    """
    left, is_later = dream.lock_left_ns, False
    for each in ledger:
        is_idle = each.kind is Kind.CONSOLIDATION and each.outcome is Outcome.DREAMT
        if each.dream == dream.dream:
            is_later = True
        elif is_later and is_idle and not each.changes and each.lock_prior_ns == left:
            left = each.lock_left_ns
    return left


def restore(store: Store, receipt: Receipt, paths: Sequence[str]) -> Receipt:
    """Put notes back as they stood when a transaction began; notes that came later stay.

    The live directory is recorded first, so a restore can be undone like a dream. A memory
    directory that is gone is created again.
    """
    wanted = _chosen(store, receipt, paths)
    files.make_private(store.memory)
    return edit(
        store,
        Kind.RESTORE,
        lambda live: replace(live, files={**live.files, **wanted}),
        of=receipt.dream,
        reason=f"restored {plural(len(wanted), 'note')}, as of when {receipt.dream} began",
    )


def write_out(store: Store, receipt: Receipt, paths: Sequence[str], folder: Path) -> int:
    """Write the memory as it stood when a transaction began into a new or empty folder.

    Names, bytes, modes and mtimes are those of that moment. Returns how many files were written.
    """
    wanted = _chosen(store, receipt, paths)
    if folder.resolve().is_relative_to(store.memory):
        raise UsageError(f"--to: {folder} lies in the memory directory: name a folder elsewhere")
    if folder.exists() and (not folder.is_dir() or any(folder.iterdir())):
        raise UsageError(f"--to: {folder} is not an empty folder: name a new one")
    with files.faults("write into", folder):
        files.make_private(folder)
        with opened(folder) as top:
            for path, entry in wanted.items():
                top.make_folders(path.parent)
                with top.below(path.parent) as inside:
                    inside.write_new(path.name, entry)
    return len(wanted)


def _chosen(store: Store, receipt: Receipt, paths: Sequence[str]) -> dict[PurePosixPath, Entry]:
    """Return the notes as a transaction found them; below `late/`, what it met on its way."""
    history = History(store.database)
    then = began(history, receipt)
    found = dict(then.files)
    if not paths:
        return found
    if late := history.tree(receipt.dream or "", "late"):
        found |= {_LATE / path: entry for path, entry in late.files.items()}
    wanted: dict[PurePosixPath, Entry] = {}
    for name in paths:
        path = PurePosixPath(name)
        below = {p: e for p, e in found.items() if p == path or path in p.parents}
        if not below:
            few = ", ".join(map(str, sorted(then.files)[:_FEW])) or "nothing"
            more = f" and {len(then.files) - _FEW} more" if len(then.files) > _FEW else ""
            raise UsageError(f"{name} did not stand in the memory then, but {few}{more} did")
        wanted |= below
    return wanted
