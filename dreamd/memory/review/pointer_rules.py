"""Rules about finding one's way: every pointer resolves, every note is reached."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from dreamd.domain.tree import INDEX, Entry
from dreamd.memory.check import redirected, written
from dreamd.memory.faults import read
from dreamd.memory.index_lines import line_for, with_lines
from dreamd.memory.review.case import Case
from dreamd.memory.review.hold import Mend, Objection
from dreamd.text.late import late
from dreamd.text.markdown.markdown import bare, lines
from dreamd.text.markdown.note import is_pinned
from dreamd.text.markdown.pointers import Pointer, nearest, pointers

_MARKER = late(r"[ \t]*(?:[-*+]|\d{1,9}[.)])?[ \t*_]*")
_Pointing = tuple[str, str]  # what a line says, and the name it points to


def pointers_resolve(case: Case) -> Iterator[Objection | Mend]:
    """Every pointer leads to a note; one that did not before is the user's own.

    In a line that is new it is aimed at the note it surely means, or becomes plain words. In one
    that moved it is aimed at the note that it led to; if that is gone, the note stands again.
    """
    known: Mapping[_Pointing, PurePosixPath | None] | None = None
    restored: set[PurePosixPath] = set()
    is_removed = case.before.names - case.after.names
    for path in case.after.texts if is_removed else [edit.path for edit, _ in case.come()]:
        dangling = case.after.dangling(path)
        if not dangling:
            continue
        known = _led_before(case) if known is None else known
        edit = case.edits.get(path)
        added = set(edit.added) if edit else set()
        rows = lines(case.after.texts[path])
        ours: list[tuple[Pointer, PurePosixPath | None]] = []
        for pointer in dangling:
            key = _pointing(rows[pointer.line], pointer)
            goal = known.get(key)
            if pointer.line in added and (key not in known or goal in case.after.names):
                ours.append((pointer, goal or nearest(pointer.target, case.after.names)))
            elif goal is not None and goal not in restored:
                restored.add(goal)
                yield Objection(goal, f"{path} points here, so it stays as it was")
        if edit is not None and edit.now is not None and ours:
            held = _to_held_out(case, path, [pointer for pointer, _ in ours])
            for pointer in held:
                said = f"points to {pointer.target}, which is held out"
                yield Objection(path, said, added=(pointer.line,))
            text, mended = redirected(
                case.after.texts[path], path, [each for each in ours if each[0] not in held]
            )
            for number, said in mended:
                yield Mend(path, number, said, written(edit.now, text))


def _pointing(row: str, pointer: Pointer) -> _Pointing:
    return bare(row).strip(" \t-*+#>"), pointer.target.name


def _led_before(case: Case) -> Mapping[_Pointing, PurePosixPath | None]:
    """Return where each pointer led before, None for those that dangled."""
    found: dict[_Pointing, PurePosixPath | None] = {}
    for path, text in case.before.texts.items():
        if placed := pointers(text, path):
            rows = lines(text)
            for pointer in placed:
                key = _pointing(rows[pointer.line], pointer)
                found[key] = case.before.goal(pointer, path) or found.get(key)
    return found


def _to_held_out(case: Case, path: PurePosixPath, ours: list[Pointer]) -> list[Pointer]:
    """Return the pointers that are entries for notes which are held out."""
    held = read(case.dreamt, case.settings, known=case.after)
    rows = lines(case.after.texts[path])
    return [
        pointer
        for pointer in ours
        if _MARKER.fullmatch(rows[pointer.line][: pointer.start]) and held.goal(pointer, path)
    ]


def notes_are_reached(case: Case) -> Iterator[Objection | Mend]:
    """Every note is reached from the index; one that was not before is the user's own.

    A new note gets a pointer. Of a note that lost its last one, that pointer stands again. The
    index does not go while there are notes.
    """
    before, after = case.before.texts, case.after.texts
    if INDEX in before and INDEX not in case.after.names and after:
        yield Objection(INDEX, "is the index of the notes that stay")
        return
    was_lost = {*case.before.unreachable}
    new: list[PurePosixPath] = []
    for path in case.after.unreachable:
        if path in was_lost:
            continue
        if gone := next(_pointers_gone(case, path), None):
            yield gone
        else:
            new.append(path)
    index, entry = after.get(INDEX, ""), case.after.tree.files.get(INDEX)
    is_closed = INDEX in case.after.names and INDEX not in after
    if new and (is_closed or is_pinned(before.get(INDEX, "")) or case.stern):
        for path in new:
            yield Objection(path, f"has no pointer, and {INDEX} may not get one")
        return
    newest = max((each.mtime_ns for each in case.after.tree.files.values()), default=0)
    text = with_lines(index, [line_for(path, after[path]) for path in new])
    for path in new:
        said = f"{path} had no pointer in {INDEX}"
        yield Mend(INDEX, 0, said, written(entry or Entry(b"", mtime_ns=newest), text))


def _pointers_gone(case: Case, path: PurePosixPath) -> Iterator[Objection]:
    """Yield the removed lines that led to a note, in files that still stand, the index first."""
    for source in sorted(case.edits, key=lambda source: (source != INDEX, source)):
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
