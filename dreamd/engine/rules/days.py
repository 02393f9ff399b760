"""Find absolute days in a text, in the forms that notes use."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dreamd.text.late import late
from dreamd.text.time.dates import MONTHS

_MONTHS = {name: number for number, name in enumerate(MONTHS, 1)}
_MONTHS |= {name[:3]: number for name, number in _MONTHS.items()} | {"sept": 9}
_MONTH = "|".join(sorted(_MONTHS, key=len, reverse=True))
_DATES = (
    late(
        r"(?<![\d.])(?P<y>(?:19|20)\d\d)(?P<sep>[-/._])(?P<m>\d{1,2})(?:(?P=sep)(?P<d>\d{1,2}))?(?!\d)"
    ),
    late(r"(?<![\d.])(?P<d>\d{1,2})\.(?P<m>\d{1,2})\.(?P<y>(?:19|20)\d\d)(?!\d)"),
    late(
        rf"(?i)\b(?P<d>\d{{1,2}})(?:st|nd|rd|th)?(?: of)? (?P<m>{_MONTH})\.?,?"
        r" (?P<y>(?:19|20)\d\d)\b"
    ),
    late(
        rf"(?i)\b(?P<m>{_MONTH})\.? (?:(?P<d>\d{{1,2}})(?:st|nd|rd|th)?,? )?(?P<y>(?:19|20)\d\d)\b"
    ),
)


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


@dataclass(frozen=True, slots=True)
class Dated:
    """A day with the columns (half-open) at which a text names it."""

    day: Day
    start: int
    end: int


def find(text: str) -> tuple[Dated, ...]:
    """Return the days a text names, in order; impossible ones (2026-13-40) are none."""
    found: list[Dated] = []
    for match in sorted((m for each in _DATES for m in each.finditer(text)), key=re.Match.start):
        month = match["m"]
        number = int(month) if month.isdigit() else _MONTHS[month.casefold()]
        day = Day(int(match["y"]), number, int(match["d"] or 0))
        is_apart = not found or match.start() >= found[-1].end
        if is_apart and 1 <= day.month <= 12 and day.day <= 31:
            found.append(Dated(day, match.start(), match.end()))
    return tuple(found)


def first(text: str) -> Day | None:
    """Return the first day a text names, None where it names none."""
    return found[0].day if (found := find(text)) else None


def without(text: str) -> str:
    """Return the text with the days it names taken out."""
    for dated in reversed(find(text)):
        text = f"{text[: dated.start]} {text[dated.end :]}"
    return text
