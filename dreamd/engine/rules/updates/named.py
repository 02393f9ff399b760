"""Whether a newer sentence names with all of its words what an older value is of."""

from __future__ import annotations

import re

from dreamd.engine.rules.updates.alike import Weights
from dreamd.engine.rules.updates.given import Given, is_known
from dreamd.engine.rules.updates.quantities import DAYS, quantities
from dreamd.engine.rules.updates.statements import Statement
from dreamd.text.late import late

_ENDS = late(r"\s*(?:(?:now|in\stotal|so\sfar|altogether)\s*)?(?:[.,;:!?)]|$)", re.IGNORECASE)
_WORDS = 3  # that name a meeting
_RARE = 0.6  # weight of the words that lead to a value: they stand in few lines


def is_named_whole(new: Statement, old: Given, weights: Weights) -> bool:
    """Whether a change is told of what the older sentence names with every word: the test run.

    Of another figure of the same unit; a bare number may be of anything.
    """
    mine = new.value
    is_bare = mine.quantity.kind == "number" and not mine.quantity.unit
    if new.cue.is_plain or not new.is_told or is_bare or mine.quantity.unit != old.quantity.unit:
        return False
    if not mine.subject or not all(is_known(word, old.every) for word in mine.subject):
        return False
    return sum(map(weights.of, sorted(mine.subject & old.every))) >= _RARE


def is_at_other_time(new: Given, old: Given) -> bool:
    """Whether both tell when on one day something is that the same three words name."""
    if new.quantity.kind != "time" or len(new.every & old.every) < _WORDS:
        return False
    if not all(is_known(word, old.every) for word in new.words):
        return False
    days = [
        {each.key for each in quantities(one.text) if each.kind in DAYS - {"time"}}
        for one in (new, old)
    ]
    return not days[0].isdisjoint(days[1])


def ends_with_noun(one: Given) -> bool:
    """Whether nothing behind what is counted tells some of them apart: "6 people serving"."""
    value = one.quantity
    at = one.text.casefold().find(value.noun, value.end)
    return at >= 0 and _ENDS.match(one.text, at + len(value.noun)) is not None
