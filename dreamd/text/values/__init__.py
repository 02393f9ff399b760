"""Find the values of a text: numbers, names, addresses, days."""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator

from dreamd.text.late import late
from dreamd.text.markdown.inline import code_spans
from dreamd.text.time.dates import NUMBER_WORDS
from dreamd.text.time.meaning import meant
from dreamd.text.tokens import lowered
from dreamd.text.values.addresses import addresses
from dreamd.text.values.figures import figures
from dreamd.text.values.grounds import Grounds, grounds
from dreamd.text.values.names import names
from dreamd.text.values.value import Value, ValueKind

__all__ = ["Grounds", "Value", "ValueKind", "found", "grounds", "meant"]

_QUOTE = late(r"\"([^\"\n]{2,300})\"|“([^“”\n]{2,300})”|«([^«»\n]{2,300})»|„([^„“”\n]{2,300})[“”]")
_SPELT = late(rf"\b(?:{'|'.join(NUMBER_WORDS)})\b")
_LIST_MARK = late(r"(?m)^[ \t>]{0,40}\d{1,3}[.)](?=\s)")
_BEFORE = late(r"([^\W\d_]{1,24})-$")
_LETTERS = late(r"[^\W\d_]{2,}")


def found(text: str) -> Iterator[Value]:
    """Yield the values of a text with their places; what is inside a code span or a quotation too.

    The first form is one however it is written: `1,200 kB` is `1200 kb`, `ten` is `10`; code and
    quotations keep their marks. A path holds its numbers, and a date or a figure its names.
    """
    text = unicodedata.normalize("NFC", text)
    low = _LIST_MARK.sub(lambda match: " " * len(match[0]), lowered(text))
    shown, rest = list(text), list(low)  # where names and where figures are still looked for
    for start, end, code in code_spans(low):
        if inner := " ".join(code.split()):
            yield Value(ValueKind.CODE, (f"`{inner}`",), start, end, (*_LETTERS.findall(inner),))
            shown[start:end] = "\0" * (end - start)
    for match in _QUOTE.finditer(low):
        inner = " ".join(match[match.lastindex or 0].split())
        yield Value(ValueKind.QUOTE, (f'"{inner}"',), *match.span(), (*_LETTERS.findall(inner),))
    for value in addresses(low):
        yield value
        rest[value.start : value.end] = " " * (value.end - value.start)
        shown[value.start : value.end] = "\0" * (value.end - value.start)
    low = "".join(rest)
    for value in figures(low):
        before = _BEFORE.search(low, max(value.start - 25, 0), value.start)
        if before and value.kind is ValueKind.NUMBER:  # it may be of a name, too
            named = before[1] + low[value.start : value.end]
            yield value._replace(forms=(*value.forms, named))
        else:
            yield value
        if low[value.start - 1 : value.start] != "-":  # it may be the tail of a name: `GPT-4`
            shown[value.start : value.end] = "\0" * (value.end - value.start)
    for match in _SPELT.finditer(low):
        yield Value(ValueKind.NUMBER, (NUMBER_WORDS[match[0]],), *match.span())
    yield from names("".join(shown))
