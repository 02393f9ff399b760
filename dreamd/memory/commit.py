"""Swap a set of new notes into the memory directory: all of it, and no edit of a person lost."""

from __future__ import annotations

import contextlib
import errno
import re
import time
from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from pathlib import Path, PurePosixPath

from msgspec import Struct, field
from msgspec.structs import replace

from dreamd.domain.tree import Entry
from dreamd.host import clock, files
from dreamd.host.folder import Folder, opened
from dreamd.host.renames import ExchangeUnsupportedError
from dreamd.memory.prepare import TEMP_PREFIX, Swap, discard, prepare
from dreamd.state import journal
from dreamd.state.history import History
from dreamd.state.journal import Journal, Turn
from dreamd.state.store_db import StoreDb
from dreamd.text.late import late

__all__ = ["Back", "Committed", "Fence", "Swap", "clear", "commit", "recover", "sweep"]

EDITED = "edited while it was being written, so the edit stands"
DELETED = "deleted meanwhile, so it stays deleted"
FOLDER_GONE = "its folder is gone or was replaced meanwhile"
VANISHED = "the new version was removed before it could be put in place"
IN_THE_WAY = "something else was put there meanwhile"
WITHHELD = "nothing was taken from it, since another note could not be changed"
LATE = 1.0  # seconds in which a program that has a replaced file open may still finish
_RECENT_NS = 2_000_000_000
_TEMP = late(rf"{re.escape(TEMP_PREFIX)}\d+-([0-9a-f]{{12}})\.tmp")  # as `prepare` names them
_STEP = 0.02  # seconds between two looks at who is writing
# What the next try may not meet again; anything else that a swap meets concerns this path alone.
_PASSING = {errno.ENOSPC, errno.EDQUOT, errno.EIO, errno.ENOMEM, errno.EMFILE, errno.ENFILE}

Fence = Callable[[], None]
Holds = Callable[[Iterable[str]], Collection[str]]  # of some SHA-256, those that are known


class Back(Struct, frozen=True):
    """Why a path was not changed; it `gained` what it was to gain where only losses are left."""

    why: str
    gained: bool


class Committed(Struct, frozen=True):
    """How the paths of a commit stand in the end, None for no file.

    `given_back` are the paths that were not changed, or not wholly. `found` are contents that
    somebody wrote meanwhile and that stand nowhere but under a temp's name.
    """

    entries: Mapping[PurePosixPath, Entry | None] = field(default_factory=dict)
    given_back: Mapping[PurePosixPath, Back] = field(default_factory=dict)
    found: Mapping[PurePosixPath, Entry] = field(default_factory=dict)


def commit(
    root: Path,
    db: StoreDb,
    swaps: Iterable[Swap],
    *,
    record: Journal,
    fence: Fence,
    sleep: Callable[[float], None] = time.sleep,
) -> tuple[Journal, Committed]:
    """Carry out a set of swaps so that a crash at any instruction leaves each file old or new.

    History must hold every expected and new content already. Once the journal is written, the
    set is completed and never undone: an error from then on leaves the journal, and `recover`
    finishes. Where somebody writes to a path meanwhile, what they wrote stands, and from then on
    nothing is taken away anywhere. The journal and the temps stay until the caller has closed
    the one and called `clear`.

    Returns:
        `record` with the turns of these swaps, and how they ended.

    Raises:
        RefusedError: a path cannot be replaced; nothing has happened.
        HostError: disk full, read-only, no permission. If the journal does not wait, nothing
            has happened.
        LeaseLostError: by the fence, which is asked before the journal and before each file.
    """
    prepared = prepare(root, swaps)
    record = replace(record, turns=prepared.turns)
    try:
        fence()
        journal.write(db, record)
    except BaseException:
        if journal.waiting(db) is None:  # a sync that fails last may leave it standing
            discard(root, prepared)
        raise
    return record, recover(root, record, fence=fence, sleep=sleep)


