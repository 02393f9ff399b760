"""Extract what people state and ask from what they said, sentence by sentence."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from datetime import date, datetime
from pathlib import PurePosixPath
from typing import NamedTuple

from dreamd.domain.evidence import NOTE, PERSON, PersonSaid
from dreamd.domain.tree import Tree
from dreamd.text import lexicon
from dreamd.text.late import late
from dreamd.text.markdown.note import day_of, value
from dreamd.text.sentences import OWN, Sentence, sentences
from dreamd.text.stems import ordered

NOTED_DAYS = 3  # of daily notes in which a claim stands that nobody states in a session
_LARGEST = 1024 * 1024  # bytes; what is larger is no note that someone keeps
_TYPES = {"", "daily", "diary", "journal", "log"}


class Daily(NamedTuple):
    """A daily note as it stood, and its day."""

    day: date
    path: PurePosixPath
    text: str


def dailies(tree: Tree) -> list[Daily]:
    """Return the daily notes of a tree, by day and path.

    A path says the day. A note whose frontmatter says another, that has a type of its own, or in
    which dreamd gathers lines is none, nor is one that is no text.
    """
    found = []
    for path, entry in tree.files.items():
        day = day_of(path)
        if day is None or len(entry.data) > _LARGEST or b"\0" in entry.data:
            continue
        try:
            str(path).encode()
            text = entry.data.decode()
        except UnicodeError:
            continue
        is_its_own = (value(text, "date") or day.isoformat()).startswith(day.isoformat())
        is_daily = (value(text, "type") or "").casefold() in _TYPES
        if is_its_own and is_daily and value(text, "gathered") is None:
            found.append(Daily(day, path, text))
    return sorted(found)


_FEWEST = 3  # stems and values of a statement
_LONGEST = 400  # characters of one
_HIDDEN = late("[\x00-\x08\x0b-\x1f\x7f\u200b\u2060\u202a-\u202e\u2066-\u2069\ufeff]")
_BOX = late(r"\[[ xX]?\]\s")
_FORGOTTEN = late(r"\[forgotten\]")
_LONGER = late(r"\d+|[^\W\d_]{4,}")


class Sighting(NamedTuple):
    """A sentence that a person stated, or that a daily note holds, as it was said.

    `tags` are the stems and values in it. Times are as in `PersonSaid`. Of a daily note,
    `session` is the path.
    """

    quote: str
    tags: tuple[str, ...]
    speaker: str
    session: str
    message: str
    at: datetime | None = None
    day: date | None = None


class Query(NamedTuple):
    """What a person asked, as they said it; by it, what is stated is relevant."""

    text: str
    session: str
    message: str
    at: datetime | None = None
    day: date | None = None


def light(said: Iterable[PersonSaid]) -> Iterator[Sighting | Query]:
    """Yield the statements and questions of people, in the order in which they were said.

    A sentence is either, never both. Left out is what is quoted, pasted or code.
    """
    for message in said:
        yield from of_message(message)


def of_message(said: PersonSaid) -> Iterator[Sighting | Query]:
    """Yield the statements and questions of one message."""
    where = (said.session, said.message, said.at, said.day)
    may_hide = _HIDDEN.search(said.text) is not None
    for sentence in sentences(said.text):
        text = sentence.text
        if sentence.kind not in OWN or len(text) > _LONGEST:
            continue
        if text.endswith("?"):
            yield Query(text, *where)
            continue
        tags = ordered(text)
        if len(tags) >= _FEWEST and not (may_hide and _HIDDEN.search(text)):
            yield Sighting(text, tags, PERSON, *where)


def noted(notes: Sequence[Daily]) -> Iterator[Sighting]:
    """Yield what daily notes state on several days, each line a sighting of its note's day.

    Headings, open tasks, code and what was forgotten state nothing. A line of one note only is
    left out: it stands where it belongs.
    """
    found = [(note, sentence) for note in notes for sentence in _lines(note)]
    often = Counter(beginnings(sentence.text) for _, sentence in found)
    for note, sentence in found:
        text = sentence.text
        if often[beginnings(text)] < NOTED_DAYS:
            continue
        tags = ordered(text)
        if len(tags) >= _FEWEST:
            message = f"{note.path}:{sentence.start}"
            yield Sighting(text, tags, NOTE, str(note.path), message, None, note.day)


def beginnings(text: str) -> tuple[str, ...]:
    """Return how the longer words of a text begin, and its figures.

    Cheap: two texts of the same stems begin alike, so most pairs need no closer look.
    """
    found = _LONGER.findall(text.lower())
    return tuple(word[:3] for word in found if word not in lexicon.STOP)


def _lines(note: Daily) -> Iterator[Sentence]:
    for sentence in sentences(note.text):
        text = sentence.text
        is_own = sentence.kind in OWN and len(text) <= _LONGEST and not text.endswith(("?", ":"))
        if is_own and not _BOX.match(text) and not _FORGOTTEN.search(text):
            yield sentence
