"""Spans of whole days: a day, a week, a month, a year."""

from __future__ import annotations

from calendar import monthrange
from dataclasses import dataclass
from datetime import date, timedelta

WEEK = timedelta(weeks=1)


@dataclass(frozen=True, slots=True)
class Resolved:
    """The days from `first` to `last`, both included.

    `other` is the first of as many days that could be meant as well: "last Monday", said on a
    Friday, is this week's or the one before. None where nothing else is.
    """

    first: date
    last: date
    other: date | None = None

    @property
    def words(self) -> str:
        """The days in ISO 8601: a day, a month, a year, or a span of days."""
        return _words(self.first, self.last)

    @property
    def other_words(self) -> str:
        """The same of what else could be meant; empty where nothing is."""
        if self.other is None:
            return ""
        if self.last - self.first < WEEK:
            return _words(self.other, self.other + (self.last - self.first))
        return _words(*month(self.other))


def a_day(day: date, other: date | None = None) -> Resolved:
    """Return a single day, and another that could be meant."""
    return Resolved(day, day, other)


def week(day: date) -> Resolved:
    """Return the week of a day, Monday to Sunday."""
    monday = day - timedelta(day.weekday())
    return Resolved(monday, monday + timedelta(6))


def year(number: int) -> Resolved:
    """Return a year of the calendar; `ValueError` outside 1 to 9999."""
    return Resolved(date(number, 1, 1), date(number, 12, 31))


def month(day: date) -> tuple[date, date]:
    """Return the first and the last day of a day's month."""
    return day.replace(day=1), day.replace(day=monthrange(day.year, day.month)[1])


def moved(day: date, months: int) -> date:
    """Return the first of the month so many months on."""
    years, number = divmod(day.month - 1 + months, 12)
    return date(day.year + years, number + 1, 1)


def _words(first: date, last: date) -> str:
    if first == last:
        return first.isoformat()
    if (first, last) == month(first):
        return first.isoformat()[:7]
    if (first, last) == (first.replace(month=1, day=1), first.replace(month=12, day=31)):
        return first.isoformat()[:4]
    return f"{first.isoformat()} to {last.isoformat()}"
