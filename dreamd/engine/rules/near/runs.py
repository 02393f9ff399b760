"""What two lines have in common, as the longest runs of terms that stand in both."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass

from dreamd.engine.rules.near.terms import Term
from dreamd.engine.rules.near.wording import EASY, FOR, OF

_NOUN = 4  # letters of a German noun, which has a capital and endings
_DECLINED = {"s", "es", "n", "en", "er", "ern"}  # but no "e": Simon is not Simone


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
    if Counter(each.key for each in one) - Counter(each.key for each in other):
        return None
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


def is_one(one: Term, other: Term, spoken: str) -> bool:
    """Whether two terms are one, led by the same word or by none."""
    if one.key != other.key:
        return False
    if one.head != other.head and not (one.head in EASY and other.head in EASY):
        return False
    if one.head and other.head and one.head != other.head:
        return False
    owns = any(each.is_owner and each.is_capital for each in (one, other))
    if FOR in {one.head, other.head} and owns:
        return False  # "a review for Ana" is not hers
    if one.is_capital and other.is_capital and one.form != other.form:
        short, long = sorted((one.form, other.form), key=len)
        return spoken == "de" and len(short) >= _NOUN and long.removeprefix(short) in _DECLINED
    return True