def recover(
    root: Path, record: Journal, *, fence: Fence, sleep: Callable[[float], None] = time.sleep
) -> Committed:
    """Carry out what a journal says, from wherever it stopped; may itself be repeated."""
    with files.faults("finish the commit in", root), opened(root) as top:
        way = _Way(top, fence, sleep)
        for turn in record.turns:
            if not turn.loses:
                way.take(turn)
        way.look_again()
        for turn in record.turns:
            if turn.loses:
                way.take(turn)
        way.look_again()
        for parent in sorted({turn.path.parent for turn in record.turns}):
            with top.find(parent) as found:
                if found is not None:
                    found.sync()
        entries = {turn.path: _entry(top, turn.path) for turn in record.turns}
    return Committed(entries, way.given_back, way.found)


class _Way(Struct):
    """A commit past its journal, and what it met on the way."""

    root: Folder
    fence: Fence
    sleep: Callable[[float], None]
    given_back: dict[PurePosixPath, Back] = field(default_factory=dict)
    found: dict[PurePosixPath, Entry] = field(default_factory=dict)
    olds: list[Turn] = field(default_factory=list)  # swapped, and the old file not judged yet

    def take(self, turn: Turn) -> None:
        """Bring one path to its new state, or give it back; may be repeated after a crash."""
        if turn.path in self.given_back:
            return
        if turn.loses and self.given_back:
            self.given_back[turn.path] = Back(WITHHELD, gained=True)
            return
        self.fence()
        try:
            with self.root.find(turn.path.parent) as folder:
                why = FOLDER_GONE if folder is None else self._swap(folder, turn)
        except OSError as error:
            if error.errno in _PASSING:
                raise
            why = f"{error.strerror}"
        if why:
            self.given_back[turn.path] = Back(why, gained=turn.loses)

    def look_again(self) -> None:
        """Give back a file to whoever had it open for writing, once they had time to finish."""
        until = time.monotonic() + LATE
        while self.olds and any(map(self._is_restless, self.olds)) and time.monotonic() < until:
            self.sleep(_STEP)
        for turn in self.olds:
            with self.root.find(turn.path.parent) as folder:
                out = folder.look(turn.temp) if folder else None
                if folder is None or out is None:
                    continue
                if not _is(out, turn.expected) or folder.is_being_written(turn.temp):
                    self.fence()
                    self._give_back(folder, turn)
                    self.given_back.setdefault(turn.path, Back(EDITED, gained=turn.loses))
        self.olds = []

    def _is_restless(self, turn: Turn) -> bool:
        with self.root.find(turn.path.parent) as folder:
            if folder is None:
                return False
            is_written = folder.is_being_written(turn.temp)
            out = folder.look(turn.temp) if is_written is None else None
        if isinstance(out, Entry):  # nobody can tell: whoever wrote just now may go on
            return 0 <= clock.to_ns(clock.now()) - out.mtime_ns < _RECENT_NS
        return bool(is_written)

    def _swap(self, folder: Folder, turn: Turn) -> str:
        ready = folder.look(turn.temp)
        if turn.new is None:
            return self._remove(folder, turn) if ready is None else self._judge(folder, turn)
        if ready is None:
            standing = folder.look(turn.path.name)
            return "" if not _is(standing, turn.expected) or standing is None else VANISHED
        return self._put(folder, turn) if _is_ready(ready, turn) else self._judge(folder, turn)

    def _put(self, folder: Folder, turn: Turn) -> str:
        name = turn.path.name
        standing = folder.look(name)
        try:
            if turn.expected is None:
                folder.rename_new(turn.temp, name)
                return ""
            if standing is None:
                return DELETED
            if not _is(standing, turn.expected):
                if _is(standing, turn.new):
                    return ""
                return EDITED if isinstance(standing, Entry) else IN_THE_WAY
            folder.exchange(turn.temp, name)
        except FileExistsError:
            return "" if _is(standing, turn.new) else IN_THE_WAY
        except FileNotFoundError:
            return DELETED
        except ExchangeUnsupportedError:
            folder.rename(turn.temp, name)  # an edit saved since the look is lost
            return ""
        return self._judge(folder, turn)

    def _remove(self, folder: Folder, turn: Turn) -> str:
        standing = folder.look(turn.path.name)
        if standing is None:
            return ""
        if not _is(standing, turn.expected):
            return EDITED
        with contextlib.suppress(FileNotFoundError):
            folder.set_aside(turn.path.name, turn.temp)
            return self._judge(folder, turn)
        return ""

    def _judge(self, folder: Folder, turn: Turn) -> str:
        """Look at what came out: what was expected, or something that its owner gets back."""
        if _is(folder.look(turn.temp), turn.expected):
            self.olds.append(turn)
            return ""
        self._give_back(folder, turn)
        return EDITED

    def _give_back(self, folder: Folder, turn: Turn) -> None:
        """Put what came out where it was; of two edits the newest stands."""
        name = turn.path.name
        try:
            if turn.new is None:
                folder.rename_new(turn.temp, name)
                return
            folder.exchange(turn.temp, name)
            if not _is(folder.look(turn.temp), turn.new):
                folder.exchange(turn.temp, name)
        except (FileNotFoundError, FileExistsError):
            pass  # deleted or saved anew since: what came out is kept, and stands nowhere
        if isinstance(left := folder.look(turn.temp), Entry) and not _is(left, turn.new):
            self.found[turn.path] = left


