"""Which older value a newer one may replace where its words do not say that it does."""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from math import exp

from dreamd.engine.rules.updates import likely, odds
from dreamd.engine.rules.updates.alike import Weights
from dreamd.engine.rules.updates.given import Given, is_known, telling
from dreamd.engine.rules.updates.odds import Pair
from dreamd.engine.rules.updates.once import are_of_events
from dreamd.engine.rules.updates.quantities import is_same
from dreamd.engine.rules.updates.scope import knows_somebody
from dreamd.engine.rules.updates.stands import Stands
from dreamd.engine.rules.updates.statements import Statement
from dreamd.text.late import late

_THEIRS = late(r"\b(?:his|her|their)\s(?:[\w'’-]+\s){0,3}\W?$", re.IGNORECASE)  # noqa: RUF001
_OFF = late(r"\b(?:weeks?|days?)\soff\b|\b(?:holidays?|vacation)\b", re.IGNORECASE)
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
_NONE: Found = (0.0, ())


def likeliest(
    new: Statement, near: Sequence[Candidate], weights: Weights, *, only_words: bool
) -> Found:
    """Return the likeliest older value, its copies, and how likely it is; 0 where there is none.

    By the words that both share; where these say nothing, by the odds, and less likely than any
    found by its words, unless `only_words`. Of several that are as likely the newest comes first.
    """
    found = [(likely.likelihood(new, each.stands.value, each.line, weights), each) for each in near]
    told = [
        (w, each)
        for w, each in found
        if each.stands.is_told and each.stands.is_planned >= new.is_planned
    ]
    most = max((w for w, _ in told), default=0.0)
    if most < likely.LEAST:
        return _NONE if only_words else _by_odds(new, told, weights)
    best = [each for w, each in told if w == most]
    if most == likely.OF_UNIT and len({each.stands.value.quantity.key for each in best}) > 1:
        return _NONE  # nobody knows of which
    return most, _with_copies(best, [each for w, each in found if w >= _ALIKE])


def _by_odds(new: Statement, near: Sequence[tuple[float, Candidate]], weights: Weights) -> Found:
    """Return the older value with the best odds, its copies, and how likely it is.

    Only where the newer words have one that the older sentence has, too.
    """
    if len(new.quote.split()) < _FEWEST:
        return _NONE
    value = new.value.quantity
    said = telling(new.text) - {value.unit, value.noun}
    told = [
        (odds.odds(Pair(new, each.stands.value, each.line, shared, weights)), each)
        for shared, each in near
        if any(is_known(word, each.stands.value.every) for word in said)
        and _may_be_one(new, each.stands.value)
    ]
    most = max((w for w, _ in told), default=0.0)
    if most < odds.LEAST:
        return _NONE
    best = [each for w, each in told if w == most]
    words = best[0].stands.value.words
    copies = [each for _, each in told if _is_as_said(each.stands.value.words, words)]
    return likely.LEAST / (1 + exp(-most)), _with_copies(best, copies)


def _may_be_one(new: Statement, old: Given) -> bool:
    """Whether nothing that is beyond doubt tells two values apart.

    What was done on two days was done twice; what changed from a third value is another thing;
    "with their 31 singers" is theirs; what holds in a week off holds then only.
    """
    value, was = new.value, new.cue.was
    if not likely.is_alike(value.quantity, old.quantity) or are_of_events(value, old):
        return False
    if was is not None and was.is_of_kind(old.quantity) and not is_same(was, old.quantity):
        return False
    if likely.is_told_otherwise(value, old):
        return False
    if _OFF.search(value.text) and not _OFF.search(old.text):
        return False
    is_theirs = _THEIRS.search(value.text, 0, value.quantity.start) is not None
    return not is_theirs or knows_somebody(old.text)


def _is_as_said(words: frozenset[str], said: frozenset[str]) -> bool:
    """Whether a clause has most of the words of another one, and few others."""
    return len(words & said) > _HALF * len(words | said)


def _with_copies(best: Sequence[Candidate], copies: Sequence[Candidate]) -> tuple[Stands, ...]:
    """Return the newest of the best, and each other line that may speak of its value."""
    last = min(best, key=lambda each: each.age)
    same = last.stands.value.quantity
    found = {last.stands.line: last.stands}
    for each in sorted(copies, key=lambda each: each.age):
        theirs = each.stands.value.quantity
        if theirs.is_of_kind(same) and is_same(theirs, same):
            found.setdefault(each.stands.line, each.stands)
    return tuple(found.values())
