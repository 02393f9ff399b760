"""The values of a text, that can be right or wrong by themselves, and whether they occur."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from dreamd.text.late import late
from dreamd.text.time.possible import meant
from dreamd.text.values.addresses import addresses
from dreamd.text.values.figures import figures
from dreamd.text.values.grounds import Grounds, grounds
from dreamd.text.values.names import names
from dreamd.text.values.units import NUMBER_WORDS
from dreamd.text.values.value import Kind, Value, lowered

__all__ = ["Grounds", "Kind", "Value", "found", "grounds", "meant", "values"]

_CODE = late(r"(?<!`)(`{1,3})(?!`)(.+?)(?<!`)\1(?!`)")
_QUOTE = late(r"\"([^\"\n]{2,300})\"|“([^”\n]{2,300})”|«([^»\n]{2,300})»|„([^“”\n]{2,300})[“”]")
_SPELT = late(rf"\b(?:{'|'.join(NUMBER_WORDS)})\b")
_LIST_MARK = late(r"(?m)^[ \t>]*\d{1,3}[.)](?=\s)")


def values(text: str) -> frozenset[str]:
    """Return the values of a text, each in one form however it is written.

    Numbers with their units (`1,200 kB` is `1200 kb`, `ten` is `10`), dates (`27 March 2026` is
    `2026-03-27`), times, versions, paths, addresses, names, and in the marks in which they
    stand (code spans in backticks, quotations in double quotes) code and words of others.
    """
    return frozenset(value.forms[0] for value in found(text))


def found(text: str) -> Iterator[Value]:
    """Yield the values of a text with their places; what is inside a code span or a quotation too.

    Of values that overlap, a path holds its numbers, and a date or a figure its names.
    """
    text = unicodedata.normalize("NFC", text)
    low = lowered(text)
    shown = list(text)
    for match in _LIST_MARK.finditer(low):
        low = low[: match.start()] + " " * (match.end() - match.start()) + low[match.end() :]
    for match in _CODE.finditer(low):
        inner = " ".join(match[2].split())
        yield Value(Kind.CODE, (f"`{inner}`",), *match.span(), _words_of(inner))
        shown[match.start() : match.end()] = "\0" * len(match[0])
    for match in _QUOTE.finditer(low):
        inner = " ".join((match[1] or match[2] or match[3] or match[4]).split())
        yield Value(Kind.QUOTE, (f'"{inner}"',), *match.span(), _words_of(inner))
    for value in addresses(low):
        yield value
        low = low[: value.start] + " " * (value.end - value.start) + low[value.end :]
        shown[value.start : value.end] = "\0" * (value.end - value.start)
    for value in figures(low):
        yield _beside(value, low)
        if low[value.start - 1 : value.start] != "-":  # it may be the tail of a name: `GPT-4`
            shown[value.start : value.end] = "\0" * (value.end - value.start)
    for match in _SPELT.finditer(low):
        yield Value(Kind.NUMBER, (NUMBER_WORDS[match[0]],), *match.span())
    yield from names("".join(shown))


def _beside(value: Value, low: str) -> Value:
    """Return a number with the name it belongs to as another form: `gpt-4`."""
    before = re.search(r"([^\W\d_]+)-$", low[max(value.start - 24, 0) : value.start])
    if value.kind is not Kind.NUMBER or before is None:
        return value
    forms = (*value.forms, before[1] + low[value.start : value.end])
    return Value(value.kind, forms, value.start, value.end, value.parts)


def _words_of(text: str) -> tuple[str, ...]:
    return tuple(dict.fromkeys(re.findall(r"[^\W\d_]{2,}", text)))
