"""The same said again with another value: running totals that grew, states that are told anew."""

from __future__ import annotations

import re

from dreamd.engine.rules.gather.place_phrase import keys
from dreamd.engine.rules.updates import clauses, scope
from dreamd.engine.rules.updates.cues import TURNS
from dreamd.engine.rules.updates.given import Given, is_known, telling
from dreamd.engine.rules.updates.once import verb_of
from dreamd.engine.rules.updates.quantities import MEASURES, counts_alike
from dreamd.text.late import late

_PERFECT = late(
    r"(?:(?<!\bto\s)\b(?:have|has)|['’](?:ve|s))\s(?:(?:\w+ly|just|already|also|now|even|so\sfar)\s)*"  # noqa: RUF001
    r"(?P<verb>[^\W\d_]+(?:ed|t|ne|wn|en|d|n|ad|un|ot|an))\s(?:\w+\s){0,3}?\W?$",
    re.IGNORECASE,
)
_DID = late(r"\b(?:i|we)\s(?:\w+ly\s)?(?P<verb>\w+)\s(?:\w+\s)?\W?$", re.IGNORECASE)
_MOSTLY = 0.5  # share of the words beside both values that they have in common
_NO_TOTALS = telling("allocated budgeted agreed planned scheduled paid spent tried scored given")
_ADDED = telling("added collected gathered")
_PASSED = late(
    r"\b(?:passed|reached|hit|crossed|(?:up|down)\sto|(?:'m|am|are|is|'re)\s(?:now\s)?at)\s(?:\w+\s)?$",
    re.IGNORECASE,
)
_BY = late(r"\s[^\W\d_]+\s(?P<verb>[^\W\d_]+ed)\b", re.IGNORECASE)  # 40 pages translated
_WHICH_WE = late(  # the 40 pages about tides that I've translated
    r"\b(?:i|we)(?:['’]ve|\s+have)\s(?:\w+ly\s|already\s|now\s|just\s)?(?P<verb>\w+)",  # noqa: RUF001
    re.IGNORECASE,
)
_HAS = late(r"\b(?:has|have|holds?|contains?|counts?|(?:is|are)\sat)\s(?:\w+\s)?$", re.IGNORECASE)
_OWN = late(
    r"\b(?:my|our)\s(?P<what>[\w\s'’-]{2,40}?)\s(?:now\s)?(?P<verb>is|are|has|have|takes?|costs?"  # noqa: RUF001
    r"|holds?|contains?|lasts?|runs?|weighs?|covers?|includes?|needs?|uses?|gets?|pays?)\s"
    r"(?:now\s)?(?:about|around|roughly|only|just|at)?\s?$",
    re.IGNORECASE,
)
_SPAN = late(  # after it one counts anew
    r"\b(?:this|last)\s(?:week|weekend|month|quarter|semester|term)\b|\btoday\b", re.IGNORECASE
)
_YEAR = late(r"\b(?:in|during)\s((?:19|20)\d\d)\b")
_NUMBER_OF = late(  # and it changed
    r"\b(?:number|count|total|tally)\sof\s(?P<what>[^.;!?]{3,90}?)\s"
    rf"(?:{'|'.join(TURNS.split(' '))}|reached|hit|passed|(?:is|are|has|have|stands?)\snow|now)\b"
    r"[^.,;!?]{0,24}$",
    re.IGNORECASE,
)
_OF = late(r"\s(?:out\s)?of\s(?:the\s|my\s|our\s|all\s)?(?P<whole>\d[\d,]*)\b")


def has_grown(new: Given, old: Given) -> bool:
    """Whether both tell in the perfect tense how much of one thing was done, the newer one more.

    "I've finished 18 of the 40 lessons" after "I've finished 12 of them": the deed and the thing
    are the same, and the whole is where both name it. Or the newer tells that the number of them
    changed: "the number of lessons I've finished went up to 18".
    """
    if _SPAN.search(new.text) or _SPAN.search(old.text):
        return False
    years = [set(_YEAR.findall(one.clause)) for one in (new, old)]
    if all(years) and years[0].isdisjoint(years[1]):
        return False
    if is_recounted(new, old):
        return True
    if clauses.is_planned(new.text, clauses.own(new.text, new.start, 0), new.quantity.start):
        return False
    mine, theirs = _deed(new), _deed(old)
    if mine and not theirs and (did := _DID.search(_before(old))):
        theirs = telling(did["verb"])
    if mine != theirs or not mine:
        behind = _BY.match(new.text, new.quantity.end)
        behind = behind or _WHICH_WE.search(new.text, new.quantity.end, new.end)
        is_passed = theirs and (
            _PASSED.search(_before(new)) or (behind and telling(behind["verb"]) == theirs)
        )
        if not is_passed and not (mine and mine <= _ADDED and _HAS.search(_before(old))):
            return False
    whole, before = _whole(new), _whole(old)
    if whole and before and whole != before:
        return False
    if mine & _NO_TOTALS or not new.quantity.amount > old.quantity.amount > 0:
        return False
    beside = (new.near, old.near), (new.words, old.words)
    return any(
        len((one & other) - mine) >= _MOSTLY * len((one | other) - mine - theirs) > 0
        for one, other in beside
    )


def is_recounted(new: Given, old: Given) -> bool:
    """Whether a newer value is told as that to which the number of what was counted changed.

    It names what the older one counts, in other words for it or the same, and with it only words
    of the older sentence; what was done with them, too, where that tells of a deed.
    """
    found = _NUMBER_OF.search(_before(new))
    counted = old.quantity.unit
    if found is None or not counted or counted in MEASURES:
        return False
    if "this year" in new.text and new.quantity.amount < old.quantity.amount:
        return False  # it may be another year
    said = keys(found["what"])
    if not any(counts_alike(counted, word) for word in said):
        return False
    done = verb_of(old)
    if done and not is_known(next(iter(keys(done)), ""), said):
        return False
    if not scope.names(old.clause) <= scope.names(new.text):
        return False  # of "with Tom" nothing is said
    others = {word for word in telling(found["what"]) if not counts_alike(counted, word)}
    return bool(others) and all(is_known(word, old.every) for word in others)


def is_resaid(new: Given, old: Given) -> bool:
    """Whether one's own thing is told in the same words and the present tense: my walk takes."""
    mine, theirs = _OWN.search(_before(new)), _OWN.search(_before(old))
    if mine is None or theirs is None:
        return False
    verbs = {each["verb"].casefold() for each in (mine, theirs)}
    things = {telling(each["what"]) for each in (mine, theirs)}
    return len(verbs) == len(things) == 1 and bool(things.pop())


def _before(one: Given) -> str:
    return one.text[one.since : one.quantity.start]


def _deed(one: Given) -> frozenset[str]:
    found = _PERFECT.search(_before(one))
    return telling(found["verb"]) if found else frozenset()


def _whole(one: Given) -> str:
    found = _OF.match(one.text, one.quantity.end)
    return found["whole"] if found else ""
