"""Short facts of one subject share a line where the index has too many lines for its bytes."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dreamd.domain.budget import index_sizes
from dreamd.domain.markdown import BlockKind
from dreamd.domain.settings import Budget
from dreamd.domain.tree import INDEX
from dreamd.engine.rules import days
from dreamd.engine.rules.edit import Edit, Insertion, Refusals, Removal
from dreamd.engine.rules.listing import firsts
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.worth import is_standing

RULE = "short facts"
STEP = "put {short fact} beside another"
LONGEST = 450  # characters of a line that a person reads through
_FULL = 0.95  # share of the lines that is filled, as where detail leaves the index
_ITEM = re.compile(r"[ \t]*[-*+][ \t]+(?!\[[ xX]\])(?P<said>[^\W_].*[.!?][)\"”]?)$")
_NAME = re.compile(r"(?!(?:The|A|An|This|It|We|I|In|On|If|When|All|No)\b)[^\W\d_a-z][\w'’-]*")  # noqa: RUF001
_POSSESSIVE = re.compile(r"['’]s?$")  # noqa: RUF001


@dataclass(frozen=True, slots=True)
class _Pair:
    """Line `line` of the index and the next one, and the line they make together."""

    line: int
    row: str


def together(memory: Memory, budget: Budget, refusals: Refusals) -> tuple[Edit, ...]:
    """Return the edits that put short facts on one line, the shortest first, as many as needed.

    None where the index is within its lines, or has so many bytes that the detail that must leave
    it anyway takes enough lines with it. Sentences stay as they are. Two items of one list that
    follow each other are of one subject where they begin with the same name. Pointers, standing
    instructions, dated logs and what is no sentence stay as they are; so does what the user took
    back once.
    """
    index = memory.notes.get(INDEX)
    if index is None:
        return ()
    sizes = index_sizes(index.text, budget)
    if sizes.index_lines <= budget.index_lines:
        return ()
    most = min(
        budget.index_bytes / max(sizes.index_bytes, 1),
        budget.index_units / max(sizes.index_units, 1),
    )
    staying = sizes.index_lines * min(1.0, _FULL * most)  # lines, once the bytes fit
    needed = int(staying - _FULL * budget.index_lines) + 1
    if staying <= budget.index_lines:
        return ()
    pairs = sorted(_pairs(index, refusals), key=lambda each: (len(each.row), each.line))
    taken: set[int] = set()
    chosen: list[_Pair] = []
    for pair in pairs:
        if len(chosen) < needed and not taken & {pair.line, pair.line + 1}:
            taken |= {pair.line, pair.line + 1}
            chosen.append(pair)
    return tuple(map(_edit, sorted(chosen, key=lambda each: each.line)))


def _edit(pair: _Pair) -> Edit:
    removals = (Removal(INDEX, pair.line), Removal(INDEX, pair.line + 1))
    return Edit(RULE, STEP, removals, (Insertion(INDEX, pair.line, (pair.row,)),))


def _pairs(index: Note, refusals: Refusals) -> Iterator[_Pair]:
    pointing = firsts(index)
    lone = {
        part.start
        for part in index.parts
        if part.kind is BlockKind.ITEM and part.end == part.start + 1 and part.start not in pointing
    }
    for line in sorted(lone):
        if line + 1 not in lone:
            continue
        row, after = index.rows[line], index.rows[line + 1]
        first, second = _ITEM.match(row), _ITEM.match(after)
        if first is None or second is None or first.start("said") != second.start("said"):
            continue
        joined = f"{row.rstrip()} {second['said']}"
        if (
            len(joined) <= LONGEST
            and _is_one_subject(first["said"], second["said"])
            and not any(is_standing(each) or days.find(each) for each in (row, after))
            and not refusals.of_removing(INDEX, (row, after))
            and not refusals.of_adding(INDEX, (joined,))
        ):
            yield _Pair(line, joined)


def _is_one_subject(first: str, second: str) -> bool:
    names = [_NAME.match(each) for each in (first, second)]
    told = {_POSSESSIVE.sub("", name[0]) if name else "" for name in names}
    return len(told) == 1 and "" not in told
