"""Which older value a newer one may replace where its words do not say that it does."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from dreamd.engine.rules.updates import likely, odds
from dreamd.engine.rules.updates.alike import Weights
from dreamd.engine.rules.updates.given import is_known, telling
from dreamd.engine.rules.updates.odds import Pair
from dreamd.engine.rules.updates.once import are_of_events
from dreamd.engine.rules.updates.quantities import is_same
from dreamd.engine.rules.updates.stands import Stands
from dreamd.engine.rules.updates.statements import Statement

_HALF = 0.5
_FEWEST = 13  # words; what a shorter sentence is about, its words have told
_ALIKE = 0.2  # likelihood of another line with the very value that was perhaps replaced


@dataclass(frozen=True, slots=True)
class Candidate:
    """A value of a line; `line` is all that it says of today, `age` grows with how old it is."""

    stands: Stands
    line: str
    age: tuple[int, int, int]


Found = tuple[float, tuple[Stands, ...]]


def by_words(new: Statement, near: Sequence[Candidate], weights: Weights) -> Found:
    """Return the likeliest older value by the words that both share, its copies, and how likely."""
    found = [(likely.likelihood(new, each.stands.value, each.line, weights), each) for each in near]
    told = [(w, each) for w, each in found if _may_go(each.stands, new)]
    most = max((w for w, _ in told), default=0.0)
    if most < likely.LEAST:
        return 0.0, ()
    likeliest = [each for w, each in told if w == most]
    if most == likely.OF_UNIT and len({each.stands.value.quantity.key for each in likeliest}) > 1:
        return 0.0, ()  # nobody knows of which
    return most, _with_copies(likeliest, [each for w, each in found if w >= _ALIKE])


def by_odds(new: Statement, near: Sequence[Candidate], weights: Weights) -> Found:
    """Return the older value with the best odds, its copies, and how likely.

    It is less likely than any that is found by its words.
    """
    if len(new.quote.split()) < _FEWEST:
        return 0.0, ()
    said = telling(new.text) - {new.value.quantity.unit, new.value.quantity.noun}
    told = [
        (odds.odds(Pair(new, each.stands.value, each.line, weights)), each)
        for each in near
        if _may_go(each.stands, new)
        and any(is_known(word, each.stands.value.every) for word in said)  # it names its thing
        and not are_of_events(new.value, each.stands.value)  # done on two days, done twice
        and likely.is_alike(new.value.quantity, each.stands.value.quantity)
    ]
    most = max((w for w, _ in told), default=odds.LEAST - 1)
    if most < odds.LEAST:
        return 0.0, ()
    share = 1 / (1 + exp(-most))
    likeliest = [each for w, each in told if w == most]
    best = likeliest[0].stands.value.words
    copies = [each for _, each in told if _is_as_said(each.stands.value.words, best)]
    return likely.LEAST * share, _with_copies(likeliest, copies)


def _may_go(old: Stands, new: Statement) -> bool:
    return old.is_told and old.is_planned >= new.is_planned


def _is_as_said(words: frozenset[str], said: frozenset[str]) -> bool:
    """Whether a clause has most of the words of another one, and few others."""
    return len(words & said) > _HALF * len(words | said)


def _with_copies(likeliest: Sequence[Candidate], copies: Sequence[Candidate]) -> tuple[Stands, ...]:
    """Return the newest of the likeliest, and each other line that may speak of its value."""
    last = min(likeliest, key=lambda each: each.age)
    same = last.stands.value.quantity
    found = {last.stands.line: last.stands}
    for each in sorted(copies, key=lambda each: each.age):
        theirs = each.stands.value.quantity
        if theirs.is_of_kind(same) and is_same(theirs, same):
            found.setdefault(each.stands.line, each.stands)
    return tuple(found.values())
