"""How alike two values are whose words leave it open whether they are values of one thing."""

from __future__ import annotations

import re
from dataclasses import replace
from datetime import timedelta
from math import sqrt

from dreamd.engine.rules.updates import described, moods, topics
from dreamd.engine.rules.updates.again import is_again
from dreamd.engine.rules.updates.alike import (
    Weights,
    is_lesser_goal,
    is_measured_alike,
    is_other_name,
    is_other_thing,
    place,
)
from dreamd.engine.rules.updates.confined import is_confined
from dreamd.engine.rules.updates.cues import is_start, is_step
from dreamd.engine.rules.updates.given import Given, is_known
from dreamd.engine.rules.updates.named import ends_with_noun, is_at_other_time, is_named_whole
from dreamd.engine.rules.updates.once import is_deed, is_event
from dreamd.engine.rules.updates.quantities import (
    DAYS,
    MEASURES,
    Quantity,
    counts_alike,
    has,
    is_same,
)
from dreamd.engine.rules.updates.statements import Statement
from dreamd.engine.rules.updates.totals import has_grown, is_recounted
from dreamd.engine.rules.updates.two_things import is_difference, is_of_other_day, near
from dreamd.text.late import late

_UNTIL = late(r"\b(?:until|till|bis|jusqu'à|hasta)\s(?:\w+\s)?$", re.IGNORECASE)
_LEFT = late(r"(?:\s\w+)?\s(?:left|remaining|to\sgo|over)\b", re.IGNORECASE)
LEAST = 0.4  # from which on a person is told
MOST = 3  # lines of all notes that leave it open: the likeliest; more of them nobody reads
WORDS = 3  # telling words that two sentences of one thing share
_NAME = 2  # words: a safety inspection
_NOT_FAR = timedelta(days=30)
_BESIDE = 0.4  # share of the weight in the poorer clause that both have
OF_UNIT = 0.45  # nothing is said but the unit
_TOPICAL = 0.6  # what they are told of has a word more here than there
_CUED = 2.0  # something says that the value is new
_AGAIN = 1.0  # of everything that the older one is told of
_OTHER_HEAD = 0.5
_A_WORD = 0.01  # of several counts of one kind it is that which shares more
_DESCRIBED = 0.5  # by the same noun phrase, as far as it goes
_ANY_DAY = 0.3  # most days are those of events


def likelihood(new: Statement, old: Given, line: str, weights: Weights) -> float:
    """Return how likely a newer value is one of what an older one is of; 0 where it cannot be.

    It grows with the share of the weight of their words that both have, and with how much that
    is. `line` is all that the older one's line says of today: where that has the newer value,
    too, or the newer sentence the older one, they are values of two things.
    """
    mine, theirs = new.value, old
    shared = mine.every & theirs.every
    told = 0.0 if new.cue.is_plain or not new.is_sure else _told(mine, theirs)
    if new.is_told and is_again(mine, theirs):
        told = _AGAIN
    if _is_moved(new, theirs) or is_at_other_time(mine, theirs):
        told = max(told, _TOPICAL)
    named = _DESCRIBED if _is_described(new, old, line) else 0.0
    if not (shared or told) or not _is_possible(new, old, line):
        return named
    count = LEAST + len(shared) * _A_WORD if _counts_same(new, old) else 0.0
    if is_named_whole(new, old, weights):
        count = max(count, LEAST + len(shared) * _A_WORD)
    told = max(told, named, count)
    if (
        _poorer(weights, mine.words, theirs.words)
        < _BESIDE
        > _poorer(weights, mine.near, theirs.near)
    ):
        return told
    if len(shared) < WORDS:
        return told
    weight = _weight(weights, shared, mine, theirs)
    of_one, of_other = (_weight(weights, one.every, one, one) for one in (mine, theirs))
    found = weight / sqrt(of_one * of_other) * sqrt(weight)
    if not new.cue.is_plain:
        found *= _CUED
    elif mine.quantity.kind in DAYS and not theirs.words <= mine.words:
        found *= _ANY_DAY
    return max(told, found if is_measured_alike(mine, theirs) else found * _OTHER_HEAD)


def _told(new: Given, old: Given) -> float:
    """Return how likely two values are of one thing by what is said that they are told of."""
    if topics.is_same(new, old) or topics.is_kin(new, old):
        return _TOPICAL
    return OF_UNIT if topics.is_of_unit(new, old) else 0.0


