"""The sentences in which people tell how things are, for all rules that look for news in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from typing import TypeVar

from dreamd.domain.heard import PersonSaid
from dreamd.domain.prose.reported import is_reported
from dreamd.domain.prose.sentences import Sentence, sentences
from dreamd.domain.prose.speech import paragraphs
from dreamd.text.late import late

SPAN = 1_000  # numbers of one message
_New = TypeVar("_New", bound="News")
_OF_WORDS = late(  # what shall be written, or is only wished
    r"\bassert(?:s|ing)?\sthat\b|\b(?:i|we)\s(?:wish|pretend)\b"
    r"|\b(?:just|only)\s(?:kidding|joking)\b|\bin\smy\s(?:[\w-]+\s){0,2}(?:story|novel|screenplay|dream)\b"
    r"|\b(?:write|add|draft|make\sup|invent|create)\s(?:me\s)?an?\s(?:[\w-]+\s){1,3}(?:that|which)\s(?:says?|tells?|claims?|reads|announces|states)\b",
    re.IGNORECASE,
)
_TAKEN_BACK = late(
    r"\W*(?:(?:oh|wait|sorry|hm+|ah|and|but|well)[\s,]+)*(?:actually,?\sno\b|no,?\s(?:wait|sorry|scratch)\b"
    r"|scratch\sthat|strike\sthat|never\s?mind\sthat|(?:just\s)?kidding|(?:then\s)?(?:i|we)\s(?:reverted|took)\s(?:that|it)\b)",
    re.IGNORECASE,
)


class News:
    """What a sentence of a message tells that is new; `number` is its place among all of it."""

    __slots__ = ()
    said: PersonSaid
    number: int

    @property
    def day(self) -> str:
        """The day it was said as ISO 8601, nothing where that is not known."""
        return self.said.day.isoformat() if self.said.day else ""


def numbered(
    said: Iterable[PersonSaid],
    may_hold: Callable[[str], bool],
    of_sentence: Callable[[Sentence, PersonSaid, int], Iterable[_New]],
) -> Iterator[_New]:
    """Yield what `of_sentence` finds in sentences, numbered in the order of what was said.

    Only in those of messages whose text `may_hold` it.
    """
    number = 0
    for first, message, sentence in spoken(said, may_hold):
        number = max(number, first)
        for found in of_sentence(sentence, message, number):
            yield found
            number = min(found.number + 1, first + SPAN - 1)


def spoken(
    said: Iterable[PersonSaid], may_hold: Callable[[str], bool]
) -> Iterator[tuple[int, PersonSaid, Sentence]]:
    """Yield each sentence with its message and the first number of that, in order.

    Only of messages whose text `may_hold` what is looked for. No words that shall be written,
    nothing that the next sentence takes back, and nothing from where others' words begin.
    """
    for place, message in enumerate(said):
        if not may_hold(message.text):
            continue
        for paragraph in paragraphs(message.text):
            found = tuple(sentences(paragraph))
            for sentence, after in zip(found, (*found[1:], None), strict=True):
                if is_reported(sentence.shown):
                    break
                is_taken_back = after is not None and _TAKEN_BACK.match(after.shown)
                if not is_taken_back and not _OF_WORDS.search(sentence.shown):
                    yield place * SPAN, message, sentence