def clear(root: Path, turns: Sequence[Turn], holds: Holds) -> None:
    """Unlink the temps of a commit whose content history holds, and folders that it emptied."""
    with files.faults("finish the commit in", root), opened(root) as top:
        found: dict[PurePosixPath, str] = {}
        for turn in turns:
            temp = turn.path.with_name(turn.temp)
            if (entry := _entry(top, temp)) is not None:
                found[temp] = entry.sha
        held = holds(found.values())
        for temp, sha in found.items():
            with top.find(temp.parent) as folder:
                if folder is not None and sha in held:
                    with contextlib.suppress(OSError):  # `sweep` names what cannot go
                        folder.unlink(temp.name)
        for path in sorted({turn.path for turn in turns if turn.new is None}, reverse=True):
            for emptied in path.parents[:-1]:
                top.remove_folder(emptied)


def sweep(root: Path, history: History) -> list[PurePosixPath]:
    """Unlink temps that a dead process left; return those that may be somebody's, by path.

    A temp is ours where its name has the form, it is the only name of its file, and history
    holds its content, or the one that its name tells of begins with it. Needs the lease.
    """
    kept: list[PurePosixPath] = []
    with files.faults("sweep", root), opened(root) as top:
        waiting = [PurePosixPath()]
        while waiting:
            here = waiting.pop()
            with top.find(here) as folder:
                for name, kind in sorted(folder.kinds().items()) if folder else ():
                    if kind == "folder" and not name.startswith("."):
                        waiting.append(here / name)
                    if folder is None or not name.startswith(TEMP_PREFIX):
                        continue
                    found = folder.look(name) if kind == "file" else None
                    if isinstance(found, Entry) and _is_ours(folder, name, found, history):
                        folder.unlink(name)
                        if here.parts:
                            top.remove_folder(here)  # where nothing else is in it
                    else:
                        kept.append(here / name)
    return kept


def _is_ours(folder: Folder, name: str, found: Entry, history: History) -> bool:
    if not folder.is_only_name(name):
        return False
    if history.holds([found.sha]):
        return True
    told = _TEMP.fullmatch(name)  # one that was killed while it was written is a beginning
    whole = history.of_short_sha(told[1]) if told else None
    return whole is not None and whole.startswith(found.data)


def _is(found: Entry | str | None, sha: str | None) -> bool:
    return found is None if sha is None else isinstance(found, Entry) and found.sha == sha


def _is_ready(found: Entry | str | None, turn: Turn) -> bool:
    """Whether a temp still holds the new content, so that the swap is to come.

    Where only mode or mtime are to change, the bytes cannot tell, so those do.
    """
    if not isinstance(found, Entry) or not _is(found, turn.new):
        return False
    as_made = (found.mode, found.mtime_ns) == (turn.mode, turn.mtime_ns)
    return turn.expected != turn.new or as_made


def _entry(root: Folder, path: PurePosixPath) -> Entry | None:
    with root.find(path.parent) as folder:
        found = folder.look(path.name) if folder else None
        return found if isinstance(found, Entry) else None
