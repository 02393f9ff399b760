"""Rules about finding one's way: every pointer resolves, every note is reached."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from msgspec.structs import replace

from dreamd.domain.tree import INDEX, Entry
from dreamd.memory.faults import read
from dreamd.memory.index_lines import line_for, with_lines
from dreamd.memory.review.case import Case, Edit
from dreamd.memory.review.hold import Objection
from dreamd.memory.review.rule import Mend
from dreamd.text.late import late
from dreamd.text.markdown.markdown import bare, ending, lines
from dreamd.text.markdown.note import is_pinned
from dreamd.text.markdown.pointers import (
    Pointer,
    aimed,
    nearest,
    pointers,
    resolve,
    unlinked,
    unreachable,
)

_MARKER = late(r"[ \t]*(?:[-*+]|\d{1,9}[.)])?[ \t*_]*")


def pointers_resolve(case: Case) -> Iterator[Objection | Mend]:
    """Every pointer leads to a note; one that did not before is the user's own.

    In a line that is new it is aimed at the note it surely means, or becomes plain words. In one
    that moved it is aimed at the note that it led to; if that is gone, the note stands again.
    """
    known: Mapping[_Pointing, PurePosixPath | None] | None = None
    restored: set[PurePosixPath] = set()
    for path, text in case.after.texts.items():
        dangling = case.after.dangling(path)
        if not dangling:
            continue
        known = _led_before(case) if known is None else known
        edit = case.edits.get(path)
        added = set(edit.added) if edit else set()
        rows = [bare(row) for row in lines(text)]
        ours: list[tuple[Pointer, PurePosixPath | None]] = []
        for pointer in dangling:
            if pointer.line not in added:
                goal = case.before.goal(pointer, path) if path in case.before.texts else None
                is_ours = False
            else:
                key = _pointing(rows[pointer.line], pointer)
                goal = known.get(key)
                is_ours = key not in known or goal in case.after.names
            if is_ours:
                ours.append((pointer, goal or nearest(pointer.target, case.after.names)))
            elif goal is not None and goal not in restored:
                restored.add(goal)
                yield Objection(goal, f"{path} points here, so it stays as it was")
        if edit is not None and ours:
            yield from _settle(case, edit, text, ours)


_Pointing = tuple[str, str]  # what a line says, and the name it points to


def _pointing(row: str, pointer: Pointer) -> _Pointing:
    return row.strip(" \t-*+#>"), pointer.target.name


def _led_before(case: Case) -> Mapping[_Pointing, PurePosixPath | None]:
    """Return where each pointer led before, None for those that dangled."""
    found: dict[_Pointing, PurePosixPath | None] = {}
    for path, text in case.before.texts.items():
        rows = lines(text)
        for pointer in pointers(text, path):
            key = _pointing(bare(rows[pointer.line]), pointer)
            found[key] = case.before.goal(pointer, path) or found.get(key)
    return found


def _settle(
    case: Case, edit: Edit, text: str, dangling: list[tuple[Pointer, PurePosixPath | None]]
) -> Iterator[Objection | Mend]:
    rows = list(lines(text))
    held = read(case.dreamt, case.settings, known=case.after)
    for pointer, goal in reversed(dangling):
        row = bare(rows[pointer.line])
        is_entry = _MARKER.fullmatch(row[: pointer.start])
        if is_entry and resolve(pointer, held.names, edit.path, held.wiki_names):
            said = f"points to {pointer.target}, which is held out"
            yield Objection(edit.path, said, added=(pointer.line,))
            continue
        line = aimed(row, pointer, edit.path, goal) if goal else unlinked(row, pointer)
        rows[pointer.line] = line + ending(rows[pointer.line])
        said = f"pointed to {pointer.target}; now {f'to {goal}' if goal else 'plain words'}"
        yield Mend(edit.path, pointer.line + 1, said, _written(edit.now, "".join(rows)))


def _written(entry: Entry | None, text: str) -> Entry:
    data = text.encode("utf-8", "surrogateescape")
    return Entry(data) if entry is None else replace(entry, data=data)


def notes_are_reached(case: Case) -> Iterator[Objection | Mend]:
    """Every note is reached from the index; one that was not before is the user's own.

    A new note gets a pointer. Of a note that lost its last one, that pointer stands again. The
    index does not go while there are notes.
    """
    before = case.before.texts
    if INDEX in before and INDEX not in case.after.names and case.after.texts:
        yield Objection(INDEX, "is the index of the notes that stay")
        return
    was_lost = set(unreachable(before))
    lost = [path for path in unreachable(case.after.texts) if path not in was_lost]
    new: list[PurePosixPath] = []
    for path in lost:
        objections = list(_pointers_gone(case, path)) if path in before else []
        if objections:
            yield from objections
        else:
            new.append(path)
    index = case.after.texts.get(INDEX, "")
    can_point = INDEX in case.after.texts or INDEX not in case.after.names
    if new and (not can_point or is_pinned(before.get(INDEX, "")) or case.stern):
        for path in new:
            yield Objection(path, f"has no pointer, and {INDEX} may not get one")
        return
    entry = case.after.tree.files.get(INDEX)
    if new and entry is None:
        newest = max(each.mtime_ns for each in case.after.tree.files.values())
        entry = Entry(b"", mtime_ns=newest)
    for number, path in enumerate(new, 1):
        added = [line_for(each, case.after.texts[each]) for each in new[:number]]
        said = f"had no pointer in {INDEX}"
        yield Mend(INDEX, 0, f"{path} {said}", _written(entry, with_lines(index, added)))


def _pointers_gone(case: Case, path: PurePosixPath) -> Iterator[Objection]:
    """Yield the removed lines that led to a note, in files that still stand, the index first."""
    sources = sorted(case.edits, key=lambda source: (source != INDEX, source))
    for source in sources:
        edit = case.edits[source]
        if edit.now is None or source not in case.before.texts:
            continue
        removed = set(edit.removed)
        numbers = {
            pointer.line
            for pointer in pointers(case.before.texts[source], source)
            if pointer.line in removed and case.before.goal(pointer, source) == path
        }
        if numbers:
            said = f"was the last pointer to {path}"
            yield Objection(source, said, removed=tuple(sorted(numbers)))
            return
