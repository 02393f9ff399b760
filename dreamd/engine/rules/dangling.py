"""Repair pointers without a target: aim them at the note they mean, or make them plain text."""

from __future__ import annotations

from collections.abc import Iterator

from dreamd.domain.tree import INDEX
from dreamd.engine.rules.edit import Edit, Insertion, Refusals, Removal
from dreamd.engine.rules.hollow import hollowed
from dreamd.engine.rules.listing import firsts
from dreamd.engine.rules.orient import Memory, Note
from dreamd.text.late import late
from dreamd.text.markdown.markdown import Block
from dreamd.text.markdown.pointers import Pointer, aimed, nearest, unlinked

RULE = "dangling pointer"
MENDED = "repaired {pointer}"
DROPPED = "dropped {dangling pointer}"
_WORDS = late(r"[^\W_]")


def dangling(memory: Memory, refusals: Refusals) -> tuple[Edit, ...]:
    """Return the edits after which every pointer of a changeable note leads to a note.

    An index line that would be left as a bare title says nothing and goes, with its heading if
    that was all below it.
    """
    edits: list[Edit] = []
    for path in memory.order():
        note = memory.notes[path]
        loose: dict[int, list[Pointer]] = {}
        for pointer in note.links:
            if memory.destination(pointer, path) is None:
                loose.setdefault(pointer.line, []).append(pointer)
        if loose:
            edits += _edits(memory, note, loose, refusals)
    return tuple(edits)


def _edits(
    memory: Memory, note: Note, loose: dict[int, list[Pointer]], refusals: Refusals
) -> Iterator[Edit]:
    meant = {
        pointer: nearest(pointer.target, memory.names_of_notes)
        for found in loose.values()
        for pointer in found
    }
    empty = _says_nothing(note, {p.line for p, goal in meant.items() if goal is None}, refusals)
    hollow = hollowed(note, empty, refusals)
    done: set[Block] = set()
    singles = tuple((part,) for part in note.parts if part in empty & hollow.going)
    for group in (*hollow.groups, *singles):
        if group[0] not in done:
            done.update(group)
            lines = [line for part in group for line in range(part.start, part.end)]
            removals = tuple(Removal(note.path, line) for line in lines)
            yield Edit(RULE, DROPPED, removals, count=sum(part in empty for part in group))
    gone = {line for part in done for line in range(part.start, part.end)}
    for line, found in loose.items():
        if line in gone:
            continue
        before = after = note.rows[line]
        for pointer in reversed(found):
            goal = meant[pointer]
            after = (
                unlinked(after, pointer) if goal is None else aimed(after, pointer, note.path, goal)
            )
        if refusals.of_removing(note.path, (before,)) or refusals.of_adding(note.path, (after,)):
            continue
        step = MENDED if any(meant[pointer] for pointer in found) else DROPPED
        change = (Insertion(note.path, line, (after,)),)
        yield Edit(RULE, step, (Removal(note.path, line),), change, count=len(found))


def _says_nothing(note: Note, lines: set[int], refusals: Refusals) -> frozenset[Block]:
    """Return the one-line items of the index that are a dangling pointer and not a word more."""
    if note.path != INDEX:
        return frozenset()
    pointing = firsts(note)
    found = set()
    for part in note.parts:
        pointer = pointing.get(part.start)
        if pointer is None or part.end > part.start + 1 or part.start not in lines:
            continue
        after = note.rows[part.start][pointer.end :]
        if not _WORDS.search(after) and not refusals.of_removing(note.path, note.body(part)):
            found.add(part)
    return frozenset(found)
