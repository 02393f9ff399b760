"""Three versions of a whole memory directory become one, path by path."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, replace
from pathlib import PurePosixPath

from dreamd.domain.tree import Entry, Tree
from dreamd.memory.lines import split
from dreamd.memory.merge import (
    FILE_GONE,
    SAID_NOWHERE_ELSE,
    Dropped,
    insertions_only,
    merge3,
    written,
)
from dreamd.memory.slots import said

LINK_CHANGED = "it is or was a symbolic link and was changed since, so it stays as it is"
IN_THE_WAY = "a file or folder that came since stands in its way"

_FOLDER_MODE = 0o700

Report = tuple[PurePosixPath, Dropped]


@dataclass(frozen=True, slots=True)
class MergedTree:
    """The tree that results, and what of theirs did not make it, by path."""

    tree: Tree
    dropped: tuple[Report, ...] = ()

    @property
    def is_whole(self) -> bool:
        """No line that theirs wrote was lost."""
        return all(each.sign == "-" for _, each in self.dropped)


def merge_trees(base: Tree, live: Tree, theirs: Tree) -> MergedTree:
    """Carry what theirs changed of base over to live.

    A path that theirs did not change stands as it is in live, its mtime too. Where one side has
    a file and the other a folder of that name, live stands. What live and theirs both say, in
    whatever file, is in the result: a line that theirs moved stays at its old place if the new
    one is lost.
    """
    held: dict[PurePosixPath, set[bytes]] = {}
    one, other = live.files, theirs.files  # a file that both have is in the result as it is
    apart = [p for p in {*one, *other} if _content(one.get(p)) != _content(other.get(p))]
    in_both = _said(one[p] for p in apart if p in one) & _said(
        other[p] for p in apart if p in other
    )
    while True:  # `held` grows each time, so this ends
        merged = _merge(base, live, theirs, held)
        gone = in_both and in_both - _said(merged.tree.files.values())
        more = {path: gone & _said([base.files[path]]) for path in base.files} if gone else {}
        more = {path: lines for path, lines in more.items() if lines - held.get(path, set())}
        if not more:
            return merged
        for path, lines in more.items():
            held.setdefault(path, set()).update(lines)


def insertions_only_tree(base: Tree, theirs: Tree) -> Tree:
    """Return theirs with every line, file and folder it removed put back, modes as in base.

    What theirs added where something of base stands is left out. Merged over any live tree,
    nothing of base is removed.
    """
    paths = {**base.files, **theirs.files}
    files = {path: _insertions(base.files.get(path), theirs.files.get(path)) for path in paths}
    folders = {**theirs.folders, **base.folders}
    present = {path: entry for path, entry in files.items() if entry is not None}
    return _assemble(present, base, base, replace(theirs, folders=folders)).tree


def _merge(
    base: Tree, live: Tree, theirs: Tree, held: Mapping[PurePosixPath, AbstractSet[bytes]]
) -> MergedTree:
    files: dict[PurePosixPath, Entry] = {}
    dropped: list[Report] = []
    for path in sorted({*base.files, *live.files, *theirs.files}):
        was, is_now, new = (tree.files.get(path) for tree in (base, live, theirs))
        entry, lost = _merge_entry(was, is_now, new, held.get(path, frozenset()))
        dropped += [(path, each) for each in lost]
        if entry is not None:
            files[path] = entry
    result = _assemble(files, base, live, theirs)
    dropped += result.dropped
    return MergedTree(result.tree, tuple(sorted(dropped, key=lambda report: report[0])))


def _content(entry: Entry | None) -> tuple[bytes, bool] | None:
    return None if entry is None else (entry.data, entry.is_link)


def _merge_entry(
    base: Entry | None, live: Entry | None, theirs: Entry | None, held: AbstractSet[bytes]
) -> tuple[Entry | None, tuple[Dropped, ...]]:
    was, is_now, new = _content(base), _content(live), _content(theirs)
    if was == new and (base is None or theirs is None or base.mode == theirs.mode):
        return live, ()
    if any(entry is not None and entry.is_link for entry in (base, live, theirs)):
        return _merge_opaque(base, live, theirs, is_held=bool(held))
    merged = merge3(was and was[0], is_now and is_now[0], new and new[0], held=held)
    if merged.data is None:
        return None, merged.dropped
    mode = _mode(base, live, theirs)
    if theirs is not None and merged.data == theirs.data:
        return replace(theirs, mode=mode), merged.dropped
    if live is not None and merged.data == live.data and mode == live.mode:
        return live, merged.dropped
    newest = max(entry.mtime_ns for entry in (live, theirs) if entry is not None)
    return Entry(merged.data, mode, newest), merged.dropped


def _merge_opaque(
    base: Entry | None, live: Entry | None, theirs: Entry | None, *, is_held: bool
) -> tuple[Entry | None, tuple[Dropped, ...]]:
    """Merge where a link is involved: as one value, never as text."""
    was, is_now, new = _content(base), _content(live), _content(theirs)
    if is_now == was and not is_held:
        return theirs, ()
    if new in (was, is_now):
        return live, ()
    if theirs is None:
        return live, (Dropped("", 0, "-", LINK_CHANGED),)
    reason = FILE_GONE if live is None else LINK_CHANGED
    return live, _lost(theirs, SAID_NOWHERE_ELSE if is_held else reason)


def _mode(base: Entry | None, live: Entry | None, theirs: Entry | None) -> int:
    if live is None or theirs is None:
        return next(entry.mode for entry in (live, theirs) if entry is not None)
    return theirs.mode if base is not None and live.mode == base.mode else live.mode


def _lost(entry: Entry, reason: str) -> tuple[Dropped, ...]:
    """Report a whole file of theirs as lost, line by line where it has lines."""
    whole = (Dropped("", 0, "+", reason),)
    if entry.is_link or b"\0" in entry.data:
        return whole
    return tuple(written(None, entry.data, reason)) or whole


def _assemble(
    files: Mapping[PurePosixPath, Entry], base: Tree, live: Tree, theirs: Tree
) -> MergedTree:
    """Make one tree of files and the folders around them; live wins where names collide."""
    kept = {path for path in files if path in live.files} | live.unread
    coming = [path for path in files if path not in live.files]
    above = _above([*kept, *(path for path in coming if not _is_below(path, kept))])
    folders: dict[PurePosixPath, int] = {}
    for path in sorted(live.folders, key=lambda folder: len(folder.parts), reverse=True):
        is_removed = path in base.folders and path not in theirs.folders
        if path in above or not is_removed:
            folders[path] = _folder_mode(path, base, live, theirs)
            above |= _above([path])
    taken = above | folders.keys() | kept
    blocked = {path for path in coming if path in taken or _is_below(path, kept)}
    lost = [path for path in files if path in blocked]
    dropped = [(path, each) for path in lost for each in _lost(files[path], IN_THE_WAY)]
    standing = {path: entry for path, entry in files.items() if path not in blocked}
    taken = standing.keys() | live.unread
    for path in sorted(theirs.folders.keys() - base.folders.keys() - folders.keys()):
        if path not in taken and not _is_below(path, taken):
            folders[path] = theirs.folders[path]
        elif not any(_is_below(file, {path}) for file in theirs.files):
            dropped.append((path, Dropped("", 0, "+", IN_THE_WAY)))
    for path in _above([*standing, *folders]) - folders.keys():
        folders[path] = _folder_mode(path, base, live, theirs)
    return MergedTree(Tree(standing, dict(sorted(folders.items())), live.unread), tuple(dropped))


def _folder_mode(path: PurePosixPath, base: Tree, live: Tree, theirs: Tree) -> int:
    mine, new = live.folders.get(path), theirs.folders.get(path)
    if mine is not None and (new is None or mine != base.folders.get(path)):
        return mine
    return new if new is not None else base.folders.get(path, _FOLDER_MODE)


def _above(paths: Iterable[PurePosixPath]) -> set[PurePosixPath]:
    """Return every folder that these paths stand in, the memory directory itself excepted."""
    return {parent for path in paths for parent in path.parents if parent.parts}


def _is_below(path: PurePosixPath, others: AbstractSet[PurePosixPath]) -> bool:
    return any(parent in others for parent in path.parents)


def _insertions(base: Entry | None, theirs: Entry | None) -> Entry | None:
    if base is None:
        return theirs
    if theirs is None or base.is_link or theirs.is_link:
        return base
    data = insertions_only(base.data, theirs.data)
    if data is None or data == base.data:
        return base
    return replace(theirs, data=data, mode=base.mode)


def _said(entries: Iterable[Entry]) -> set[bytes]:
    """Return everything that the lines of some files say."""
    texts = (entry.data for entry in entries if not entry.is_link and b"\0" not in entry.data)
    return {said(line) for data in texts for line in split(data).texts} - {b""}
