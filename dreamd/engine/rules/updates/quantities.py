"""What a sentence gives a value to: amounts, counts, shares, spans, days and versions."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from dreamd.domain.prose.words import words
from dreamd.engine.rules.gather.place_phrase import keys
from dreamd.engine.rules.updates.states import has_states, states
from dreamd.text.late import late
from dreamd.text.time.calendar_words import MONTHS, WEEKDAYS

_MONTH = rf"(?:{'|'.join(f'{name}|{name[:3]}' for name in MONTHS)}|sept)"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])(?:st|nd|rd|th)?(?![\d:%])"
_SPELT = dict(
    zip(
        "two three four five six seven eight nine ten eleven twelve".split(),  # noqa: SIM905
        range(2, 13),
        strict=True,
    )
)
_NUMBER = r"\d{1,3}(?:,\d{3})+(?:\.\d+)?|\d+(?:\.\d+)?"
_UNITS = {
    "milliseconds": "ms", "millisecond": "ms", "ms": "ms", "seconds": "s", "second": "s",
    "secs": "s", "sec": "s", "s": "s", "minutes": "min", "minute": "min", "mins": "min",
    "min": "min", "hours": "h", "hour": "h", "hrs": "h", "hr": "h", "h": "h", "days": "day",
    "day": "day", "weeks": "week", "week": "week", "months": "month", "month": "month",
    "years": "year", "year": "year", "kb": "kb", "mb": "mb", "gb": "gb", "tb": "tb", "km": "km",
    "kilometers": "km", "kilometres": "km", "kilos": "kg", "kilo": "kg", "kilograms": "kg",
    "mg": "mg", "cm": "cm",
    "miles": "mile", "mile": "mile", "kg": "kg", "lbs": "lb", "px": "px", "fps": "fps",
    "k": "k",
}  # fmt: skip
_ALIKE = {  # what is counted, by another word for it
    one: row
    for row in (
        "people guests attendees",
        "photos pictures images photographs pics",
        "children kids",
        "students pupils",
    )
    for one in keys(row)
}
_SHORTENED = 5  # letters of a unit that is rather cut short than another one: params
_MANY = {"k": 1_000, "K": 1_000, "M": 1_000_000, "B": 1_000_000_000}  # before what is counted
_TIMES = {"": 1, "k": 1_000, "t": 1_000, "m": 1_000_000, "b": 1_000_000_000}  # of money
AMOUNTS = frozenset({"money", "share", "number"})  # kinds
DAYS = frozenset({"date", "time", "weekday"})
MEASURES = frozenset(_UNITS.values())  # in which no things are counted
_QUANTITY = late(
    r"(?<![\w.,/#:-])(?:"
    rf"(?P<date>(?:19|20)\d\d-\d\d-\d\d(?!\d)|\b{_MONTH}\b\.?\s{_DAY}(?:,?\s(?:19|20)\d\d(?!\d))?"
    rf"|{_DAY}\s(?:of\s)?{_MONTH}\b(?:,?\s(?:19|20)\d\d(?!\d))?)"
    rf"|(?P<weekday>(?:{'|'.join(WEEKDAYS)})\b)"
    r"|(?P<time>\d{1,2}:\d\d(?::\d\d)?(?:\s?[ap]\.?m\b\.?)?|\d{1,2}\s?[ap]m\b)"
    rf"|(?P<money>(?:US)?[$€£¥]\s?(?:{_NUMBER})(?:\s?(?:k|m|bn|thousand|million)\b)?"
    rf"|(?:{_NUMBER})\s?(?:dollars|euros|pounds|usd|eur|gbp|€|£)(?!\w))"
    rf"|(?P<share>(?:{_NUMBER})\s?(?:%|percent\b|per\scent\b))"
    r"|(?P<version>v\d+(?:\.\d+)*\b|\d+\.\d+(?:\.\d+)+(?!\w))"
    rf"|(?P<number>(?:{_NUMBER})(?P<unit>[a-z]{{1,2}}\b)?(?!\w)|(?:{'|'.join(_SPELT)})\b)"
    r")(?![\d/]|-\d)",
    re.IGNORECASE,
)
_NOUN = late(r"[\s-](?P<word>[^\W\d_]+(?:['’][a-z]+)?)(?P<end>[,.;:!?)]?)")  # noqa: RUF001
_PLURAL = late(r"people|series|\w{2,}[^su\W]s|\w+[aeiou]us|children|staff")
_OFTEN = {"daily", "weekly", "monthly", "yearly"}  # before what is counted: 340 daily users
_RECENT = 1 << 12  # texts; of the same ones it is asked many times
_STOPS = words(
    "a an the and or but of to in on at for by with from per each is are was were be been has "
    "have had so which that who when while if because since as than then now this these those i "
    "we you he she it they my our your can could should would will do does did not out into "
    "over under about around before after during until within without every daily weekly "
    "monthly yearly instead anymore currently according last yesterday today tonight tomorrow "
)


@dataclass(frozen=True, slots=True)
class Quantity:
    """Columns `start` to `end` (half-open) of a text hold a value.

    `kind` is date, weekday, time, money, share, version, number, state or name; `unit` what a
    number is counted in, folded, and `noun` the same as it was said. Two are one value where
    `key` is same.
    """

    kind: str
    key: str
    unit: str
    start: int
    end: int
    noun: str = ""

    @property
    def amount(self) -> float:
        """How much it is, of a day or a version 0."""
        if self.kind not in AMOUNTS:
            return 0.0
        found = re.match(r"([\d.]+)([kmbt]?)", self.key)
        return float(found[1].rstrip(".")) * _TIMES[found[2]] if found else 0.0

    def is_of_kind(self, other: Quantity) -> bool:
        """Whether one could stand where the other does: the same kind, no other unit."""
        if self.kind != other.kind:
            return False
        few, many = sorted((self.unit, other.unit), key=len)
        return not few or few == many or (len(few) >= _SHORTENED and many.startswith(few))


def counts_alike(one: str, other: str) -> bool:
    """Whether two units are other words for the same: guests, people."""
    return one == other or _ALIKE.get(one, one) == _ALIKE.get(other, other)


def has_quantities(text: str) -> bool:
    """Whether a text may hold a value; cheap."""
    is_figure = any(map(str.isdigit, text)) or _WORDED.search(text) is not None
    return is_figure or has_states(text)


_WORDED = late(rf"\b(?:{'|'.join((*_SPELT, *WEEKDAYS))})\b", re.IGNORECASE)


@lru_cache(_RECENT)
def quantities(text: str) -> tuple[Quantity, ...]:
    """Return the values of a sentence, in order."""
    found = [_quantity(str(match.lastgroup), match, text) for match in _QUANTITY.finditer(text)]
    if has_states(text):
        taken = {at for each in found for at in range(each.start, each.end)}
        found += [Quantity(*each) for each in states(text) if each[3] not in taken]
        found.sort(key=lambda each: each.start)
    return tuple(found)


def _quantity(kind: str, match: re.Match[str], text: str) -> Quantity:
    said = match[0].casefold().replace(",", "")
    if kind == "unit":
        kind = "number"
    unit = noun = ""
    if kind == "date":
        key = _date(said)
    elif kind == "weekday":
        key = said
    elif kind == "number":
        key, noun = _number(said, match, text)
        unit = _UNITS.get(noun) or next(iter(keys(noun)), "")
    else:
        figures = re.findall(r"\d+(?:\.\d+)*", said)
        key = ":".join(_plain(each) for each in figures) if kind != "version" else figures[0]
        if kind == "time" and (half := re.search(r"[ap](?=\.?m)", said)):
            key += half[0]
        if kind == "money" and (more := re.search(r"(k|m|bn|thousand|million)$", said)):
            key += more[0][0]
    return Quantity(kind, key, unit, *match.span(), noun)


def _plain(figures: str) -> str:
    return figures.rstrip("0").rstrip(".") if "." in figures else figures.lstrip("0") or "0"


def _number(said: str, match: re.Match[str], text: str) -> tuple[str, str]:
    if said in _SPELT:
        return str(_SPELT[said]), _noun(text, match.end())
    figures = re.match(r"[\d.]+", said)
    key = _plain(figures[0]) if figures else said
    unit, noun = match["unit"] or "", _noun(text, match.end())
    if noun and figures and (unit in _MANY):
        return f"{float(figures[0]) * _MANY[unit]:.0f}", noun
    return key, unit.casefold() or noun


def _noun(text: str, at: int) -> str:
    """Return what a number counts: the plural of the words after it, else the first of them."""
    found: list[str] = []
    for _ in range(4):
        match = _NOUN.match(text, at)
        word = match["word"].casefold() if match else ""
        if match and word in _OFTEN and not match["end"]:
            at = match.end("word")
            continue
        if not match or word in _STOPS:
            break
        found.append(word)
        if word in _UNITS:
            return word
        at = match.end("word")
        if match["end"] or (match[0][0] == "-" and len(found) == 1) or _PLURAL.fullmatch(word):
            break
    return next((word for word in found if _PLURAL.fullmatch(word)), found[0] if found else "")


def _date(said: str) -> str:
    """Return month and day, with the year first where it is said: `4-05` or `2026-4-05`."""
    figures = re.findall(r"\d+", said)
    if re.match(r"\d{4}-", said):
        return f"{figures[0]}-{int(figures[1])}-{int(figures[2]):02}"
    month = next(n for n, name in enumerate(MONTHS, 1) if re.search(rf"\b{name[:3]}", said))
    days = [each for each in figures if len(each) < 3]
    year = next((f"{each}-" for each in figures if len(each) == 4), "")
    return f"{year}{month}-{int(days[0]):02}"


def is_same(one: Quantity, other: Quantity) -> bool:
    """Whether two values are one; a date without year is any year's, 3.11 is any 3.11.x."""
    if one.kind != other.kind:
        return False
    longer, shorter = sorted((one.key, other.key), key=len, reverse=True)
    if one.kind == "date":
        return longer == shorter or (longer.endswith(f"-{shorter}") and shorter.count("-") == 1)
    if one.kind == "version":
        return longer == shorter or longer.startswith(f"{shorter}.")
    return longer == shorter


def has(text: str, value: Quantity) -> bool:
    """Whether a text has a value, too, in the same unit."""
    like = [each for each in quantities(text) if each.is_of_kind(value) and is_same(each, value)]
    return any(each.unit == value.unit or value.unit not in MEASURES for each in like)
