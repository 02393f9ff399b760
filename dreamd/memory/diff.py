"""What differs between two memory directories, as a value and as a patch."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from dreamd.domain.change import Change, ChangeSet, Verb
from dreamd.domain.tree import Entry, Tree
from dreamd.memory.lines import Hunk, hunks, shown, split

_CONTEXT = 3
_LINK_MODE = 0o120000
_FILE_MODE = 0o100000
_QUOTED = re.compile(r'[\x00-\x1f"\\\x7f\udc80-\udcff]')
_ESCAPES = {"\a": "a", "\b": "b", "\t": "t", "\n": "n", "\v": "v", "\f": "f", "\r": "r"}


def diff(before: Tree, after: Tree) -> ChangeSet:
    r"""Return every file whose bytes, mode or kind differ, by path.

    Lines come without their ends, in file order; bytes that are not UTF-8 appear as ``\xff``.
    Links and files with a NUL byte have no lines. Times alone are no change.
    """
    changes = []
    for path, was, now in _differing(before, after):
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
    """Return the difference as a patch that `git apply` and `patch -p1` take, "" for none.

    Three lines of context; names quoted as git does. What lines cannot say (modes, links, empty
    files) stands in git's extended headers; files with a NUL byte are only named. Bytes that
    are not UTF-8 are shown escaped: such a patch is for reading.
    """
    return "".join(
        line for path, was, now in _differing(before, after) for line in _patch(path, was, now)
    )


def _differing(
    before: Tree, after: Tree
) -> Iterator[tuple[PurePosixPath, Entry | None, Entry | None]]:
    for path in sorted({*before.files, *after.files}):
        was, now = before.files.get(path), after.files.get(path)
        if _same(was) != _same(now):
            yield path, was, now


def _same(entry: Entry | None) -> tuple[bytes, int, bool] | None:
    return None if entry is None else (entry.data, entry.mode, entry.is_link)


def _texts(entry: Entry | None) -> tuple[bytes, ...]:
    if entry is None or entry.is_link or b"\0" in entry.data:
        return ()
    return split(entry.data).texts


def _patch(path: PurePosixPath, was: Entry | None, now: Entry | None) -> Iterator[str]:
    if was is not None and now is not None and (was.is_link or now.is_link):
        yield from _patch(path, was, None)
        yield from _patch(path, None, now)
        return
    old, new = _name("a/", path), _name("b/", path)
    yield from _header(old, new, was, now)
    gone, came = (b"" if entry is None else entry.data for entry in (was, now))
    old, new = "/dev/null" if was is None else old, "/dev/null" if now is None else new
    if gone == came:
        return
    if b"\0" in gone or b"\0" in came:
        yield f"Binary files {old} and {new} differ\n"
        return
    yield f"--- {_closed(old)}\n+++ {_closed(new)}\n"
    yield from _body(_whole_lines(gone), _whole_lines(came))


def _header(old: str, new: str, was: Entry | None, now: Entry | None) -> Iterator[str]:
    """Say in git's words what `---` and `+++` cannot; nothing for a plain change of lines."""
    extended = []
    present = [entry for entry in (was, now) if entry is not None]
    is_plain = not any(entry.is_link or not entry.data for entry in present)
    if was is None and now is not None and not is_plain:
        extended = [f"new file mode {_mode(now)}\n"]
    elif now is None and was is not None and not is_plain:
        extended = [f"deleted file mode {_mode(was)}\n"]
    elif was is not None and now is not None and _mode(was) != _mode(now):
        extended = [f"old mode {_mode(was)}\n", f"new mode {_mode(now)}\n"]
    if extended:
        yield f"diff --git {old} {new}\n"
        yield from extended


def _mode(entry: Entry) -> str:
    return f"{_LINK_MODE:o}" if entry.is_link else f"{_FILE_MODE | entry.mode:o}"


def _name(prefix: str, path: PurePosixPath) -> str:
    """Quote a name as git's diff does where it would not stand on one line as it is."""
    name = prefix + str(path)
    if not _QUOTED.search(name):
        return name

    def escaped(match: re.Match[str]) -> str:
        character = match[0]
        if character in '"\\':
            return "\\" + character
        code = ord(character)
        byte = code - 0xDC00 if code >= 0xDC80 else code
        return "\\" + _ESCAPES.get(character, f"{byte:03o}")

    return f'"{_QUOTED.sub(escaped, name)}"'


def _closed(name: str) -> str:
    """End a name that holds a blank with a tab, as git does, so that `patch` reads all of it."""
    return f"{name}\t" if " " in name and not name.startswith('"') else name


def _whole_lines(data: bytes) -> list[bytes]:
    """Return lines with their ends: a patch is about bytes."""
    *whole, rest = data.split(b"\n")
    return [line + b"\n" for line in whole] + ([rest] if rest else [])


def _body(gone: Sequence[bytes], came: Sequence[bytes]) -> Iterator[str]:
    for group in _groups(hunks(gone, came)):
        start = max(group[0].start - _CONTEXT, 0)
        stop = min(group[-1].stop + _CONTEXT, len(gone))
        first = group[0].first - (group[0].start - start)
        last = group[-1].last + (stop - group[-1].stop)
        yield f"@@ -{_span(start, stop)} +{_span(first, last)} @@\n"
        at = start
        for hunk in group:
            yield from _printed(" ", gone[at : hunk.start])
            yield from _printed("-", gone[hunk.start : hunk.stop])
            yield from _printed("+", came[hunk.first : hunk.last])
            at = hunk.stop
        yield from _printed(" ", gone[at:stop])


def _groups(found: Sequence[Hunk]) -> Iterator[list[Hunk]]:
    """Put hunks together whose context would touch."""
    group: list[Hunk] = []
    for hunk in found:
        if group and hunk.start - group[-1].stop > 2 * _CONTEXT:
            yield group
            group = []
        group.append(hunk)
    if group:
        yield group


def _span(start: int, stop: int) -> str:
    """Write a range as a hunk header does: an empty one names the line before it."""
    if stop - start == 1:
        return f"{start + 1}"
    return f"{start + (stop > start)},{stop - start}"


def _printed(sign: str, lines: Sequence[bytes]) -> Iterator[str]:
    for line in lines:
        yield sign + shown(line)
        if not line.endswith(b"\n"):
            yield "\n\\ No newline at end of file\n"
