"""Two lines as the runs of words that stand in both."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from dreamd.engine.rules.near.matching import is_one
from dreamd.engine.rules.near.term import Term
from dreamd.engine.rules.near.wording import OF

PARTING = {",", ";", ".", ":", "and", "—", "–", "-"}  # noqa: RUF001


@dataclass(frozen=True, slots=True)
class Run:
    """Terms that follow each other in both lines: from `here` in one, from `there` in the other."""

    here: int
    there: int
    length: int


def runs_of(one: Sequence[Term], other: Sequence[Term], spoken: str) -> tuple[Run, ...] | None:
    """Return one line cut into the longest runs that stand in another, None where a term does not.

    They are in the order of the first line.
    """
    mine, theirs = set(range(len(one))), set(range(len(other)))
    found: list[Run] = []
    while mine:
        best = Run(0, 0, 0)
        for here in sorted(mine):
            for there in sorted(theirs):
                length = 0
                while (
                    here + length in mine
                    and there + length in theirs
                    and is_one(one[here + length], other[there + length], spoken)
                    and not (length and _is_cut(one[here + length], other[there + length]))
                ):
                    length += 1
                if length > best.length:
                    best = Run(here, there, length)
        if not best.length:
            return None
        found.append(best)
        mine -= set(range(best.here, best.here + best.length))
        theirs -= set(range(best.there, best.there + best.length))
    return tuple(sorted(found, key=lambda run: run.here))


def _is_cut(one: Term, other: Term) -> bool:
    """Whether what stands before two terms in both lines may move without them."""
    return bool(one.opens and other.opens) and not one.head == other.head == OF


def is_part(terms: Sequence[Term], place: int) -> bool:
    """Whether what stands at a place begins another part of the sentence: "…, on Mondays Ben"."""
    return bool(place) and terms[place].opens in PARTING
