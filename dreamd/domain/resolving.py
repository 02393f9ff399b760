"""Which day, week, month or year a relative phrase means, from the day on which it was said."""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, timedelta

from dreamd.domain.calendar_words import MONTHS, WEEKDAYS

_ONES = ("a", "an", "one")
_MORE = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
_COUNTS = dict.fromkeys(_ONES, 1) | {word: number for number, word in enumerate(_MORE, 2)}
_OF_THE_DAY = {"morning", "afternoon", "evening"}
_FIXED = {
    "today": 0,
    "tonight": 0,
    "yesterday": -1,
    "tomorrow": 1,
    "last night": -1,
    "the day before yesterday": -2,
    "the day after tomorrow": 2,
}
_SIDES = {"last": -1, "this": 0, "next": 1}
_COUNTED = re.compile(
    r"(?P<number>\d{1,4}|[a-z]+) (?P<unit>day|night|week|fortnight|month|year|minute)s? "
    r"(?P<way>ago|from now)"
)
_WEEK = timedelta(weeks=1)


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
        if self.first == self.last:
            return self.other.isoformat()
        return _words(*_month(self.other))


def resolve(phrase: str, said: date) -> Resolved | None:
    """Return what a phrase, as `dates.relative_phrases` finds it, means when said on that day.

    Weeks go from Monday to Sunday. None is what names no sure days: "a few days ago", "last
    summer", "3 hours ago", "next weekend".
    """
    text = " ".join(phrase.casefold().split())
    try:
        for rule in _RULES:
            if (found := rule(text, said)) is not None:
                return found
    except (OverflowError, ValueError):  # before the year 1, or after 9999
        return None
    return None


def _fixed(text: str, said: date) -> Resolved | None:
    head, _, part = text.rpartition(" ")
    if head == "this" and part in _OF_THE_DAY | {"night"}:
        return _day(said)
    if head in {"yesterday", "tomorrow"} and part in _OF_THE_DAY | {"night"}:
        text = head
    return _day(said + timedelta(_FIXED[text])) if text in _FIXED else None


def _counted(text: str, said: date) -> Resolved | None:
    """Return the day of "3 days ago", the week of "two weeks ago", the month, the year."""
    found = _COUNTED.fullmatch(text)
    if found is None:
        return None
    word = found["number"]
    number = int(word) if word.isdigit() else _COUNTS.get(word)
    if number is None:
        return None
    number *= -1 if found["way"] == "ago" else 1
    match found["unit"]:
        case "minute":
            return _day(said) if abs(number) <= 10 else None
        case "day" | "night":
            return _day(said + timedelta(number))
        case "week":
            return _week(said + number * _WEEK)
        case "fortnight":
            return _week(said + 2 * number * _WEEK)
        case "month":
            return Resolved(*_month(_moved(said, number)))
        case _:
            return _year(said.year + number)


def _beside(text: str, said: date) -> Resolved | None:
    """Return what "last week", "this month", "next Tuesday" and "last March" mean."""
    side, _, noun = text.partition(" ")
    step = _SIDES.get(side)
    if step is None:
        return None
    if noun in WEEKDAYS:
        return _weekday(step, WEEKDAYS.index(noun), said)
    if noun in MONTHS:
        return _named_month(step, MONTHS.index(noun) + 1, said)
    match noun:
        case "week":
            return _week(said + step * _WEEK)
        case "weekend":
            return _weekend(step, said)
        case "fortnight":
            return None
        case "month":
            return Resolved(*_month(_moved(said, step)))
        case "quarter":
            begins = _moved(said.replace(day=1, month=(said.month - 1) // 3 * 3 + 1), 3 * step)
            return Resolved(begins, _month(_moved(begins, 2))[1])
        case "year":
            return _year(said.year + step)
    return None


def _weekday(step: int, wanted: int, said: date) -> Resolved | None:
    """Return the nearest such day on that side; where it is of this week, the next one may be."""
    ahead = (wanted - said.weekday()) % 7
    if step == 0:
        return _day(said + timedelta(ahead)) if wanted >= said.weekday() else None
    nearest = said + timedelta(ahead or 7) if step > 0 else said - timedelta((7 - ahead) or 7)
    is_of_this_week = nearest - timedelta(nearest.weekday()) == said - timedelta(said.weekday())
    other = nearest + step * _WEEK if is_of_this_week else None
    return Resolved(nearest, nearest, other)


def _weekend(step: int, said: date) -> Resolved | None:
    if step > 0 or (step < 0 and said.weekday() >= 5):
        return None
    saturday = said - timedelta(said.weekday()) + timedelta(5) + step * _WEEK
    return Resolved(saturday, saturday + timedelta(1))


def _named_month(step: int, month: int, said: date) -> Resolved | None:
    if step < 0:
        year = said.year if month < said.month else said.year - 1
    else:
        year = said.year if month > said.month else said.year + 1
    first, last = _month(date(year, month, 1))
    other = date(year + step, month, 1) if year == said.year else None
    return Resolved(first, last, other)


def _day(day: date) -> Resolved:
    return Resolved(day, day)


def _week(day: date) -> Resolved:
    monday = day - timedelta(day.weekday())
    return Resolved(monday, monday + timedelta(6))


def _year(year: int) -> Resolved:
    return Resolved(date(year, 1, 1), date(year, 12, 31))


def _month(day: date) -> tuple[date, date]:
    return day.replace(day=1), day.replace(day=monthrange(day.year, day.month)[1])


def _moved(day: date, months: int) -> date:
    """Return the first of the month so many months on."""
    years, month = divmod(day.month - 1 + months, 12)
    return date(day.year + years, month + 1, 1)


def _words(first: date, last: date) -> str:
    if first == last:
        return first.isoformat()
    if (first, last) == _month(first):
        return first.isoformat()[:7]
    if (first, last) == (first.replace(month=1, day=1), first.replace(month=12, day=31)):
        return first.isoformat()[:4]
    return f"{first.isoformat()} to {last.isoformat()}"


_RULES: tuple[Callable[[str, date], Resolved | None], ...] = (_fixed, _counted, _beside)
