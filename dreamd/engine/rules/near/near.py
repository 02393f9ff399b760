"""Near-duplicates become one: the fuller line stays, and the reason of the other names it."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from functools import lru_cache

from dreamd.engine.rules import days
from dreamd.engine.rules.days import Day
from dreamd.engine.rules.duplicates import Unit, leaving, units
from dreamd.engine.rules.edit import Edit, Refusals
from dreamd.engine.rules.near.alike import Alike
from dreamd.engine.rules.near.phrases import is_wrapped
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.worth import is_ordered
from dreamd.text.markdown.markdown import Block, BlockKind

RULE = "near-duplicate"
STEP = "merged {near-duplicate}"
_LINES = {BlockKind.ITEM, BlockKind.PARAGRAPH}


def near_duplicates(memory: Memory, refusals: Refusals) -> tuple[Edit, ...]:
    """Return the edits that take away each line of which another says every word of weight.

    Single lines only, and where `Unit.stands_for` says that the other place may speak for
    this one. A line of the index goes for another of the index only: a conversation loads no
    other by itself. Of two that say the same the longer stays, else the earlier.
    """
    by_day: dict[Day | None, list[str]] = defaultdict(list)
    for path in memory.order():  # files of two days have nothing to do with each other
        by_day[days.first(str(path))].extend(_rows(memory.notes[path]))
    likely = _paired(tuple(map(tuple, by_day.values())))
    if not likely:
        return ()
    found = [unit for path in memory.order() for unit in _single(memory.notes[path], likely)]
    pairs = {
        (going, kept)
        for going, kept in _pairs(found)
        if found[going].words != found[kept].words  # a copy is no affair of ours
    }
    gone: dict[int, int] = {}
    staying: set[int] = set()
    for going, kept in sorted(pairs, key=lambda pair: (pair[1], pair[0])):
        is_mutual = (kept, going) in pairs
        if is_mutual and _rank(found, going) < _rank(found, kept) and _may(found, kept, going):
            continue
        if going in gone or going in staying or kept in gone or not _may(found, going, kept):
            continue
        if refusals.of_removing(found[going].note.path, found[going].rows):
            continue
        gone[going] = kept
        staying.add(kept)
    edits: list[Edit] = []
    for path in dict.fromkeys(found[n].note.path for n in sorted(gone)):
        note = memory.notes[path]
        mine = [n for n in sorted(gone) if found[n].note.path == path]
        blocks: dict[Block, Unit] = {found[n].blocks[0]: found[gone[n]] for n in mine}
        edits += leaving(note, [found[n] for n in mine], blocks, refusals, (RULE, STEP))
    return tuple(edits)


def _rows(note: Note) -> Iterator[str]:
    return (
        note.rows[part.start]
        for part in note.parts
        if part.kind in _LINES and part.end == part.start + 1
    )


@lru_cache(maxsize=4)
def _paired(groups: tuple[tuple[str, ...], ...]) -> frozenset[str]:
    """Return the lines that say no more than another one of their group, and those others."""
    found: set[str] = set()
    for rows in groups:
        alike = Alike(dict.fromkeys(rows))
        found.update(alike.lines[n] for pair in alike.pairs() for n in pair)
    return frozenset(found)


def _pairs(found: list[Unit]) -> Iterator[tuple[int, int]]:
    """Yield (going, staying) of units, those of one day held against each other."""
    by_day: dict[Day | None, list[int]] = defaultdict(list)
    for number, unit in enumerate(found):
        by_day[unit.context.day].append(number)
    for places in by_day.values():
        for going, kept in Alike(found[n].rows[0] for n in places).pairs():
            yield places[going], places[kept]


def _single(note: Note, likely: frozenset[str]) -> Iterator[Unit]:
    if likely.isdisjoint(note.rows):
        return
    for unit in units(note):
        part = unit.blocks[0]
        is_line = len(unit.blocks) == 1 and part.kind in _LINES and part.end == part.start + 1
        if not is_line or unit.is_pointer or is_ordered(unit.rows[0]):
            continue
        if unit.rows[0] in likely:
            yield unit


def _rank(found: list[Unit], number: int) -> tuple[bool, int, int]:
    """Rank a line among those that say the same, the one to stay first."""
    unit = found[number]
    return is_wrapped(unit.rows[0]), -len(unit.words[0]), number


def _may(found: list[Unit], going: int, kept: int) -> bool:
    return found[kept].stands_for(found[going])
