"""Sentences told from the day on which they were said, and what only has words of such days.

SEEN and HELD say days, weeks, months and years; ``means`` has, for each phrase in order, all that a
reader could take it for. In TRAPS_SEEN and TRAPS_HELD no words mean a time told from that day, but
what ``means`` allows. The HELD halves measure alone: who builds the rules does not read them.
"""

from dataclasses import dataclass
from datetime import date, timedelta

from tests.planted.records import dated, records


@dataclass(frozen=True, slots=True)
class Days:
    """The days from ``first`` to ``last``, both included."""

    first: date
    last: date

    def meets(self, other: "Days") -> bool:
        return self.first <= other.last and other.first <= self.last


@dataclass(frozen=True, slots=True)
class Spoken:
    """What was said on a day; ``means`` pairs each phrase with what it can be taken for."""

    said: str
    day: date
    means: tuple[tuple[str, tuple[Days, ...]], ...]
    kind: str
    language: str


def days(words: str) -> Days:
    """Read a day, a month, a year or `FIRST to LAST`, as ISO 8601 spells them."""
    first, _, last = words.strip().partition(" to ")
    if last:
        return Days(days(first).first, days(last).last)
    match first.count("-"):
        case 2:
            return Days(date.fromisoformat(first), date.fromisoformat(first))
        case 1:
            begins = date.fromisoformat(f"{first}-01")
            following = (begins + timedelta(31)).replace(day=1)
            return Days(begins, following - timedelta(1))
        case _:
            return Days(date(int(first), 1, 1), date(int(first), 12, 31))


def spoken(half: str, name: str) -> list[Spoken]:
    found = []
    for language, kind, lines in records(half, name):
        text, day = dated(lines[0])
        means = []
        for each in lines[1].split(" ; ") if len(lines) > 1 else ():
            phrase, _, taken = each.rpartition(" = ")
            means.append((phrase, tuple(map(days, taken.split(" | ")))))
        found.append(Spoken(text, date.fromisoformat(day), tuple(means), kind, language))
    return found


SEEN = spoken("seen", "relative_dates")
HELD = spoken("held", "relative_dates")
TRAPS_SEEN = spoken("seen", "date_traps")
TRAPS_HELD = spoken("held", "date_traps")
