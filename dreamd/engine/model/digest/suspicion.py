"""What was said, beside the old line that it seems to contradict."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from msgspec import Struct

from dreamd.domain.evidence import PersonSaid
from dreamd.engine.model.digest.oldlines import OldLine

_SAME_LINE = 2  # suspicions of one old line


class Suspicion(Struct, frozen=True):
    """A sentence that seems to give another value than an old line does.

    `said` is a contiguous piece of the message with its white space collapsed; `new` and `old`
    are the values as they are written there.
    """

    said: str
    message: PersonSaid
    line: OldLine
    new: str
    old: str
    score: float = 0.0


def distinct(found: Iterable[Suspicion], most: int) -> tuple[Suspicion, ...]:
    """Return the first of them, in their order: none says the same of a line, few are of one."""
    chosen: list[Suspicion] = []
    pairs: set[tuple[OldLine, str]] = set()
    crowd: Counter[OldLine] = Counter()
    for each in found:
        pair = (each.line, each.new.casefold())
        if len(chosen) < most and pair not in pairs and crowd[each.line] < _SAME_LINE:
            pairs.add(pair)
            crowd[each.line] += 1
            chosen.append(each)
    return tuple(chosen)
