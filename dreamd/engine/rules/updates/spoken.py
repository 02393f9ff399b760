"""The sentences in which people tell how things are, for all rules that look for news in them."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator

from dreamd.domain.heard import PersonSaid
from dreamd.domain.prose.reported import is_reported
from dreamd.domain.prose.sentences import Sentence, sentences
from dreamd.domain.prose.speech import paragraphs

SPAN = 1_000  # numbers of one message
_OF_WORDS = re.compile(  # what shall be written, or is only wished
    r"\bassert(?:s|ing)?\sthat\b|\b(?:i|we)\s(?:wish|pretend)\b"
    r"|\b(?:just|only)\s(?:kidding|joking)\b|\bin\smy\s(?:[\w-]+\s){0,2}(?:story|novel|screenplay|dream)\b"
    r"|\b(?:write|add|draft|make\sup|invent|create)\s(?:me\s)?an?\s(?:[\w-]+\s){1,3}(?:that|which)\s(?:says?|tells?|claims?|reads|announces|states)\b",
    re.IGNORECASE,
)
_TAKEN_BACK = re.compile(
    r"\W*(?:(?:oh|wait|sorry|hm+|ah|and|but|well)[\s,]+)*(?:actually,?\sno\b|no,?\s(?:wait|sorry|scratch)\b"
    r"|scratch\sthat|strike\sthat|never\s?mind\sthat|(?:just\s)?kidding|(?:then\s)?(?:i|we)\s(?:reverted|took)\s(?:that|it)\b)",
    re.IGNORECASE,
)


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
