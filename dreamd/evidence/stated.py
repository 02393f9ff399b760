"""Which pieces of a sentence state something, and which ask for something."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dreamd.domain.prose.clauses import Piece, after_condition, opening, without_tail
from dreamd.domain.prose.cued import cued, vocabulary
from dreamd.domain.prose.words import words
from dreamd.evidence.asking import (
    BEGINS_ASKING,
    DECIDES,
    HEDGES,
    INTENDS,
    REACTS,
    SHOWS,
    TROUBLES,
    asking,
)

_SET = (  # the figure behind it is known already
    r"the\s+(?:new|current|increased|updated|revised|recent|latest|reduced|original|extended"
    r"|remaining|total|initial|estimated|planned|scheduled|agreed)"
)
_OWNED = re.compile(  # somebody's, or done by somebody, or of a day, or a ground
    rf"\b(?:my|our|his|her|their|{_SET})\b|\b(?:considering|given)\s|\b(?:he|she|they|we)['’](?:s|re)\b"  # noqa: RUF001
    r"|(?!(?:what|how|where|who|here|there|that|it|let|when)['’])(?-i:[A-Z])\w+['’]s\s"  # noqa: RUF001
    r"|\b(?:i|we|he|she|they)(?:'ve\b|\s+have\b|\s+(?:\w+ly\s+)?(?:\w{3,}ed|had|got|met|went|spent"
    r"|bought|paid|set|made|chose|took)\b)|\d\s?[ap]m\b"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\s\d",
    re.IGNORECASE,
)
_GROUNDS = cued(  # "how can I …, considering I'm on Flask 2.3.1": what stands behind is so
    r"\b(?:considering|given|since|because|as|now\s+that|like|after|seeing(?:\s+as)?|knowing|while"
    r"|when(?=\s+(?:i|we)\s+(?:\w+ed|got|had|met|went|spent|bought|paid)\b)"
    r"|(?:and|but)(?=\s+(?:i've|we've|i\s+have|we\s+have)\b)"
    r"|especially\s+(?:since|as|when|after|because))"
    r"\s+(?:that\s+|the\s+fact\s+that\s+)?(?=(?:i|i'm|i've|i'd|we|we're|we've|my|our|he|she)\b)"
    r"|,\s+(?=(?:i'm|i've|we're|we've)\s+(?!(?:\w+\s+)?(?:sure|unsure|wondering|curious|asking|looking"
    r"|hoping|trying|thinking|confused|stuck|having|struggling|getting)\b))",
    "considering given since because as now like after seeing knowing while when especially and"
    " but m ve re",
    "i we my our he she",
)
_WHICH = re.compile(r",\s+(?:(?:and|so|but)\s+)?(?:which|what)(?:\s+one)?\s*$", re.IGNORECASE)
_SUBORDINATE = re.compile(  # all of it, up to where a question begins
    r"(?:(?P<given>(?:given|considering|seeing)\s+that|considering|since|because|now\s+that)\s+"
    r"(?=(?:(?:i|we|my|our|he|she|they)\b|(?-i:[A-Z][a-z]))(?![^;]*,\s+(?:i|we|my|our|it|he|she|they)\b))"
    r"|(?:given\s+that|considering\s+that|since|because|once|when(?:ever)?|if|until|unless|before"
    r"|after|while)\s+(?=(?:i|we|my|our|it|the|he|she|they)\b[^,;]*$))",
    re.IGNORECASE,
)
_OF_WHO_ASKS = re.compile(  # "as a nurse who …, how do I": who asks, and what they have or did
    r"(?:as\s+an?\s+(?=[^,?]*\d|(?:[^\s,?]+\s+){2})|with\s+(?=[^,?]*\d)|having\s+(?=\w+(?:ed|en|ne|t)\b))"
    r"[^?]*?(?=,\s+(?:\w+\s+)?(?:how|what|which|where|when|why|who|can|could|should|would|do|does|is|are|any|i|what's)\b)",
    re.IGNORECASE,
)
_ASKS_BEHIND = re.compile(r",\s+(?:how|what|which|where|why|who)\b[^,]*$", re.IGNORECASE)
_GRANTED = cued(  # a figure that a question takes for granted
    rf"\b(?:my|our|{_SET})\s+(?:[^\s,;:?.]+\s+){{0,7}}?[^\s,;:?.]*\d[^;?]*",
)
_COUNTS = re.compile(  # "my 25th try" counts nothing, "on May 25th" does
    r"\d(?!\d*(?:st|nd|rd|th)\b)"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s\d|\d(?:st|nd|rd|th)\s+of\b",
    re.IGNORECASE,
)
_BY = re.compile(r"(?!.*,).*\sby\s+(?:over\s+|about\s+|around\s+)?[$€£]?\d", re.IGNORECASE)
_BEYOND = re.compile(  # what no longer belongs to it
    r",[^,\d]*$|\s+(?:and|so|or|but)\s+(?:how|what|do|should|can|is)\b.*$", re.IGNORECASE
)
_LEANS = re.compile(r"(?:he|she|his|her)\b", re.IGNORECASE)  # who is meant stands before it
_CLAUSE_END = re.compile(  # behind a figure
    r"[,;](?!\d{3}\b)(?!\s+\d{4}\b)|\s+[—-]+\s|\?|\s+(?:and|so|or|but)\s+(?:how|what|do|should|can|could|is|provide|show"
    r"|explain|give|help|ensure|make\s+sure)\b",
    re.IGNORECASE,
)
_FINITE = cued(
    r"\b(?:is|are|was|were|am|has|have|had|must|should|can|can't|cannot|will|won't|need(?:s|ed)?"
    r"|us(?:es|ed|ing)|use|runs?|ran|lives?|lived|goes|went|got|takes?|took|wants?|likes?|loves?"
    r"|hates?|prefers?|works?|means?|does|did|do|don't|doesn't|didn't|isn't|aren't|wasn't|made"
    r"|make|chose|bought|sold|spent|paid|met|told|said|saw|set|cut|kept|felt|found|began|begun"
    r"|came|gave|left|won|built|grew|hit|led|lost|read|wrote|sent|spoke|started|switch(?:ed|ing)"
    r"|(?:i|we|he|she|they)\s+(?!(?:and|or|to|the|of|in)\b)[a-z]+|\w{3,}ed|\w{2,}ing)\b"
    r"|\w'(?:m|s|re|ve|d)\b",
)
_VERBS = words(  # of those above, the ones that are a word by themselves
    "is are was were am has have had must should can cannot will need needs needed uses used using"
    " use runs run ran lives live lived goes went got takes take took wants want likes like loves"
    " love hates hate prefers prefer works work means mean does did do made make chose bought sold"
    " spent paid met told said saw set cut kept felt found began begun came gave left won built"
    " grew hit led lost read wrote sent spoke started switched switching"
)
_IMAGINES = re.compile(  # what would be, of what is not
    r"(?:(?:and|but|so|or|now|then|ok|okay|well)\s*,?\s+)*(?:(?:let's\s+|let\s+us\s+)?(?:suppose|supposing|imagine"
    r"|pretend|assume|assuming|say(?=\s+(?:that\s+)?(?:i|we|my|our)\b))\b|(?:what\s+)?if\b[^.]*\b(?:had|were|would)\b"
    r"|had\s+(?:i|we)\b|were\s+(?:i|we)\b)",
    re.IGNORECASE,
)
_THANKS_FOR = re.compile(
    r"(?:[\w'’]+[,!]?\s+){0,3}?(?:thanks|thank\s+you)(?:\s+(?:so|very)\s+much|\s+a\s+lot)?\s+for\b[^,;\d]*$",  # noqa: RUF001
    re.IGNORECASE,
)
_IS_CALLED = re.compile(r"(?:i'm|i\s+am|my\s+name\s+is)\s+(?-i:[A-Z])", re.IGNORECASE)
_DID = re.compile(  # and what, stands elsewhere
    r"(?:i|we|he|she|they)(?:['’](?:ve|d))?\s+(?:did|do|does|done|have|had|was|were|said|mentioned|asked|described)"  # noqa: RUF001
    r"(?:\s+(?:so|it|that|this|before|earlier|already|above|then|last\s+\w+))*\W*$",
    re.IGNORECASE,
)
_FIGURE = re.compile(r"\d")
_FEWEST = 3  # words of a statement
_FEWEST_GRANTED = 4


@dataclass(frozen=True, slots=True)
class Told:
    """What of one sentence is stated, and what of it is asked; both may be there, or neither."""

    states: tuple[Piece, ...] = ()
    asks: tuple[Piece, ...] = ()


def told(shown: str, *, plans: bool = False) -> Told:
    """Return which pieces of a sentence state something and which ask for something.

    `shown` is a sentence with code and quotations blanked (see `prose.quoted`). Thanks and other
    reactions are neither, nor what is only imagined; nor, unless `plans`, what is only intended
    or how things go just now. Of a question what it rests on is stated: its grounds, or a thing
    of the person's with a figure; a figure of somebody's that is in neither takes the question.
    """
    start = opening(shown)
    shows = SHOWS.search(shown, start) if shown.endswith(":") else None
    shown = shown[: shows.start()] if shows else shown
    end = len(shown)
    if start >= end or shown.endswith(":") or _IMAGINES.match(shown, start):
        return Told()
    if _THANKS_FOR.match(shown):
        return Told()
    asks = asking(shown, start)
    is_asked = asks is None and shown.rstrip().endswith("?")
    if is_asked or begins_asking(shown, start):
        whole = Piece(start, end)
        return Told(_of_question(shown, whole, _taken_for_granted(shown, start)), (whole,))
    asked = (Piece(asks.start, end),) if asks else ()
    behind = _taken_for_granted(shown, asks.end) if asks else ()
    if asks:
        behind = _of_question(shown, Piece(opening(shown, asks.start), end), behind)
    piece = _main(shown, _until(shown, start, asks.start if asks else end), is_cut=bool(asks))
    is_plan = INTENDS.match(shown, start) and not DECIDES.search(shown, start, piece.end)
    is_passing = is_plan or TROUBLES.match(shown, start, piece.end) is not None
    is_reaction = REACTS.match(shown, start, piece.end) is not None
    if is_reaction or (is_passing and not plans) or not _says(shown, piece):
        return Told(behind, asked)
    return Told((piece, *behind), asked)


def _main(shown: str, piece: Piece, *, is_cut: bool) -> Piece:
    """Return a piece that still has a main clause, or nothing of it.

    What only says when something is so states nothing; "given that …" with no more behind it
    states what is given.
    """
    if not is_cut or not (found := _SUBORDINATE.match(shown, piece.start, piece.end)):
        return piece
    return Piece(found.end() if found["given"] else piece.end, piece.end)


def _of_question(shown: str, question: Piece, granted: tuple[Piece, ...]) -> tuple[Piece, ...]:
    """Return what a question takes for granted, or where a figure is not in it the question.

    Only as far as it is about something of somebody's: any other figure is what is asked for.
    """
    alone = tuple(each for each in granted if not _LEANS.match(shown, each.start))
    every = [each.start() for each in _FIGURE.finditer(shown, question.start, question.end)]
    lost = [at for at in every if not any(each.start <= at < each.end for each in alone)]
    if not lost:
        return granted
    tail = _CLAUSE_END.search(shown, lost[-1], question.end)
    piece = Piece(question.start, tail.start() if tail else question.end)
    if len(alone) == len(granted) and not _OWNED.search(shown, piece.start, piece.end):
        return granted
    return (piece, *(each for each in alone if each.start >= piece.end))


def begins_asking(shown: str, start: int = 0) -> bool:
    """Whether words begin as a question or a request does."""
    if BEGINS_ASKING.match(shown, start):
        return True
    behind = after_condition(shown, start)
    return behind > start and BEGINS_ASKING.match(shown, behind) is not None


def _until(shown: str, start: int, end: int) -> Piece:
    """Return a piece without the hedges and fillers at its end."""
    if hedge := HEDGES.search(shown, start, end):
        end = hedge.start()
    if which := _WHICH.search(shown, start, end):
        end = which.start()
    return Piece(start, without_tail(shown, start, end))


def _taken_for_granted(shown: str, start: int) -> tuple[Piece, ...]:
    if found := _OF_WHO_ASKS.match(shown, start):
        return (Piece(start, found.end()), *_taken_for_granted(shown, found.end()))
    if found := _GROUNDS.search(shown, start):
        asks = asking(shown, found.end())
        tail = None if asks else _ASKS_BEHIND.search(shown, found.end())
        until = asks.start if asks else tail.start() if tail else len(shown.rstrip("?？ "))  # noqa: RUF001
        piece = _until(shown, found.end(), until)
        return (piece,) if _says(shown, piece) else ()
    if _FIGURE.search(shown, start) and (found := _GRANTED.search(shown, start)):
        tail = _BEYOND.search(shown, found.start(), found.end())
        piece = Piece(found.start(), tail.start() if tail else found.end())
        size = len(shown[piece.start : piece.end].split())
        counts = _COUNTS.search(shown, piece.start, piece.end)
        counts = None if _BY.match(shown, piece.start, piece.end) else counts
        return (piece,) if size >= _FEWEST_GRANTED and counts else ()
    return ()


def _says(shown: str, piece: Piece) -> bool:
    if _IS_CALLED.match(shown, piece.start):
        return True
    size = len(shown[piece.start : piece.end].split())
    return (
        size >= _FEWEST
        and _is_finite(shown, piece)
        and not _DID.match(shown, piece.start, piece.end)
    )


def _is_finite(shown: str, piece: Piece) -> bool:
    said = shown[piece.start : piece.end]
    return not _VERBS.isdisjoint(vocabulary(said)) or _FINITE.search(said) is not None
