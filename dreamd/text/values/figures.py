"""Find numbers, dates, times and versions in English text, each in one normal form."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from datetime import date

from dreamd.text.late import late
from dreamd.text.time.calendar_words import MONTHS
from dreamd.text.values.units import UNITS
from dreamd.text.values.value import Kind, Value

_NUMBER_OF_MONTH = {
    short: number
    for number, name in enumerate(MONTHS, 1)
    for short in {name, name[:3], "sept" if number == 9 else name}
}
_MAGNITUDES = {"k": 3, "thousand": 3, "million": 6, "m": 6, "bn": 9, "billion": 9, "b": 9}
_MON = rf"(?:{'|'.join(sorted(_NUMBER_OF_MONTH, key=len, reverse=True))})"
_DAY = r"(?:3[01]|[12]\d|0?[1-9])"
_NTH = r"(?:st|nd|rd|th)?"
_AM = r"(?:[ap]m|[ap]\.m\.)"
_TO = r"(?:\s?[-–]\s?|\s(?:to|until|till|and)\s)"  # noqa: RUF001
_UNIT = "|".join(sorted(map(re.escape, UNITS), key=len, reverse=True))
_FIGURE = late(
    # 2026-03-27, 2026/3/27, 2026-03
    r"(?:(?<![\w.])|(?<=\dt))(?:"
    rf"(?P<y>(?:19|20|21)\d\d)(?:(?P<sep>[-/.])(?P<m>1[0-2]|0?[1-9])(?P=sep)(?P<d>{_DAY})|-(?P<ym>1[0-2]|0[1-9]))"
    r"(?=t\d|(?![\w-]))"
    # 27.03.2026, 27/3/26
    r"|(?P<a>\d{1,2})(?:(?P<asep>[./-])(?P<b>\d{1,2})(?P=asep)(?P<ay>(?:19|20|21)\d\d)"
    r"|/(?P<sb>\d{1,2})/(?P<say>\d\d))(?![\w/.-]*\d)"
    # 27 March 2026, 3-5 March, 27th of March
    rf"|(?:(?P<t2>{_DAY}){_NTH}{_TO})?(?P<td>{_DAY}){_NTH}(?:\sof)?[\s-](?P<tm>{_MON})\b\.?"
    rf"(?:,?[\s-](?P<ty>(?:19|20|21)\d\d)(?![\d/-]))?(?!\d)"
    # 14:30, 2 pm
    rf"|(?P<h>[01]?\d|2[0-4]):(?P<min>[0-5]\d)(?::[0-5]\d(?:\.\d+)?)?(?:\s?(?P<ap>{_AM}))?(?![\d:])"
    rf"|(?P<hh>1[0-2]|0?\d)\s?(?P<hap>{_AM})(?!\w)"
    # 1.2.3, v2
    r"|v?(?P<ver>\d+(?:\.\d+){2,}(?:[-.]?(?:alpha|beta|rc|dev|post|a|b)\.?\d*)?)(?!\w)"
    r")"
    r"|(?<!\w)v(?P<vv>\d+(?:\.\d+)*)(?!\w)"
    # 1,200.50 kB, $10k, 3rd, 1920x1080, 4a7f
    r"|(?:(?<!\w)|(?<=\dx)|(?<=\d\u00d7))(?:(?P<cur>us\$|[$€£¥])\s?)?"
    r"(?P<num>\d{1,3}(?:\.\d{3})+,\d+|(?:\d{1,3}(?:[,'’\u00a0\u202f\u2009]\d{3})+(?!\d)|\d+)(?:[.,]\d+)?)"  # noqa: RUF001
    rf"(?:(?P<nth>st|nd|rd|th)(?!\w)|[\s\u00a0-]?(?P<unit>{_UNIT})(?!\w)"
    r"|(?P<mag>k|bn|b|m|\s(?:thousand|million|billion))(?:\s(?P<unit2>" + _UNIT + r"))?(?!\w)"
    r"|s(?!\w)|x(?=\d)|(?P<tail>[^\W\d_]\w*))?"
)
_MONTH_FIRST = late(
    rf"(?<![^\W_])(?P<tm>{_MON})\b\.?(?:\s(?P<td>{_DAY}){_NTH}(?:{_TO}(?P<t2>{_DAY}){_NTH})?(?![\d:%])"
    r"(?:,?\s(?P<ty>(?:19|20|21)\d\d)(?![\d/-]))?|,?\s(?P<y>(?:19|20|21)\d\d)(?!\d))"
)
# The same roughly, but beginning with a digit, so that long texts are searched ten times faster.
_ROUGH = late(
    r"\d(?<!\w\d)(?<![$€£¥]\d)(?<!\d[.,:/]\d)[\d.,:/'’\u00a0\u202f\u2009–-]*\w*"  # noqa: RUF001
    rf"(?:[ \u00a0-](?:(?:of )?{_MON}(?!\w)\.?(?:,?[ -](?:19|20|21)\d\d(?![\w/-]))?"
    rf"|(?:thousand |million |billion )?(?:{_UNIT}|{_AM}|thousand|million|billion)(?!\w)))?"
)
_MONEY = late(r"[$€£¥]\s?\d[\d.,]*(?:k|m|bn|b)?(?: (?:thousand|million|billion))?")
_BOTH = late(
    rf"\d(?<!\w\d)\d?{_NTH} (?:to|until|till|and) {_DAY}{_NTH}(?: of)? {_MON}(?: 20\d\d)?(?!\w)"
)
_LATE = late(r"[^\W\d_]\d")  # what is found in a word only
_DAY_BEFORE = late(r"\d(?:st|nd|rd|th)?(?:\sof)?[\s-]$")
_THOUSANDS = late(r"(?<=\d)[,'’\u00a0\u202f\u2009](?=\d{3}(?!\d))")  # noqa: RUF001


def figures(low: str) -> Iterator[Value]:
    """Yield the figures of a text in lower case; months first, then by place.

    A date is `2026-03-27`, without its year `--03-27`, without its day `2026-03`; a time `14:30`;
    a number has no thousands marks and its unit, if any, after one blank.
    """
    taken: list[tuple[int, int]] = []
    for match in _MONTH_FIRST.finditer(low):
        if match["y"] and _DAY_BEFORE.search(low[max(match.start() - 9, 0) : match.start()]):
            continue
        taken.append(match.span())
        yield from _dated(match, match["td"], match["t2"])
    for match in _FIGURE.finditer(low):
        if not any(start <= match.start() < end for start, end in taken):
            yield from _read(match)


def all_forms(texts: Iterable[str], tokens: Iterable[str]) -> Iterator[str]:
    """Yield every form under which a figure of these texts (in lower case) may be asked for.

    Those of a date without its year or day, of a version its beginnings, of a number the bare
    one; one that has no unit is also given with a blank after it. `tokens` are all that stands
    between white space.
    """
    seen = {each for each in tokens if _LATE.search(each)}
    dated: set[str] = set()
    for text in texts:
        seen.update(_ROUGH.findall(text))
        seen.update(_MONEY.findall(text))
        seen.update(_BOTH.findall(text))
        dated.update(match[0] for match in _MONTH_FIRST.finditer(text))
    for said in dated:
        match = _MONTH_FIRST.fullmatch(said)
        for value in _dated(match, match["td"], match["t2"]) if match else ():
            yield from _of(value)
    for said in seen:
        yield from _forms(said)


def _forms(said: str) -> Iterator[str]:
    if said.isdecimal() and said.isascii():
        yield said
        yield f"{said} "
        return
    for match in _FIGURE.finditer(said):
        for value in _read(match):
            yield from _of(value)


def _of(value: Value) -> Iterator[str]:
    for form in value.forms:
        yield form
        if value.kind is Kind.DATE:
            yield from _parts_of(form)
        elif value.kind is Kind.VERSION:
            parts = form.split(".")
            yield from (".".join(parts[:n]) for n in range(1, len(parts)))
        elif value.kind is Kind.NUMBER:
            number, _, unit = form.partition(" ")
            yield number
            if not unit:
                short = number.rstrip("0").rstrip(".") if "." in number else number
                yield from (f"{number} ", f"{short} ")


def _parts_of(day: str) -> Iterator[str]:
    """Yield what else is said with a date: its year, its month, its day in any year."""
    year, month, number = ("", *day[2:].split("-")) if day[0] == "-" else (*day.split("-"), "")[:3]
    yield f"--{month}"
    if year:
        yield from (year, f"{year} ", f"{year}-{month}")
    if number:
        yield from (f"--{month}-{number}", number.lstrip("0"), f"{number.lstrip('0')} th")


def _read(match: re.Match[str]) -> Iterator[Value]:  # noqa: C901 - one arm for each group
    start, end = match.span()
    if match["y"]:
        month, day = match["m"] or match["ym"], match["d"] or ""
        form = _date(match["y"], int(month), day)
        if form:
            yield Value(Kind.DATE, (form,), start, end)
            return
    elif match["a"]:
        first, second = int(match["a"]), int(match["b"] or match["sb"])
        year = match["ay"] or f"20{match['say']}"
        both = (_date(year, second, str(first)), _date(year, first, str(second)))
        forms = tuple(dict.fromkeys(filter(None, both)))
        if forms:
            yield Value(Kind.DATE, forms, start, end)
            return
    elif match["tm"]:
        dated = list(_dated(match, match["td"], match["t2"]))
        if dated:
            yield from dated
            return
    elif match["h"] or match["hh"]:
        yield Value(Kind.TIME, _time(match), start, end)
        return
    elif match["ver"] or match["vv"]:
        yield Value(Kind.VERSION, (_ascii(match["ver"] or match["vv"]),), start, end)
        return
    elif match["tail"]:
        yield Value(Kind.NAME, (match[0],), start, end)
        return
    else:
        yield Value(Kind.NUMBER, _number(match), start, end)
        return
    for number in re.finditer(r"\d+", match[0]):
        form = _plain(number[0])
        yield Value(Kind.NUMBER, (form,), start + number.start(), start + number.end())


def _dated(match: re.Match[str], day: str | None, other: str | None) -> Iterator[Value]:
    """Yield the days that a month in words stands with, or the month of a year."""
    groups = match.groupdict()
    year, month = groups.get("ty") or groups.get("y") or "", _NUMBER_OF_MONTH[match["tm"]]
    for each in filter(None, (day, other)) if day else ("",):
        form = _date(year, month, each)
        if form:
            yield Value(Kind.DATE, (form,), *match.span())


def _date(year: str, month: int, day: str) -> str:
    """Return a date in its normal form, nothing where the calendar has none."""
    try:
        date(int(year or 2024), month, int(day or 1))
    except ValueError:
        return ""
    return f"{_ascii(year) or '-'}-{month:02}" + (f"-{int(day):02}" if day else "")


def _time(match: re.Match[str]) -> tuple[str, ...]:
    hour, minute = int(match["h"] or match["hh"]), match["min"] or "00"
    half = (match["ap"] or match["hap"] or "")[:1]
    if half:
        return (f"{hour % 12 + 12 * (half == 'p'):02}:{_ascii(minute)}",)
    return tuple(f"{each:02}:{_ascii(minute)}" for each in (hour % 24, (hour + 12) % 24))


def _number(match: re.Match[str]) -> tuple[str, ...]:
    """Return a number with its unit; `5m` is metres or millions."""
    number, mag = _plain(match["num"]), (match["mag"] or "").strip()
    unit = UNITS.get(match["cur"] or match["unit"] or match["unit2"] or "", "")
    if match["nth"]:
        return (f"{number} th",)
    if mag:
        number = _shifted(number, _MAGNITUDES[mag])
    if not unit:
        whole, dot, rest = number.partition(".")
        return (whole if dot and rest == "00" else number,)
    if "." in number:
        number = number.rstrip("0").rstrip(".")
    forms = (f"{number} {unit}",)
    return (*forms, _shifted(number, 6)) if match["unit"] == "m" else forms


def _plain(written: str) -> str:
    """Return a number in ASCII digits with a decimal point and no thousands marks."""
    if re.fullmatch(r"[\d.]+\.\d{3},\d+", written):
        written = written.replace(".", "")  # 1.200,50
    number = _ascii(_THOUSANDS.sub("", written) if not written.startswith("0") else written)
    number = number.replace(",", ".")
    return number.lstrip("0") or "0" if number.isdecimal() else number


def _shifted(number: str, places: int) -> str:
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
