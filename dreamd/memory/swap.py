"""One path of a commit: the new content goes in, and what came out is looked at."""

from __future__ import annotations

import contextlib
from collections.abc import Callable
from typing import TypeGuard

from dreamd.domain.tree import Entry
from dreamd.errors import HostError
from dreamd.host.folder import Folder, Odd
from dreamd.host.renames import ExchangeUnsupportedError
from dreamd.memory.journal import Line
from dreamd.memory.underway import Old, Underway, free_temp

DELETED = "deleted meanwhile; it stays deleted"
STAYS = "changed meanwhile, so it was not removed"
SAVED_AGAIN = "changed and saved again meanwhile; what stood in between is in history"
FOLDER_GONE = "its folder is gone or was replaced meanwhile; nothing was written there"
VANISHED = "the new version was removed before it could be put in place; it is in history"
LEFT_ALONE = "something else stands there now; it was left alone"
_TRIES = 80  # for one path against an editor that saves in a loop; some 30 s in all
_TRIES_AT_ONCE = 10
_LOOKS = 5
_BETWEEN_LOOKS = 0.02  # seconds; from the emptying to the writing it is rarely one millisecond

Fence = Callable[[], None]


def swap(way: Underway, line: Line) -> None:
    """Bring one path to its new state; may be repeated after a crash at any point.

    Raises:
        HostError: the path was changed again at each of many tries.
        OSError: as the system says it.
    """
    with way.root.find(line.path.parent) as folder:
        if folder is None:
            way.note(line.path, FOLDER_GONE)
        elif line.new is None:
            _remove(way, folder, line)
        else:
            _put(way, folder, line)


def account(way: Underway, line: Line) -> None:
    """Have an old content that an earlier process left under a temp's name looked at again.

    Its lines say which edit of that content they have brought in already.
    """
    with way.root.find(line.path.parent) as folder:
        found = folder.look(line.temp) if folder else None
        if isinstance(found, Entry) and not line.is_ready_in(found):
            edits = [each.edit for each in way.record.lines if each.source == line.temp]
            way.remember_old(line.path, line.temp, edits[-1] if edits else line.expected)


def look_again(way: Underway, fence: Fence) -> bool:
    """Merge in what was written, through a descriptor opened before, into files replaced since.

    Returns:
        Whether there was anything of the kind.
    """
    found = False
    for old in list(way.olds.values()):
        with way.root.find(old.path.parent) as folder:
            out = folder.look(old.temp) if folder else None
            if folder is None or not isinstance(out, Entry) or out.blob == old.seen:
                continue
            fence()
            found = True
            line = way.latest[old.path]
            if line.new is None:
                _put_back(way, folder, line)
                continue
            out = _at_rest(way, folder, old.temp, out)
            if not isinstance(out, Entry):
                continue
            way.remember_old(old.path, old.temp, out.blob)
            amended = _absorb_beside(way, folder, line, old, out)
            if amended is not None:
                _put(way, folder, amended)
    return found


def _put(way: Underway, folder: Folder, line: Line) -> None:
    for attempt in range(_TRIES):
        ready = folder.look(line.temp)
        if isinstance(ready, Entry) and line.is_ready_in(ready):
            way.contents.setdefault(ready.blob, ready.data)
            going = _swap_in(way, folder, line)
        else:  # an earlier process was here
            going = _look_at(way, folder, line, ready)
        if going is None:
            return
        line = going
        if attempt > _TRIES_AT_ONCE:
            way.sleep(min(0.01 * attempt, 0.5))
    raise HostError(
        f"{folder.path / line.path.name} keeps being changed; stop what writes to it, "
        "and the next command that changes notes finishes this commit"
    )


def _swap_in(way: Underway, folder: Folder, line: Line) -> Line | None:
    """Exchange target and temp, unless somebody was faster; return the line to go on with."""
    name = line.path.name
    standing = folder.look(name)
    if standing is None:
        if line.expected is not None:
            way.note(line.path, DELETED)
            return None
        try:
            folder.rename_new(line.temp, name)
        except FileExistsError:
            return line
        return None
    if line.expected != line.new and line.gives(standing):
        return None
    if not line.expects(standing):
        if not _can_merge(standing, line):
            way.note(line.path, LEFT_ALONE)
            return None
        if _at_rest(way, folder, name, standing) != standing:
            return line
        return way.absorb(folder, line, None, standing, standing)
    try:
        folder.exchange(line.temp, name)
    except FileNotFoundError:
        return line
    except ExchangeUnsupportedError:
        return _rename_over(way, folder, line)
    return _look_at(way, folder, line, folder.look(line.temp))


