"""Whether a newer value is of a share, a limit, a rest or the other side of what an older is of."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import lru_cache

from dreamd.engine.rules.updates.given import Given, is_known, telling
from dreamd.text.late import late
from dreamd.text.time.calendar_words import WEEKDAYS

_PER = late(
    r"\b(?:per|a\ssingle|each\ssingle|pro)\s(?P<what>[^\W\d_]+)|\b(?P<day>(?:on|every)\s(?:"
    + "|".join(WEEKDAYS)
    + r")s)\b",
    re.IGNORECASE,
)
_LIMITS = late(
    r"\b(?:allow(?:s|ed)?|permits?|maximum|minimum|max|min|limit\w*|capacity|quota|cap|at\s(?:most|least)"
    r"|can\s(?:hold|take|store|fit|carry))\b",
    re.IGNORECASE,
)
_SIDES = (
    (r"with", r"without"),
    (r"before", r"after"),
    (r"including", r"excluding"),
    (r"(?:the|my|our)\sold", r"(?:the|my|our)\snew"),
)
_OPPOSED = [
    tuple(late(rf"\b{each}\s(?P<what>[^\W\d_]+)", re.IGNORECASE) for each in sides)
    for sides in (*_SIDES, *(side[::-1] for side in _SIDES))
]
_REST = late(  # "9 seats free", "6 weeks into the plan"
    r"(?:\s[\w-]+){0,2}?\s(?:free|available|vacant|unused|spare|into)\b", re.IGNORECASE
)
_OF_IT = late(r"\s[\w-]*\s?of\s(?:the|my|our|this)\s(?P<what>[^\W\d_]+)", re.IGNORECASE)
_DID = late(r"(?:\s[\w-]+){1,2}?\s(?!(?:need|used)\b)[^\W\d_]{2,}ed\b", re.IGNORECASE)
_FOR_WHOM = late(  # "for couples", "without the trailer"
    r"\b(?:for|without|including|excluding|für|ohne|pour|sans|para|sin)\s"
    r"(?:(?:the|my|our|a|an|local)\s)?(?P<what>[^\W\d_]+)",
    re.IGNORECASE,
)
_KIN = late(
    r"\b(?P<who>[A-Z][^\W\d_]+)['’]s\s(?P<kin>[^\W\d_]+)",  # noqa: RUF001
)
_TO_ME = late(r"\W*(?P<who>[A-Z][^\W\d_]+)\s[^\W\d_]+s\s(?:me|us)\b")
_I_TO = late(
    r"\W*(?:and\s|but\s)?(?:i|we)\s(?:\w+\s){1,2}?(?-i:(?P<who>[A-Z][^\W\d_]+))\b", re.IGNORECASE
)


@dataclass(frozen=True, slots=True)
class _Sides:
    """Of what a value is a share, whether it is a limit, what stands behind opposite words.

    `kin` are people's relatives with whose they are; `to_me` is who does something to me,
    `i_to` to whom I do.
    """

    share: frozenset[str]
    is_limit: bool
    led: tuple[frozenset[str], ...]
    against: tuple[frozenset[str], ...]
    kin: tuple[tuple[str, str], ...]
    to_me: str
    i_to: str


def is_beside(new: Given, old: Given, kin: frozenset[str]) -> bool:
    """Whether a newer value is of another side of the same thing than an older one.

    Per user, with tax and without, at most and in fact, what is left, what some of them did, of a
    part, of somebody's cousin, what I owe Ann and what Ann owes me.
    """
    mine, theirs = _sides(new.clause), _sides(old.clause)
    said = old.text.casefold()
    if any(each not in said for each in mine.share) or mine.is_limit > theirs.is_limit:
        return True
    if any(not one.isdisjoint(other) for one, other in zip(mine.led, theirs.against, strict=True)):
        return True
    lead = new.text[new.start : new.quantity.start]
    if any(
        (for_whom := telling(match["what"]))
        and not any(is_known(word, old.every) for word in for_whom)
        for match in _FOR_WHOM.finditer(lead)
    ):
        return True
    if _is_rest(new) != _is_rest(old) or _is_of_part(new, old):
        return True
    if any(
        who in old.clause and each in kin and each not in old.clause.casefold()
        for who, each in mine.kin
    ):
        return True
    return any(one.to_me == other.i_to != "" for one, other in ((mine, theirs), (theirs, mine)))


@lru_cache(1 << 12)
def _sides(clause: str) -> _Sides:
    """Return what a clause says of which side of a thing its value is of."""
    share = frozenset(
        each
        for match in _PER.finditer(clause)
        for each in (telling(match["what"]) if match["what"] else (match["day"].casefold(),))
    )
    led, against = (
        tuple(
            frozenset(match["what"].casefold() for match in pattern.finditer(clause))
            for pattern in patterns
        )
        for patterns in zip(*_OPPOSED, strict=True)
    )
    kin = tuple((match["who"], match["kin"].casefold()) for match in _KIN.finditer(clause))
    to_me, i_to = (
        found["who"] if (found := pattern.match(clause)) else "" for pattern in (_TO_ME, _I_TO)
    )
    return _Sides(share, _LIMITS.search(clause) is not None, led, against, kin, to_me, i_to)


def _is_rest(one: Given) -> bool:
    return _REST.match(one.text, one.quantity.end) is not None


def _is_of_part(new: Given, old: Given) -> bool:
    """Whether a value is "of the build", or what so many did: "840 readers opened it"."""
    found = _OF_IT.match(new.text, new.quantity.end)
    if (
        found
        and not _OF_IT.match(old.text, old.quantity.end)
        and any(is_known(word, old.every) for word in telling(found["what"]))
    ):
        return not telling(found["what"]) & telling(new.text[new.start : new.quantity.start])
    is_first = not re.search(r"\w", new.text[new.start : new.quantity.start])
    return is_first and bool(_DID.match(new.text, new.quantity.end))
