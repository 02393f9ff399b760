"""Words around a newer value that speak against its being one of what an older one is of."""

from __future__ import annotations

import re

from dreamd.engine.rules.updates.cues import ABOUT
from dreamd.engine.rules.updates.given import Given, telling
from dreamd.engine.rules.updates.quantities import AMOUNTS
from dreamd.text.late import late

_UP = (
    r"increas(?:ed|es|ing)?|rais(?:ed|es|ing)|extend(?:ed|s|ing)?|expand(?:ed|s|ing)?|boost(?:ed|s|ing)?|gr[eo]wn?|growing"
    r"|r[io]sen?|rising|climb(?:ed|s|ing)|jump(?:ed|s)|soared|surged|swelled|ballooned|doubl(?:ed|es|ing)|tripl(?:ed|es|ing)"
    r"|lengthen(?:ed|s|ing)"
)
_DOWN = (
    r"reduc(?:ed|es|ing)|lower(?:ed|s|ing)?|decreas(?:ed|es|ing)?|cut(?:ting)?|dropp?(?:ed|s|ing)?|fell|fallen|shr[aiu]nk(?:en)?"
    r"|trimm?(?:ed|ing)|shorten(?:ed|s|ing)?|dipped|plummeted|slashed|halv(?:ed|es|ing)|narrowed"
)
_COURSE = late(
    rf"\b(?:(?P<up>{_UP}|(?:got|gets|brought|went|gone|came|moved|put)\s(?:[^\s,.;]+\s){{0,6}}?up(?=\sto\b))"
    rf"|(?P<down>{_DOWN}|down(?=\sto\b)))\b",
    re.IGNORECASE,
)
_COMES_TO = late(rf"[^.;!?]{{0,60}}?\s(?:up\s|down\s|back\s)?to\s{ABOUT}$", re.IGNORECASE)
_IS_NEW = late(  # "my increased budget of"
    r"\b(?:my|our|his|her|their|the|its)\s(?:\w+\s)?(?:(?P<up>increased|raised|extended|expanded)"
    r"|(?P<down>reduced|lowered|decreased|shortened))\s(?:[\w'’/-]+\s){0,6}?$",  # noqa: RUF001
    re.IGNORECASE,
)
_LONG = late(  # a 20-minute walk
    r"-(?:minute|hour|day|week|month|year|second|page|word|mile|km|step)\s(?P<what>(?:[^\W\d_]+\s?){1,3})",
    re.IGNORECASE,
)
_ADDS = late(r"\b(?:includ|add|incorporat)\w*\s(?:\w+\s){0,2}$", re.IGNORECASE)


def is_against(new: Given, old: Given) -> bool:
    """Whether a newer value is said to have risen, and the older one is more, or the other way.

    There was another between, or they are of two things.
    """
    mine, theirs = new.quantity, old.quantity
    if mine.kind not in AMOUNTS or mine.unit != theirs.unit:
        return False
    before = new.text[new.since : mine.start]
    found = [each for each in _COURSE.finditer(before) if _COMES_TO.match(before, each.end())]
    course = found[-1] if found else _IS_NEW.search(before)
    if course is None:
        return False
    return mine.amount < theirs.amount if course["up"] else mine.amount > theirs.amount


def is_of_other_element(new: Given, old: Given) -> bool:
    """Whether each is of something that was added, and of another: to include 30-minute walks."""
    ones, others = (_LONG.match(each.text, each.quantity.end) for each in (new, old))
    if ones is None or others is None:
        return False
    added = [_ADDS.search(one.text[one.since : one.quantity.start]) for one in (new, old)]
    return any(added) and telling(ones["what"]).isdisjoint(telling(others["what"]))
