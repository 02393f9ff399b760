"""Find absolute days in a text, in the forms that notes use."""

from __future__ import annotations

from dataclasses import dataclass
from typing import NamedTuple

from dreamd.text.time.dates import dates
from dreamd.text.tokens import lowered


@dataclass(frozen=True, slots=True, order=True)
class Day:
    """A day of the calendar, or a month where `day` is 0; in order of time."""

    year: int
    month: int
    day: int = 0

    def __str__(self) -> str:
        """Read as ISO 8601: 2026-03-30, or 2026-03."""
        return f"{self.year:04}-{self.month:02}" + (f"-{self.day:02}" if self.day else "")

    @property
    def quarter(self) -> int:
        """The quarter of the year, 1 to 4."""
        return (self.month + 2) // 3


class Dated(NamedTuple):
    """A day with the columns (half-open) at which a text names it."""

    day: Day
    start: int
    end: int


def find(text: str) -> tuple[Dated, ...]:
    """Return the days and months with their years that a text names, in order."""
    return tuple(
        Dated(Day(*map(int, forms[0].split("-"))), each.start, each.end)
        for each in dates(lowered(text))
        for forms in each.days
        if len(forms) == 1 and not forms[0].startswith("-")
    )


def first(text: str) -> Day | None:
    """Return the first day a text names, None where it names none."""
    return found[0].day if (found := find(text)) else None
