"""Find the days that a message may mean by relative words."""

from __future__ import annotations

import re
from collections.abc import Iterator
from datetime import date, timedelta

from dreamd.text.late import late
from dreamd.text.time.calendar_words import WEEKDAYS
from dreamd.text.time.told_days import told_days
from dreamd.text.values.units import NUMBER_WORDS

_LEAD = r"(?:in|for|within|after|since|over|past|last|next) (?:the )?(?:last |next |past )?"
_COUNT = rf"\d{{1,3}}|a|an|{'|'.join(NUMBER_WORDS)}|a couple of|a few"
_WEEKDAY = rf"{'|'.join(WEEKDAYS)}|mon|tues?|wed|thu(?:rs)?|fri|sat|sun"
_PHRASE = late(
    r"\b(?:(?P<day>yesterday|tomorrow|tonight|last night)"
    r"|the day (?P<far>before yesterday|after tomorrow)"
    rf"|(?P<lead>{_LEAD})?(?P<count>{_COUNT})[ -](?P<unit>day|week|fortnight|month|year)s?"
    r"(?:['’]? (?P<side>ago|from now|before|earlier|later|time|back))?"  # noqa: RUF001
    r"|(?P<which>last|next|this|coming|past|previous) (?P<span>week(?:end)?|month|year|quarter)"
    rf"|(?:on |last |next |this |by |since |until )?(?P<week>{_WEEKDAY})\b"
    r"|(?:the |on )(?P<nth>[12]?\d|3[01])(?:st|nd|rd|th))"
)
_FURTHER = late(  # that reaches beyond the weeks around
    r"(?i)days\sago|(?:weeks?|months?|years?)\s(?:from|ago|before|after)\s|after\snext|before\slast"
    r"|\b(?:of|in)\s(?:last|next|this)\smonth|\bback\sin\s|\bover\sthe\sweekend"
)
_SENTENCE = late(r"[^.!?\n]+")
_SPAN = {"day": 1, "week": 7, "fortnight": 14, "month": 30, "year": 365}
_MOST = 400  # days that one message may mean


def meant(day: date, text: str) -> frozenset[date]:
    """Return the message's day and every day that its words may mean, in all usual readings.

    `last Friday` is the latest Friday and the one before it, `last week` each of its days, `three
    weeks ago` the days around. A day that the calendar lacks is left out.
    """
    found = {day}
    for match in _PHRASE.finditer(text.lower()):
        for shift in _shifts(match, day):
            try:
                found.add(day + timedelta(days=shift))
            except OverflowError:
                continue
        if len(found) > _MOST:
            break
    for sentence in _SENTENCE.findall(text) if _FURTHER.search(text) else ():
        if len(found) <= _MOST and _FURTHER.search(sentence):
            found.update(_told(sentence, day))
    return frozenset(found)


def _told(sentence: str, day: date) -> Iterator[date]:
    """Yield the days that a sentence is about; for a year its first."""
    for told in told_days(sentence, day):
        if (means := told.means) is not None:
            length = (means.last - means.first).days + 1
            yield from (means.first + timedelta(n) for n in range(length if length <= 31 else 1))


def _shifts(match: re.Match[str], day: date) -> Iterator[int]:
    if match["day"]:
        yield {"yesterday": -1, "last night": -1, "tomorrow": 1, "tonight": 0}[match["day"]]
    elif match["far"]:
        yield -2 if match["far"].startswith("before") else 2
    elif match["count"] and (match["lead"] or match["side"]):
        yield from _counted(match)
    elif match["count"]:
        return  # `€40 a month`
    elif match["week"]:
        number = next(n for n, name in enumerate(WEEKDAYS) if name.startswith(match["week"][:3]))
        ahead = (number - day.weekday()) % 7
        yield from (ahead - 14, ahead - 7, ahead, ahead + 7)
    elif match["nth"]:
        yield from (n for n in range(-45, 46) if _is_nth(day, n, int(match["nth"])))
    else:
        yield from _spanned(match["which"], match["span"], day)


def _counted(match: re.Match[str]) -> Iterator[int]:
    """Yield the days `N units` away; without a side, both ways; months and years with a margin."""
    word = match["count"]
    counts = {"a couple of": (2, 3), "a few": (2, 3, 4, 5), "a": (1,), "an": (1,)}.get(word)
    for count in counts or (int(NUMBER_WORDS.get(word, word)),):
        span = _SPAN[match["unit"]] * count
        margin = {"month": 3 + count, "year": 1 + count}.get(match["unit"], 0)
        sides = {"ago": (-1,), "back": (-1,), "earlier": (-1,), "before": (-1,)}
        sides |= {"from now": (1,), "time": (1,), "later": (1,)}
        for sign in sides.get(match["side"] or "", (-1, 1)):
            yield from (sign * (span + n) for n in range(-margin, margin + 1))


def _is_nth(day: date, shift: int, wanted: int) -> bool:
    try:
        return (day + timedelta(days=shift)).day == wanted
    except OverflowError:
        return False


def _spanned(which: str, span: str, day: date) -> Iterator[int]:
    step = {"this": 0, "next": 1, "coming": 1}.get(which, -1)
    if span.startswith("week"):
        monday = -day.weekday() + 7 * step
        yield from range(monday, monday + 7)
    elif span == "year":
        yield from (365 * step,) if step else ()
    else:
        length = 31 if span == "month" else 92
        yield from range(length * step - (length if step < 0 else 0), length * step + length + 1)
