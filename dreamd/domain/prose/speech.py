"""The parts of a message that are the person's own prose, without what they pasted."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import lru_cache

from dreamd.domain.prose.pasted import (
    LONGEST,
    PASTED,
    asks_memory,
    is_dictated,
    is_lead_to_pasted,
    own_rows,
)
from dreamd.domain.prose.quoted import masked
from dreamd.domain.prose.shown import goes_on, hijacks, looks_back, presents
from dreamd.text.late import late

_ITEM = late(r"[ \t]{0,12}(?:[-*+•–]|\(?\d{1,3}[.)]|[a-z]\))[ \t]+(?=\S)")  # noqa: RUF001
_RECENT = 4  # messages; each is asked for by several rules in a row
_MOST = 4_000  # characters of prose in a message; more is mostly pasted, and only its ends count
_ENDS_SENTENCE = late(r"[.!?:;。！？][)\]\"'”’»*_]{0,4}$")  # noqa: RUF001
_EMPHASIS = late(r"(?<![\w*])(\*\*|__|\*)(?=[^\s*_])([^*_\n]{1,200})(?<=\S)\1(?![\w*])")


@dataclass(frozen=True, slots=True)
class Paragraph:
    """Running prose on one line, its white space collapsed and its list marker taken off.

    `shown` is `text` with code, quotations and addresses blanked, every column where it was.
    `lead` is the line ending in a colon that introduces it, or nothing.
    """

    text: str
    shown: str
    lead: str = ""
    is_item: bool = False


@lru_cache(_RECENT)
def paragraphs(message: str) -> tuple[Paragraph, ...]:
    """Return a person's own prose in order; long messages are heard at both ends only."""
    found = tuple(_led(_paragraphs(own_rows(message))))
    if len(found) > 1 and looks_back(found[-1].shown) and not asks_memory(found[-1].shown):
        found = found[-1:]  # what it is about was pasted above
    spoken = [each for each in found if len(each.text) > LONGEST and is_dictated(each.text)][:1]
    if sum(len(each.text) for each in found if each not in spoken) <= _MOST:
        return found
    return tuple(each for each in dict.fromkeys((*found[:1], *found[-1:])) if _is_short(each))


def _is_short(each: Paragraph) -> bool:
    return len(each.text) <= LONGEST // 4 and not each.is_item


def _paragraphs(rows: Sequence[str]) -> Iterator[Paragraph | None]:
    """Yield each run of lines that is one line of prose; None where a blank line stands.

    What was pasted is yielded as a paragraph of no text.
    """
    held: list[str] = []
    is_item = False
    for row in (*rows, ""):
        is_typed = bool(row.strip()) and row != PASTED
        item = _ITEM.match(row) if is_typed else None
        goes_on = held and is_typed and not item and _goes_on(held[-1], row)
        if held and not goes_on:
            yield _paragraph(held, is_item=is_item)
            held = []
        if not is_typed:
            yield Paragraph("", "") if row == PASTED else None
            continue
        if not goes_on:
            is_item = item is not None
        held.append(row[item.end() :] if item else row)


def _goes_on(before: str, row: str) -> bool:
    """Whether a line is the rest of the one before, wrapped by hand, and no line of its own."""
    first = row.lstrip()[:1]
    return not _ENDS_SENTENCE.search(before.rstrip()[-8:]) and not first.isupper()


def _paragraph(rows: Sequence[str], *, is_item: bool) -> Paragraph:
    text = " ".join(" ".join(rows).split())
    if "*" in text or "__" in text:
        text = _EMPHASIS.sub(r"\2", text)
    return Paragraph(text, masked(text), is_item=is_item)


def _led(found: Iterator[Paragraph | None]) -> Iterator[Paragraph]:
    """Yield paragraphs, each with the lead it stands below.

    A lead holds for the list that follows, or for what stands up to a blank line. One that says
    that something is shown (`here is the log:`) is followed by it, and nobody's words come after;
    so do words that present a text (`what does this mail mean?`), unless the person goes on. What
    would turn an assistant against what it was told ends a message: it was pasted, and what
    stands around it too.
    """
    lead = ""
    was_item = is_used = is_shown = is_presented = False
    for each in found:
        if each is None:
            lead = "" if is_used and not was_item else lead
            continue
        if not each.text:
            lead, is_shown, is_presented = "", False, False
            continue
        if is_shown or (is_presented and not goes_on(each.shown)) or hijacks(each.shown):
            return
        if was_item and not each.is_item:
            lead = ""
        yield Paragraph(each.text, each.shown, lead, each.is_item) if lead else each
        was_item, is_used = each.is_item, True
        if each.shown.endswith((":", "：")) and not each.is_item:  # noqa: RUF001
            lead, is_used, is_shown = each.text, False, is_lead_to_pasted(each.shown)
        is_presented = not each.is_item and not asks_memory(each.shown) and presents(each.shown)
