"""Add a pointer in the index for each note that no reader can reach."""

from __future__ import annotations

from dreamd.domain.budget import index_sizes, is_over
from dreamd.domain.settings import Budget
from dreamd.domain.store import DIARY
from dreamd.domain.tree import INDEX
from dreamd.engine.rules.edit import Edit, Insertion, Refusals
from dreamd.engine.rules.grouping import is_lasting
from dreamd.engine.rules.listing import Entry, Place, place
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.topics import Style, free_path, frontmatter_rows
from dreamd.text.markdown.note import hook, title
from dreamd.text.markdown.pointers import unreachable as unreachable_notes
from dreamd.text.secrets.secrets import redact

RULE = "unreachable note"
STEP = "pointed to {unreachable note}"
_MANY = 20  # from here on they may get a list of their own
_LIST = "Other notes"


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
        head = frontmatter_rows(path, said, "reference", Style.of(memory))
        rows = (*head, f"# {_LIST}", "", *Place(0).rows(entries))
        insertions = [Insertion(INDEX, where.at, pointer), Insertion(path, 0, rows)]
    if not entries or any(refusals.of_adding(each.path, each.rows) for each in insertions):
        return ()
    return (Edit(RULE, STEP, (), tuple(insertions), len(entries)),)
