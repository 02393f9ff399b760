"""Whether a newer value is told of all that an older one is told of: the same thing said again."""

from __future__ import annotations

import re

from dreamd.engine.rules.gather.place_phrase import keys
from dreamd.engine.rules.updates import topics
from dreamd.engine.rules.updates.alike import is_lesser_goal
from dreamd.engine.rules.updates.apart import is_special
from dreamd.engine.rules.updates.cues import TURNS, is_step
from dreamd.engine.rules.updates.given import HOLDS, SMALL, WORD, Given, is_known
from dreamd.engine.rules.updates.quantities import AMOUNTS, DAYS, Quantity, quantities
from dreamd.engine.rules.updates.sorts import is_other_sort
from dreamd.text.late import late

_TURN = late("|".join(TURNS.split(" ")), re.IGNORECASE)
_NO_CHANGE = {"got", "came", "come", "set"}
_CHANGED = late(
    rf"\b(?:{'|'.join(each for each in TURNS.split(' ') if each not in _NO_CHANGE)}"
    r"|had\sto|renegotiated|rewr\w+|rework\w*|joined|hired|added|removed|merged|replaced|bought|new"
    r"|no\slonger|instead|now|currently|earlier|later|after|since)\b",
    re.IGNORECASE,
)
_MOST = 0.75  # share of the older one's words that the newer has, too
_FEW, _BARE = 2, 3  # words that both have; where the value has no unit
_NUMBERED = late(r"\b(?P<what>[^\W\d_]+)\s#?(?P<which>\d+)(?![\d.,:%])")
_NOT_SO = late(  # somebody's guess, not quite so, or told of another time
    r"\b(?:claim|sa(?:y|id)|estimat|predict|suggest|reckon|think|thought|guess|bet|assum|feel|seem"
    r"|sound|believ|rumou?r|forecast|apparent|suppos|alleg|probab|almost|near|narrow|swear|insist"
    r"|hope|wish|could|might|must|would|should|perhaps|maybe|likely)\w{0,5}\b"
    r"|\b(?:look\w*\slike|close\sto|short\sof|about\sto|going\sto|verge\sof|not\squite|just\sunder"
    r"|within\san?|in\sthe\s(?:\w+ties|past|beginning|early|old)|back\s(?:then|in|when)"
    r"|(?:as|when)\s(?:a|i|we))\b"
    r"|\b(?:(?:has|have|ought)\sto|to)\s(?:be|reach|hit|get|have|grow|rise|become|make)\b",
    re.IGNORECASE,
)
_WAS = late(  # a verb of what happened once
    r"\b(?P<have>(?:have|has|'ve|'s|is|are|be|been|get|gets|got)\s"
    r"(?:\w+ly\s|just\s|now\s|already\s|so\sfar\s)?)?"
    r"(?P<verb>\w{3,}ed|took|cost|ran|had|was|were|went|got|paid|won|lost|sold|made|gave|came|saw"
    r"|met|held|kept|left|led|sent|spent|stood|began|rose|fell|ate|drank|wrote|drove|flew|grew|knew"
    r"|lay|sang|swam|slept|drew)\b",
    re.IGNORECASE,
)
_AT = late(
    r"\b(?:i'm|we're|am|are|now)\s(?:(?:now|already|only|just|still)\s)*(?:on|at)\s"
    r"(?P<what>[^\W\d_]+)\s$",
    re.IGNORECASE,
)
_FORMULA = late(r"[=^\\_{}]")


def is_again(new: Given, old: Given) -> bool:
    """Whether all that tells what the older value is of stands by the newer one, too.

    Words behind the older value may be missing, as far as they are few, and so may one that only
    says which of them is meant: "the research paper", "the paper". No verb may.
    """
    mine, theirs = new.quantity, old.quantity
    if mine.unit != theirs.unit or is_step(new.text, mine, new.since):
        return False
    if mine.kind not in (AMOUNTS | DAYS if has_changed(new) else AMOUNTS):
        return False
    core, said = _core(old), _words(new.clause)
    shared = {word for word in core if is_known(word, said)}
    before = said | _words(new.text[: new.start])  # it may have named the thing before
    if all(is_known(word, old.every) for word in new.words) and all(
        is_known(word, before) for word in core
    ):
        shared = set(core)
    missing = core.keys() - shared
    if not shared or not all(core[word] for word in missing):
        return False
    is_bare = mine.kind == "number" and not mine.unit and not _is_at_same(new, old)
    is_much = len(shared) >= (_BARE if is_bare else _FEW) and len(shared) >= _MOST * len(core)
    if not is_much and (missing or not topics.is_same(new, old)):
        return False
    if is_special(new, old) or is_other_sort(new, old, in_all=True):
        return False
    return _is_so(new, old) and not _is_of_many(new, old)


def has_changed(new: Given) -> bool:
    """Whether something in a sentence tells of a change."""
    return _CHANGED.search(new.text) is not None


def _is_so(new: Given, old: Given) -> bool:
    """Whether a value is told as that of today: no goal or guess, no formula, not of then."""
    if is_lesser_goal(old, new) or is_lesser_goal(new, old) or _NOT_SO.search(new.clause):
        return False
    if _FORMULA.search(new.clause) or _FORMULA.search(old.clause):
        return False
    verbs = list(_WAS.finditer(new.text, new.start, new.quantity.start))
    if not verbs or verbs[-1]["have"]:
        return True
    return verbs[-1]["verb"].casefold() in old.clause.casefold()


def _is_of_many(new: Given, old: Given) -> bool:
    """Whether a clause gives several values of the kind, both sentences one, or of another number.

    "Deploy 118", "deploy 119".
    """
    ones, others = ({each.key for each in _like(new, one.text)} for one in (new, old))
    if not ones.isdisjoint(others):
        return True
    if any(len({each.key for each in _like(new, one.clause)}) > 1 for one in (new, old)):
        return True
    mine, theirs = (
        {
            match["what"].casefold(): match["which"]
            for match in _NUMBERED.finditer(one.text, one.since, one.end)
            if match.start("which") != one.quantity.start
        }
        for one in (new, old)
    )
    return any(mine[what] != theirs[what] for what in mine.keys() & theirs.keys())


def _like(new: Given, text: str) -> list[Quantity]:
    kind, unit = new.quantity.kind, new.quantity.unit
    return [each for each in quantities(text) if (each.kind, each.unit) == (kind, unit)]


def _is_at_same(new: Given, old: Given) -> bool:
    """Whether the same noun stands right before both values: on page 120."""
    one, other = (_AT.search(each.text, each.start, each.quantity.start) for each in (new, old))
    if one is None or other is None:
        return False
    return one["what"].casefold() == other["what"].casefold()


def _words(text: str) -> frozenset[str]:
    """Return the words of a text that say something, verbs of having and being aside."""
    found = keys(text) - HOLDS - SMALL
    return frozenset(word for word in found if word[0].isalpha() and len(word) > 1)


def _core(one: Given) -> dict[str, bool]:
    """Return the words that tell what a value is of, each with whether it may be missing.

    It may where it stands behind the value, or right before another of them.
    """
    text, value = one.text, one.quantity
    found = [
        (word, match)
        for match in WORD.finditer(text, one.start, one.core_end)
        if not value.start <= match.start() < value.end and not _TURN.fullmatch(match[0])
        for word in _words(match[0])
    ]
    core: dict[str, bool] = {}
    starts = [*(match.start() for _, match in found), len(text)]
    for (word, match), after in zip(found, starts[1:], strict=True):
        is_before = text[match.end() : after] in {" ", "-"}
        core[word] = core.get(word, True) and (match.start() > value.end or is_before)
    return core
