"""What differs between two memory directories, as a patch to read."""

from __future__ import annotations

import io
from collections.abc import Iterator
from pathlib import PurePosixPath

from dreamd.domain.tree import Entry, Tree
from dreamd.memory.diff import differing
from dreamd.memory.lines import Hunk, hunks, shown

_CONTEXT = 3
_ONE_LINE = {number: f"\\x{number:02x}" for number in (*range(32), 127)}


def unified(before: Tree, after: Tree) -> str:
    """Return the difference as a patch for `patch -p1`, "" for none; three lines of context.

    It is for reading only where a note holds a NUL byte (it is named and no more), bytes that
    are not UTF-8 (they are shown escaped), or where the kind of line ends differs.
    """
    return "".join(
        line for path, was, now in differing(before, after) for line in _patch(path, was, now)
    )


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
