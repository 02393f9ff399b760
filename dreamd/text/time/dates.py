"""Find absolute days in text: `2026-03-27`, `27 March 2026`, `March 27`, `27.3.2026`."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from datetime import date
from typing import NamedTuple

from dreamd.text import lexicon
from dreamd.text.late import late

Groups = dict[str, str | None]
WEEKDAYS = lexicon.listed("weekday")
MONTHS = lexicon.listed("month")[:12]
_MONTH_NUMBERS = {name: number for number, name in enumerate(MONTHS, 1)}
_MONTH_NUMBERS |= {name[:3]: number for name, number in _MONTH_NUMBERS.items()} | {"sept": 9}
NUMBER_WORDS = {word: str(number) for number, word in enumerate(lexicon.listed("numeral"))}
_PART = late(r"(?<!\w)(?:q[1-4]|w\d{1,2})\s\d{4}(?!\d)|(?<!\d)\d{4}-(?:q[1-4]|w\d{1,2})(?!\d)")
# Each pattern begins with what few characters are, and looks back from there: ten times as fast.
_KINDS = ("iso-date", "dotted-date", "day-first-date", "month-first-date")
_PATTERNS = tuple(map(lexicon.pattern, _KINDS))


class Dated(NamedTuple):
    """Columns `start` to `end` (half-open) of a text name days or months.

    Each of `days` holds the readings of one day: `2026-03-27`, without its year `--03-27`, without
    its day `2026-03`. Only `3/4/2026` has two readings.
    """

    start: int
    end: int
    days: tuple[tuple[str, ...], ...]


def dates(low: str) -> tuple[Dated, ...]:
    """Return the absolute days of a text in lower case, by place; what no calendar has is none."""
    found = (Dated(*match.span(), _days(match.groupdict())) for match in apart(_PATTERNS, low))
    return tuple(each for each in found if each.days)


def apart(
    patterns: Iterable[re.Pattern[str]], low: str, fits: Callable[[Groups], bool] = bool
) -> Iterator[re.Match[str]]:
    """Yield the matches whose groups fit, by place, of those that overlap the first and longest."""
    every = (match for pattern in patterns for match in pattern.finditer(low))
    reached = 0
    for match in sorted(every, key=lambda match: (match.start(), -match.end())):
        if match.start() >= reached and fits(match.groupdict()):
            reached = match.end()
            yield match


def has_date(text: str) -> bool:
    """Whether a text names a day, a month with its year, a quarter or a week of a year."""
    low = text.lower()
    return bool(dates(low)) or _PART.search(low) is not None


def _days(said: Groups) -> tuple[tuple[str, ...], ...]:
    year, month = said["year"] or said.get("only") or "", said.get("month") or ""
    if two := said.get("two") or said.get("other"):
        year, one = said["year"] or f"20{said['short']}", said["one"] or ""
        forms = dict.fromkeys((_form(year, int(two), one), _form(year, int(one), two)))
        return tuple(filter(None, (tuple(filter(None, forms)),)))
    if "sep" in said:  # a month in figures
        year, number = said["year"] or "", int(month or said["only"] or 0)
    else:
        number = _MONTH_NUMBERS.get(month, 0)
    days = [*filter(None, map(said.get, ("day", "last")))] or [""]
    return tuple((form,) for day in days if (form := _form(year, number, day)))


def _form(year: str, month: int, day: str) -> str:
    """Return a date in its normal form, nothing where the calendar has none."""
    try:
        date(int(year or 2024), month, int(day or 1))
    except ValueError:
        return ""
    year = str(int(year)) if year else "-"
    return f"{year}-{month:02}" + (f"-{int(day):02}" if day else "")