def _counts_same(new: Statement, old: Given) -> bool:
    """Whether a change is told of how many of something there are: members, calories.

    Or another version of what both name is told beside another word of the older sentence.
    """
    mine, noun = new.value, old.quantity.noun
    if is_recounted(mine, old):
        return True
    if mine.quantity.kind == "version" and len(mine.every & old.every) > 1:
        return new.is_told and is_measured_alike(mine, old)
    if new.cue.is_plain or not new.is_told or not noun or old.quantity.unit in MEASURES:
        return False
    if mine.quantity.noun:
        is_same_count = counts_alike(mine.quantity.unit, old.quantity.unit)
        return is_same_count and len(mine.every & old.every) > 1
    return topics.topic(mine)[-1:] == topics.topic_of(noun)


def _is_described(new: Statement, old: Given, line: str) -> bool:
    """Whether the noun phrase that a newer value stands in names what the older one is of."""
    phrase = new.phrase
    if phrase is None or not described.is_same(phrase, old):
        return False
    return _is_possible(replace(new, value=phrase), old, line)


def _is_moved(new: Statement, old: Given) -> bool:
    """Whether what the same words name is told of a day not far from the older one."""
    mine, said = new.value, new.said.day
    if mine.quantity.kind != "date" or said is None or not new.is_told:
        return False
    named = topics.names(mine) if len(topics.names(mine)) >= _NAME else mine.near
    if len(named) < _NAME or not all(is_known(word, old.near) for word in named):
        return False
    one, other = near(mine.quantity.key, said), near(old.quantity.key, said)
    return one is not None and other is not None and abs(one - other) <= _NOT_FAR


def _is_possible(new: Statement, old: Given, line: str) -> bool:
    mine, theirs = new.value.quantity, old.quantity
    if not is_alike(mine, theirs) or _is_year(new.value) or _is_year(old):
        return False
    if not mine.is_of_kind(theirs) and not ends_with_noun(new.value):
        return False
    if is_start(new.quote, mine.start, new.value.since):
        return False
    was = new.cue.was
    if was is not None and was.is_of_kind(theirs):
        return is_same(was, theirs) and not _is_another(new, old)
    if is_confined(new.value, old):
        return False
    return not (has(line, mine) or has(new.quote, theirs) or _is_another(new, old))


def is_alike(mine: Quantity, theirs: Quantity) -> bool:
    """Whether one could stand where the other does, and says something else."""
    is_alike = mine.kind == theirs.kind and counts_alike(mine.unit, theirs.unit)
    if not (is_alike or mine.is_of_kind(theirs)) or is_same(mine, theirs):
        return False
    return mine.unit == theirs.unit or MEASURES.isdisjoint((mine.unit, theirs.unit))


def _is_another(new: Statement, old: Given) -> bool:
    """Whether they are of two things, people, events or days, or one is a goal and one is not."""
    mine = new.value
    if is_other_thing(mine, old) or is_lesser_goal(mine, old) or is_of_other_day(mine, old):
        return True
    if topics.does_other(mine, old):
        return True
    if new.cue.is_plain and (
        is_difference(mine) != is_difference(old)
        or is_lesser_goal(old, mine)
        or (_is_of_then(mine) and not _is_of_then(old))
    ):
        return True
    if (is_deed(mine) or is_deed(old)) and not has_grown(mine, old):
        return True
    if mine.quantity.kind in DAYS and any(map(is_event, (mine, old))):
        return True
    return is_other_name(mine, old) or is_told_otherwise(mine, old)


def is_told_otherwise(new: Given, old: Given) -> bool:
    """Whether one is what is left, by how much it changed or until when it lasts, and one not."""
    return any(each(new) != each(old) for each in (_is_left, _is_by, _is_end))


def _is_year(one: Given) -> bool:
    """Whether a bare number is rather a year."""
    value = one.quantity
    return (
        "," not in one.said
        and value.kind == "number"
        and not value.unit
        and 1900 <= value.amount <= 2100
    )


def _is_end(one: Given) -> bool:
    """Whether a value is until when something lasts."""
    return _UNTIL.search(_before(one)) is not None


def _is_by(one: Given) -> bool:
    return is_step(one.text, one.quantity, one.since)


def _weight(weights: Weights, words: frozenset[str], one: Given, other: Given) -> float:
    return sum(min(place(w, one), place(w, other)) * weights.of(w) for w in sorted(words))


def _poorer(weights: Weights, one: frozenset[str], other: frozenset[str]) -> float:
    least = min(sum(map(weights.of, sorted(words))) for words in (one, other))
    return sum(map(weights.of, sorted(one & other))) / least if least else 0.0


def _before(one: Given) -> str:
    return one.text[one.since : one.quantity.start]


def _is_left(one: Given) -> bool:
    """Whether a value is what remains of one."""
    return _LEFT.match(one.text, one.quantity.end) is not None


def _is_of_then(one: Given) -> bool:
    return moods.is_told_of_then(one.text, one.since, one.quantity.start)
