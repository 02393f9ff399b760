"""Find numbers, dates, times and versions in English text, each in one normal form."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dreamd.text import lexicon
from dreamd.text.late import late
from dreamd.text.markdown.inline import blanked
from dreamd.text.time.dates import dates
from dreamd.text.values.value import UNITS, Value, ValueKind

_ZEROS = {"k": 3, "thousand": 3, "million": 6, "m": 6, "bn": 9, "billion": 9, "b": 9}
_NTH = {"st", "nd", "rd", "th"}
_SUFFIXES = {*_NTH, *_ZEROS, "s"}
_BEFORE_MONEY = set("$€£¥ \u00a0")
_DIGIT = late(r"\d(?:(?<!\w\d)|(?<=\d[x×]\d)|(?<=\0t\d)|(?<=(?<!\w)v\d))")
_TIME = lexicon.pattern("time-of-day")
_VERSION = lexicon.pattern("version")
_NUMBER = lexicon.pattern("number")
_MONEY = late(r"(?:us\$|[$€£¥])\s?$")
_BEHIND = late(r"([\s\u00a0-]?)(us\$|[%$€£¥×]|°[cf]|[^\W\d_]{1,20})(?!\w)|")
_GLUED = late(r"(?!x\d)[^\W\d_]\w*")
_THOUSANDS = late(r"(?<=\d)[,'’\u00a0\u202f\u2009](?=\d{3}(?!\d))")


def figures(low: str) -> Iterator[Value]:
    """Yield the figures of a text in lower case; the dates first, then the rest by place.

    A date is `2026-03-27`, without its year `--03-27`, without its day `2026-03`; a time `14:30`;
    a number has no thousands marks and its unit, if any, after one blank.
    """
    days = dates(low)
    for each in days:
        yield from (Value(ValueKind.DATE, forms, each.start, each.end) for forms in each.days)
    low, at = blanked(low, days), 0
    while (match := _DIGIT.search(low, at)) is not None:
        value = _read(low, match.start())
        yield value
        at = value.end


def all_forms(texts: Iterable[str]) -> Iterator[str]:
    """Yield every form under which a figure of these texts (in lower case) may be asked for.

    A date without its year or day, the beginnings of a version, the bare number; one without a
    unit also with a blank after it.
    """
    seen = {(each.kind, form) for text in texts for each in figures(text) for form in each.forms}
    for kind, form in seen:
        yield form
        if kind is ValueKind.DATE:
            year, month, day = (*form.replace("--", "-", 1).split("-"), "")[:3]
            yield f"--{month}"
            if year:
                yield from (year, f"{year} ", f"{year}-{month}")
            if day:
                yield from (f"--{month}-{day}", day.lstrip("0"), f"{day.lstrip('0')} th")
        elif kind is ValueKind.VERSION:
            parts = form.split(".")
            yield from (".".join(parts[:n]) for n in range(1, len(parts)))
        elif kind is ValueKind.NUMBER:
            number, _, unit = form.partition(" ")
            short = number.rstrip("0").rstrip(".") if "." in number else number
            yield from (number,) if unit else (f"{number} ", f"{short} ")


def _read(low: str, at: int) -> Value:  # noqa: C901 - one arm for each form
    """Return the figure that begins at a digit."""
    match = _NUMBER.match(low, at)
    written = match[0] if match else low[at]
    end = at + len(written)
    following, is_v = low[end : end + 2], low[at - 1 : at] == "v"
    is_time = following[:1] == ":" or following.lstrip()[:1] in {"a", "p"}
    if is_time and (match := _TIME.match(low, at)):
        hour, minute = int(match["hour"]), _ascii(match["minute"] or "00")
        half = match["half"] or match["alone"]
        hours = (hour % 12 + 12 * (half[0] == "p"),) if half else (hour % 24, (hour + 12) % 24)
        return Value(ValueKind.TIME, tuple(f"{each:02}:{minute}" for each in hours), *match.span())
    if (is_v or "." in written) and (match := _VERSION.match(low, at)):
        return Value(ValueKind.VERSION, (_ascii(match[0]),), *match.span())
    behind = _BEHIND.match(low, end)
    gap, word, ends = (behind[1], behind[2] or "", behind.end()) if behind else ("", "", end)
    is_name = not gap and word not in UNITS and word not in _SUFFIXES
    if is_name and (glued := _GLUED.match(low, end)):
        return Value(ValueKind.NAME, (low[at - is_v : glued.end()],), at - is_v, glued.end())
    number, start, unit = _plain(written), at, ""
    if low[at - 1 : at] in _BEFORE_MONEY and (money := _MONEY.search(low[max(at - 4, 0) : at])):
        start, unit = at - len(money[0]), money[0].strip()
    if word in _NTH and not gap:
        return Value(ValueKind.NUMBER, (f"{number} th",), start, ends)
    is_money = unit != ""
    if word in UNITS and not is_money:
        unit, end = word, ends
    elif word in _ZEROS and (not gap if len(word) < 3 else gap.isspace()):
        number, end = _shifted(number, _ZEROS[word]), ends
        behind = _BEHIND.match(low, end)
        if behind and (behind[1] or "").isspace() and behind[2] in UNITS:
            unit, end = unit or behind[2], behind.end()
    elif word == "s" and not gap:
        end = ends  # the 1990s
    whole, dot, rest = number.partition(".")
    if not unit:
        return Value(ValueKind.NUMBER, (whole if dot and rest == "00" else number,), start, end)
    form = f"{number.rstrip('0').rstrip('.') if dot else number} {UNITS[unit]}"
    others = (_shifted(number, 6),) if word == "m" and not is_money else ()  # 5m: 5 million?
    return Value(ValueKind.NUMBER, (form, *others), start, end)


def _plain(written: str) -> str:
    """Return a number in ASCII digits with a decimal point and no thousands marks."""
    if "," in written.partition(".")[2]:
        written = written.replace(".", "")  # 1.200,50
    number = written if written.startswith("0") else _THOUSANDS.sub("", written)
    number = _ascii(number).replace(",", ".")
    return number.lstrip("0") or "0" if number.isdecimal() else number


def _shifted(number: str, places: int) -> str:
    """Return a number times a power of ten."""
    whole, _, rest = number.partition(".")
    rest = rest.ljust(places, "0")
    left = rest[places:].rstrip("0")
    return ((whole + rest[:places]).lstrip("0") or "0") + (f".{left}" if left else "")


def _ascii(number: str) -> str:
    """Return digits of any script as ASCII ones."""
    return "".join(str(int(one)) if one.isdecimal() else one for one in number)
