"""Keep the pointers of notes whole: each leads to a note, and one leads to each note."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence

from dreamd.domain.budget import index_sizes, is_over
from dreamd.domain.settings import Budget
from dreamd.domain.store import DIARY
from dreamd.domain.tree import INDEX
from dreamd.engine.rules.edit import Edit, Insertion, Refusals, Removal
from dreamd.engine.rules.grouping import is_lasting
from dreamd.engine.rules.listing import Entry, Place, firsts, place
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.outline import hollowed
from dreamd.engine.rules.topics import free_path, frontmatter_rows
from dreamd.text.late import late
from dreamd.text.markdown.markdown import Block
from dreamd.text.markdown.note import hook, title
from dreamd.text.markdown.pointers import Pointer, aimed, nearest, unlinked
from dreamd.text.markdown.pointers import unreachable as unreachable_notes
from dreamd.text.secrets.secrets import redact

_DANGLING, _UNREACHABLE = "dangling pointer", "unreachable note"  # the reasons `why` shows
_MENDED, _DROPPED = "repaired {pointer}", "dropped {dangling pointer}"
_POINTED = "pointed to {unreachable note}"
_MANY = 20  # unreachable notes, from which on they may get a list of their own
_LIST = "Other notes"
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
        yield Edit(_DANGLING, _DROPPED, removals, count=len(empty & hollow.going))
    for line, found in loose.items():
        before = after = note.rows[line]
        for pointer in reversed(found):
            goal = meant[pointer]
            after = aimed(after, pointer, note.path, goal) if goal else unlinked(after, pointer)
        is_refused = refusals.of_removing(note.path, (before,))
        if line in gone or is_refused or refusals.of_adding(note.path, (after,)):
            continue
        step = _MENDED if any(meant[pointer] for pointer in found) else _DROPPED
        change = (Insertion(note.path, line, (after,)),)
        yield Edit(_DANGLING, step, (Removal(note.path, line),), change, count=len(found))


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


def unreachable(memory: Memory, budget: Budget, refusals: Refusals) -> tuple[Edit, ...]:
    """Return the edit that gives each note a pointer line `- [Title](file.md) — hook`.

    Where very many would push the index over its limits, they go into one file with one pointer.
    """
    index = memory.notes.get(INDEX, Note(INDEX, ""))
    if INDEX in memory.names and INDEX not in memory.notes:
        return ()  # there is one that may not be changed
    where = place(index, refusals)
    entries = []
    for path in unreachable_notes(memory.texts):
        if path.name != DIARY:
            text = memory.texts[path]
            said = hook(text)
            entry = Entry(path, redact(title(path, text)), said if is_lasting(said) else "")
            if not refusals.of_adding(INDEX, where.rows([entry])):
                entries.append(entry)
    rows = where.framed(where.rows(entries)) if entries else ()
    insertions = [Insertion(INDEX, where.at, rows)]
    grown = index_sizes("\n".join((*index.rows, *rows)), budget)
    if len(entries) >= _MANY and is_over(grown, budget):
        path = free_path("other-notes", memory.names | refusals.paths)
        said = f"{len(entries)} notes, from {entries[0].title} to {entries[-1].title}"
        pointer = where.framed(where.rows([Entry(path, _LIST, said)]))
        head = frontmatter_rows(path, said, "reference", memory)
        rows = (*head, f"# {_LIST}", "", *Place(0).rows(entries))
        insertions = [Insertion(INDEX, where.at, pointer), Insertion(path, 0, rows)]
    if not entries or any(refusals.of_adding(each.path, each.rows) for each in insertions):
        return ()
    return (Edit(_UNREACHABLE, _POINTED, (), tuple(insertions), len(entries)),)
