"""Apply the tidying rules until none has anything to do, and keep the reasons that last."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from msgspec.structs import replace

from dreamd.domain.change import Why
from dreamd.domain.receipt import Phase
from dreamd.domain.settings import Budget
from dreamd.engine.protocol import Progress
from dreamd.engine.rules.close_up import close_up, together
from dreamd.engine.rules.duplicates import duplicates
from dreamd.engine.rules.edit import Edit, Refusals, Texts, edited
from dreamd.engine.rules.orient import Memory
from dreamd.engine.rules.overflow import overflow
from dreamd.engine.rules.pointing import dangling, unreachable
from dreamd.text.markdown.markdown import bare, lines

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
