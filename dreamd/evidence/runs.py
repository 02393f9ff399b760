"""Statements of a paragraph that belong together: a sentence with the one it leans on."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dreamd.domain.prose.clauses import Piece
from dreamd.domain.prose.hearsay import is_rumour
from dreamd.domain.prose.leaning import leans_back
from dreamd.domain.prose.reported import is_reported
from dreamd.domain.prose.sentences import Sentence, sentences
from dreamd.domain.prose.speech import Paragraph
from dreamd.domain.prose.verbs import COMMANDS, is_command
from dreamd.evidence.asking import REACTS
from dreamd.evidence.foreign import foreign
from dreamd.evidence.stated import Told, told
from dreamd.text.late import late

LONGEST = 420  # characters of a statement; with its day a line stays within 450
_TOGETHER = 250  # characters; sentences that follow each other stay together up to here
_THE = late(r"the\s", re.IGNORECASE)
_FRAGMENT = late(  # an answer in a few words, with a figure or a name, and nobody who acts
    r"(?!.*\b(?:i|we)(?:'|\s))(?:.*\d|.*\s(?-i:[A-Z]))", re.IGNORECASE
)
_BROKEN = late(r",\s+(?:and|but)\s+(?=(?:i|i'm|i've|we|we're|we've|my|our)\b)", re.IGNORECASE)
_ADDRESSES = late(  # who listens, and not who speaks
    r"(?!.*\b(?:i|me|my|we|us|our)\b)(?=.*\byou(?:r|rs|rself)?\b)[^\d]*$", re.IGNORECASE
)
_ANSWERS = late(  # what the assistant said, not how things are
    r"(?!.*\b(?:i['’]ll|i\s+will|decided|chose|going\s+with|prefer)\b)(?=.*\b(?:you(?:['’]ve)?\s+(?:\w+ly\s+|just\s+)?(?:provided|gave|given|suggested|mentioned|explained|shared|showed"  # noqa: RUF001
    r"|shown|recommended|outlined|described|listed|instructed)"
    r"|your\s+(?:explanations?|examples?|suggestions?|advice|answers?|responses?|breakdown|help|guidance|feedback)))\b"
    r"[^\d]*$",
    re.IGNORECASE,
)
_TURNS = late(
    r"\b(?:oh|btw|by\s+the\s+way|also|another\s+thing|one\s+more\s+thing)\b", re.IGNORECASE
)
_CALLS = late(r"[A-Za-z]+(?:\s[a-z]+)?,?\s[A-Z][a-z]+[.!]*")  # "Cool, Mel!"
_WEIGHS = late(r"\d|\s(?!I\b)[A-Z]")  # names or counts something
_REFERS = late(r"\b(?:it|its|they|them|that|this|one)\b", re.IGNORECASE)  # to a rumour before
_BETWEEN = 24  # characters of fillers between two statements
_FEWEST_ACTING = 4  # words
_ACTS = late(  # "the ferry sails from", "the rent includes heating"
    r"\b(?:the|an?|my|our|his|her|their|its|(?-i:[A-Z])[\w-]*)\s(?:[\w-]+\s){0,5}?[a-z]{2,}(?<![su])s\s"
    r"+(?!(?:and|or|of|are|were|have|that|which)\b)\w",
    re.IGNORECASE,
)
_END_MARK = 3  # characters of an end mark


@dataclass(frozen=True, slots=True)
class Run:
    """Columns `start` to `end` of a paragraph that state one thing; its last sentence ends at
    `reach`.
    """  # noqa: D205

    start: int
    end: int
    reach: int


@dataclass(frozen=True, slots=True)
class _Part:
    """A piece of a sentence as the columns of its paragraph, and what it may be joined with."""

    run: Run
    leans: bool  # on what stands before it
    addresses: bool  # who listens, and says nothing else
    joins: bool  # what stands before it, where nothing stands between
    most: int  # characters of what it is joined to


def runs(paragraph: Paragraph, asked: list[str], *, is_chat: bool = False) -> Iterator[Run]:
    """Yield what a paragraph states, in order, and add to `asked` what it asks.

    Sentences that follow each other stay together up to a length, and one that leans on the one
    before ("It costs …"), or is of a chat, up to what a line holds; without what it leans on it is
    left out. What a question gives is by itself. What of a chat speaks of who listens only is no
    statement. From where the paragraph goes over into others' words, nothing is yielded.
    """
    parts: list[_Part] = []
    for part in _parts(paragraph, asked, is_chat=is_chat):
        follows = parts and part.joins and _follows(parts[-1].run, part.run)
        if follows and part.run.end - parts[0].run.start <= part.most:
            parts.append(part)
        else:
            yield from _joined(parts)
            parts = [] if part.leans and not is_chat else [part]
    yield from _joined(parts)


def _joined(parts: list[_Part]) -> Iterator[Run]:
    if not all(part.addresses for part in parts):
        yield Run(parts[0].run.start, parts[-1].run.end, parts[-1].run.reach)


def _parts(paragraph: Paragraph, asked: list[str], *, is_chat: bool) -> Iterator[_Part]:
    was_given = False  # by a question
    was_rumour = False
    for at, reach, sentence in _own(paragraph):
        found = _told(sentence, is_chat=is_chat)
        is_heard = not is_chat and is_rumour(sentence.shown)
        addresses = is_chat and _ADDRESSES.match(sentence.shown) is not None
        asked += [sentence.text[piece.start : piece.end] for piece in found.asks]
        for number, piece in enumerate(found.states):
            shown = sentence.shown[piece.start : piece.end]
            leans = leans_back(shown)
            is_given = not is_chat and _is_given(sentence, piece, found)
            is_apart = (
                is_given or was_given or is_heard or (was_rumour and not _REFERS.search(shown))
            )
            is_apart = is_apart or (not is_chat and _turns(sentence, piece, shown))
            is_long = leans or is_chat or _THE.match(shown)
            yield _Part(
                Run(at + piece.start, at + piece.end, reach),
                leans,
                addresses,
                joins=not number and not is_apart,
                most=LONGEST if is_long else _TOGETHER,
            )
            was_given, was_rumour = is_given, is_heard


def _is_given(sentence: Sentence, piece: Piece, found: Told) -> bool:
    """Whether a question gives a piece."""
    is_within = bool(found.asks) and found.asks[0].start <= piece.start
    return is_within and sentence.shown.rstrip().endswith("?")


def _turns(sentence: Sentence, piece: Piece, shown: str) -> bool:
    """Whether a sentence goes over to another topic, which counts and names nothing."""
    if leans_back(shown) or _WEIGHS.search(shown):
        return False
    return _TURNS.search(sentence.shown, 0, piece.start) is not None


def singly(paragraph: Paragraph) -> Iterator[Run]:
    """Yield each sentence of a paragraph that states something, with those that lean on it.

    So the same sentence is the same, whatever stands beside it; words in which nobody does
    anything, and what leans on nothing that is stated, are left out.
    """
    run: Run | None = None
    for at, reach, sentence in _own(paragraph):
        states = told(sentence.shown).states or _acting(sentence)
        leans = leans_back(sentence.shown)
        if run and not (leans and states and at + states[0].end - run.start <= LONGEST):
            yield run
            run = None
        for piece in states:
            if run and leans:
                run = Run(run.start, at + piece.end, reach)
                break
            if run:
                yield run
            run = None if leans else Run(at + piece.start, at + piece.end, reach)
    if run:
        yield run


def _own(paragraph: Paragraph) -> Iterator[tuple[int, int, Sentence]]:
    """Yield each sentence of a paragraph with its columns, up to where others' words begin."""
    reach = 0
    for sentence in sentences(paragraph):
        if is_reported(sentence.shown):
            break
        at = paragraph.text.index(sentence.text, reach)
        reach = at + len(sentence.text)
        yield at, reach, sentence


