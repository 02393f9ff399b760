"""Prose cut into sentences."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from functools import lru_cache

from dreamd.domain.prose.speech import Paragraph
from dreamd.text.late import late

_END = late(  # led by all that may begin one, for the search to be quick
    r"[.!?…。！？](?:(?<=[.!?…])(?<![.!?…].)[.!?…]*[)\]\"'”’»*_]{0,4}(?=\s)"  # noqa: RUF001
    r"|(?<=[。！？])[。！？]*[」』”）]?)"  # noqa: RUF001
)
_QUOTED_END = late(r"[.!?][\"”](?=\s+[^\W\d_a-z])")  # I read "The Heron." What is next?
_LETTER = late(r"(?:^|\s)(?:no|a|i)\.$", re.IGNORECASE)
_SHORTENED = late(
    r"(?:^|[\s(])(?:e\.g|i\.e|eg|ie|etc|vs|cf|approx|incl|resp|no|nr|fig|vol|mr|mrs|ms|dr|prof|sr|jr"
    r"|st|ave|inc|ltd|co|corp|dept|est|p\.s|a\.m|p\.m|[A-Za-z])\.$",
    re.IGNORECASE,
)
_ORDINAL = late(r"(?:^|\s)\d{1,2}\.$")
_MONTH = late(  # "am 2. Mai", "den 2. juni"; the English May begins a question as well
    r"\s(?:jan|feb|m(?:är|ar[^k])|apr|mai|maj|jun|jul|aug|sep|o[kc]t|nov|de[zcs])", re.IGNORECASE
)
_RECENT = 64  # paragraphs; each is asked for by several rules in a row
_LOOKBACK = 12  # characters; longer than every shortened word


@dataclass(frozen=True, slots=True)
class Sentence:
    """One sentence with its end mark; `shown` is it with code and quotations blanked.

    `lead` is that of its paragraph.
    """

    text: str
    shown: str
    lead: str = ""


@lru_cache(_RECENT)
def sentences(paragraph: Paragraph) -> tuple[Sentence, ...]:
    """Return the sentences of a paragraph, in order; every character but spaces is in one."""
    return tuple(_sentences(paragraph))


def _sentences(paragraph: Paragraph) -> Iterator[Sentence]:
    start = 0
    shown = paragraph.shown
    for match in _ends(paragraph):
        if match.string is not shown or _is_end(shown, start, match):
            if sentence := _sentence(paragraph, start, match.end()):
                yield sentence
            start = match.end()
    if sentence := _sentence(paragraph, start, len(shown)):
        yield sentence


def _ends(paragraph: Paragraph) -> Iterable[re.Match[str]]:
    """Return what may end a sentence, in order; of a quotation its last mark counts."""
    found = _END.finditer(paragraph.shown)
    if not ('"' in paragraph.text or "”" in paragraph.text):
        return found
    quoted = _QUOTED_END.finditer(paragraph.text)
    hidden = (each for each in quoted if paragraph.shown[each.start()] != each[0][0])
    return sorted((*found, *hidden), key=re.Match.end)


def _is_end(shown: str, start: int, match: re.Match[str]) -> bool:
    after = shown[match.end() : match.end() + 2].strip()
    if match[0][0] == "…" or match[0].startswith(".."):
        return not after[:1].islower()
    if match[0] != ".":
        return True
    before = shown[max(start, match.start() - _LOOKBACK) : match.end()]
    if _ORDINAL.search(before) and _MONTH.match(shown, match.end()):
        return False
    if _LETTER.search(before):
        return not after[:1].isdigit()
    return not (_SHORTENED.search(before) and start < match.start())


def _sentence(paragraph: Paragraph, start: int, end: int) -> Sentence | None:
    cut = paragraph.text[start:end]
    text = cut.strip()
    if not text:
        return None
    start += len(cut) - len(cut.lstrip())
    shown = paragraph.shown[start : start + len(text)]
    return Sentence(text, shown, paragraph.lead)
