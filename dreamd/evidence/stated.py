"""Which pieces of a sentence state something, and which ask for something."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dreamd.domain.prose.clauses import Piece, after_condition, opening
from dreamd.evidence.asking import (
    BEGINS_ASKING,
    DECIDES,
    INTENDS,
    REACTS,
    SHOWS,
    TROUBLES,
    asking,
)
from dreamd.evidence.granted import of_question, taken_for_granted
from dreamd.evidence.saying import IS_CALLED, says, until
from dreamd.evidence.troubles import settles
from dreamd.text.late import late

_CURIOUS = late(  # what only leads over to a question
    r"i(?:['’]m|\s+am|\s+was)\s+(?:\w+\s+){0,3}?(?:curious|wondering|unsure|confused)\s*,\s+(?=(?:what|how|which|where"  # noqa: RUF001
    r"|who|why|is|are|can|could|should|do|does|did|would|will)\b)",
    re.IGNORECASE,
)
_SUBORDINATE = late(  # all of it, up to where a question begins
    r"(?:(?P<given>(?:given|considering)(?:\s+that)?|seeing\s+that|since|because|now\s+that)\s+"
    r"(?=(?:(?:i|we|my|our|he|she|they)\b|(?-i:[A-Z][a-z]))(?![^;]*,\s+(?:i|we|my|our|it|he|she|they)\b))"
    r"|(?:given\s+that|considering\s+that|since|because|once|when(?:ever)?|if|until|unless|before"
    r"|after|while)\s+(?=(?:i|we|my|our|it|the|he|she|they)\b[^,;]*$))",
    re.IGNORECASE,
)
_IMAGINES = late(  # what would be, of what is not
    r"(?:(?:and|but|so|or|now|then|ok|okay|well)\s*,?\s+)*(?:(?:let's\s+|let\s+us\s+)?(?:suppose|supposing|imagine"
    r"|pretend|assume|assuming|say(?=\s+(?:that\s+)?(?:i|we|my|our)\b))\b|(?:what\s+)?if\b[^.]*\b(?:had|were|would)\b"
    r"|had\s+(?:i|we)\b|were\s+(?:i|we)\b)",
    re.IGNORECASE,
)
_THANKS_FOR = late(
    r"(?:[\w'’]+[,!]?\s+){0,3}?(?:thanks|thank\s+you)(?:\s+(?:so|very)\s+much|\s+a\s+lot)?\s+for\b[^,;\d]*$",  # noqa: RUF001
    re.IGNORECASE,
)


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
    start = led.end() if (led := _CURIOUS.match(shown, start)) else start
    shows = SHOWS.search(shown, start) if shown.endswith(":") else None
    shown = shown[: shows.start()] if shows else shown
    end = len(shown)
    if start >= end or shown.endswith(":") or _IMAGINES.match(shown, start):
        return Told()
    if _THANKS_FOR.match(shown):
        return Told()
    asks = asking(shown, start)
    is_asked = asks is None and shown.rstrip().endswith("?")
    if is_asked or (begins_asking(shown, start) and not IS_CALLED.match(shown, start)):
        whole = Piece(start, end)
        return Told(of_question(shown, whole, taken_for_granted(shown, start)), (whole,))
    asked = (Piece(asks.start, end),) if asks else ()
    behind = taken_for_granted(shown, asks.end) if asks else ()
    if asks:
        behind = of_question(shown, Piece(opening(shown, asks.start), end), behind)
    piece = _main(shown, until(shown, start, asks.start if asks else end), is_cut=bool(asks))
    is_plan = INTENDS.match(shown, start) and not DECIDES.search(shown, start, piece.end)
    is_trouble = TROUBLES.match(shown, start, piece.end) is not None
    is_passing = is_plan or (is_trouble and not settles(shown[start : piece.end]))
    is_reaction = REACTS.match(shown, start, piece.end) is not None
    if is_reaction or (is_passing and not plans) or not says(shown, piece):
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


def begins_asking(shown: str, start: int = 0) -> bool:
    """Whether words begin as a question or a request does."""
    if BEGINS_ASKING.match(shown, start):
        return True
    behind = after_condition(shown, start)
    return behind > start and BEGINS_ASKING.match(shown, behind) is not None
