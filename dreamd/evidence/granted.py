"""What a question takes for granted, and what of a question is to be kept."""

from __future__ import annotations

import re

from dreamd.domain.prose.clauses import Piece
from dreamd.domain.prose.cued import cued
from dreamd.evidence.asking import asking
from dreamd.evidence.saying import says, until
from dreamd.text.late import late

_SET = (  # the figure behind it is known already
    r"the\s+(?:new|current|increased|updated|revised|recent|latest|reduced|original|extended"
    r"|remaining|total|initial|estimated|planned|scheduled|agreed)"
)
_OWNED = late(  # somebody's, or done by somebody, or of a day, or a ground
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
    r"|,\s+(?:and\s+|but\s+)?(?=(?:i'm|i've|we're|we've)\s+(?!(?:\w+\s+)?(?:sure|unsure|wondering|curious|asking|looking"
    r"|hoping|trying|thinking|confused|stuck|having|struggling|getting)\b))",
    "considering given since because as now like after seeing knowing while when especially and"
    " but m ve re",
    "i we my our he she",
)
_GROUNDS_OF = cued(  # the same of somebody by name: "especially since Ana and I meet on May 2"
    r"(?:\b(?:considering|given|now\s+that)|(?:especially|,)\s+since)\s+(?:that\s+|the\s+fact\s+that\s+)?"
    r"(?!(?:if|suppose|assume|when|while|everyone|nothing|\w+day)\b|(?-i:[A-Z])(?:an|eb|ar|pr|ay|un|ul|ug|ep|ct|ov|ec)[a-z]*\s\d)"
    r"(?=(?-i:[A-Z][a-z]+)\s+(?:(?:and\s+(?:i|we)|(?-i:[A-Z])\w+)\s+)?[a-z][^?.]*\b(?:i|we|me|us|my|our)\b"
    r"|(?-i:[A-Z][a-z]+)\s+and\s+(?:i|we)\b)",
    "considering given since that",
)
_OVER = late(r"\s+and\s+(?:what|how|where|which|who|why)\b|,\s+that\b")  # to what is asked
_OF_WHO_ASKS = late(  # "as a nurse who …, how do I": who asks, and what they have or did
    r"(?:as\s+(?:an?|someone)\s+(?=[^,?]*\d|(?:[^\s,?]+\s+){2})|with\s+(?=[^,?]*\d)|having\s+(?=\w+(?:ed|en|ne|t)\b))"
    r"[^?]*?(?=,\s+(?:\w+\s+)?(?:how|what|which|where|when|why|who|can|could|should|would|do|does|is|are|any|what's|i(?:'m|\s+am|\s+was))\b)",
    re.IGNORECASE,
)
_ASKS_BEHIND = late(r",\s+(?:how|what|which|where|why|who)\b[^,]*$", re.IGNORECASE)
_GRANTED = cued(  # a figure that a question takes for granted
    rf"\b(?:my|our|{_SET})\s+(?:[^\s,;:?.]+\s+){{0,7}}?[^\s,;:?.]*\d[^;?]*",
)
_ADDRESSES = late(  # "as a lawyer, what would you do": who is to answer
    r"(?![^?]*\b(?:i|me|my|we|us|our)\b)(?=[^?]*\byour?\b)|[^?]*\b(?:ai|assistant|chatbot|language\s+model)\b",
    re.IGNORECASE,
)
_POINTS = late(r"with\s+(?:the|these|those|your)\b", re.IGNORECASE)  # at the talk itself
_SUBJECT_OF = late(  # "can my sister keep 4 goats": what is asked of it is not granted
    r"\b(?:can|could|would|will|should|do|does|did|is|are|was|were|has|have|may"
    r"|if|whether|unless|where|make|makes|let|lets|have|help|helps|get)\s$",
    re.IGNORECASE,
)
_COUNTS = late(  # "my 25th try" counts nothing, "on May 25th" does
    r"\d(?!\d*(?:st|nd|rd|th)\b)"
    r"|\b(?:jan|feb|mar|apr|may|jun|jul|aug|sep|oct|nov|dec)[a-z]*\.?\s\d|\d(?:st|nd|rd|th)\s+of\b",
    re.IGNORECASE,
)
_BEYOND = late(  # what no longer belongs to it
    r",[^,\d]*$|\s+(?:and|so|or|but)\s+(?:how|what|do|should|can|is)\b.*$"
    r"|\s+(?:so\s+that|some\s?day|what|how|which|where)\b.*$",
    re.IGNORECASE,
)
_LEANS = late(r"(?:he|she|his|her)\b", re.IGNORECASE)  # who is meant stands before it
_CLAUSE_END = late(  # behind a figure
    r"[,;](?!\d{3}\b)(?!\s+\d{4}\b)|\s+[—-]+\s|\?|\s+(?:and|so|or|but)\s+(?:how|what|do|should|can|could|is|provide|show"
    r"|explain|give|help|ensure|make\s+sure)\b",
    re.IGNORECASE,
)
_FIGURE = late(r"\d")
_FEWEST_OF_THING = 5  # words
_FIGURE_ALONE = late(rf"(?:{_SET})\s+[$€£]?\d", re.IGNORECASE)  # "the estimated 6 weeks"
_MOST = 8  # grounds of one sentence
_LONGEST = 420  # characters of a question that is told; who goes on for longer runs on
_STANDS_IN = late(  # "as we did in May": for a verb of the question
    r"(?!.*\bwhen\s+(?:i|we)\b)(?:i|we|he|she|they)\s+(?:did|do|does)\b(?!(?:n['’]t|\s+(?:not|an?|the|my|our|his|her|some|all|most|much|that|it))\b)",  # noqa: RUF001
    re.IGNORECASE,
)
_THING = late(r"(?:my|our|his|her|the)\s(?!(?:\w+\s){0,2}preference)", re.IGNORECASE)
_COMPLETED = late(  # by the verb of the question: "my rent to $900", "my guests warmly"
    r"(?<!goal)(?<!plan)(?<!decision)\s(?:to|by|after|while|using|when|without|so|because|since|given|if|and|or|but"
    r"|over|instead|more|as)\s|\w{2}ly[\s.]*$",
    re.IGNORECASE,
)
_TELLS = late(  # what is so of a thing: "my rent went up to $900", not "my rent of $900"
    r"\b(?:is|are|was|were|has|have|had|will|can|could|should|must|went|rose|fell|grew|came|took|got|gave|began|ran|wrote)\b"
    r"|\s[a-z]{2,}ed\s+(?:to|from|by|at|in|on|for|me|us|my|our|the|an?|over|through|below|above|[$€£]?\d)",
    re.IGNORECASE,
)


