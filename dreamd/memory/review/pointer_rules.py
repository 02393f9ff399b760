"""Rules about finding one's way: every pointer resolves, every note is reached."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from dreamd.domain.tree import INDEX, Entry
from dreamd.memory.check import redirected, written
from dreamd.memory.faults import read
from dreamd.memory.index_lines import line_for, with_lines
from dreamd.memory.review.case import Case, Mend, Objection
from dreamd.text.markdown.markdown import bare, lines
from dreamd.text.markdown.note import is_pinned
from dreamd.text.markdown.pointers import Pointer, nearest, pointers

_Pointing = tuple[str, str]  # what a line says, and the name it points to


def pointers_resolve(case: Case) -> Iterator[Objection | Mend]:
    """Every pointer leads to a note; one that did not before is the user's own.

    In a line that is new it is aimed at the note it surely means, or becomes plain words; where
    that note is held out, so is the line. In one that moved it is aimed at the note that it led
    to; if that is gone, the note is there again.
    """
    is_removed = case.before.names - case.after.names
    paths = case.after.texts if is_removed else [edit.path for edit, _ in case.come()]
    dangling = {path: found for path in paths if (found := case.after.dangling(path))}
    if not dangling:
        return
    known = _led_before(case)
    dreamt = read(case.dreamt, case.after.settings, known=case.after)
    restored: set[PurePosixPath] = set()
    for path, found in dangling.items():
        edit, text = case.edits.get(path), case.after.texts[path]
        added, rows = set(edit.added if edit else ()), lines(text)
        ours: list[tuple[Pointer, PurePosixPath | None]] = []
        for pointer in found:
            key = _pointing(rows[pointer.line], pointer)
            goal = known.get(key)
            if pointer.line in added and (key not in known or goal in case.after.names):
                if dreamt.goal(pointer, path):
                    said = f"points to {pointer.target}, which is held out"
                    yield Objection(path, said, added=(pointer.line,))
                else:
                    ours.append((pointer, goal or nearest(pointer.target, case.after.names)))
            elif goal is not None and goal not in restored:
                restored.add(goal)
                yield Objection(goal, f"{path} points here, so it stays as it was")
        if edit and edit.now:
            after, mended = redirected(text, path, ours)
            for number, said in mended:
                yield Mend(path, number, said, written(edit.now, after))


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


def notes_are_reached(case: Case) -> Iterator[Objection | Mend]:
    """Every note is reached from the index; one that was not before is the user's own.

    A new note gets a pointer. Of a note that lost its last one, that pointer is there again. The
    index does not go while there are notes.
    """
    before, after = case.before.texts, case.after.texts
    if INDEX in before and INDEX not in case.after.names and after:
        yield Objection(INDEX, "is the index of the notes that stay")
        return
    lost = case.after.unreachable
    was_lost = set(case.before.unreachable) if lost else ()
    new: list[PurePosixPath] = []
    for path in lost:
        if path not in was_lost:
            if gone := next(_pointers_gone(case, path), None):
                yield gone
            else:
                new.append(path)
    is_closed = INDEX in case.after.names - after.keys() or is_pinned(before.get(INDEX, ""))
    if new and (is_closed or case.stern):
        for path in new:
            yield Objection(path, f"has no pointer, and {INDEX} may not get one")
        return
    newest = max((each.mtime_ns for each in case.after.tree.files.values()), default=0)
    entry = case.after.tree.files.get(INDEX) or Entry(b"", mtime_ns=newest)
    text = with_lines(after.get(INDEX, ""), [line_for(path, after[path]) for path in new])
    for path in new:
        yield Mend(INDEX, 0, f"{path} had no pointer in {INDEX}", written(entry, text))


def _pointers_gone(case: Case, path: PurePosixPath) -> Iterator[Objection]:
    """Yield the removed lines that led to a note, in files that remain, the index first."""
    for source in sorted(case.edits, key=lambda source: (source != INDEX, source)):
        removed = set(case.edits[source].removed) if case.edits[source].now else ()
        numbers = {
            pointer.line
            for pointer in pointers(case.before.texts.get(source, ""), source)
            if pointer.line in removed and case.before.goal(pointer, source) == path
        }
        if numbers:
            yield Objection(source, f"was the last pointer to {path}", removed=numbers)
