"""The odds that a newer value is one of what an older one is of, by grounds for and against.

Each ground is a fact of language, and none decides alone. Their weights are those of a logistic
regression over the halves of the planted sets that may be read, and over values of long
conversations that have nothing to do with each other; they are natural logarithms.
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass
from itertools import accumulate
from math import isfinite, log

from dreamd.engine.rules.updates import likely, scope
from dreamd.engine.rules.updates.alike import Weights, is_lesser_goal, is_other_name
from dreamd.engine.rules.updates.beside import is_beside
from dreamd.engine.rules.updates.given import Given, is_known, telling
from dreamd.engine.rules.updates.once import is_deed, is_event
from dreamd.engine.rules.updates.quantities import DAYS, has
from dreamd.engine.rules.updates.sorts import is_other_sort
from dreamd.engine.rules.updates.statements import Statement
from dreamd.text.late import late
from dreamd.text.time.calendar_words import MONTHS

LEAST = 1.5  # from which on a person is told: nine to two
_BEFORE = -2.0  # before any ground: one to seven
_CLOSE = 0.5  # natural logarithm of the greater value by the smaller: five to three
_FARTHEST = 3.0  # the same: twenty to one
_KIN = frozenset(scope.RELATIVES.split())
_OWN = late(r"\b(?:my|our|the)\s(?P<what>(?:[\w'’-]+\s?){1,3})", re.IGNORECASE)  # noqa: RUF001
_SOMEBODYS = late(r"\b(?P<who>[^\W\d_]+)['’]s\s(?P<what>(?:[\w'’-]+\s?){1,3})")  # noqa: RUF001
_BOUND = late(
    r"\b(?:under|below|within|(?:less|more|fewer|no\smore)\sthan|at\s(?:least|most)|up\sto"
    r"|max(?:imum)?(?:\sof)?)\s\W?$",
    re.IGNORECASE,
)
_MONTH = late(rf"\b(?:{'|'.join(MONTHS)})\b", re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class Pair:
    """A newer value and an older one; `line` is all that the older one's line says of today.

    `shared` is how likely it is by the words that both share.
    """

    new: Statement
    old: Given
    line: str
    shared: float
    weights: Weights


def odds(pair: Pair) -> float:
    """Return the odds as a natural logarithm; below `LEAST` only what they do not exceed."""
    found = _BEFORE
    for (weight, ground), more in zip(_GROUNDS, _MORE, strict=True):
        if found + more < LEAST:
            return found + more
        found += weight * ground(pair)
    return found


def _is_amount(pair: Pair) -> bool:
    """Whether it is an amount or a count, and not one to start from, or else is called new.

    Days, times and versions are told of many things: nothing but their words says of which.
    """
    return pair.new.is_sure


def _is_called_new(pair: Pair) -> bool:
    """Whether words call it new: then there was an older one."""
    return not pair.new.cue.is_plain


def _is_granted(pair: Pair) -> bool:
    """Whether a noun phrase takes it for granted: "the rota for my 12 students"."""
    return pair.new.phrase is not None


def _is_close(pair: Pair) -> bool:
    """Whether the values are close: what changes seldom changes to many times as much."""
    far = _apart(pair)
    return far is not None and far < _CLOSE


def _far(pair: Pair) -> float:
    """Return how far the values are apart."""
    return min(_apart(pair) or 0.0, _FARTHEST)


def _is_wanted(pair: Pair) -> bool:
    """Whether the newer value is only wanted so."""
    return pair.new.is_planned


def _known(pair: Pair) -> float:
    """Return which share of the weight beside the newer value the older sentence has, too."""
    near, weights = sorted(pair.new.value.near), pair.weights
    of_all = sum(map(weights.of, near))
    known = sum(weights.of(word) for word in near if is_known(word, pair.old.every))
    return known / of_all if of_all else 0.0


def _is_of_mine(pair: Pair) -> bool:
    """Whether both sentences speak of one thing as mine, or as known: "my garden"."""
    mine, theirs = (
        telling(" ".join(match["what"] for match in _OWN.finditer(text)))
        for text in (pair.new.value.text, pair.old.text)
    )
    return not mine.isdisjoint(theirs)


def _has_other_name(pair: Pair) -> bool:
    """Whether each clause has a name that the other lacks."""
    return is_other_name(pair.new.value, pair.old)


def _has_new_name(pair: Pair) -> bool:
    """Whether the newer clause has a name that the older sentence lacks."""
    return not scope.names(pair.new.value.clause) <= scope.names(pair.old.text)


def _shared(pair: Pair) -> float:
    """Return how likely it is by the words that both share."""
    return pair.shared


def _is_deed(pair: Pair) -> bool:
    """Whether either is what somebody did once: done again, it is another deed."""
    return is_deed(pair.new.value) or is_deed(pair.old)


def _is_of_event(pair: Pair) -> bool:
    """Whether either is the day on which something happened."""
    return pair.old.quantity.kind in DAYS and (is_event(pair.new.value) or is_event(pair.old))


def _are_both_said(pair: Pair) -> bool:
    """Whether either text gives both values: then they are of two things."""
    return has(pair.line, pair.new.value.quantity) or has(pair.new.quote, pair.old.quantity)


def _is_other_sort(pair: Pair) -> bool:
    """Whether a noun has another word before it here than there."""
    return is_other_sort(pair.new.value, pair.old)


def _is_of_row(pair: Pair) -> bool:
    """Whether both have a word of which a thing has one: the first, the second."""
    return scope.is_of_other_row(pair.new.value.clause, pair.old.clause)


def _is_lesser_goal(pair: Pair) -> bool:
    """Whether the older one is a goal, and the newer is not."""
    return is_lesser_goal(pair.new.value, pair.old)


def _is_bound(pair: Pair) -> bool:
    """Whether the older one is a bound, and the newer is not: "under 250 ms"."""
    bounds = (
        _BOUND.search(each.text, 0, each.quantity.start) for each in (pair.new.value, pair.old)
    )
    newer, older = map(bool, bounds)
    return newer < older


def _is_somebodys(pair: Pair) -> bool:
    """Whether what both tell of is here somebody's of whom the older line knows nothing."""
    known = pair.line.casefold()
    return any(
        match["who"].casefold() not in known
        and (match["who"][0].isupper() or match["who"].casefold() in _KIN)
        and any(is_known(word, pair.old.every) for word in telling(match["what"]))
        for match in _SOMEBODYS.finditer(pair.new.value.text)
    )


