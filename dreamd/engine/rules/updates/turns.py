"""What people said that begins something of which there is one at a time: "we moved to Porto"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dreamd.domain.heard import PersonSaid
from dreamd.domain.prose.hearsay import is_secondhand
from dreamd.domain.prose.private import is_private
from dreamd.domain.prose.quoted import BLANK
from dreamd.domain.prose.sentences import Sentence
from dreamd.engine.rules.updates import clauses
from dreamd.engine.rules.updates.begun import begun, hints
from dreamd.engine.rules.updates.slots import Held
from dreamd.engine.rules.updates.spoken import News, numbered
from dreamd.engine.rules.updates.statements import as_sentence
from dreamd.text.late import late
from dreamd.text.secrets import secrets

_RECENTLY = late(
    r"\b(?:yesterday|(?:last|this)\s(?:week|weekend|month|summer|spring|autumn|winter|fall|year|night|time|quarter)"
    r"|(?:a\scouple\sof|two|three|a\sfew|\d)\s(?:days|weeks|months)\sago|(?:a|one)\s(?:week|month)\sago)\b",
    re.IGNORECASE,
)
_THEN = late(  # told of another time, or for a while
    r"\b(?:in|since|around|back\sin)\s(?:19|20)\d\d\b|\byears?\sago\b|\bas\san?\s(?:student|kid|child|teenager|intern)\b"
    r"|\bwhen\si\swas\b|\bfor\s(?:an?|the|one|two|three|four|a\sfew|\d+)\s(?:week|day|month|weekend|summer|semester|night|couple)"
    r"|\bbefore\s(?:that|then)\b|\btemporarily\b|\bused\sto\b",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Turn(News):
    """A sentence that begins something of which there is one at a time; `text` is its piece.

    `was` is what it says there was before, "" where it does not. `number` is as in `Statement`.
    `is_sure`: its words can hardly mean anything else.
    """

    text: str
    quote: str
    held: Held
    was: str
    said: PersonSaid
    number: int
    is_sure: bool = True


def turns(said: Iterable[PersonSaid]) -> Iterator[Turn]:
    """Return what people told that has begun, in the order of what they said."""
    return numbered(said, hints, _of_sentence)


def _of_sentence(sentence: Sentence, message: PersonSaid, number: int) -> Iterator[Turn]:
    text, shown = sentence.text, sentence.shown
    if not hints(text):
        return
    plain = text.replace("’", "'")  # noqa: RUF001
    for each in begun(plain):
        at, held = each.at, each.held
        start, end = clauses.bounds(text, at)
        begin = clauses.since(text, start)
        own = clauses.own(text, start, begin)
        lately = _RECENTLY.sub(lambda match: "-" * len(match[0]), text)
        if is_secondhand(shown, at) or BLANK in shown[own:end] or _THEN.search(text, own, end):
            continue
        if not clauses.is_told(lately, own, at, is_named=False):
            continue
        last = clauses.bounds(text, max(at, plain.find(held.said, at)))[1]  # "my boss, Dr. Ames"
        piece = as_sentence(text, begin, max(end, last))
        if piece and not secrets.find(piece) and not is_private(piece):
            yield Turn(piece, text, held, each.was, message, number, each.is_sure)
