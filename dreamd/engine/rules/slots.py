"""Find the values of a line that a sentence can replace: numbers, names, code, days."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from functools import lru_cache
from typing import NamedTuple

from dreamd.text import lexicon
from dreamd.text.late import late
from dreamd.text.stems import stem
from dreamd.text.tokens import ADDRESS, CODE, NUMBER, WORD, Token, tokens

_ISO = late(r"\d{4}-\d\d-\d\d$")
_TIME = late(r"\d{1,2}:\d\d(?::\d\d)?$")
_VERSION = late(r"(?:v\d{1,9}|\d{1,9}\.\d{1,9})(?:\.\d{1,9}){1,2}$")
_AMOUNT = late(r"(\d+(?:[.,]\d+)*)([a-z%]*)$")
_QUOTED = late(r"(?<!\w)['\"]([^'\"\n]{1,40})['\"](?!\w)")
_WEEKDAYS = lexicon.of("weekday")
_RHYTHMS = lexicon.of("rhythm")
_MONTHS = lexicon.of("month")
_UNITS = lexicon.forms("unit")
_WORDS = {word: str(n) for n, word in enumerate(lexicon.listed("numeral"))}
_WORDS |= {word: f"{n}0" for n, word in enumerate(lexicon.listed("tens"), 2)}
_WORDS |= {
    f"{tens}-{unit}": f"{n}{m}"
    for n, tens in enumerate(lexicon.listed("tens"), 2)
    for m, unit in enumerate(lexicon.listed("numeral")[1:10], 1)
}
_TIMES = {"hundred": 100, "thousand": 1000, "k": 1000}
_CHANNEL = late(r"(?<!\S)#[A-Za-z][\w-]{1,30}")
_COLOUR = late(r"#[0-9a-fA-F]{6}\b")
_CLOCK = late(r"\b(half|quarter) (past|to) (\w{1,6})")
_MINUTES = {"half": 30, "quarter": 15, "past": 1, "to": -1}
_BRIEF = 3  # letters of a word that is taken for a unit: `5 V`, `8 kg`
_MIXED = late(r"[a-z]-?\d|\d-?[a-z]")
_PORTS = frozenset({"port", "ports", "gpio", "pin"})


class Slot(NamedTuple):
    """A value with its place in the text; `kind` and `unit` tell what may replace it.

    Kinds: number, time, version, colour, date, weekday, code, quoted, rhythm, name.
    `value` is plain. The unit of code is its form: "://" a URL, "@" an e-mail address, "/" a path.
    """

    value: str
    kind: str
    unit: str
    start: int
    end: int
    behind: int = 0  # where a unit of measure behind a number ends


@lru_cache(maxsize=4096)
def slots(text: str) -> tuple[Slot, ...]:
    """Return the values of a text in order; an ISO date is the day of a line, no value of it."""
    return tuple(sorted(_found(text), key=lambda slot: slot.start))


def _found(text: str) -> Iterator[Slot]:
    found = tokens(text)
    quoted = [match.span() for match in _QUOTED.finditer(text)]
    for start, end in quoted:
        yield Slot(text[start + 1 : end - 1], "quoted", "", start, end)
    for match in _COLOUR.finditer(text):
        quoted.append(match.span())
        yield Slot(match[0].lower(), "colour", "", *match.span())
    for match in _CHANNEL.finditer(text):
        if match.span() not in quoted:
            quoted.append(match.span())
            yield Slot(match[0].lower(), "code", "#", *match.span())
    for match in _CLOCK.finditer(text.lower()):
        if hour := int(_WORDS.get(match[3], 0)):
            minutes = hour * 60 + _MINUTES[match[1]] * _MINUTES[match[2]]
            quoted.append(match.span())
            yield Slot(f"{minutes // 60}:{minutes % 60}", "time", "", *match.span())
    taken = 0
    for number, token in enumerate(found):
        if any(a <= token.start and token.end <= b for a, b in quoted):
            continue
        slot = _slot(text, found, number) if token.start >= taken else None
        if slot is not None:
            taken = slot.end if slot.kind == "name" else slot.behind or slot.end
            yield slot


def _slot(text: str, found: Sequence[Token], number: int) -> Slot | None:
    token = found[number]
    low = token.low
    if token.kind in {CODE, ADDRESS}:
        plain = low.rstrip(".,")
        end = token.end - (len(low) - len(plain))
        return Slot(plain.strip("`/"), "code", _form(plain.strip("`")), token.start, end)
    if token.kind is NUMBER or low in _WORDS:
        slot = _figure(found, number, token)
        return None if low == "one" and slot and not slot.unit else slot  # "the new one"
    if token.kind is not WORD:
        return None
    if "." in low or "_" in low or (token.text.islower() and _MIXED.search(low)):
        return Slot(low, "code", "", token.start, token.end)
    if low.rstrip("s") in _WEEKDAYS:
        return Slot(low.rstrip("s"), "weekday", "", token.start, token.end)
    if low in _RHYTHMS:
        return Slot(low, "rhythm", "", token.start, token.end)
    if is_name(found, number):
        return _name(text, found, number)
    return None


def _form(plain: str) -> str:
    """Return what form an address has: only one of the same form takes its place."""
    if "://" in plain or "@" in plain[1:]:
        return "://" if "://" in plain else "@"
    return "/" if "/" in plain and " " not in plain else ""


def _name(text: str, found: Sequence[Token], number: int) -> Slot:
    """Return a name with the names right behind it: `Docker Swarm`."""
    start, end = found[number].start, found[number].end
    for after in range(number + 1, len(found)):
        if found[after].start != end + 1 or not is_name(found, after):
            break
        end = found[after].end
    value = text[start:end].lower().removesuffix("'s")
    behind = next((t.end for t in found[number:] if t.start == end + 1 and t.text.isdigit()), 0)
    return Slot(value, "name", "", start, start + len(value), behind)


def _figure(found: Sequence[Token], number: int, token: Token) -> Slot | None:
    low = token.low
    before = found[number - 1] if number else None
    after = found[number + 1] if number + 1 < len(found) else None
    if _ISO.match(low):
        return None
    for pattern, kind in ((_TIME, "time"), (_VERSION, "version")):
        if pattern.match(low):
            return Slot(low.lstrip("0") or "0", kind, "", token.start, token.end)
    if after is not None and after.low in {"am", "pm"} and low.isdigit():
        hour = int(low) % 12 + (12 if after.low == "pm" else 0)
        return Slot(f"{hour}:00", "time", "", token.start, after.end)
    if low.rstrip("stndrh").isdigit():
        for month in (before, after):
            if month is not None and month.low in _MONTHS:
                start, end = min(token.start, month.start), max(token.end, month.end)
                day = f"{month.low[:3]} {low.rstrip('stndrh')}"
                return Slot(day, "date", "", start, end)
    return _amount(found, number, token)


def _amount(found: Sequence[Token], number: int, token: Token) -> Slot:
    """Return a number with its unit; one that is glued to letters of no unit is a code."""
    amount = _AMOUNT.match(_WORDS.get(token.low, token.low))
    after = found[number + 1] if number + 1 < len(found) else token
    if amount and (times := _TIMES.get(amount[2] or after.low)):
        whole = str(int(float(amount[1].replace(",", "")) * times))
        return Slot(whole, "number", "", token.start, token.end if amount[2] else after.end)
    if amount is None or (amount[2] and amount[2] not in _UNITS):
        return Slot(token.low, "code", "", token.start, token.end)
    unit, end = amount[2], token.end
    if not unit and number and found[number - 1].low in _PORTS:
        unit = "port"
    elif not unit and number + 1 < len(found):
        unit, end = _unit_of(found, number, token)
    is_grouped = amount[1][-4:-3] == ","
    value = amount[1].replace(",", "") if is_grouped else amount[1]
    behind = end if end > token.end or amount[2] else 0
    return Slot(value, "number", _UNITS.get(unit, unit), token.start, token.end, behind)


def _unit_of(found: Sequence[Token], number: int, token: Token) -> tuple[str, int]:
    """Return the unit behind a number: a known one, else the stem of the noun that it counts."""
    after = found[number + 1]
    if after.low in _UNITS:
        return after.low, after.end
    if after.kind is WORD and len(after.low) <= _BRIEF and after.low not in lexicon.STOP:
        return after.low, after.end
    is_many = (after.low.endswith("s") and not after.low.endswith("ss")) or token.low == "one"
    if after.kind is WORD and is_many and after.low not in lexicon.STOP:
        return stem(after.low), token.end
    return "", token.end


def is_name(found: Sequence[Token], number: int) -> bool:
    """Whether a word is a proper name: large inside a sentence, or with a capital inside it."""
    token = found[number]
    text = token.text
    low = token.low
    if token.kind is not WORD or low in lexicon.STOP or low in _MONTHS or low in _UNITS:
        return False
    if any(char.isupper() for char in text[1:]):
        return not (text.isalpha() and text[:-1].isupper() and text[-1] == "s")  # PRs, APIs
    before = found[number - 1] if number else None
    is_first = before is None or before.text in {".", "!", "?", ":", "-", "*", "|", "•"}
    return text[:1].isupper() and not is_first