def _is_of_other_month(pair: Pair) -> bool:
    """Whether each clause names a month, and not the same one."""
    mine, theirs = (
        {month.casefold() for month in _MONTH.findall(text)}
        for text in (pair.new.value.clause, pair.old.clause)
    )
    return pair.old.quantity.kind not in DAYS and bool(mine and theirs) and mine.isdisjoint(theirs)


def _is_of_other_owner(pair: Pair) -> bool:
    """Whether one clause is of the speaker or of somebody, and the other of somebody else."""
    return scope.is_of_other_owner(pair.new.value.clause, pair.old.clause)


def _is_of_other_side(pair: Pair) -> bool:
    """Whether the newer one is of a share, a rest or another side of the same thing."""
    return is_beside(pair.new.value, pair.old, _KIN)


def _apart(pair: Pair) -> float | None:
    """Return the natural logarithm of the greater value by the smaller, None of no amounts."""
    one, other = pair.new.value.quantity.amount, pair.old.quantity.amount
    if not (one and other and isfinite(one) and isfinite(other)):
        return None
    return abs(log(one) - log(other))


_Ground = Callable[[Pair], float]
_GROUNDS: tuple[tuple[float, _Ground], ...] = (
    (1.3, _is_amount),
    (0.9, _is_called_new),
    (1.0, _is_granted),
    (1.7, _shared),
    (0.8, _is_close),
    (-1.2, _far),
    (-2.2, _is_wanted),
    (1.3, _known),
    (0.6, _is_of_mine),
    (-0.9, _has_other_name),
    (-0.9, _has_new_name),
    (-1.0, _is_deed),
    (-0.8, _is_of_event),
    (-2.1, _are_both_said),
    (-1.9, _is_other_sort),
    (-3.6, _is_of_row),
    (-1.7, _is_lesser_goal),
    (-3.0, _is_bound),
    (-3.6, _is_somebodys),
    (-2.5, _is_of_other_month),
    (-0.3, _is_of_other_owner),
    (-0.8, _is_of_other_side),
)  # the cheap ones first
_MOST: dict[_Ground, float] = {_shared: likely.LEAST}  # at most, 1 of every other
_ADDS = [max(weight, 0.0) * _MOST.get(ground, 1.0) for weight, ground in _GROUNDS]
_MORE = tuple(accumulate(reversed(_ADDS)))[::-1]  # what a ground and all behind it add at most
