"""What differs between two memory directories."""

from __future__ import annotations

from operator import itemgetter
from pathlib import PurePosixPath

from dreamd.domain.change import Change, ChangeSet, Verb
from dreamd.domain.tree import Entry, Tree
from dreamd.memory.lines import hunks, shown, split


def diff(before: Tree, after: Tree) -> ChangeSet:
    r"""Return every note whose bytes or mode differ, by path.

    Lines come without their ends, in file order; bytes that are not UTF-8 appear as ``\xff``.
    Notes with a NUL byte have no lines. Times alone are no change.
    """
    changes = []
    for path, was, now in differing(before, after):
        gone, came = _texts(was), _texts(now)
        found = hunks(gone, came)
        changes.append(
            Change(
                path,
                Verb.ADDED if was is None else Verb.REMOVED if now is None else Verb.CHANGED,
                tuple(shown(line) for hunk in found for line in gone[hunk.start : hunk.stop]),
                tuple(shown(line) for hunk in found for line in came[hunk.first : hunk.last]),
            )
        )
    return ChangeSet(tuple(changes))


def differing(before: Tree, after: Tree) -> list[tuple[PurePosixPath, Entry | None, Entry | None]]:
    """Return the notes whose bytes or mode differ, by path, as they were and are now."""
    pairs = ((p, before.files.get(p), after.files.get(p)) for p in {*before.files, *after.files})
    changed = (each for each in pairs if _same(each[1]) != _same(each[2]))
    return sorted(changed, key=itemgetter(0))


def _same(entry: Entry | None) -> tuple[bytes, int] | None:
    return None if entry is None else (entry.data, entry.mode)


def _texts(entry: Entry | None) -> tuple[bytes, ...]:
    return () if entry is None or b"\0" in entry.data else split(entry.data).texts
