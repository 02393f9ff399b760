"""Find numbers, dates, times and versions in English text, each in one normal form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from dreamd.text.late import late
from dreamd.text.time.dates import dates
from dreamd.text.values.value import UNITS, Kind, Value

_ZEROS = {"k": 3, "thousand": 3, "million": 6, "m": 6, "bn": 9, "billion": 9, "b": 9}
_NTH = {"st", "nd", "rd", "th"}
_SUFFIXES = _NTH | {"k", "m", "bn", "b", "s"}
_DIGIT = late(r"\d(?:(?<!\w\d)|(?<=\d[x×]\d)|(?<=\0t\d)|(?<=(?<!\w)v\d))")  # noqa: RUF001
_AM = r"(?P<half>[ap]m|[ap]\.m\.)"
_TIME = late(
    rf"(?<![\d.])(?P<hour>[01]?\d|2[0-4])(?::(?P<minute>[0-5]\d)(?::[0-5]\d(?:\.\d{{1,9}})?)?"
    rf"(?:\s?{_AM})?(?![\d:])|\s?{_AM.replace('half', 'alone')}(?!\w))"
)
_VERSION = late(
    r"(?<![\d.])(?:\d{1,9}(?:\.\d{1,9}){2,8}(?:[-.]?(?:alpha|beta|rc|dev|post|a|b)\.?\d{0,9})?"
    r"|(?<=v)\d{1,9}(?:\.\d{1,9}){0,8})(?!\w)"
)
_NUMBER = late(
    r"(?<!\d)(?:\d{1,3}(?:\.\d{3}){1,8},\d{1,9}"  # 1.200.500,5
    r"|(?:\d{1,3}(?:[,'’\u00a0\u202f\u2009]\d{3}){1,8}(?!\d)|\d+)(?:[.,]\d+)?)"  # noqa: RUF001
)
_MONEY = late(r"(?:us\$|[$€£¥])\s?$")
_BEHIND = late(r"([\s\u00a0-]?)(us\$|[%$€£¥×]|°[cf]|[^\W\d_]{1,20})(?!\w)")  # noqa: RUF001
_GLUED = late(r"(?!x\d)[^\W\d_]\w*")
_THOUSANDS = late(r"(?<=\d)[,'’\u00a0\u202f\u2009](?=\d{3}(?!\d))")  # noqa: RUF001
_WRITTEN = late(r"\d+")


def figures(low: str) -> Iterator[Value]:
    """Yield the figures of a text in lower case; the dates first, then the rest by place.

    A date is `2026-03-27`, without its year `--03-27`, without its day `2026-03`; a time `14:30`;
    a number has no thousands marks and its unit, if any, after one blank.
    """
    pieces, at = [], 0
    for dated in dates(low):
        for forms in dated.days:
            yield Value(Kind.DATE, forms, dated.start, dated.end)
        pieces += [low[at : dated.start], "\0" * (dated.end - dated.start)]
        at = dated.end
    low, at = "".join([*pieces, low[at:]]), 0
    while (match := _DIGIT.search(low, at)) is not None:
        value = _read(low, match.start())
        yield value
        at = value.end


def all_forms(texts: Iterable[str]) -> Iterator[str]:
    """Yield every form under which a figure of these texts (in lower case) may be asked for.

    Those of a date without its year or day, of a version its beginnings, of a number the bare
    one; one that has no unit is also given with a blank after it.
    """
    seen = {(each.kind, form) for text in texts for each in figures(text) for form in each.forms}
    for kind, form in seen:
        yield from _parts(kind, form)


def _parts(kind: Kind, form: str) -> Iterator[str]:
    yield form
    if kind is Kind.DATE:
        year, month, day = (
            ("", *form[2:].split("-")) if form[0] == "-" else (*form.split("-"), "")[:3]
        )
        yield f"--{month}"
        if year:
            yield from (year, f"{year} ", f"{year}-{month}")
        if day:
            yield from (f"--{month}-{day}", day.lstrip("0"), f"{day.lstrip('0')} th")
    elif kind is Kind.VERSION:
        parts = form.split(".")
        yield from (".".join(parts[:n]) for n in range(1, len(parts)))
    elif kind is Kind.NUMBER:
        number, _, unit = form.partition(" ")
        yield number
        if not unit:
            short = number.rstrip("0").rstrip(".") if "." in number else number
            yield from (f"{number} ", f"{short} ")


def _read(low: str, at: int) -> Value:
    """Return the figure that begins at a digit."""
    if match := _TIME.match(low, at):
        return Value(Kind.TIME, _time(match), *match.span())
    if match := _VERSION.match(low, at):
        return Value(Kind.VERSION, (_ascii(match[0]),), *match.span())
    match = _NUMBER.match(low, at)
    if match is None:  # cannot be: a digit is a number
        return Value(Kind.NUMBER, (_ascii(low[at]),), at, at + 1)
    if not (behind := _BEHIND.match(low, match.end())) or not behind[1]:
        glued = _GLUED.match(low, match.end())
        if glued and not (behind and (behind[2] in UNITS or behind[2] in _SUFFIXES)):
            start = at - (low[at - 1 : at] == "v")
            return Value(Kind.NAME, (low[start : glued.end()],), start, glued.end())
    start = at
    if money := _MONEY.search(low[max(at - 4, 0) : at]):
        start = at - len(money[0])
    forms, end = _number(low, match, behind, money[0].strip() if money else "")
    return Value(Kind.NUMBER, forms, start, end)


def _number(
    low: str, match: re.Match[str], behind: re.Match[str] | None, money: str
) -> tuple[tuple[str, ...], int]:
    """Return the forms of a number with what follows it, and its end; `5m` is 5 m or 5 million."""
    number, end, unit = _plain(match[0]), match.end(), money
    gap, word = (behind[1], behind[2]) if behind else ("", "")
    if behind and not gap and word in _NTH:
        return (f"{number} th",), behind.end()
    if behind and word in UNITS and not money:
        unit, end = word, behind.end()
    elif behind and word in _ZEROS and (not gap if len(word) < 3 else gap.isspace()):
        number, end = _shifted(number, _ZEROS[word]), behind.end()
        following = _BEHIND.match(low, end)
        if following and following[1].isspace() and following[2] in UNITS:
            unit, end = unit or following[2], following.end()
    elif behind and not gap and word == "s":
        end = behind.end()  # the 1990s
    unit = UNITS.get(unit, "")
    if not unit:
        whole, dot, rest = number.partition(".")
        return (whole if dot and rest == "00" else number,), end
    if "." in number:
        number = number.rstrip("0").rstrip(".")
    forms = (f"{number} {unit}",)
    return (forms if word != "m" else (*forms, _shifted(number, 6))), end


def _time(match: re.Match[str]) -> tuple[str, ...]:
    hour, minute = int(match["hour"]), _ascii(match["minute"] or "00")
    if half := (match["half"] or match["alone"] or "")[:1]:
        return (f"{hour % 12 + 12 * (half == 'p'):02}:{minute}",)
    return tuple(f"{each:02}:{minute}" for each in (hour % 24, (hour + 12) % 24))


def _plain(written: str) -> str:
    """Return a number in ASCII digits with a decimal point and no thousands marks."""
    if "." in written and "," in written[written.index(".") :]:
        written = written.replace(".", "")  # 1.200,50
    number = written if written.startswith("0") else _THOUSANDS.sub("", written)
    number = _ascii(number).replace(",", ".")
    return number.lstrip("0") or "0" if number.isdecimal() else number


def _shifted(number: str, places: int) -> str:
    """Return a number times a power of ten."""
    whole, _, rest = number.partition(".")
    rest = rest.ljust(places, "0")
    digits = (whole + rest[:places]).lstrip("0") or "0"
    left = rest[places:].rstrip("0")
    return f"{digits}.{left}" if left else digits


def _ascii(number: str) -> str:
    """Return digits of any script as ASCII ones."""
    if number.isascii():
        return number
    return "".join(str(int(one)) if one.isdecimal() else one for one in number)
