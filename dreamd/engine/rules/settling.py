"""Apply the tidying rules one after the other until none has anything to do."""

from __future__ import annotations

from collections import Counter
from collections.abc import Callable, Sequence
from dataclasses import dataclass

from dreamd.domain.change import Why
from dreamd.domain.ending import Phase
from dreamd.domain.settings import Budget
from dreamd.engine.protocol import Progress
from dreamd.engine.rules.close_up import close_up
from dreamd.engine.rules.dangling import dangling
from dreamd.engine.rules.duplicates import Units, duplicates, near_duplicates
from dreamd.engine.rules.edit import Edit, Refusals, apply
from dreamd.engine.rules.orient import Memory, changed
from dreamd.engine.rules.overflow import overflow
from dreamd.engine.rules.together import together
from dreamd.engine.rules.unreachable import unreachable

_ROUNDS = 8  # what one rule changes can give another something to do; two rounds are usual


@dataclass(frozen=True, slots=True)
class Settled:
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
    seen = Units()
    rules: tuple[tuple[Phase, str, Callable[[Memory], Sequence[Edit]]], ...] = (
        (Phase.CONSOLIDATE, "merging duplicates", lambda m: duplicates(m, refusals, seen)),
        (Phase.CONSOLIDATE, "merging look-alikes", lambda m: near_duplicates(m, refusals, seen)),
        (Phase.CONSOLIDATE, "mending pointers", lambda m: dangling(m, refusals)),
        (Phase.CONSOLIDATE, "finding lost notes", lambda m: unreachable(m, budget, refusals)),
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
            edits = rule(memory)
            if edits:
                texts = {path: note.text for path, note in memory.notes.items()}
                applied = apply(texts, edits)
                memory = changed(memory, applied.texts)
                whys += applied.whys
                for edit in edits:
                    if edit.step != edit.rule:  # else it only tells of what another rule did
                        counts[phase, edit.step] += edit.count
        if memory is started:
            break
    return Settled(memory, counts, tuple(whys))