def _acting(sentence: Sentence) -> tuple[Piece, ...]:
    """Return a sentence about a third person or thing, told by its verb in -s; else nothing."""
    shown = sentence.shown
    said = shown.split()
    if len(said) < _FEWEST_ACTING or not shown[0].isupper() or shown.endswith((":", "?")):
        return ()
    is_told = said[0].strip(",.!").casefold() not in COMMANDS and _ACTS.search(shown)
    return (Piece(0, len(shown)),) if is_told else ()


def _told(sentence: Sentence, *, is_chat: bool) -> Told:
    if not is_chat and (abroad := foreign(sentence.shown)):
        return abroad
    found = told(sentence.shown, plans=is_chat)
    if found.states and not is_chat and _ANSWERS.match(sentence.shown):
        return Told((), found.asks)
    is_said = found.asks or found.states or sentence.shown.endswith(":")
    if (
        not is_said
        and not REACTS.match(sentence.shown)
        and _FRAGMENT.match(sentence.shown)
        and not _CALLS.fullmatch(sentence.shown)
        and not is_command(sentence.shown.split(maxsplit=1)[0].strip(",.!"))
    ):
        return Told((Piece(0, len(sentence.text)),))
    return found


def _follows(run: Run, new: Run) -> bool:
    """Whether nothing but an end mark and fillers stands between two statements."""
    return run.reach >= new.start - _BETWEEN and run.end >= run.reach - _END_MARK


def fitting(shown: str, run: Run) -> Iterator[tuple[int, int]]:
    """Yield the columns of a run, cut where a clause begins if it is too long for a line."""
    start = run.start
    while run.end - start > LONGEST:
        breaks = list(_BROKEN.finditer(shown, start, start + LONGEST))
        if not breaks:
            return
        yield start, breaks[-1].start()
        start = breaks[-1].end()
    yield start, run.end
