"""Apply the tidying rules until none has anything to do, and keep the reasons that last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from itertools import pairwise
from pathlib import PurePosixPath
from typing import NamedTuple

from msgspec.structs import replace

from dreamd.domain.budget import index_sizes
from dreamd.domain.change import Why
from dreamd.domain.receipt import Phase
from dreamd.domain.settings import Budget
from dreamd.domain.store import DIARY
from dreamd.domain.tree import INDEX
from dreamd.engine import Progress
from dreamd.engine.rules.duplicates import duplicates
from dreamd.engine.rules.edit import Edit, Insertion, Refusals, Removal, Texts, edited
from dreamd.engine.rules.grouping import is_lasting
from dreamd.engine.rules.listing import ListEntry, firsts, place
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.overflow import overflow
from dreamd.engine.rules.ranking import is_standing
from dreamd.text import lexicon
from dreamd.text.late import late
from dreamd.text.markdown.markdown import BlockKind, bare, lines
from dreamd.text.markdown.note import hook, title
from dreamd.text.markdown.pointers import Pointer, aimed, nearest, unlinked
from dreamd.text.markdown.pointers import unreachable as unreachable_notes
from dreamd.text.secrets.secrets import redact
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
        entry = ListEntry(path, redact(title(path, text)), said if is_lasting(said) else "")
        if path.name != DIARY and not refusals.of_adding(INDEX, where.rows([entry])):
            entries.append(entry)
    rows = where.framed(where.rows(entries))
    if not entries or refusals.of_adding(INDEX, rows):
        return ()
    return (Edit(_UNREACHABLE, _POINTED, (), (Insertion(INDEX, where.at, rows),), len(entries)),)


_ROUNDS = 8  # what one rule changes can give another something to do; two rounds are usual


class Settled(NamedTuple):
    """Notes for which no rule has anything left to do, and what was done to them."""

    memory: Memory
    counts: Counter[tuple[Phase, str]]
    whys: tuple[Why, ...]


def settled(
    memory: Memory,
    budget: Budget,
    refusals: Refusals,
    progress: Progress,
    is_late: Callable[[], bool] = lambda: False,
) -> Settled:
    """Return the notes in order; nothing is read or written.

    Once it `is_late` no further rule begins: what was done by then is whole.
    """
    counts: Counter[tuple[Phase, str]] = Counter()
    whys: list[Why] = []
    rules: tuple[tuple[Phase, str, Callable[[Memory], Sequence[Edit]]], ...] = (
        (Phase.CONSOLIDATE, "merging duplicates", lambda m: duplicates(m, refusals)),
        (Phase.CONSOLIDATE, "mending pointers", lambda m: dangling(m, refusals)),
        (Phase.CONSOLIDATE, "finding lost notes", lambda m: unreachable(m, refusals)),
        (Phase.PRUNE, "closing up the index", lambda m: close_up(m, budget, refusals)),
        (Phase.PRUNE, "putting short facts together", lambda m: together(m, budget, refusals)),
        (Phase.PRUNE, "fitting the index", lambda m: overflow(m, budget, refusals)),
    )
    for _ in range(_ROUNDS):
        started = memory
        for phase, words, rule in rules:
            if is_late():
                return Settled(memory, counts, tuple(whys))
            progress(phase, words)
            if edits := rule(memory):
                memory, more = edited(memory, edits)
                whys += more
                for edit in edits:
                    counts[phase, edit.step] += edit.count
        if memory is started:
            break
    return Settled(memory, counts, tuple(whys))


def lasting(whys: Sequence[Why], before: Texts, after: Texts) -> list[Why]:
    """Return the reasons for lines that were there before or are there after, each once.

    A line that was written and then moved to another file, or into a line that says it among
    others, keeps the words it came from.
    """
    stood, stands = _lines(before), _lines(after)
    gone = [why for why in whys if why.sign == "-"]
    moved = {(w.path, w.line): (w.moved_to, w.quote or w.line) for w in gone if w.moved_to}
    found: list[Why] = []
    for why in whys:
        at = why.path, why.line
        for _ in range(_ROUNDS if why.quote and why.sign != "-" else 0):
            at = at if at in stands else moved.get(at, at)
        if at in (stood if why.sign == "-" else stands):
            found.append(replace(why, path=at[0], line=at[1]))
    sourced = {(why.path, why.line) for why in found if why.sign == "+" and why.quote}
    return [w for w in found if w.sign != "+" or w.quote or (w.path, w.line) not in sourced]


def _lines(texts: Texts) -> set[tuple[PurePosixPath, str]]:
    return {(path, bare(row)) for path, text in texts.items() for row in lines(text)}
