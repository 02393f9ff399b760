"""Keep the pointers of notes whole: each leads to a note, and one leads to each note."""

from __future__ import annotations

from dreamd.domain.store import DIARY
from dreamd.domain.tree import INDEX
from dreamd.engine.rules.edit import Edit, Insertion, Refusals
from dreamd.engine.rules.grouping import is_lasting
from dreamd.engine.rules.listing import Entry, place
from dreamd.engine.rules.orient import Memory, Note
from dreamd.text.markdown.note import hook, title
from dreamd.text.markdown.pointers import Pointer, aimed, nearest, unlinked
from dreamd.text.markdown.pointers import unreachable as unreachable_notes
from dreamd.text.secrets.secrets import redact

_DANGLING, _UNREACHABLE = "dangling pointer", "unreachable note"  # the reasons `why` shows
_MENDED, _DROPPED = "repaired {pointer}", "dropped {dangling pointer}"
_POINTED = "pointed to {unreachable note}"


def dangling(memory: Memory, refusals: Refusals) -> tuple[Edit, ...]:
    """Return the edits after which every pointer of a changeable note leads to a note.

    It leads to the one note that it surely means; where there is none, its words stay alone.
    """
    edits: list[Edit] = []
    for path in memory.order:
        loose: dict[int, list[Pointer]] = {}
        for pointer in memory.notes[path].links:
            if memory.destination(pointer, path) is None:
                loose.setdefault(pointer.line, []).append(pointer)
        for line, found in loose.items():
            before = after = memory.notes[path].rows[line]
            step = _DROPPED
            for pointer in reversed(found):
                if goal := nearest(pointer.target, memory.names_of_notes):
                    after, step = aimed(after, pointer, path, goal), _MENDED
                else:
                    after = unlinked(after, pointer)
            reason = _DANGLING, step
            edits += refusals.swap((path, line), before, after, reason, count=len(found))
    return tuple(edits)


def unreachable(memory: Memory, refusals: Refusals) -> tuple[Edit, ...]:
    """Return the edit that gives each note a pointer line `- [Title](file.md) — hook`."""
    index = memory.notes.get(INDEX, Note(INDEX, ""))
    if INDEX in memory.names and INDEX not in memory.notes:
        return ()  # there is one that may not be changed
    where = place(index, refusals)
    entries = []
    for path in unreachable_notes(memory.texts):
        text = memory.texts[path]
        said = hook(text)
        entry = Entry(path, redact(title(path, text)), said if is_lasting(said) else "")
        if path.name != DIARY and not refusals.of_adding(INDEX, where.rows([entry])):
            entries.append(entry)
    rows = where.framed(where.rows(entries))
    if not entries or refusals.of_adding(INDEX, rows):
        return ()
    return (Edit(_UNREACHABLE, _POINTED, (), (Insertion(INDEX, where.at, rows),), len(entries)),)
