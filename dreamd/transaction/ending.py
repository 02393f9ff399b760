"""The last steps of a commit, in order: ref, receipt, lock, and then the journal goes."""

from __future__ import annotations

import contextlib
from collections.abc import Collection, Mapping
from dataclasses import dataclass, replace
from pathlib import PurePosixPath
from typing import Any

from dreamd import lock, receipts
from dreamd.domain.lease import Lease
from dreamd.domain.receipt import Receipt, from_json, to_json
from dreamd.domain.store import Store
from dreamd.domain.tree import Entry, Tree
from dreamd.errors import HistoryError, HostError, LeaseLostError
from dreamd.host import clock
from dreamd.memory import journal
from dreamd.memory.commit import Landed
from dreamd.memory.history import History
from dreamd.text.names import TEMP_PREFIX

TIP = "refs/heads/memory"  # the last snapshot of the live directory


def ref(dream: str, part: str) -> str:
    """Return the name of a dream's ref: base, dream, proposal, merged or live."""
    return f"refs/dreams/{dream}/{part}"


@dataclass(frozen=True, slots=True)
class Plan:
    """What is to follow once the files are in place; it stands in the journal's first line.

    `merged` is the commit of the result. `lock_mtime_ns` is the mtime the lock is left with,
    None for no lock file at all.
    """

    receipt: Receipt
    merged: str
    lock_mtime_ns: int | None

    def to_json(self) -> dict[str, Any]:
        """Return the plan as the journal's header."""
        return {
            "receipt": to_json(self.receipt),
            "merged": self.merged,
            "lock_mtime_ns": self.lock_mtime_ns,
        }


def plan_from_json(value: Mapping[str, Any]) -> Plan:
    """Return the plan that `Plan.to_json` wrote.

    Raises:
        HostError: the journal's first line is no plan.
    """
    try:
        return Plan(from_json(value["receipt"]), value["merged"], value["lock_mtime_ns"])
    except (KeyError, TypeError, ValueError, AttributeError) as error:
        raise HostError(
            "a journal is damaged: its first line is no plan; the notes are whole, each old or "
            "new: look at them, then move the file below `journal` in the state directory away"
        ) from error


class Keeping:
    """History as the archive of a commit: what turns up during a swap is recorded in a snapshot."""

    def __init__(self, history: History, dream: str, parent: str) -> None:
        self._history = history
        self._dream = dream
        self._tip = parent
        self._files: dict[PurePosixPath, Entry] | None = None

    def keep(self, contents: Mapping[PurePosixPath, Entry], why: str) -> None:
        """Record these bytes durably as a snapshot of their own."""
        if self._files is None:
            self._files = dict(self._history.read(self._tip).files)
        self._files |= {_visible(path): entry for path, entry in contents.items()}
        self._tip = self._history.write(
            Tree(files=dict(self._files)),
            parent=self._tip,
            refs=[ref(self._dream, "late")],
            message=why,
            at=clock.now(),
        )

    def holds(self, blobs: Collection[str]) -> set[str]:
        """Return which of these blob ids history has."""
        return self._history.holds(blobs)

    def read(self, blob: str) -> bytes | None:
        """Return the bytes of a blob id, None where history has none."""
        return self._history.contents([blob])[blob] if self.holds([blob]) else None


def _visible(path: PurePosixPath) -> PurePosixPath:
    """Return a path under which history takes a content found under a temp's name."""
    return path.with_name(path.name.lstrip(".")) if path.name.startswith(TEMP_PREFIX) else path


def _give_back(lease: Lease, mtime_ns: int | None) -> int | None:
    """Leave the lock with this mtime, or without a file; return what the file system kept."""
    try:
        if mtime_ns is not None:
            return lock.finish(lease, mtime_ns=mtime_ns)
        lock.leave(lease, None)
    except LeaseLostError:  # the notes are in place; whoever stands in the lock is left alone
        return mtime_ns
    return None


def conclude(
    store: Store, lease: Lease, dream: str, plan: Plan, landed: Landed | None = None
) -> Receipt:
    """Point the refs, append the receipt, leave the lock as planned, and remove the journal.

    Each step may be repeated after a crash without harm.

    Raises:
        HostError, HistoryError: the state directory is full or gone; the journal then stays,
            and the next changing command concludes.
    """
    history = History(store.history)
    receipt = plan.receipt
    merged = plan.merged
    if landed is not None and landed.late:
        before = history.read(merged)
        standing = {p: e for p, e in {**before.files, **landed.entries}.items() if e is not None}
        merged = history.write(
            replace(before, files=standing),
            parent=history.ref(ref(dream, "late")) or merged,
            refs=[ref(dream, "merged")],
            message=f"{receipt.kind} {dream}: with what was written meanwhile",
            at=clock.now(),
        )
        said = tuple(f"{path}: {what}" for path, what in landed.late)
        receipt = replace(receipt, findings=receipt.findings + said)
    history.point({ref(dream, "merged"): merged, TIP: merged})
    if not any(known.dream == dream for known in receipts.read(store.receipts)):
        receipts.append(store.receipts, receipt)
    left = _give_back(lease, plan.lock_mtime_ns)
    if left != receipt.lock_left_ns:
        receipts.amend_lock(store.receipts, dream, left)
        receipt = replace(receipt, lock_left_ns=left)
    journal.remove(store.journal, dream)
    with contextlib.suppress(HistoryError, HostError):
        history.repack_if_many()  # all is recorded already; another day will do
    return receipt
