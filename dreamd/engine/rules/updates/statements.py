"""What people said that gives something a new value, in their words."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, replace

from dreamd.domain import secrets
from dreamd.domain.heard import PersonSaid
from dreamd.domain.prose.private import is_private
from dreamd.domain.prose.quoted import BLANK
from dreamd.domain.prose.reported import is_hearsay, is_reported
from dreamd.domain.prose.sentences import Sentence, sentences
from dreamd.domain.prose.speech import paragraphs
from dreamd.engine.rules.updates import clauses
from dreamd.engine.rules.updates.cues import Cue, cue, is_start
from dreamd.engine.rules.updates.given import Given, given
from dreamd.engine.rules.updates.quantities import has_quantities

_LONGEST = 260  # characters of what is written
_FEWEST = 3  # words
SPAN = 1_000  # numbers of one message
_RESTATED = {"money", "share", "number"}
_HANGING = re.compile(
    r"(?:[\s,]+(?:and|but|so|because|since|while|though|although|whereas|considering|given))+$",
    re.IGNORECASE,
)
_BARE = re.compile(
    r"(?:it|this|that|these(?!\sdays)|those|they|he|she|which|who)(?:'\w+)?\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class Statement:
    """A sentence that gives something a new value: `text` is the piece of it that says so.

    `number` is its place among all that people said, `SPAN` for each message.
    """

    text: str
    quote: str
    value: Given
    cue: Cue
    said: PersonSaid
    number: int

    @property
    def day(self) -> str:
        """The day it was said as ISO 8601, nothing where that is not known."""
        return self.said.day.isoformat() if self.said.day else ""


def statements(said: Iterable[PersonSaid]) -> Iterator[Statement]:
    """Yield what people told of new values, in the order of what they said."""
    for place, message in enumerate(said):
        if not has_quantities(message.text):
            continue
        number = place * SPAN
        for paragraph in paragraphs(message.text):
            for sentence in sentences(paragraph):
                if is_reported(sentence.shown):
                    break
                for found in _of_sentence(sentence, message, number):
                    yield found
                    number = min(number + 1, (place + 1) * SPAN - 1)


def _of_sentence(sentence: Sentence, message: PersonSaid, number: int) -> Iterator[Statement]:
    """Yield the new values of a sentence; of two in one clause that could be one, the later."""
    text = sentence.text
    if not has_quantities(text) or is_hearsay(sentence.shown):
        return
    found: list[tuple[Given, Cue]] = []
    for each in given(text):
        value = each.quantity
        if BLANK in sentence.shown[value.start : value.end]:
            continue
        news = cue(text, value, each.since)
        begin = clauses.own(text, each.start, each.since)
        if news.is_plain and (
            value.kind not in _RESTATED or is_start(text, value.start, each.since)
        ):
            continue
        is_told = clauses.is_told(text, begin, value.start, is_named=news.is_named)
        if not is_told and (not news.is_plain or news.is_known):
            asked = news.is_known and clauses.is_asked(text, begin, value.start)
            if not asked:
                continue
            news = replace(news, is_asked=True)
        before, last = found[-1] if found else (each, news)
        is_one = before.start == each.start and before.quantity.is_of_kind(value)
        if found and is_one and not (last.is_plain or news.is_plain):
            found.pop()
        found.append((each, news))
    for each, news in found:
        piece = _question(text, each) if news.is_asked else _piece(text, each)
        if piece and not secrets.find(piece) and not is_private(piece):
            yield Statement(piece, text, each, news, message, number)


def _piece(text: str, value: Given) -> str:
    """Return the part of a sentence that tells a value, as a sentence; nothing where none can."""
    whole = as_sentence(text, value.since, value.end)
    if whole and not _BARE.match(whole):
        return whole
    return as_sentence(text, value.start, value.end) if value.start > value.since else ""


def _question(text: str, value: Given) -> str:
    """Return a question that takes a value for granted, from where it can be understood."""
    piece = text[clauses.first(text, value.since) :]
    return piece[:1].upper() + piece[1:] if len(piece) <= _LONGEST and piece.isprintable() else ""


def as_sentence(text: str, start: int, end: int) -> str:
    """Return a part of a sentence as one: capital first, full stop last.

    Nothing where it is too short or too long to stand for itself.
    """
    piece = text[clauses.first(text, start) : end].strip(" ,;:?—–-")  # noqa: RUF001
    piece = _HANGING.sub("", piece)
    few = len(piece.split()) < _FEWEST
    if few or len(piece) > _LONGEST or not piece.isprintable():
        return ""
    word = piece.split(maxsplit=1)[0]
    piece = (
        piece[:1].upper() + piece[1:]
        if word.replace("'", "").isalpha() and word.islower()
        else piece
    )
    return piece if piece.endswith((".", "!")) else f"{piece}."
