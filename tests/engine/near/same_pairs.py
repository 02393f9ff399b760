"""Which of some pairs of lines are taken for the same, in either order."""

from dreamd.engine.rules.near.same import says_the_same
from tests.planted.near_duplicates import Pair


def found(pairs: list[Pair]) -> list[Pair]:
    return [
        pair
        for pair in pairs
        if says_the_same(pair.one, pair.other) or says_the_same(pair.other, pair.one)
    ]
