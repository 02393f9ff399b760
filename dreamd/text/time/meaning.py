"""Which days a phrase like `last Friday` means, by the day on which it was said.

Weeks go from Monday to Sunday. What could be either of two days, or is about so long ago, means
none: "last Friday" said on a Saturday, "a few days ago", "next weekend".
"""

from __future__ import annotations

import re
from calendar import monthrange
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from datetime import date, timedelta

from dreamd.text import lexicon
from dreamd.text.late import late
from dreamd.text.time.calendar_words import MONTHS, NUMBER_WORDS, WEEKDAYS

WEEK = timedelta(weeks=1)
_DAY = r"(?:mon|tues|wednes|thurs|fri|satur|sun)day"
_PART = r"(?:morning|afternoon|evening|night)"
_COUNT = (
    r"(?P<count>\d{1,4}(?:[.,]\d|\s?[-–]\s?\d{1,4})?|a\sfew|a\scouple(?:\sof)?|an?|some"  # noqa: RUF001
    r"|several|one|two|three|four|five|six|seven|eight|nine|ten|eleven|twelve)"
)
_SIDES = {"last": -1, "this": 0, "next": 1}
_FIXED = {
    "today": 0,
    "tonight": 0,
    "yesterday": -1,
    "tomorrow": 1,
    "last night": -1,
    "this": 0,
    "the day before yesterday": -2,
    "the day after tomorrow": 2,
    "the night before last": -2,
}
_SPANS = {"week", "weekend", "fortnight", "month", "quarter", "year", *lexicon.of("season")}
_UNITS = {"minute", "hour", "day", "night", "decade", *_SPANS, *WEEKDAYS}
_BASES = {"today", "tomorrow", "yesterday", *_SPANS, *WEEKDAYS, *MONTHS}


@dataclass(frozen=True, slots=True)
class Period:
    """The days from `first` to `last`, both included."""

    first: date
    last: date

    @property
    def words(self) -> str:
        """The days in ISO 8601: a day, a month, a year, or a span of days."""
        if self.first == self.last:
            return self.first.isoformat()
        if self == _month(self.first):
            return self.first.isoformat()[:7]
        if self == _year(self.first.year):
            return self.first.isoformat()[:4]
        return f"{self.first.isoformat()} to {self.last.isoformat()}"


def resolve(phrase: str, said: date) -> Period | None:
    """Return what a phrase means when said on that day; None where nobody can say for sure."""
    text = " ".join(phrase.lower().split())
    for pattern, means in _FORMS:
        if (match := pattern.fullmatch(text)) is not None:
            try:
                return means(match, said)
            except (OverflowError, ValueError):  # before the year 1, or the 31st of June
                return None
    return None


def phrases(low: str) -> Iterator[re.Match[str]]:
    """Yield where a text in lower case has such a phrase, by place, of two that overlap the first.

    Some are no days: the words of a name, a title or a file name.
    """
    found = [
        match
        for pattern, _ in _FORMS
        for match in pattern.finditer(low)
        if _is_phrase(match.groupdict())
    ]
    found.sort(key=lambda match: (match.start(), -match.end()))
    reached = 0
    for match in found:
        if match.start() >= reached:
            reached = match.end()
            yield match


def _is_phrase(said: dict[str, str | None]) -> bool:
    """Whether the words that a form leaves open are such as it can be said with."""
    unit, noun, base = said.get("unit"), said.get("noun"), said.get("base")
    if base and not (said["way"] or unit in {"week", "fortnight"}):
        return False
    if unit:
        return unit in _UNITS and (not base or base.rpartition(" ")[2] in _BASES)
    return not noun or noun in _SPANS or (noun in MONTHS and said["side"] != "this")


def _fixed(match: re.Match[str], said: date) -> Period | None:
    """Return the day of "yesterday", "this morning", "the day after tomorrow"."""
    text = match[0]
    return a_day(said + timedelta(_FIXED[text if text in _FIXED else text.split()[0]]))


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
        return a_day(said + timedelta(step * count))
    return _span(step * count, unit, said)


def _beside(match: re.Match[str], said: date) -> Period | None:
    """Return what "last week", "this coming Tuesday", "next month" and "last March" mean."""
    step, way, noun = _SIDES[match["side"]], match["way"], match["noun"]
    if way:
        step = -1 if way == "past" else 1
    if name := match["day"]:
        nearest = nearest_day(step or 1, name, said)
        is_sure = way and abs(nearest - said) != WEEK
        return a_day(nearest) if is_sure else None if way else _weekday(step, name, said)
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
    match unit:
        case "week":
            return _week(said + step * WEEK)
        case "month":
            return _month(_moved(said, step))
        case "quarter":
            begins = _moved(date(said.year, (said.month - 1) // 3 * 3 + 1, 1), 3 * step)
            return Period(begins, _month(_moved(begins, 2)).last)
        case "year":
            return _year(said.year + step)
    return None


def _weekday(step: int, name: str, said: date, more: int = 0) -> Period | None:
    """Return the nearest such day on a side, None where one of another week may be meant."""
    if step == 0:
        ahead = WEEKDAYS.index(name) - said.weekday()
        return a_day(said + timedelta(ahead)) if ahead >= 0 else None
    nearest = nearest_day(step, name, said)
    return None if _week(nearest) == _week(said) else a_day(nearest + more * step * WEEK)


def nearest_day(step: int, name: str, said: date) -> date:
    """Return the first such weekday after (`step` 1) or before (-1) a day, itself apart."""
    ahead = (WEEKDAYS.index(name) - said.weekday()) % 7
    return said + timedelta(ahead or 7) if step > 0 else said - timedelta((7 - ahead) or 7)


def a_day(day: date) -> Period:
    """Return a single day."""
    return Period(day, day)


def _week(day: date) -> Period:
    monday = day - timedelta(day.weekday())
    return Period(monday, monday + timedelta(6))


def _month(day: date) -> Period:
    return Period(day.replace(day=1), day.replace(day=monthrange(day.year, day.month)[1]))


def _year(number: int) -> Period:
    return Period(date(number, 1, 1), date(number, 12, 31))


def _moved(day: date, months: int) -> date:
    """Return the first of the month so many months on."""
    years, number = divmod(day.month - 1 + months, 12)
    return date(day.year + years, number + 1, 1)


def _form(body: str) -> re.Pattern[str]:
    return late(rf"(?<![^\W_])(?:{body})(?![^\W_])")


_FORMS: tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], Period | None]], ...] = (
    (
        _form(
            r"the\sday\s(?:before\syesterday|after\stomorrow)|the\snight\sbefore\slast|last\snight"
            rf"|this\s{_PART}|(?:yesterday|tomorrow)(?:\s{_PART})?|today|tonight"
        ),
        _fixed,
    ),
    (_form(rf"{_COUNT}\s(?P<unit>[a-z]+?)s?\s(?P<way>ago|from\snow(?!\son\b))"), _counted),
    (
        _form(
            rf"{_COUNT}\s(?P<unit>[a-z]+?)s?\s(?:(?P<way>from|before|after|ago)\s)?"
            r"(?P<base>(?:last|next|this)\s[a-z]+|[a-z]+day|tomorrow)"
        ),
        lambda _match, _said: None,  # "a week from Tuesday"
    ),
    (
        _form(
            rf"(?P<side>last|next|this)\s(?:(?P<way>coming|past)\s)?(?:(?P<day>{_DAY})(?:\s{_PART})?|(?P<noun>[a-z]+))"
        ),
        _beside,
    ),
)
