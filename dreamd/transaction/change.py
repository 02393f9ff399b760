"""One change of notes carried out: read live, merge, record, journal, swap, conclude."""

from __future__ import annotations

from collections.abc import Callable, Collection, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct, field
from msgspec.structs import replace

from dreamd import lock
from dreamd.domain.change import Why
from dreamd.domain.receipt import Kind, Receipt, Trigger, counts
from dreamd.domain.store import Store
from dreamd.domain.tree import Tree, stamped
from dreamd.errors import RefusedError
from dreamd.host import clock
from dreamd.memory import commit
from dreamd.memory.commit import Committed, Swap
from dreamd.memory.diff import diff
from dreamd.memory.merge import Dropped, merge_trees
from dreamd.memory.prepare import passing
from dreamd.memory.scan import scan
from dreamd.text.words import plural
from dreamd.transaction.ending import conclude, journal_of
from dreamd.transaction.frame import Frame, leased

STILL_WRITTEN = "a program still writes to it, so it was left out"
IN_THE_WAY = "something that is no note stands in its place, so it was left out"

Parts = Mapping[str, tuple[Tree, Sequence[Why]]]  # of a transaction, each with its reasons


class Meeting(Struct, frozen=True):
    """What comes of a change meeting the directory as it stands now.

    `dropped` says what of the change could not be; it `is_whole` as long as no line is lost.
    `left_out` are paths that could not be changed, and why; nothing is taken away anywhere then.
    """

    live: Tree
    result: Tree
    dropped: tuple[tuple[PurePosixPath, Dropped], ...]
    is_whole: bool
    left_out: Mapping[PurePosixPath, str] = field(default_factory=dict)

    @property
    def stays(self) -> tuple[str, ...]:
        """What was left as it is, a sentence each."""
        lines = [f"{path}:{line.number}: {line.reason}" for path, line in self.dropped]
        return (*lines, *told(self.left_out))


def edit(
    store: Store,
    kind: Kind,
    change: Callable[[Tree], Tree],
    *,
    reason: str,
    of: str | None = None,
    whys: Sequence[Why] = (),
    trigger: Trigger = Trigger.HAND,
) -> Receipt:
    """Change notes as the user asked, by a pure function of the tree, in a transaction.

    The lock's mtime stays as it was found: this is no consolidation.
    """
    with leased(store, kind, trigger=trigger) as frame:
        base = frame.snapshot()
        changed = change(base)
        if kind is not Kind.RESTORE:  # which brings back the mtimes of that moment
            changed = stamped(base, changed, clock.to_ns(frame.started))
        return apply(frame, base, changed, reason, whys=whys, of=of)


def apply(
    frame: Frame, base: Tree, theirs: Tree, reason: str, *, whys: Sequence[Why] = (), **more: Any
) -> Receipt:
    """Merge the step from one tree to another into the live notes and commit the result.

    `more` goes into the receipt, which also names the lines that stayed as they are.
    """
    meeting = meet(frame, base, theirs)
    if frame.kind is Kind.RESTORE and not meeting.is_whole:
        path = min(meeting.left_out or {path for path, _ in meeting.dropped})
        raise RefusedError(
            f"{path} cannot be restored here, something else stands in its place: "
            f"`dreamd restore {more['of']} --to DIR` writes it elsewhere"
        )
    if lines := len(meeting.dropped):
        reason += f"; {plural(lines, 'line')} changed since and stayed as they are"
    receipt = frame.receipt(reason, findings=meeting.stays, **more)
    parts: Parts = {"base": (base, ()), "dream": (theirs, whys)}
    return carry_out(frame, receipt, base, meeting.live, meeting.result, parts=parts)


def meet(frame: Frame, base: Tree, theirs: Tree) -> Meeting:
    """Read the live files and merge a change into them."""
    live = scan(frame.store.memory)
    merged = merge_trees(base, live, theirs, is_undo=frame.kind is Kind.UNDO)
    result = merged.tree
    changed = [p for p in result.files if result.files[p] != live.files.get(p)]
    changed += [path for path in live.files if path not in result.files]
    left_out = {path: STILL_WRITTEN for path in changed if path in frame.left_out}
    taken = {*live.unread, *live.files}
    for path in changed:
        if path not in live.files and (path in taken or not taken.isdisjoint(path.parents)):
            left_out[path] = IN_THE_WAY
    if left_out:
        result = without(live, merge_trees(Tree(), live, result).tree, left_out)
    return Meeting(live, result, merged.dropped, merged.is_whole and not left_out, left_out)


def told(left_out: Mapping[PurePosixPath, str]) -> list[str]:
    """Return a sentence for each path that was left out."""
    return [f"{path}: {why}" for path, why in sorted(left_out.items())]


def without(base: Tree, tree: Tree, paths: Collection[PurePosixPath]) -> Tree:
    """Return a tree with these paths as they are in the base."""
    files = {path: entry for path, entry in tree.files.items() if path not in paths}
    files |= {path: entry for path, entry in base.files.items() if path in paths}
    return replace(tree, files=dict(sorted(files.items())))


def carry_out(
    frame: Frame, receipt: Receipt, base: Tree, live: Tree, result: Tree, *, parts: Parts
) -> Receipt:
    """Record live, result and the parts of a change in history, then commit and conclude.

    `receipt.lock_left_ns` is the mtime that the lock is to get, None for no lock file. What the
    notes gained and lost, and the seconds, are filled in here.
    """
    lock.fence(frame.lease)
    swaps = [
        Swap(path, live.files.get(path), result.files.get(path))
        for path in sorted(live.files.keys() | result.files.keys())
        if live.files.get(path) != result.files.get(path)
    ]
    trees = dict(parts)
    if live.files != base.files:
        trees["live"] = live, ()
    trees["merged"] = result, ()
    if between := passing(swaps):
        trees["between"] = Tree(between), ()
    db = frame.history.db
    with db.writing():
        for part, (tree, whys) in trees.items():
            frame.history.write(tree, dream=frame.id, part=part, whys=whys)
    receipt = replace(receipt, changes=counts(diff(live, result)), seconds=frame.seconds)
    record = journal_of(receipt)
    done: Committed | None = None
    if swaps:
        record, done = commit.commit(
            frame.store.memory, db, swaps, record=record, fence=lambda: lock.fence(frame.lease)
        )
    receipt = replace(receipt, seconds=frame.seconds)
    return conclude(frame.store, frame.lease, record, receipt, done)
