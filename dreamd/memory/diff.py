"""What differs between two memory directories, as a value and as a patch."""

from __future__ import annotations

import io
from collections.abc import Iterator
from operator import itemgetter
from pathlib import PurePosixPath

from dreamd.domain.change import Change, ChangeSet, Verb
from dreamd.domain.tree import Entry, Tree
from dreamd.memory.lines import Hunk, hunks, shown, split

_CONTEXT = 3
_ONE_LINE = {number: f"\\x{number:02x}" for number in (*range(32), 127)}


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


def unified(before: Tree, after: Tree) -> str:
    """Return the difference as a patch for `patch -p1`, "" for none; three lines of context.

    It is for reading only where a note holds a NUL byte (it is named and no more), bytes that
    are not UTF-8 (they are shown escaped), or where the kind of line ends differs.
    """
    return "".join(
        line for path, was, now in differing(before, after) for line in _patch(path, was, now)
    )


def differing(before: Tree, after: Tree) -> list[tuple[PurePosixPath, Entry | None, Entry | None]]:
    """Return the notes whose bytes or mode differ, by path, as they were and are now."""
    pairs = ((p, before.files.get(p), after.files.get(p)) for p in {*before.files, *after.files})
    changed = (each for each in pairs if _same(each[1]) != _same(each[2]))
    return sorted(changed, key=itemgetter(0))


def _same(entry: Entry | None) -> tuple[bytes, int] | None:
    return None if entry is None else (entry.data, entry.mode)


def _texts(entry: Entry | None) -> tuple[bytes, ...]:
    return () if entry is None or b"\0" in entry.data else split(entry.data).texts


def _patch(path: PurePosixPath, was: Entry | None, now: Entry | None) -> Iterator[str]:
    said = str(path).encode("utf-8", "backslashreplace").decode().translate(_ONE_LINE)
    end = "\t" if " " in said else ""  # so that `patch` reads all of the name
    names = [
        f"{side}/{said}{end}" if entry else "/dev/null" for side, entry in (("a", was), ("b", now))
    ]
    data = [b"" if entry is None else entry.data for entry in (was, now)]
    if data[0] == data[1]:
        yield f"# {said}: only its mode differs, or it is empty\n"
    elif any(b"\0" in each for each in data):
        yield f"# {said}: binary\n"
    else:
        yield f"--- {names[0]}\n+++ {names[1]}\n"
        yield from _body(*(list(io.BytesIO(each)) for each in data))


def _body(gone: list[bytes], came: list[bytes]) -> Iterator[str]:
    groups: list[list[Hunk]] = []
    for hunk in hunks(gone, came):  # those whose context would touch stand together
        if groups and hunk.start - groups[-1][-1].stop <= 2 * _CONTEXT:
            groups[-1].append(hunk)
        else:
            groups.append([hunk])
    for group in groups:
        start = max(group[0].start - _CONTEXT, 0)
        stop = min(group[-1].stop + _CONTEXT, len(gone))
        first = group[0].first - (group[0].start - start)
        last = group[-1].last + (stop - group[-1].stop)
        yield f"@@ -{_span(start, stop)} +{_span(first, last)} @@\n"
        for hunk in group:
            yield from _printed(" ", gone[start : hunk.start])
            yield from _printed("-", gone[hunk.start : hunk.stop])
            yield from _printed("+", came[hunk.first : hunk.last])
            start = hunk.stop
        yield from _printed(" ", gone[start:stop])


def _span(start: int, stop: int) -> str:
    """Write a range as a hunk header does: an empty one names the line before it."""
    if stop - start == 1:
        return f"{start + 1}"
    return f"{start + (stop > start)},{stop - start}"


def _printed(sign: str, lines: list[bytes]) -> Iterator[str]:
    for line in lines:
        yield sign + shown(line)
        if not line.endswith(b"\n"):
            yield "\n\\ No newline at end of file\n"