def of_question(shown: str, question: Piece, granted: tuple[Piece, ...]) -> tuple[Piece, ...]:
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
    is_owned = _OWNED.search(shown, piece.start, piece.end)
    if piece.end - piece.start > _LONGEST or (len(alone) == len(granted) and not is_owned):
        return granted
    return (piece, *(each for each in alone if each.start >= piece.end))


def taken_for_granted(shown: str, start: int) -> tuple[Piece, ...]:
    """Return who asks, the ground of a question, or a figure of the person's own in it.

    What makes sense only within the question, "my rent to $900" or "as I did", is not told. Of a
    sentence that runs on for long also the grounds behind further questions.
    """
    found = _OF_WHO_ASKS.match(shown, start)
    if found and (_POINTS.match(shown, start) or _ADDRESSES.match(shown, start)):
        return ()
    who = (Piece(start, found.end()),) if found else ()
    grounds: list[Piece] = []
    begin = at = found.end() if found else start
    for _ in range(_MOST):
        said = _first(_GROUNDS.search(shown, at), _GROUNDS_OF.search(shown, at))
        if said is None:
            return (*who, *grounds) if at > begin else (*who, *_figure(shown, begin))
        piece, at = _ground(shown, said.end())
        if (
            says(shown, piece)
            and not _STANDS_IN.match(shown, piece.start)
            and _is_whole(shown, piece)
        ):
            grounds.append(piece)
        if len(shown) - at <= _LONGEST:
            break
    return (*who, *grounds)


def _ground(shown: str, start: int) -> tuple[Piece, int]:
    """Return the ground that begins somewhere, and where it is over."""
    asks = asking(shown, start)
    tail = None if asks else _ASKS_BEHIND.search(shown, start)
    end = asks.start if asks else tail.start() if tail else len(shown.rstrip("?？ "))  # noqa: RUF001
    over = _OVER.search(shown, start, end)
    return until(shown, start, over.start() if over else end), max(end, start + 1)


def _figure(shown: str, start: int) -> tuple[Piece, ...]:
    """Return a figure of the person's own that a question takes for granted."""
    found = _GRANTED.search(shown, start) if _FIGURE.search(shown, start) else None
    if found and not _SUBJECT_OF.search(shown, start, found.start()):
        tail = _BEYOND.search(shown, found.start(), found.end())
        piece = Piece(found.start(), tail.start() if tail else found.end())
        counts = _COUNTS.search(shown, piece.start, piece.end)
        return (piece,) if counts and _is_whole(shown, piece) else ()
    return ()


def _first(*found: re.Match[str] | None) -> re.Match[str] | None:
    return min((each for each in found if each), key=lambda each: each.start(), default=None)


def _is_whole(shown: str, piece: Piece) -> bool:
    """Whether a piece is a clause, or a thing and what tells it apart: "my rent of $900"."""
    size = len(shown[piece.start : piece.end].split())
    if size < _FEWEST_OF_THING and _FIGURE_ALONE.match(shown, piece.start):
        return False
    if not _THING.match(shown, piece.start) or _TELLS.search(shown, piece.start, piece.end):
        return True
    return size >= _FEWEST_OF_THING and not _COMPLETED.search(shown, piece.start, piece.end)
