"""Extract what people state and ask from what they said, sentence by sentence."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dreamd.domain.daily import Daily
from dreamd.domain.evidence import NOTE, PERSON, Query, Snippet
from dreamd.domain.heard import PersonSaid
from dreamd.text.late import late
from dreamd.text.sentences import OWN, sentences
from dreamd.text.statement import clean
from dreamd.text.stems import ordered

_FEWEST = 3  # stems and values of a statement
_LONGEST = 400  # characters of one
_HIDDEN = late("[\x00-\x08\x0b-\x1f\x7f\u200b\u2060\u202a-\u202e\u2066-\u2069\ufeff]")
_BOX = late(r"\[[ xX]?\]\s")
_DATED = late(r"\[forgotten\]")


def light(said: Iterable[PersonSaid]) -> Iterator[Snippet | Query]:
    """Yield the statements and questions of people, in the order in which they were said.

    A sentence is either, never both. Left out is what is quoted, pasted or code.
    """
    for message in said:
        yield from _of_message(message)


def _of_message(said: PersonSaid) -> Iterator[Snippet | Query]:
    for sentence in sentences(said.text):
        if sentence.kind not in OWN or len(sentence.text) > _LONGEST:
            continue
        if sentence.text.endswith("?"):
            yield Query(sentence.text, said.session, said.message, said.at, said.day)
            continue
        tags = ordered(sentence.text)
        if len(tags) >= _FEWEST and not _HIDDEN.search(sentence.text):
            line = clean(sentence.text)
            where = (said.session, said.message, said.at, said.day)
            yield Snippet(line, sentence.text, tags, PERSON, *where)


def noted(notes: Iterable[Daily]) -> Iterator[Snippet]:
    """Yield what daily notes state, each line a sighting of the day that the note tells of.

    Headings, open tasks, code and what was forgotten state nothing.
    """
    for note in notes:
        for sentence in sentences(note.text):
            text = sentence.text
            if sentence.kind not in OWN or len(text) > _LONGEST or text.endswith(("?", ":")):
                continue
            tags = ordered(text)
            if len(tags) < _FEWEST or _BOX.match(text) or _DATED.search(text):
                continue
            message = f"{note.path}:{sentence.start}"
            yield Snippet(clean(text), text, tags, NOTE, str(note.path), message, None, note.day)
