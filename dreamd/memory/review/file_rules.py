"""Rules about whole files: what may come, what must stay as it is, how its lines end."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from msgspec.structs import replace

from dreamd.memory.faults import LARGEST, stray, undecodable
from dreamd.memory.review.case import Case, Edit
from dreamd.memory.review.hold import Objection
from dreamd.memory.review.rule import Mend
from dreamd.text.markdown.note import is_pinned

_EXECUTABLE = 0o111
_MARK = "\ufeff".encode()


def only_markdown(case: Case) -> Iterator[Objection | Mend]:
    """Only Markdown comes, and what is none stays as it is: hidden files, links, other kinds."""
    before, after = case.before.tree, case.after.tree
    folded = {str(path).casefold(): path for path in before.files}
    for path in case.changed:
        was, now = before.files.get(path), after.files.get(path)
        said = stray(path, is_link=now.is_link if now else bool(was and was.is_link))
        if was is not None and was.is_link and said is None:
            said = "was a symbolic link"
        if said is not None:
            yield Objection(path, f"{said}; a dream leaves it as it is" if was else said)
            continue
        other = folded.setdefault(str(path).casefold(), path)
        if was is None and other != path:
            yield Objection(path, f"differs from {other} in case only")
        elif was is None and _is_in_the_way(path, case):
            yield Objection(path, "takes the place of what was there before")
        elif now is not None and now.mode & _EXECUTABLE & ~(was.mode if was else 0):
            yield Mend(path, 0, "was made executable", replace(now, mode=now.mode & ~_EXECUTABLE))


def _is_in_the_way(path: PurePosixPath, case: Case) -> bool:
    before = case.before.tree
    taken = {*before.files, *before.unread}
    return path in {*before.folders, *before.unread} or not taken.isdisjoint(path.parents)


def only_text(case: Case) -> Iterator[Objection]:
    """Notes stay UTF-8 text of at most 1 MiB."""
    for path in case.changed:
        now, was = case.after.tree.files.get(path), case.before.tree.files.get(path)
        if any(entry is not None and b"\0" in entry.data for entry in (was, now)):
            yield Objection(path, "is binary: it holds a NUL byte")
        elif any(entry is not None and len(entry.data) > LARGEST for entry in (was, now)):
            yield Objection(path, "has over 1 MiB")
        elif now is not None and path in case.edits:
            edit = case.edits[path]
            broken = [n for n in edit.added if undecodable(edit.new.texts[n]) is not None]
            if broken:
                yield Objection(path, "is not UTF-8 here", added=tuple(broken))


def pinned_stay(case: Case) -> Iterator[Objection]:
    """Pinned notes and `team/` stay as they are."""
    for path in case.changed:
        if path.parts[0] == "team":
            yield Objection(path, "is shared with the team, so a dream leaves it as it is")
        elif is_pinned(case.before.texts.get(path, "")):
            yield Objection(path, "is pinned (`pinned: true`), so a dream leaves it as it is")


def lines_end_as_before(case: Case) -> Iterator[Mend]:
    """Lines end as they did, new ones like the others, and the last one has an end."""
    for edit, _ in case.come():
        now = edit.now
        if now is None:
            continue
        ends = _ends(edit)
        mark = edit.was is not None and edit.was.data.startswith(_MARK) and edit.new.texts
        lacks_mark = mark and not now.data.startswith(_MARK)
        if ends == edit.new.ends and not lacks_mark:
            continue
        pairs = zip(ends, edit.new.ends, strict=True)
        differ = [number for number, (end, old) in enumerate(pairs) if end != old]
        if lacks_mark:
            said = "had its byte order mark taken away"
        elif differ == [len(ends) - 1]:
            said = "had no end of its last line"
        else:
            said = "had other line ends than the note"
        data = b"".join(part for pair in zip(edit.new.texts, ends, strict=True) for part in pair)
        entry = replace(now, data=_MARK + data if lacks_mark else data)
        yield Mend(edit.path, (differ or [0])[0] + 1, said, entry)


def _ends(edit: Edit) -> tuple[bytes, ...]:
    """Return the line ends a note should have: those of before, new lines in the same style."""
    styles = {*(edit.new if edit.was is None else edit.old).ends} - {b""}
    style = styles.pop() if len(styles) == 1 else b""
    ends = list(edit.new.ends)
    kept = {new: old for old, new in edit.place.items()}
    for number, end in enumerate(ends):
        if number in kept and edit.old.ends[kept[number]]:
            ends[number] = edit.old.ends[kept[number]]
        elif style and end:
            ends[number] = style
    if ends and not ends[-1]:
        last = len(ends) - 1
        is_theirs = kept.get(last) == len(edit.old.ends) - 1
        if not (is_theirs and edit.old.ends[-1:] == (b"",)):
            ends[-1] = style or b"\n"
    return tuple(ends)
