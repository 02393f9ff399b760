"""What people asked to be remembered, in their own words."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass
from itertools import zip_longest

from dreamd.domain.heard import PersonSaid
from dreamd.domain.prose.alone import LONGEST, stands_alone
from dreamd.domain.prose.clauses import Piece, opening, without_tail
from dreamd.domain.prose.hearsay import is_rumour
from dreamd.domain.prose.reported import is_hearsay, is_reported
from dreamd.domain.prose.sentences import Sentence, sentences
from dreamd.domain.prose.speech import Paragraph, paragraphs
from dreamd.domain.prose.whole import as_sentence
from dreamd.engine.rules.gather import corrections, instructions, preferences, saves
from dreamd.engine.rules.gather.cue import Cue
from dreamd.engine.rules.gather.joining import Joined, joined
from dreamd.text.late import late

__all__ = ["Claim", "Cue", "claims"]

_FINDERS: tuple[tuple[Cue, Callable[[str], Piece | None]], ...] = (
    (Cue.SAVE, saves.find),
    (Cue.CORRECTION, corrections.find),
    (Cue.INSTRUCTION, instructions.find),
    (Cue.PREFERENCE, preferences.find),
)
_BREAK = late(r"[;,]\s+(?:and\s+|und\s+|et\s+|y\s+)?")
_CONFIRMS = late(  # "…, right?" asks whether it is so; "…, ok?" asks for a yes
    r",\s+(?:right|correct|true|no|yes|(?:is|are|do|does|isn't|aren't|don't|doesn't)\s+\w+)\s?\?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Claim:
    """One thing a person asked to be remembered, in their own words.

    `statement` is one self-contained line, a contiguous piece of the message with its white
    space collapsed. `quote` is the sentence, or the two, it was taken from.
    """

    cue: Cue
    statement: str
    quote: str
    said: PersonSaid


def claims(said: Iterable[PersonSaid]) -> Iterator[Claim]:
    """Yield what each message asks to be remembered, in order; the same thing said twice, twice."""
    for message in said:
        for paragraph in paragraphs(message.text):
            yield from _of_paragraph(paragraph, message)


def _of_paragraph(paragraph: Paragraph, message: PersonSaid) -> Iterator[Claim]:
    """Yield the claims of one paragraph; from where it tells of others' words, none."""
    said = tuple(sentences(paragraph))
    heard = False  # together with the one before
    for first, second in zip_longest(said, said[1:]):
        if heard:
            heard = False
            continue
        if is_reported(first.shown):
            return
        if second and (together := joined(first, second)) and (found := _joined(together)):
            yield Claim(*found, together.text, message)
            heard = True
        elif found := _single(first):
            yield Claim(*found, first.text, message)
        else:
            yield from (Claim(Cue.SAVE, part, first.text, message) for part in _parts(first))


def _joined(together: Joined) -> tuple[Cue, str] | None:
    statement = _statement(
        together.text, together.shown, together.piece, is_named=together.is_named
    )
    return (together.cue, statement) if statement else None


def _single(sentence: Sentence) -> tuple[Cue, str] | None:
    """Return the first cue of a sentence whose words stand alone; none of a question's."""
    if _CONFIRMS.search(sentence.shown):
        return None
    is_heard = is_rumour(sentence.shown)
    for cue, find in _FINDERS:
        piece = find(sentence.shown)
        if is_heard and cue is not Cue.SAVE:
            continue
        if piece and cue is not Cue.PREFERENCE and is_hearsay(sentence.shown[: piece.start]):
            continue
        if piece and (statement := _statement(sentence.text, sentence.shown, piece)):
            return cue, statement
    if saves.is_lead(sentence.lead) and not sentence.shown.endswith(("?", ":")):
        start = opening(sentence.shown)
        statement = _statement(sentence.text, sentence.shown, Piece(start, len(sentence.text)))
        return (Cue.SAVE, statement) if statement else None
    return None


def _parts(sentence: Sentence) -> tuple[str, ...]:
    """Return what is asked to be remembered and too long for a line, cut where a clause begins.

    Nothing where a part would say nothing by itself.
    """
    piece = saves.find(sentence.shown)
    if piece is None or piece.end - piece.start <= LONGEST or _CONFIRMS.search(sentence.shown):
        return ()
    found: list[Piece] = []
    start = piece.start
    while piece.end - start > LONGEST:
        breaks = list(_BREAK.finditer(sentence.shown, start, start + LONGEST))
        if not breaks:
            return ()
        found.append(Piece(start, breaks[-1].start()))
        start = breaks[-1].end()
    found.append(Piece(start, piece.end))
    parts = tuple(_statement(sentence.text, sentence.shown, each) for each in found)
    return parts if all(parts) and not is_hearsay(sentence.shown[: piece.start]) else ()


def _statement(text: str, shown: str, piece: Piece, *, is_named: bool = False) -> str:
    """Return a piece as a sentence, capital first, full stop last; nothing if it needs more."""
    end = without_tail(shown, piece.start, piece.end)
    said = text[piece.start : end]
    kept = said.rstrip(" ,;:—-?？")  # noqa: RUF001
    kept = kept.lstrip(" ,;:—-")
    begin = piece.start + said.find(kept) if kept else piece.start
    if not kept or not stands_alone(kept, shown[begin : begin + len(kept)], is_named=is_named):
        return ""
    return as_sentence(kept)
