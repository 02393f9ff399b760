"""Resolve a relative phrase to a day, week, month or year, from the day it was said."""

from __future__ import annotations

from collections.abc import Callable
from datetime import date, timedelta

from dreamd.text.late import late
from dreamd.text.time.calendar_words import MONTHS, WEEKDAYS
from dreamd.text.time.spans import WEEK, Resolved, a_day, month, moved, week, year
from dreamd.text.time.weekdays import SIDES, by_weekday, count_of, nearest_day, number, weekday

_OF_THE_DAY = {"morning", "afternoon", "evening"}
_FIXED = {
    "today": 0,
    "tonight": 0,
    "yesterday": -1,
    "tomorrow": 1,
    "last night": -1,
    "the night before last": -2,
    "the day before yesterday": -2,
    "the day after tomorrow": 2,
    "tomorrow week": 8,
    "today week": 7,
}
_COUNTED = late(
    r"(?P<number>\d{1,4}|[a-z]+) (?P<unit>day|night|week|fortnight|month|year|minute)s? "
    r"(?P<way>ago|from now)"
)
_FROM = late(
    r"(?P<number>\d{1,4}|[a-z]+) (?P<unit>day|week|month|year)s? "
    r"(?P<way>ago|from|before|after) (?P<day>[a-z ]+)"
)
_FAR = late(r"the (?P<unit>week|month|year) (?P<way>after next|before last)")
_OF_MONTH = late(r"the (?P<day>\d{1,2})(?:st|nd|rd|th) of (?P<side>last|this|next) month")


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
    except (OverflowError, ValueError):  # before the year 1, after 9999, or the 31st of June
        return None
    return None


def in_counted(word: str, unit: str, said: date) -> Resolved | None:
    """Return the day, week, month or year so many units on: "two weeks", from that day."""
    count = count_of(word)
    return None if count is None else _steps(count, unit, said)


def _fixed(text: str, said: date) -> Resolved | None:
    head, _, part = text.rpartition(" ")
    if head == "this" and part in _OF_THE_DAY | {"night"}:
        return a_day(said)
    if head in {"yesterday", "tomorrow"} and part in _OF_THE_DAY | {"night"}:
        text = head
    return a_day(said + timedelta(_FIXED[text])) if text in _FIXED else None


def _counted(text: str, said: date) -> Resolved | None:
    """Return the day of "3 days ago", the week of "two weeks ago", the month, the year."""
    found = _COUNTED.fullmatch(text)
    count = count_of(found["number"]) if found else None
    if found is None or count is None:
        return None
    return _steps(-count if found["way"] == "ago" else count, found["unit"], said)


def _steps(count: int, unit: str, said: date) -> Resolved | None:
    match unit:
        case "minute":
            return a_day(said) if abs(count) <= 10 else None
        case "day" | "night":
            return a_day(said + timedelta(count))
        case "week":
            return week(said + count * WEEK)
        case "fortnight":
            return week(said + 2 * count * WEEK)
        case "month":
            return Resolved(*month(moved(said, count)))
        case _:
            return year(said.year + count)


def _from(text: str, said: date) -> Resolved | None:
    """Return the day of "a week from Tuesday", "a year ago today", "2 days before last Friday"."""
    found = _FROM.fullmatch(text.replace("the day ", "a day ", 1))
    count = count_of(found["number"]) if found else None
    if found is None or count is None:
        return None
    base = _base(found["day"], is_plain=found["way"] == "from", said=said)
    if base is None:
        return None
    count *= 1 if found["way"] in {"from", "after"} else -1
    match found["unit"]:
        case "day":
            return a_day(base + timedelta(count))
        case "week":
            return a_day(base + count * WEEK)
        case "month":
            return a_day(moved(base, count).replace(day=base.day))
        case _:
            return a_day(base.replace(year=base.year + count))


def _base(text: str, *, is_plain: bool, said: date) -> date | None:
    """Return the one day that the end of such a phrase names."""
    if text in WEEKDAYS:
        nearest = nearest_day(1, number(text), said)
        return nearest if is_plain and nearest - said < WEEK else None
    found = _fixed(text, said) or _beside(text, said)
    if found is None or found.other is not None or found.first != found.last:
        return None
    return found.first


def _far(text: str, said: date) -> Resolved | None:
    """Return what "the week after next" and "the month before last" mean."""
    found = _FAR.fullmatch(text)
    if found is None or (found["unit"] == "week" and said.weekday() == 6):
        return None
    return _steps(2 if found["way"] == "after next" else -2, found["unit"], said)


def _of_month(text: str, said: date) -> Resolved | None:
    found = _OF_MONTH.fullmatch(text)
    if found is None:
        return None
    return a_day(moved(said, SIDES[found["side"]]).replace(day=int(found["day"])))


def _beside(text: str, said: date) -> Resolved | None:
    """Return what "last week", "this month", "next Tuesday" and "last March" mean."""
    side, _, noun = text.partition(" ")
    step = SIDES.get(side)
    if step is None:
        return None
    day, _, part = noun.partition(" ")
    if day in WEEKDAYS and part in _OF_THE_DAY | {"", "night"}:
        return weekday(step, number(day), said)
    if noun in MONTHS:
        return _named_month(step, MONTHS.index(noun) + 1, said)
    return _beside_span(step, noun, said)


def _beside_span(step: int, noun: str, said: date) -> Resolved | None:
    match noun:
        case "week":
            return _beside_week(step, said)
        case "weekend":
            return weekend(step, said)
        case "past weekend":
            return weekend(-1, said)
        case "coming weekend" if said.weekday() < 5:
            return weekend(0, said)
        case "month":
            return Resolved(*month(moved(said, step)))
        case "quarter":
            begins = moved(said.replace(day=1, month=(said.month - 1) // 3 * 3 + 1), 3 * step)
            return Resolved(begins, month(moved(begins, 2))[1])
        case "year":
            return year(said.year + step)
    return None


def _beside_week(step: int, said: date) -> Resolved:
    """Return a week; on a Sunday, of which some weeks begin, the one after may be meant too."""
    found = week(said + step * WEEK)
    other = found.first + WEEK if said.weekday() == 6 else None
    return Resolved(found.first, found.last, other)


def weekend(step: int, said: date) -> Resolved | None:
    """Return the last (-1) or this (0) Saturday and Sunday; None where it could be another."""
    if step > 0 or (step < 0 and said.weekday() >= 5):
        return None
    saturday = said - timedelta(said.weekday()) + timedelta(5) + step * WEEK
    return Resolved(saturday, saturday + timedelta(1))


def _named_month(step: int, wanted: int, said: date) -> Resolved | None:
    if step < 0:
        of_year = said.year if wanted < said.month else said.year - 1
    else:
        of_year = said.year if wanted > said.month else said.year + 1
    first, last = month(date(of_year, wanted, 1))
    other = date(of_year + step, wanted, 1) if of_year == said.year else None
    return Resolved(first, last, other)


_RULES: tuple[Callable[[str, date], Resolved | None], ...] = (
    *(_fixed, _counted, _from, _far, _of_month),
    *(by_weekday, _beside),
)
