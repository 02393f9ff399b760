"""Resolve words like `last Friday` to days, from the day on which they were said.

Weeks go from Monday to Sunday. What could be either of two days, or is about so long ago, means
none: "last Friday" said on a Saturday, "a few days ago", "next weekend".
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from contextlib import suppress
from datetime import date, timedelta
from itertools import islice
from typing import NamedTuple

from dreamd.text import lexicon
from dreamd.text.late import late
from dreamd.text.time.dates import MONTHS, NUMBER_WORDS, WEEKDAYS, Groups, apart

WEEK = timedelta(weeks=1)
_FIXED = {"today": 0, "tonight": 0, "yesterday": -1, "tomorrow": 1, "last night": -1}
_FIXED |= {"the day before yesterday": -2, "the day after tomorrow": 2, "the night before last": -2}
_SIDES = {"last": -1, "this": 0, "next": 1}
_SPANS = {"week", "weekend", "fortnight", "month", "quarter", "year", *lexicon.of("season")}
_UNITS = {"minute", "hour", "day", "night", "decade", *_SPANS, *WEEKDAYS}
_BASES = {"today", "tomorrow", "yesterday", *_SPANS, *WEEKDAYS, *MONTHS}
_NEAR_BY = lexicon.pattern("near-by")
_WEEKDAY = late(r"\b(mon|tue|wed|thu|fri|sat|sun)(?:s?day|nesday|rsday|urday|s|rs?)?\b")
_NTH = late(r"\b(?:the|on)\s([12]?\d|3[01])(?:st|nd|rd|th)\b")
_ABOUT = {"a couple of": (2, 3), "a few": (2, 3, 4, 5), "a": (1,), "an": (1,)}
_ABOUT |= {word: (int(number),) for word, number in NUMBER_WORDS.items()}
_LENGTH = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "year": 365}
_BEHIND = {"ago", "back", "earlier", "before"}


class Period(NamedTuple):
    """The days from `first` to `last`, both included."""

    first: date
    last: date

    @property
    def words(self) -> str:
        """The days in ISO 8601: a day, a month, a year, or a span of days."""
        first, last = map(date.isoformat, self)
        if first == last:
            return first
        if self == _month(self.first):
            return first[:7]
        return first[:4] if (first[4:], last[4:]) == ("-01-01", "-12-31") else f"{first} to {last}"


def resolve(phrase: str, said: date) -> Period | None:
    """Return what a phrase means when said on that day; None where nobody can say for sure."""
    text = " ".join(phrase.lower().split())
    for pattern, means in _FORMS:
        if means and (match := pattern.fullmatch(text)):
            with suppress(OverflowError, ValueError):  # before the year 1 or after 9999
                return means(match, said)
    return None


def phrases(low: str) -> Iterator[re.Match[str]]:
    """Return where a text in lower case has such a phrase; in names and titles it means no day."""
    return apart((pattern for pattern, _ in _FORMS), low, _is_phrase)


def _is_phrase(said: Groups) -> bool:
    """Whether the words that a form leaves open are such as it can be said with."""
    unit, noun, base = said.get("unit"), said.get("noun"), said.get("base")
    if base and not (said["way"] or unit in {"week", "fortnight"}):
        return False
    if unit:
        return unit in _UNITS and (not base or base.rpartition(" ")[2] in _BASES)
    return not noun or noun in _SPANS or (noun in MONTHS and said["side"] != "this")


def _fixed(match: re.Match[str], said: date) -> Period:
    day = said + timedelta(_FIXED.get(match["when"], 0))
    return Period(day, day)


def _counted(match: re.Match[str], said: date) -> Period | None:
    """Return the day of "3 days ago", the week of "two weeks ago", the month, the year."""
    word, unit = match["count"], match["unit"]
    word = NUMBER_WORDS.get(word, "1" if word in {"a", "an"} else word)
    if not word.isdecimal():
        return None
    count, step = int(word), -1 if match["way"] == "ago" else 1
    if unit in WEEKDAYS:
        return _weekday(step, unit, said, more=count - 1)
    if unit in {"day", "night"}:
        return Period(*[said + timedelta(step * count)] * 2)
    return _span(step * count, unit, said)


def _beside(match: re.Match[str], said: date) -> Period | None:
    """Return what "last week", "this coming Tuesday", "next month" and "last March" mean."""
    step, way, noun = _SIDES[match["side"]], match["way"], match["noun"]
    if way:
        step = -1 if way == "past" else 1
    if name := match["day"]:
        nearest = nearest_day(step or 1, name, said)
        is_sure = way and abs(nearest - said) != WEEK
        return Period(nearest, nearest) if is_sure else None if way else _weekday(step, name, said)
    if noun == "weekend":
        if said.weekday() >= 5 or (step > 0 and not way):
            return None  # it could be another
        saturday = _week(said).first + timedelta(5) + min(step, 0) * WEEK
        return Period(saturday, saturday + timedelta(1))
    if noun in MONTHS:
        wanted = MONTHS.index(noun) + 1
        is_of_this_year = (wanted < said.month) if step < 0 else (wanted > said.month)
        return None if is_of_this_year else _month(date(said.year + step, wanted, 1))
    if way or (noun == "week" and said.weekday() == 6):
        return None  # whose week is it, on a Sunday?
    return _span(step, noun, said)


def _span(step: int, unit: str, said: date) -> Period | None:
    """Return the week, month, quarter or year so many on."""
    if unit == "week":
        return _week(said + step * WEEK)
    if length := {"month": 1, "quarter": 3, "year": 12}.get(unit):
        begins = _month(said, step * length - (said.month - 1) % length).first
        return Period(begins, _month(begins, length - 1).last)
    return None


def _weekday(step: int, name: str, said: date, more: int = 0) -> Period | None:
    """Return the nearest such day on a side, None where one of another week may be meant."""
    ahead = WEEKDAYS.index(name) - said.weekday()
    day = nearest_day(step, name, said) + more * step * WEEK if step else said + timedelta(ahead)
    is_sure = ahead >= 0 if step == 0 else _week(nearest_day(step, name, said)) != _week(said)
    return Period(day, day) if is_sure else None


def nearest_day(step: int, name: str, said: date) -> date:
    """Return the first such weekday after (`step` 1) or before (-1) a day, itself apart."""
    ahead = (WEEKDAYS.index(name) - said.weekday()) % 7
    return said + timedelta(ahead or 7) if step > 0 else said - timedelta((7 - ahead) or 7)


def _week(day: date) -> Period:
    monday = day - timedelta(day.weekday())
    return Period(monday, monday + timedelta(6))


def _month(day: date, more: int = 0) -> Period:
    years, number = divmod(day.month - 1 + more, 12)
    first = date(day.year + years, number + 1, 1)
    return Period(first, first.replace(day=monthrange(first.year, first.month)[1]))


def meant(day: date, text: str) -> frozenset[date]:
    """Return the message's day and every day that its words may mean.

    `last Friday` is the latest Friday and the one before it, `last week` each of its days, `three
    weeks ago` the days around. A day that the calendar lacks is left out.
    """
    shifts = islice(_shifts(day, text.lower()), 1_000)  # more than any message has
    days = (day.toordinal() + shift for shift in shifts)
    return frozenset({day, *(date.fromordinal(n) for n in days if 0 < n <= date.max.toordinal())})


def _shifts(day: date, low: str) -> Iterator[int]:
    for phrase in {match[0] for match in phrases(low)}:
        for said in (day, day - timedelta(1)) if day.weekday() == 6 else (day,):
            if period := resolve(phrase, said):
                length = (period.last - period.first).days + 1
                begins = (period.first - day).days
                yield from range(begins, begins + (length if length <= 92 else 1))
    for match in _NEAR_BY.finditer(low):
        if match["lead"] or match["side"]:  # else it is `€40 a month`
            yield from _away(match)
    for name in set(_WEEKDAY.findall(low)):
        number = next(n for n, each in enumerate(WEEKDAYS) if each.startswith(name))
        ahead = (number - day.weekday()) % 7
        yield from (ahead - 14, ahead - 7, ahead, ahead + 7)
    if wanted := {int(number) for number in _NTH.findall(low)}:
        near = range(max(-45, 1 - day.toordinal()), min(45, (date.max - day).days) + 1)
        yield from (n for n in near if (day + timedelta(n)).day in wanted)


def _away(match: re.Match[str]) -> Iterator[int]:
    """Yield the days so many units away; without a side, both ways; months and years with more."""
    count = " ".join(match["count"].split())
    unit, side = match["unit"], " ".join((match["side"] or "").split())
    for number in _ABOUT.get(count, (int(count),) if count.isdecimal() else ()):
        span, margin = _LENGTH[unit] * number, number + 3 if unit in {"month", "year"} else 0
        for sign in (-1, 1) if not side else (-1,) if side in _BEHIND else (1,):
            yield from (sign * (span + n) for n in range(-margin, margin + 1))


_Means = Callable[[re.Match[str], date], Period | None]
_FORMS: tuple[tuple[re.Pattern[str], _Means | None], ...] = (
    (lexicon.pattern("fixed-day"), _fixed),
    (lexicon.pattern("days-ago"), _counted),
    (lexicon.pattern("days-from"), None),
    (lexicon.pattern("beside"), _beside),
)
