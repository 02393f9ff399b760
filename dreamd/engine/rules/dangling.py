"""Repair pointers without a target: aim them at the note they mean, or make them plain text."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dreamd.domain.tree import INDEX
from dreamd.engine.rules.edit import Edit, Insertion, Refusals, Removal
from dreamd.engine.rules.listing import firsts
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.outline import hollowed
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
    memory: Memory, note: Note, loose: Mapping[int, Sequence[Pointer]], refusals: Refusals
) -> Iterator[Edit]:
    names = memory.names_of_notes
    meant = {p: nearest(p.target, names) for found in loose.values() for p in found}
    lost = {pointer.line for pointer, goal in meant.items() if goal is None}
    empty = _says_nothing(note, lost, refusals) if note.path == INDEX else frozenset()
    hollow = hollowed(note, empty, refusals)
    gone = {line for part in hollow.going for line in range(part.start, part.end)}
    if gone:
        removals = tuple(Removal(note.path, line) for line in sorted(gone))
        yield Edit(RULE, DROPPED, removals, count=len(empty & hollow.going))
    for line, found in loose.items():
        before = after = note.rows[line]
        for pointer in reversed(found):
            goal = meant[pointer]
            after = aimed(after, pointer, note.path, goal) if goal else unlinked(after, pointer)
        is_refused = refusals.of_removing(note.path, (before,))
        if line in gone or is_refused or refusals.of_adding(note.path, (after,)):
            continue
        step = MENDED if any(meant[pointer] for pointer in found) else DROPPED
        change = (Insertion(note.path, line, (after,)),)
        yield Edit(RULE, step, (Removal(note.path, line),), change, count=len(found))


def _says_nothing(note: Note, lost: set[int], refusals: Refusals) -> frozenset[Block]:
    """Return the one-line items of the index that are a dangling pointer and not a word more."""
    pointing = firsts(note)
    return frozenset(
        part
        for part in note.parts
        if part.start in pointing.keys() & lost
        and part.end == part.start + 1
        and not _WORDS.search(note.rows[part.start][pointing[part.start].end :])
        and not refusals.of_removing(note.path, note.body(part))
    )