def _look_at(way: Underway, folder: Folder, line: Line, out: Entry | Odd | None) -> Line | None:
    """Judge what came out in exchange; return the line that brings in an edit, if there was one."""
    if out is None:  # an added file took its temp with it; a replaced one was cleared away
        standing = folder.look(line.path.name)
        if line.expected != line.new and line.expects(standing):
            way.note(line.path, VANISHED)
        return None
    if not line.expects(out) and not _can_merge(out, line):
        way.note(line.path, LEFT_ALONE)
        _give_back(folder, line)
        return None
    if line.expects(out):
        way.remember_old(line.path, line.temp, line.expected)
        return None
    out = _at_rest(way, folder, line.temp, out)
    if not isinstance(out, Entry):
        return line
    way.remember_old(line.path, line.temp, out.blob)
    return _absorb_beside(way, folder, line, Old(line.path, line.temp, line.expected), out)


def _absorb_beside(
    way: Underway, folder: Folder, line: Line, old: Old, edited: Entry
) -> Line | None:
    """Merge an edit of the old content into what stands at the path now."""
    way.keep(line.path, edited)  # before the look, to keep short what an editor can fall into
    standing = folder.look(line.path.name)
    if standing is not None and _can_merge(standing, line):
        return way.absorb(folder, line, old, edited, standing)
    way.note(line.path, DELETED if standing is None else LEFT_ALONE)
    return None


def _at_rest(way: Underway, folder: Folder, name: str, seen: Entry | Odd) -> Entry | Odd | None:
    """Look again at an empty file, for who writes in place empties the file first.

    Were it merged while it is empty, every line that the dream took out would come back with
    the rest.
    """
    found: Entry | Odd | None = seen
    for _ in range(_LOOKS):
        if not isinstance(found, Entry) or found.data:
            break
        way.sleep(_BETWEEN_LOOKS)
        found = folder.look(name)
    return found


def _give_back(folder: Folder, line: Line) -> None:
    """Put back what is no file of ours to replace: a folder or link that took the name."""
    try:
        folder.exchange(line.temp, line.path.name)
    except FileNotFoundError:
        with contextlib.suppress(FileExistsError):
            folder.rename_new(line.temp, line.path.name)


def _rename_over(way: Underway, folder: Folder, line: Line) -> Line | None:
    """Replace without exchange: keep the old file under a second name, check it, rename.

    An edit saved between the check and the rename is lost, which is why exchange is preferred.
    """
    way.exchanged = False
    name = line.path.name
    second = free_temp(folder, line.expected or "", way.numbers)
    try:
        if folder.link_new(name, second):
            old = folder.look(second)
            way.remember_old(line.path, second, line.expected)
            if not line.expects(old):
                way.olds.pop(line.path.with_name(second))
                return line
    except FileNotFoundError:
        return line
    folder.rename(line.temp, name)
    return None


def _remove(way: Underway, folder: Folder, line: Line) -> None:
    out = folder.look(line.temp)
    if out is None:
        standing = folder.look(line.path.name)
        if standing is None:
            return
        if not line.expects(standing):
            way.note(line.path, STAYS)
            return
        try:
            folder.set_aside(line.path.name, line.temp)
        except FileNotFoundError:
            return
        out = folder.look(line.temp)
    if line.expects(out):
        way.remember_old(line.path, line.temp, line.expected)
    elif out is not None:
        _put_back(way, folder, line)


def _put_back(way: Underway, folder: Folder, line: Line) -> None:
    """Give a removed path back what came out changed; a newer file there stays."""
    try:
        folder.rename_new(line.temp, line.path.name)
    except FileExistsError:
        way.note(line.path, SAVED_AGAIN)
    else:
        way.note(line.path, STAYS)
    way.olds.pop(line.path.with_name(line.temp), None)


def _can_merge(found: Entry | Odd, line: Line) -> TypeGuard[Entry]:
    """Whether this is text against text: links and folders are the user's, whole."""
    return isinstance(found, Entry) and not (found.is_link or line.is_link or line.was_link)
