"""Whether two values are of two things by what else their sentences give a value to."""

from __future__ import annotations

import re
from contextlib import suppress
from datetime import date, timedelta

from dreamd.engine.rules.updates.alike import is_goal
from dreamd.engine.rules.updates.cues import TURNS, corrects
from dreamd.engine.rules.updates.given import Given, is_known, telling
from dreamd.engine.rules.updates.quantities import (
    DAYS,
    MEASURES,
    Quantity,
    has,
    is_same,
    quantities,
)
from dreamd.engine.rules.updates.stands import values
from dreamd.engine.rules.updates.statements import Statement
from dreamd.text.late import late

_FROM_ON = late(
    r"\b(?:start\w*|since|from|by|until|effective|as\sof)\s(?:on\s|last\s)?$", re.IGNORECASE
)


_A_WHILE = timedelta(days=14)
_DIFFERENCE = late(
    r"\b(?:los(?:e|es|ing|t)|gain(?:s|ed|ing)?|shed(?:s|ding)?)\s(?:(?:about|around|only|almost|over|nearly|roughly|another|at\sleast|more\sthan|a\stotal\sof)\s)?$",
    re.IGNORECASE,
)
_DID = late(
    r"\b(?:i|we|he|she|they)(?:['’](?:ve|d)|\s(?:have|had))?\s(?:\w+ly\s|just\s)?"  # noqa: RUF001
    rf"(?!want|plan|hop|need|aim|expect|{'|'.join(TURNS.split(' '))})"
    r"(?:\w+ed|had|met|saw|did|took|made|paid|sold|sent|ran|wrote)\b|\b(?:missing|attending)\b",
    re.IGNORECASE,
)
_IS = late(r"\b(?:is|are|set|due|scheduled|planned|booked)\b", re.IGNORECASE)
_WAS = late(r"\b(?:was|were|had|said|wrote|before)\b", re.IGNORECASE)
_A_NEW = late(r"\ban?\s(?:[\w-]+\s)?(?P<what>[^\W\d_]{3,})", re.IGNORECASE)
_STANDS_AT = late(r"\b(?:is|are|at)\s(?:\w+\s)?$", re.IGNORECASE)
_ONE = late(r"\b(?:the|my|our)\s(?P<what>[^\W\d_]+[^\W\d_s])(?!\s[^\W\d_]{2,}s\b)\b", re.IGNORECASE)
_OTHER = late(
    r"\b(?:(?:than|out\sof)\s(?:the\s|my\s|our\s)?|of\s(?:the|my|our|all)\s)$", re.IGNORECASE
)


def are_together(new: Given, old: Given, *, is_plain: bool) -> bool:
    """Whether sentences give both values, and not one as past: they are of two things.

    Neither a total nor a goal is given so, nor what something is compared with. Where something
    tells of a change (not `is_plain`), only if both sentences do, or the newer counts again what
    the older value counts: "I train 6 bakers, and 4 passed now".
    """
    mine, theirs = _gives(new.text, old.quantity), _gives(old.text, new.quantity)
    if is_plain or (mine and theirs):
        return bool(mine or theirs)
    noun = old.quantity.noun
    return bool(noun) and noun not in MEASURES and noun == mine


def _gives(text: str, value: Quantity) -> str | None:
    """Return what a sentence counts in a value, "1" where nothing; None where it has it not."""
    for each in values(text, frozenset()) if has(text, value) else ():
        one = each.value
        is_so = each.is_told and not each.is_planned and not is_goal(one)
        is_past = _WAS.search(text, one.start, one.end) or _OTHER.search(text[: one.quantity.start])
        if is_so and not is_past and has(one.said, value):
            return one.quantity.noun or "1"
    return None


def is_of_other_day(new: Given, old: Given) -> bool:
    """Whether each clause names a day beside its value, and not the same."""
    if _STANDS_AT.search(new.text[: new.quantity.start]):
        return False
    ones, others = (
        [
            each
            for each in quantities(one.clause)
            if each.kind in DAYS
            and each.start + one.since != one.quantity.start
            and not _FROM_ON.search(one.clause[: each.start])
        ]
        for one in (new, old)
    )
    return bool(ones and others) and not any(is_same(one, each) for one in ones for each in others)


def is_difference(one: Given) -> bool:
    """Whether a value is by how much something grew less or more: "lost 4 kg"."""
    return _DIFFERENCE.search(one.text[: one.quantity.start]) is not None


def is_over(old: Given, told: date | None, new: Statement) -> bool:
    """Whether the day of an older value, told on `told`, is over: then a newer one is another.

    Not where it is said what was before; and what is called new may be of a day that has come.
    """
    if old.quantity.kind != "date" or told is None or new.cue.was is not None:
        return False
    day = near(old.quantity.key, told)
    if day is None:
        return False
    if _was_over(old, day, told, new.value):
        return True
    return not new.cue.is_named and _has_come(old, day, told, new)


def _has_come(old: Given, day: date, told: date, new: Statement) -> bool:
    """Whether a day that was ahead when it was told is over by now.

    Two weeks of grace are for who tells late; what there is only one of ("the launch slipped")
    may have been put off whenever that is told, and so may all that is told to have changed but
    for "an extension": that is a further one.
    """
    now = new.said.day
    if now is None or not told <= day < now - _A_WHILE or _is_named(_ONE, new.value, old):
        return False
    return new.cue.is_plain or _is_named(_A_NEW, new.value, old)


def _was_over(old: Given, day: date, told: date, new: Given) -> bool:
    """Whether what somebody did was long over when it was told: it can only be corrected.

    Not so the day since which something holds, nor what is told as set or due.
    """
    before = old.text[old.since : old.quantity.start]
    if day >= told - _A_WHILE or not _DID.search(before):
        return False
    return not (_FROM_ON.search(before) or _IS.search(before) or corrects(new.text))


def near(key: str, told: date) -> date | None:
    """Return the day of a date, one without a year as that nearest to a day; None of no day."""
    *year, month, number = map(int, key.split("-"))
    found = []
    for each in year or (told.year - 1, told.year, told.year + 1):
        with suppress(ValueError):
            found.append(date(each, month, number))
    return min(found, key=lambda day: abs(day - told), default=None)


def _is_named(article: re.Pattern[str], new: Given, old: Given) -> bool:
    """Whether a sentence names with such an article what both name: "the launch", "a class"."""
    named = article.finditer(new.text)
    return any(is_known(word, old.every) for match in named for word in telling(match["what"]))
