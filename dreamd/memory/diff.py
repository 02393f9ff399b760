"""What differs between two memory directories, as a value and as a patch."""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from pathlib import PurePosixPath

from dreamd.domain.change import Change, ChangeSet, Verb
from dreamd.domain.tree import Entry, Tree
from dreamd.memory.lines import Hunk, hunks, shown, split
from dreamd.text.late import late

_CONTEXT = 3
_QUOTED = late(r'[\x00-\x1f"\\\x7f\udc80-\udcff]')
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
    """Return the difference as a patch, "" for none.

    `git apply` takes all of it, `patch -p1` what changes lines. Three lines of context; headers
    and the quoting of names are git's, so that links, empty files and modes are told too. A
    patch is for reading only where a file holds a NUL byte (it is named and no more) or bytes
    that are not UTF-8 (they are shown escaped).
    Source: https://git-scm.com/docs/diff-format#generate_patch_text_with_p.
    """
    return "".join(
        line for path, was, now in _differing(before, after) for line in _patch(path, was, now)
    )


def _differing(
    before: Tree, after: Tree
) -> Iterator[tuple[PurePosixPath, Entry | None, Entry | None]]:
    pairs = ((p, before.files.get(p), after.files.get(p)) for p in {*before.files, *after.files})
    changed = (pair for pair in pairs if _same(pair[1]) != _same(pair[2]))
    yield from sorted(changed, key=lambda pair: pair[0])


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
    yield f"diff --git {old} {new}\n"
    if was is None and now is not None:
        old = "/dev/null"
        yield f"new file mode {_kind(now)}\n"
    elif now is None and was is not None:
        new = "/dev/null"
        yield f"deleted file mode {_kind(was)}\n"
    elif was is not None and now is not None and was.mode != now.mode:
        yield f"old mode 100{was.mode:03o}\nnew mode 100{now.mode:03o}\n"
    gone, came = (b"" if entry is None else entry.data for entry in (was, now))
    if b"\0" in gone or b"\0" in came:
        yield f"Binary files {old} and {new} differ\n"
    elif gone != came:
        yield f"--- {_closed(old)}\n+++ {_closed(new)}\n"
        yield from _body(_whole_lines(gone), _whole_lines(came))


def _kind(entry: Entry) -> str:
    """Write what git keeps of a mode: a link, a program, or a file."""
    if entry.is_link:
        return "120000"
    return "100755" if entry.mode & 0o100 else "100644"


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
