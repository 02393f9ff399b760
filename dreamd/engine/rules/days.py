"""Find absolute days in a text, in the forms that notes use."""

from __future__ import annotations

from functools import lru_cache
from typing import NamedTuple

from dreamd.text.time.dates import dates
from dreamd.text.tokens import lowered

Day = str  # a day in ISO 8601 (2026-03-30), or a month (2026-03): in order of time


class Dated(NamedTuple):
    """A day with the columns (half-open) at which a text names it."""

    day: Day
    start: int
    end: int


@lru_cache(maxsize=1 << 14)  # an index is measured a dozen times
def find(text: str) -> tuple[Dated, ...]:
    """Return the days and months with their years that a text names, in order."""
    return tuple(
        Dated(forms[0], each.start, each.end)
        for each in dates(lowered(text))
        for forms in each.days
        if len(forms) == 1 and not forms[0].startswith("-")
    )


def first(text: str) -> Day | None:
    """Return the first day a text names, None where it names none."""
    return found[0].day if (found := find(text)) else None
