"""Add a pointer in the index for each note that no reader can reach."""

from __future__ import annotations

from dreamd.domain.budget import index_sizes, is_over
from dreamd.domain.settings import Budget
from dreamd.domain.store import DIARY
from dreamd.domain.tree import INDEX
from dreamd.engine.rules.edit import Edit, Insertion, Refusals
from dreamd.engine.rules.hooks import is_lasting
from dreamd.engine.rules.listing import Entry, Place, place
from dreamd.engine.rules.orient import Memory, Note, parse
from dreamd.engine.rules.topics import Style, free_path, frontmatter_rows
from dreamd.text.markdown.note import hook, title
from dreamd.text.markdown.pointers import unreachable as unreachable_notes
from dreamd.text.secrets.secrets import redact

RULE = "unreachable note"
STEP = "pointed to {unreachable note}"
_MANY = 20  # from here on they may get a list of their own
_LIST = "Other notes"


def unreachable(memory: Memory, budget: Budget, refusals: Refusals) -> tuple[Edit, ...]:
    """Return the edits that give each note a pointer line `- [Title](file.md) — hook`.

    Where very many would push the index over its limits, they go into one file with one pointer.
    """
    index = memory.notes.get(INDEX)
    if index is None:
        if INDEX in memory.names:
            return ()  # there is one that may not be changed
        index = parse(INDEX, "")
    where = place(index, refusals)
    texts = memory.texts
    entries = []
    for path in unreachable_notes(texts):
        if path.name == DIARY:
            continue
        said = hook(texts[path])
        name = redact(title(path, texts[path]))
        entry = Entry(path, name, said if is_lasting(said) else "")
        if not refusals.of_adding(INDEX, where.rows([entry])):
            entries.append(entry)
    if not entries:
        return ()
    rows = where.framed(where.rows(entries))
    if len(entries) >= _MANY and _would_be_over(index, rows, budget):
        return _listed(memory, index, entries, refusals)
    return (Edit(RULE, STEP, (), (Insertion(INDEX, where.at, rows),), count=len(entries)),)


def _would_be_over(index: Note, rows: tuple[str, ...], budget: Budget) -> bool:
    grown = "\n".join((*index.rows, *rows))
    return is_over(index_sizes(grown, budget), budget)


def _listed(
    memory: Memory, index: Note, entries: list[Entry], refusals: Refusals
) -> tuple[Edit, ...]:
    where = place(index, refusals)
    path = free_path("other-notes", memory.names | refusals.paths)
    said = f"{len(entries)} notes, from {entries[0].title} to {entries[-1].title}"
    pointer = where.framed(where.rows([Entry(path, _LIST, said)]))
    style = Style.of(memory)
    rows = (
        *frontmatter_rows(path, said, "reference", style),
        f"# {_LIST}",
        "",
        *Place(0).rows(entries),
    )
    if refusals.of_adding(INDEX, pointer) or refusals.of_adding(path, rows):
        return ()
    insertions = (Insertion(INDEX, where.at, pointer), Insertion(path, 0, rows))
    return (Edit(RULE, STEP, (), insertions, count=len(entries)),)
