"""Find every day that the words of a message may mean, in all usual readings."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from dreamd.text.late import late
from dreamd.text.time.calendar_words import NUMBER_WORDS, WEEKDAYS
from dreamd.text.time.meaning import phrases, resolve

_COUNTED = late(
    r"\b(?P<lead>(?:in|for|within|after|since|over|past|last|next)\s(?:the\s)?(?:last\s|next\s|past\s)?)?"
    r"(?P<count>\d{1,3}|[a-z]{1,9}|a\s(?:couple\sof|few))[\s-](?P<unit>day|week|fortnight|month|year)s?\b"
    r"(?:['’]?\s(?P<side>ago|from\snow|before|earlier|later|time|back))?"  # noqa: RUF001
)
_WEEKDAY = late(r"\b(mon|tue|wed|thu|fri|sat|sun)(?:s?day|nesday|rsday|urday|s|rs?)?\b")
_NTH = late(r"\b(?:the|on)\s([12]?\d|3[01])(?:st|nd|rd|th)\b")
_COUNTS = {"a couple of": (2, 3), "a few": (2, 3, 4, 5), "a": (1,), "an": (1,)}
_COUNTS |= {word: (int(number),) for word, number in NUMBER_WORDS.items()}
_SPAN = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "year": 365}
_MARGIN = {"month": 3, "year": 1}
_SIDES = {"ago": (-1,), "back": (-1,), "earlier": (-1,), "before": (-1,)}
_SIDES |= {"from now": (1,), "time": (1,), "later": (1,)}
_MOST = 400  # days that one message may mean


def meant(day: date, text: str) -> frozenset[date]:
    """Return the message's day and every day that its words may mean.

    `last Friday` is the latest Friday and the one before it, `last week` each of its days, `three
    weeks ago` the days around. A day that the calendar lacks is left out.
    """
    found = {day}
    for shift in _shifts(day, text.lower()):
        if 0 < day.toordinal() + shift <= date.max.toordinal():
            found.add(date.fromordinal(day.toordinal() + shift))
        if len(found) > _MOST:
            break
    return frozenset(found)


def _shifts(day: date, low: str) -> Iterator[int]:
    for phrase in {match[0] for match in phrases(low)}:
        for said in (day, day - timedelta(1)) if day.weekday() == 6 else (day,):
            if period := resolve(phrase, said):
                length = (period.last - period.first).days + 1
                begins = (period.first - day).days
                yield from range(begins, begins + (length if length <= 92 else 1))
    for match in _COUNTED.finditer(low):
        if match["lead"] or match["side"]:  # else it is `€40 a month`
            yield from _counted(match)
    for name in set(_WEEKDAY.findall(low)):
        number = next(n for n, each in enumerate(WEEKDAYS) if each.startswith(name))
        ahead = (number - day.weekday()) % 7
        yield from (ahead - 14, ahead - 7, ahead, ahead + 7)
    if wanted := {int(number) for number in _NTH.findall(low)}:
        today, last = day.toordinal(), date.max.toordinal()
        near = range(max(today - 45, 1), min(today + 45, last) + 1)
        yield from (n - today for n in near if date.fromordinal(n).day in wanted)


def _counted(match: re.Match[str]) -> Iterator[int]:
    """Yield the days so many units away; without a side, both ways; months and years with more."""
    count = " ".join(match["count"].split())
    unit, side = match["unit"], " ".join((match["side"] or "").split())
    for number in _COUNTS.get(count, (int(count),) if count.isdecimal() else ()):
        span, margin = _SPAN[unit] * number, _MARGIN.get(unit, -number) + number
        for sign in _SIDES.get(side, (-1, 1)):
            yield from (sign * (span + n) for n in range(-margin, margin + 1))
