"""Split a message into sentences and say what each is: prose, list item, quoted, pasted or code."""

from __future__ import annotations

from collections.abc import Iterator
from enum import StrEnum
from functools import lru_cache, partial
from typing import NamedTuple

from dreamd.text import lexicon
from dreamd.text.late import late
from dreamd.text.tokens import words

_FENCE = late(r"[ \t]{0,8}(?:```|~~~)")
_ITEM = late(r"[ \t]{0,8}(?:[-*•+–][ \t]|\d{1,2}[.)][ \t]|\(?[A-Za-z0-9][.)][ \t])[ \t]{0,8}")
_END = lexicon.pattern("sentence-end")
_QUOTE = late(r"\"[^\"\n]{2,600}\"|“[^”\n]{2,600}”|«[^»\n]{2,600}»")
_ABBREVIATION = lexicon.of("abbreviation")
_LAST_WORD = late(r"[\w.]{1,12}$")
_LOG = lexicon.pattern("log-row")
_LEVEL = lexicon.pattern("log-level")
_LEVEL_WITHIN = 50  # characters of a row
_CODE = rb"{}[]()=;<>|\/_*&^%$#@+"
_CODE_END = late(r"(?:[{};\\]|=>|\),?|\\n|\[\])$")
_LEAD = lexicon.of("lead")
_CONTINUED = 60  # characters of a row that may go on in the next one
_LONGEST = 2000  # characters of a sentence; a longer run of text has no sentences


class Kind(StrEnum):
    """What a sentence of a message is."""

    PROSE = "prose"
    ITEM = "item"
    QUOTED = "quoted"
    PASTED = "pasted"
    CODE = "code"


_PROSE, _PASTED = Kind.PROSE, Kind.PASTED  # asked for often, and slow to look up in the class
OWN = frozenset({_PROSE, Kind.ITEM})  # in the person's own words


class Sentence(NamedTuple):
    """A sentence with its span in the message."""

    text: str
    start: int
    end: int
    kind: Kind


_Row = tuple[str, int, Kind | None]  # text, start; no kind: an empty row
_sentence = partial(tuple.__new__, Sentence)  # in half the time of calling the class


@lru_cache(maxsize=1 << 14)
def sentences(text: str) -> tuple[Sentence, ...]:
    """Return the sentences of a message in order; time grows linearly with its length.

    A row of its own ends a sentence, unless it is wrapped. A block of rows of which half look
    like logs, code or tables is pasted; so is a run of text without a sentence.
    """
    return tuple(_sentences(text))


def _sentences(text: str) -> Iterator[Sentence]:
    for row in _joined(_rows(text)):
        body, start, kind = row
        if kind is None:
            continue
        mark = _ITEM.match(body) if kind is _PROSE else None
        if mark:
            kind = Kind.ITEM
            start += mark.end()
            body = body[mark.end() :]
        if len(body) > _LONGEST and kind in OWN and not _END.search(body, 0, _LONGEST):
            kind = _PASTED
        for at, end in _spans(body) if kind in OWN else ((0, len(body)),):
            said = body[at:end].lstrip()
            first = start + end - len(said)
            said = said.rstrip()
            if said:
                yield _sentence((said, first, first + len(said), kind))


def _spans(body: str) -> Iterator[tuple[int, int]]:
    """Yield the spans of the sentences of one row."""
    start = 0
    has_quote = '"' in body or "“" in body or "«" in body
    quoted = [match.span() for match in _QUOTE.finditer(body)] if has_quote else []
    for match in _END.finditer(body):
        at, end = match.span()
        if quoted and any(a < at and end < b for a, b in quoted):
            continue  # somebody else's sentences stay within that which quotes them
        if match[0] == "." and _is_abbreviated(body[max(start, at - 12) : at]):
            continue
        yield start, end
        start = end
    if start < len(body):
        yield start, len(body)


def _is_abbreviated(before: str) -> bool:
    word = _LAST_WORD.search(before)
    low = word[0].lower() if word else ""
    return low in _ABBREVIATION or (len(low) == 1 and low.isalpha() and low != "i")


def _rows(text: str) -> Iterator[_Row]:
    """Yield the rows of a message, each block of rows judged as a whole."""
    block: list[tuple[str, int]] = []
    is_fenced = is_quoting = False
    start = 0
    may_fence = "```" in text or "~~~" in text
    for row in text.replace("\r\n", " \n").split("\n"):
        here, start = start, start + len(row) + 1
        if may_fence and _FENCE.match(row):
            yield from _judged(block, is_quoting=is_quoting)
            block, is_fenced = [], not is_fenced
            continue
        if is_fenced:
            yield row, here, Kind.CODE
            continue
        if row and not row.isspace():
            block.append((row, here))
            continue
        yield from _judged(block, is_quoting=is_quoting)
        is_quoting = bool(block) and _leads(block[-1][0])
        block = []
        yield "", here, None
    yield from _judged(block, is_quoting=is_quoting)


def _leads(row: str) -> bool:
    """Whether a row says that what follows is somebody else's text."""
    said = row.rstrip()
    return said.endswith(":") and not _LEAD.isdisjoint(words(said[-80:]))


def _judged(block: list[tuple[str, int]], *, is_quoting: bool) -> Iterator[_Row]:
    if not block:
        return
    pasted = [_is_pasted(row) for row, _ in block]
    is_all = sum(pasted) * 2 > len(block)
    for number, ((row, start), looks) in enumerate(zip(block, pasted, strict=True)):
        if is_quoting or row.lstrip().startswith(">"):
            yield row, start, Kind.QUOTED
        else:
            yield row, start, _PASTED if is_all or looks else _PROSE
        following = block[number + 1][0] if number + 1 < len(block) else ""
        is_quoting = is_quoting or (_leads(row) and not _ITEM.match(following))


def _is_pasted(row: str) -> bool:
    head = row[:400]
    if _LOG.match(head):
        return True
    # a level is in capitals, or begins with one: most rows have none behind their first letter
    may_have = head[:1] in {"E", "T"} or not head[1:_LEVEL_WITHIN].islower()
    if may_have and _LEVEL.search(head, 0, _LEVEL_WITHIN):
        return True
    stripped = head.strip()
    encoded = stripped.encode("utf-8", "surrogatepass")
    marks = len(encoded) - len(encoded.translate(None, _CODE))
    may_be = marks > 1 and marks * 12 > len(stripped) and stripped[0] != "("
    return marks * 5 > len(stripped) or (may_be and _CODE_END.search(stripped) is not None)


def _joined(rows: Iterator[_Row]) -> Iterator[_Row]:
    """Join a row of prose that is wrapped to the one that goes on."""
    text, start, kind = "", 0, None
    for row, place, its in rows:
        if kind is _PROSE and its is _PROSE and _goes_on(text, row):
            text = f"{text}\n{row}"
        else:
            yield text, start, kind
            text, start, kind = row, place, its
    yield text, start, kind


def _goes_on(row: str, following: str) -> bool:
    last = row.rsplit("\n", 1)[-1].rstrip()
    first = following.lstrip()[:1]
    is_open = len(last) >= _CONTINUED and last[-1:] not in ".!?:;…"
    return is_open and first.islower() and _ITEM.match(following) is None
