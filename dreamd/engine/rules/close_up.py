"""Make room where the index has too many lines: empty ones go, short facts go together."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from itertools import pairwise

from dreamd.domain.budget import index_sizes
from dreamd.domain.settings import Budget
from dreamd.domain.tree import INDEX
from dreamd.engine.rules.edit import Edit, Insertion, Refusals, Removal
from dreamd.engine.rules.listing import firsts
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.ranking import is_standing
from dreamd.text import lexicon
from dreamd.text.late import late
from dreamd.text.markdown.markdown import BlockKind
from dreamd.text.time.dates import has_date

LONGEST = 300  # characters of a line that a person reads through
_FULL = 0.95  # share of the lines that is filled, as where detail leaves the index
_ENDS = {BlockKind.ITEM, BlockKind.PARAGRAPH, BlockKind.HEADING}  # what a heading may follow
_ITEM = late(r"[ \t]*[-*+][ \t]+([^\W\d_a-z]\w*)")
_SMALL = late(r"\b[^\W\dA-Z_]\w*")


def _too_many(index: Note | None, budget: Budget) -> int:
    """Return how many lines must go from an index that has more than its limit."""
    lines = index_sizes(index.text, budget).index_lines if index else 0
    return lines - int(_FULL * budget.index_lines) if lines > budget.index_lines else 0


def close_up(memory: Memory, budget: Budget, refusals: Refusals) -> tuple[Edit, ...]:
    """Return the edit that takes the empty lines around headings out of an index over its lines.

    Only where all notes together are more than a reader sees, so that each line of the index
    counts; and not where a user took such a change back.
    """
    index, size = memory.notes.get(INDEX), sum(len(t.encode()) for t in memory.texts.values())
    is_refused = (INDEX, "") in refusals.declined.removed
    if not index or not _too_many(index, budget) or is_refused or size <= budget.memory_bytes:
        return ()
    lines: list[int] = []
    for part, after in pairwise(p for p in index.parts if p.kind is not BlockKind.BLANK):
        is_html = any(row.lstrip().startswith("<") for row in index.body(part))
        if part.level or (after.level and part.kind in _ENDS and not is_html):
            lines += range(part.end, after.start)
    removals = tuple(Removal(INDEX, line) for line in lines)
    return (Edit("empty lines", "closed up {empty line}", removals, (), len(lines)),) * bool(lines)


def together(memory: Memory, budget: Budget, refusals: Refusals) -> tuple[Edit, ...]:
    """Return the edits that put short facts on one line, as many as needed.

    Sentences stay as they are. Items of one list that follow each other are of one subject where
    they begin with the same name. Pointers, standing instructions, dated logs and what is no
    sentence stay as they are; so does what the user took back once.
    """
    index = memory.notes.get(INDEX)
    needed = _too_many(index, budget)
    groups: list[tuple[str, str, tuple[int, ...]]] = []  # the name, the row, and its lines so far
    for line, row, said, name in _facts(index, refusals) if index and needed else ():
        before, joined, lines = groups[-1] if groups else ("", "", (-1,))
        longer = f"{joined} {said}"
        follows = needed and (name, line) == (before, lines[-1] + 1) and len(longer) <= LONGEST
        if follows and not refusals.of_adding(INDEX, (longer,)):
            groups[-1] = (name, longer, (*lines, line))
            needed -= 1
        else:
            groups.append((name, row, (line,)))
    return tuple(_edit(row, lines) for _, row, lines in groups if len(lines) > 1)


def _edit(row: str, lines: Sequence[int]) -> Edit:
    removals = tuple(Removal(INDEX, line) for line in lines)
    came = (Insertion(INDEX, lines[0], (row,)),)
    return Edit("short facts", "put {short fact} beside another", removals, came, len(lines) - 1)


def _facts(index: Note, refusals: Refusals) -> Iterator[tuple[int, str, str, str]]:
    """Yield the line, row, sentence and name of each fact; a word written small is no name."""
    small = lexicon.STOP.union(word for row in index.rows for word in _SMALL.findall(row))
    pointing = firsts(index)
    for part in index.parts:
        row = index.rows[part.start].rstrip()
        is_line = part.kind is BlockKind.ITEM and part.end == part.start + 1
        item = _ITEM.match(row) if is_line and part.start not in pointing else None
        is_whole = row.rstrip(')"”')[-1:] in {".", "!", "?"} and not has_date(row)
        is_theirs = is_standing(row) or refusals.of_removing(INDEX, (index.rows[part.start],))
        if item and item[1].casefold() not in small and is_whole and not is_theirs:
            yield part.start, row, row[item.start(1) :], item[1]
