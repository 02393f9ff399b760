"""The way a set of changes reaches the live notes: all of it, or nothing, and no edit lost."""

from __future__ import annotations

import time
from collections.abc import Callable, Collection, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import timedelta
from pathlib import Path, PurePosixPath
from typing import Any

from dreamd.domain.tree import Entry
from dreamd.host import files
from dreamd.host.folder import Folder, opened
from dreamd.memory import journal
from dreamd.memory.journal import Journal
from dreamd.memory.prepare import Swap, discard, prepare
from dreamd.memory.swap import Fence, account, look_again, swap
from dreamd.memory.sweep import sweep
from dreamd.memory.underway import Archive, Underway

__all__ = ["Archive", "Fence", "Landed", "Swap", "commit", "prepare", "recover", "sweep"]

LATE = timedelta(seconds=1)  # for which a descriptor opened before a swap may still be written to
_LATE_ROUNDS = 3

Sleep = Callable[[float], None]


@dataclass(frozen=True, slots=True)
class Landed:
    """How the paths of a commit stand in the end, None for no file.

    `late` says what was edited, deleted or put there by somebody while the commit went on, and
    what became of it. `exchanged` is false where the file system could not swap names in one
    step, so that an edit saved in that very moment may have been missed.
    """

    entries: Mapping[PurePosixPath, Entry | None] = field(default_factory=dict)
    late: tuple[tuple[PurePosixPath, str], ...] = ()
    exchanged: bool = True


def commit(
    root: Path,
    swaps: Iterable[Swap],
    *,
    dream: str,
    journal_folder: Path,
    header: Mapping[str, Any],
    fence: Fence,
    archive: Archive,
    folders: Mapping[PurePosixPath, int] | None = None,
    folders_gone: Collection[PurePosixPath] = (),
    watch_late: timedelta = LATE,
    sleep: Sleep = time.sleep,
) -> Landed:
    """Carry out a set of swaps so that a crash at any instruction leaves each file old or new.

    The archive must hold every expected and new content already. Once the journal stands, the
    set is completed and never undone: an error from then on leaves the journal, and `recover`
    finishes. The journal stays in any case until the caller, done with ref, receipt and lock,
    removes it. `folders` gives the modes of folders to be created (0700 otherwise),
    `folders_gone` those to be removed if the swaps emptied them. `watch_late` is how long a
    file that was replaced is watched for a write that is still under way; `sleep` takes seconds.

    Raises:
        HostError: disk full, read-only, no permission. If the journal does not wait, nothing
            has happened.
        LeaseLostError: by the fence, which is asked before the journal and before each file.
    """
    swaps = tuple(swaps)
    prepared = prepare(root, swaps, folders or {})
    record = Journal(header, prepared.lines, tuple(folders_gone))
    try:
        fence()
        journal.write(journal_folder, dream, record)
    except BaseException:
        if journal.withdraw(journal_folder, dream):
            discard(root, prepared)
        raise
    entries = [each for one in swaps for each in (one.expected, one.new) if each is not None]
    contents = {entry.blob: entry.data for entry in entries}
    with files.faults("finish the commit in", root), opened(root) as top:
        way = Underway(top, journal_folder, dream, archive, record, contents, sleep=sleep)
        return _complete(way, fence, watch_late)


def recover(
    root: Path,
    journal_folder: Path,
    dream: str,
    *,
    fence: Fence,
    archive: Archive,
    watch_late: timedelta = LATE,
    sleep: Sleep = time.sleep,
) -> Landed:
    """Complete a commit whose process died, from its journal; may itself be repeated.

    What was edited since is merged like any edit. Needs the lease. Sweep afterwards: a temp
    that was never journalled is none of the journal's.

    Raises:
        HostError: no such journal, or the system says no; the journal stays.
        LeaseLostError: by the fence.
    """
    record = journal.read(journal_folder, dream)
    with files.faults("finish the commit in", root), opened(root) as top:
        way = Underway(top, journal_folder, dream, archive, record, sleep=sleep)
        pending = {id(line) for line in record.pending}
        for line in record.lines:
            if id(line) not in pending:
                account(way, line)
        return _complete(way, fence, watch_late)


def _complete(way: Underway, fence: Fence, watch_late: timedelta) -> Landed:
    for line in way.record.pending:
        fence()
        swap(way, line)
    if way.record.pending:
        _settle(way)
    for _ in range(_LATE_ROUNDS):
        if not way.olds:
            break
        way.sleep(watch_late.total_seconds())
        if not look_again(way, fence):
            break
        _settle(way)
    _clear(way)
    for folder in sorted(way.record.folders_gone, reverse=True):
        way.root.remove_folder(folder)
    entries = {path: _standing(way.root, path) for path in way.latest}
    return Landed(entries, tuple(way.late), way.exchanged)


def _settle(way: Underway) -> None:
    """Make the swaps durable, and the fact that they were made."""
    for path in sorted({path.parent for path in way.latest}):
        with way.root.find(path) as folder:
            if folder is not None:
                folder.sync()
    journal.mark_swapped(way.journal_folder, way.dream)


def _clear(way: Underway) -> None:
    """Unlink the temps; a content that history does not hold is recorded first."""
    blobs = {old.seen for old in way.olds.values()} | {line.new for line in way.latest.values()}
    held = way.archive.holds([blob for blob in blobs if blob is not None])
    for temp, path in sorted(way.temps.items()):
        with way.root.find(temp.parent) as folder:
            found = folder.look(temp.name) if folder else None
            if folder is None or found is None:
                continue
            if not isinstance(found, Entry):
                way.note(path, f"{found} that stood there meanwhile is now named {temp.name}")
                continue
            if found.blob not in held:
                way.keep(path, found)
            folder.unlink(temp.name)


def _standing(root: Folder, path: PurePosixPath) -> Entry | None:
    with root.find(path.parent) as folder:
        found = folder.look(path.name) if folder else None
        return found if isinstance(found, Entry) else None
