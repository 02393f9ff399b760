"""Values in a sentence, by kind, so that one can be held against another of the same kind."""

from __future__ import annotations

from functools import lru_cache

from msgspec import Struct

from dreamd.text.late import late
from dreamd.text.stems import content
from dreamd.text.values.figures import figures

_AROUND = 48  # characters on either side in which stands what a value is a value of
_DIGIT = late(r"\d")
_TO_TWELVE = "two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
_WORD = late(rf"(?i)\b(?:{'|'.join(_TO_TWELVE)})\b")
_INSIDE = (
    "/",
    ".",
    "-",
    "_",
    "#",
)  # before a digit: it stands in a path, a name or a longer number


class Value(Struct, frozen=True):
    """Columns `start` to `end` (half-open) of a text hold a value of a kind.

    Kinds are date, time, version and number; a number with a unit is of the kind of that unit
    (`number of ms`). Two values are one where `key` is the same.
    """

    kind: str
    key: str
    start: int
    end: int


def has_values(text: str) -> bool:
    """Whether a text may hold a value; cheap."""
    return _DIGIT.search(text) is not None or _WORD.search(text) is not None


@lru_cache(maxsize=1 << 15)
def values(text: str) -> tuple[Value, ...]:
    """Return the values of a text in order, one for each place."""
    low = text.lower()
    low = low if len(low) == len(text) else text
    places: dict[int, Value] = {}
    for each in figures(low):
        if not low.startswith(_INSIDE, max(each.start - 1, 0)):
            key, _, unit = each.forms[0].partition(" ")
            kind = f"number of {unit}" if unit else each.kind.value
            places.setdefault(each.start, Value(kind, key, each.start, each.end))
    for match in _WORD.finditer(text):
        key = str(_TO_TWELVE.index(match[0].lower()) + 2)
        places.setdefault(match.start(), Value("number", key, *match.span()))
    return tuple(places[start] for start in sorted(places))


def is_same(one: Value, other: Value) -> bool:
    """Whether two values are the same; a date without a year is that day of any year."""
    if one.kind != other.kind:
        return False
    keys = sorted((one.key, other.key), key=len)
    return one.key == other.key or (keys[0][:2] == "--" and keys[1].endswith(keys[0][1:]))


@lru_cache(maxsize=1 << 13)
def around(text: str, start: int, end: int) -> frozenset[str]:
    """Return the stems beside a value, on both sides: what it is a value of."""
    before = text[max(start - _AROUND, 0) : start]
    after = text[end : end + _AROUND]
    before = before.partition(" ")[2] if start > _AROUND else before
    after = after.rpartition(" ")[0] if end + _AROUND < len(text) else after
    return frozenset(word for word in content(f"{before} {after}") if not word[0].isdigit())
