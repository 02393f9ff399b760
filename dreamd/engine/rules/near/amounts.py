"""How much, how long and which day, where words say it: "half an hour", "31 mars 2028"."""

from __future__ import annotations

import re

from dreamd.engine.rules.near.clefts import Rewriting
from dreamd.text.time.calendar_words import MONTHS

_HALVES = {"minute": "30 s", "hour": "30 min", "year": "6 months"}
_QUARTERS = {"hour": "15 min", "year": "3 months"}
_PER = {"s": "second", "sec": "second", "min": "minute", "h": "hour", "hr": "hour", "d": "day"}
AMOUNTS: tuple[Rewriting, ...] = (
    (r"\bhalf an? (minute|hour|year)\b", lambda match: _HALVES[match[1].casefold()]),
    (r"\ba quarter of an (hour|year)\b", lambda match: _QUARTERS[match[1].casefold()]),
    (r"\bthree quarters of an hour\b", "45 min"),
    (r"\b(?:an|one) hour and a half\b|\bone and a half hours\b", "90 min"),
    (r"\bonce (?=every (?:\d|other\b|second\b|few\b))", ""),
    (r"\b(?:the )?(spring|summer|autumn|winter) of(?= \d{4}\b)", r"\1"),
    (
        r"(?<=\d )([a-z]+)/(s|sec|min|h|hr|d)\b",
        lambda match: f"{match[1]} per {_PER[match[2].casefold()]}",
    ),
)
_NAMES = {
    "de": "januar februar märz april mai juni juli august september oktober november dezember",
    "fr": "janvier février mars avril mai juin juillet août septembre octobre novembre décembre",
    "es": "enero febrero marzo abril mayo junio julio agosto septiembre octubre noviembre "
    "diciembre",
}
_DAY = {
    "de": r"(?P<day>\d{{1,2}})\. (?P<month>{})(?: (?P<year>\d{{4}})\b)?",
    "fr": r"(?P<day>\d{{1,2}})(?:er)? (?P<month>{})(?: (?P<year>\d{{4}})\b)?",
    "es": r"(?P<day>\d{{1,2}}) de (?P<month>{})(?: del? (?P<year>\d{{4}})\b)?",
}


def _told(months: list[str], match: re.Match[str]) -> str:
    """Return a day in figures and the English name of its month, as other days are read."""
    month = list(MONTHS)[months.index(match["month"].casefold())]
    return " ".join(filter(None, (match["day"], month.capitalize(), match["year"])))


def days(spoken: str) -> tuple[Rewriting, ...]:
    """Return how a day of a month is told in a language."""
    months = _NAMES[spoken].split()
    return ((_DAY[spoken].format("|".join(months)), lambda match: _told(months, match)),)
