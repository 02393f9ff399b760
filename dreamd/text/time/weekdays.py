"""Resolve a weekday to a date, from the day on which it was said."""

from __future__ import annotations

from datetime import date, timedelta

from dreamd.text.late import late
from dreamd.text.time.calendar_words import WEEKDAYS
from dreamd.text.time.spans import WEEK, Resolved, a_day, month, moved

SIDES = {"last": -1, "this": 0, "next": 1}
ONES = ("a", "an", "one")
_MORE = ("two", "three", "four", "five", "six", "seven", "eight", "nine", "ten", "eleven", "twelve")
COUNTS = dict.fromkeys(ONES, 1) | {word: number for number, word in enumerate(_MORE, 2)}
_NTH = {"first": 0, "second": 1, "third": 2, "fourth": 3, "last": -1}
_DAY = "|".join(WEEKDAYS)
_SIDE = "last|this|next"
_FORMS = late(
    rf"(?P<of_day>{_DAY}) (?:of )?(?P<of_side>{_SIDE}) week"
    rf"|(?P<week_side>{_SIDE}) week (?:on )?(?P<week_day>{_DAY})"
    rf"|the (?P<far_day>{_DAY}) (?P<far>after next|before last)"
    rf"|(?P<ago>\w+) (?P<ago_day>{_DAY})s ago"
    rf"|this (?P<way>coming|past) (?P<way_day>{_DAY})"
    rf"|the (?P<nth>\w+) (?P<nth_day>{_DAY}) (?:of|in) (?P<nth_side>{_SIDE}) month"
)


def by_weekday(text: str, said: date) -> Resolved | None:
    """Return the day of "Friday last week", "the Monday after next", "two Fridays ago".

    `text` is in lower case; None where it is no such phrase, or could be any of several weeks.
    """
    found = _FORMS.fullmatch(text)
    if found is None:
        return None
    if name := found["of_day"] or found["week_day"]:
        step = SIDES[found["of_side"] or found["week_side"]]
        if said.weekday() == 6:
            return None  # whose week is it, on a Sunday?
        return a_day(said - timedelta(said.weekday()) + timedelta(number(name)) + step * WEEK)
    if name := found["far_day"]:
        return _further(1 if found["far"] == "after next" else -1, 1, name, said)
    if name := found["ago_day"]:
        count = count_of(found["ago"])
        return _further(-1, count - 1, name, said) if count else None
    if name := found["way_day"]:
        step = 1 if found["way"] == "coming" else -1
        nearest = nearest_day(step, number(name), said)
        return None if abs(nearest - said) == WEEK else a_day(nearest)
    return _nth(found["nth"], number(found["nth_day"]), SIDES[found["nth_side"]], said)


def weekday(step: int, wanted: int, said: date) -> Resolved | None:
    """Return the nearest such day on that side; where it is of this week, the next one may be."""
    if step == 0:
        ahead = (wanted - said.weekday()) % 7
        return a_day(said + timedelta(ahead)) if wanted >= said.weekday() else None
    nearest = nearest_day(step, wanted, said)
    return a_day(nearest, nearest + step * WEEK if _is_of_one_week(nearest, said) else None)


def nearest_day(step: int, wanted: int, said: date) -> date:
    """Return the first such day after (`step` 1) or before (-1) the day, itself apart."""
    ahead = (wanted - said.weekday()) % 7
    return said + timedelta(ahead or 7) if step > 0 else said - timedelta((7 - ahead) or 7)


def number(name: str) -> int:
    """Return the number of a weekday, Monday being 0."""
    return WEEKDAYS.index(name)


def count_of(word: str) -> int | None:
    """Return the number that digits or a word up to twelve say."""
    return int(word) if word.isdigit() else COUNTS.get(word)


def _further(step: int, weeks: int, name: str, said: date) -> Resolved:
    found = weekday(step, number(name), said)
    assert found is not None  # noqa: S101 - None for `this` only
    other = None if found.other is None else found.other + weeks * step * WEEK
    return a_day(found.first + weeks * step * WEEK, other)


def _nth(which: str, wanted: int, step: int, said: date) -> Resolved | None:
    if which not in _NTH:
        return None
    first, last = month(moved(said, step))
    if which == "last":
        return a_day(last - timedelta((last.weekday() - wanted) % 7))
    return a_day(first + timedelta((wanted - first.weekday()) % 7) + _NTH[which] * WEEK)


def _is_of_one_week(one: date, other: date) -> bool:
    return one - timedelta(one.weekday()) == other - timedelta(other.weekday())
