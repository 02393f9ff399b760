"""Pairs of note lines: the same thing said twice, and pairs that only look so.

In SEEN and HELD the values of one line all stand in the other. In OTHERS_SEEN and OTHERS_HELD the
lines differ in one value, in negation, name or scope (``why`` says in what) and both must stay.
The HELD halves measure alone: who builds the rules does not read them.
"""

from dataclasses import dataclass

from tests.planted.records import records


@dataclass(frozen=True, slots=True)
class Pair:
    one: str
    other: str
    language: str = "en"
    why: str = ""


def pairs(half: str, name: str) -> list[Pair]:
    return [
        Pair(lines[0], lines[1], language, "".join(lines[2:]))
        for language, _, lines in records(half, name)
    ]


SEEN = pairs("seen", "near_duplicates")
HELD = pairs("held", "near_duplicates")
OTHERS_SEEN = pairs("seen", "near_misses")
OTHERS_HELD = pairs("held", "near_misses")
