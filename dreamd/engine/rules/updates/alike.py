"""Whether two values are values of one thing: by kind, scope and sort, and the words they share."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterable
from math import log

from dreamd.engine.rules.gather.place_phrase import keys
from dreamd.engine.rules.updates import scope, subjects, topics
from dreamd.engine.rules.updates.contrary import is_of_other_element
from dreamd.engine.rules.updates.given import Given, telling
from dreamd.engine.rules.updates.once import is_deed
from dreamd.engine.rules.updates.quantities import AMOUNTS, DAYS, is_same
from dreamd.engine.rules.updates.sorts import (
    is_other_measure,
    is_other_part,
    is_other_sort,
    is_under_other,
)
from dreamd.engine.rules.updates.totals import has_grown, is_resaid
from dreamd.text.late import late

_NOTHING: frozenset[str] = frozenset()
_FEW = 20  # sentences added to those there are, so that among few a shared word still counts
_NEAR, _CLAUSE, _SENTENCE = 1.0, 0.6, 0.3  # what a shared word counts, by where it stands
_WORD = late(r"[^\W\d_]+")
_WISHED = late(
    r"\b(?:try|trying|want|wanna|need|plan|planning|hope|hoping|like|going|looking)\s+to\s+\w+"
    r"\s+(?:at\sleast\s|about\s|around\s)?$"
    r"|\bto\s+(?:ensure|maintain|achieve|reach|hit|get|keep)\s+(?:at\sleast\s|about\s|around\s"
    r"|a\s)?$",
    re.IGNORECASE,
)
_AIMS_AT = late(  # "to get my commute down to 30 minutes"
    r"\b(?:try|trying|want|wanna|hope|hoping)\s+to\s+"
    r"(?!(?:adjust|change|update|move|set|switch|extend)\b)[a-z]+\s(?:[\w'’-]+\s){1,6}?to\s"  # noqa: RUF001
    r"(?:(?:below|under|less\sthan|more\sthan|at\sleast|at\smost|above|over|about|around|only)\s)?\W?$",
    re.IGNORECASE,
)
_TARGET = late(
    r"\b(?:goals?|target\w*|aim\w*|objectives?|achiev(?:e|es|ing)|quota"
    r"|(?:want|hop)\w*\s+to\s+(?:reach|hit|get|have))\b",
    re.IGNORECASE,
)
_SINCE = late(
    r"\b(?:start\w*|since|after|before|until|till|between|from|effective|as\sof|during"
    r"|around)\s(?:the\s)?$",
    re.IGNORECASE,
)
_FORMULA = late(r"[=^\\_{}/]")
_DONE = late(r"\w(?:ed|ent|ught)\s+\W?$")
_LEADING = 7  # words before a bare number in which the noun stands that it is a value of
_ALIKE = 0.8  # share of all words of two clauses that are the same said again
_BESIDE = 0.6  # share of the weight beside two values that they have in common
_COMMON = 2  # words


class Weights:
    """How much a word tells: the rarer it is over all sentences, the more."""

    def __init__(self, texts: Iterable[str]) -> None:
        counts: Counter[str] = Counter()
        total = _FEW
        for text in texts:
            counts.update(telling(text))
            total += 1
        self._counts = counts
        self._most = log(total)

    def of(self, word: str) -> float:
        """Return the weight of a folded word, of one that stands nowhere else about 1."""
        return 1 - log(1 + self._counts[word]) / self._most

    def shared(self, new: Given, old: Given) -> float:
        """Return the weight of the words that two values share, those beside both in full.

        It is 1 at least where the very same words lead to both, or are all that is said of both,
        and where a version is of the very same thing.
        """
        total = 0.0
        for word in sorted(new.every & old.every):
            total += min(place(word, new), place(word, old)) * self.of(word)
        is_one = new.subject == old.subject != _NOTHING or new.words == old.words != _NOTHING
        is_one = is_one or topics.is_same(new, old)
        if not is_one and (new.quantity.kind == "version" or _is_of_release(new)):
            is_one = _name_before(new) == _name_before(old) != ""
        return max(total, 1.0) if is_one or new.changed == old.subject != _NOTHING else total


def place(word: str, one: Given) -> float:
    """Return what a word of the sentence of a value counts, by where it stands."""
    if word in one.near:
        return _NEAR
    return _CLAUSE if word in one.words else _SENTENCE


def may_follow(new: Given, old: Given, *, is_named: bool) -> bool:
    """Whether a newer value may be one of the thing that an older one is of.

    Not where they are of different kinds, units, scopes, sorts or people, where one is a goal
    and the other is not, or where either tells what somebody did once. `is_named`: the person
    named the older value, so a word more or less tells nothing apart.
    """
    mine, theirs = new.quantity, old.quantity
    if not mine.is_of_kind(theirs) or is_same(mine, theirs) or not is_measured_alike(new, old):
        return False
    if (is_deed(new) and not has_grown(new, old)) or _WISHED.search(old.text[: theirs.start]):
        return False
    if is_lesser_goal(new, old) or not may_copy(new, old):
        return False
    if is_named:
        return True
    is_apart = new.near - old.every and old.near - new.every
    if len(new.every & old.every) < _COMMON and is_apart and not topics.is_same(new, old):
        return False  # one word in common, and each has another beside it
    return not (is_another(new, old) or topics.is_narrower(new, old))


def is_lesser_goal(new: Given, old: Given) -> bool:
    """Whether the older one is a goal, and the newer is not told as one."""
    return bool(_TARGET.search(new.text) or _aims_at(new)) < is_goal(old)


def is_goal(one: Given) -> bool:
    """Whether a value is what somebody aims at."""
    return _TARGET.search(one.clause) is not None or _aims_at(one)


def _aims_at(one: Given) -> bool:
    value = one.quantity
    return value.kind in AMOUNTS and _AIMS_AT.search(one.text[: value.start]) is not None


def is_another(new: Given, old: Given) -> bool:
    """Whether two values are of another sort, part or measure of what they are values of."""
    differ = (is_other_sort, is_other_part, is_other_measure, is_of_other_element)
    return any(each(new, old) for each in differ)


def is_other_thing(new: Given, old: Given) -> bool:
    """Whether two values are of another scope or sort, or under other conditions."""
    return subjects.differ(new, old) or is_under_other(new, old) or is_another(new, old)


def may_copy(new: Given, old: Given) -> bool:
    """Whether an older value that a newer one replaced elsewhere is that one here, too."""
    mine, theirs = new.quantity, old.quantity
    if is_deed(old) and not has_grown(new, old):
        return False
    if mine.kind in DAYS and _SINCE.search(old.text[: theirs.start]):
        return False
    if subjects.differ(new, old) or is_under_other(new, old):
        return False
    return not is_other_name(new, old)


def is_other_name(new: Given, old: Given) -> bool:
    """Whether each clause has names of its own, beside the value itself."""
    if new.quantity.kind == "name":
        return False
    named, called = (scope.names(each.text[each.since : each.core_end]) for each in (new, old))
    return bool(named and called) and named.isdisjoint(called)


def is_restated(new: Given, old: Given) -> bool:
    """Whether two clauses say the same in nearly the same words, but for the value.

    No formula does, nor does what somebody did: done again, it is another deed.
    """
    if has_grown(new, old):
        return True
    if new.quantity.kind == "number" and not new.quantity.unit:
        return False
    if is_resaid(new, old):
        return True
    if _DONE.search(new.text[: new.quantity.start]) or _FORMULA.search(new.clause):
        return False
    ones, others = (frozenset(filter(str.isalpha, keys(one.clause))) for one in (new, old))
    return len(new.words) >= 3 and len(ones & others) >= max(_ALIKE * len(ones | others), 5)


def is_granted(new: Given, old: Given, weights: Weights) -> bool:
    """Whether a value that is taken for granted is one of what an older one is of.

    That takes nearly the same words beside both, and two of them at least.
    """
    if new.quantity.kind == "number" and not new.quantity.unit:
        return False
    shared, every = new.near & old.near, new.near | old.near
    if len(shared) < 2 or _FORMULA.search(new.clause) or _FORMULA.search(old.clause):
        return False
    return sum(map(weights.of, sorted(shared))) >= _BESIDE * sum(map(weights.of, sorted(every)))


def is_measured_alike(new: Given, old: Given) -> bool:
    """Whether the same word leads to both values, or the same counted noun stands by both."""
    mine, theirs = new.quantity, old.quantity
    match mine.kind:
        case "version":
            return _name_before(new) == _name_before(old) != ""
        case "number" if mine.unit and theirs.unit:
            return True
        case "number":
            if theirs.unit and theirs.noun in _WORD.findall(new.clause.casefold()):
                return True
            return not _heads(new).isdisjoint(_heads(old))
        case _:
            shared = new.near & old.near
            return bool(shared) or bool(new.words & old.near) or bool(new.near & old.words)


def _name_before(one: Given) -> str:
    before = one.text[: one.quantity.start]
    found = re.search(
        r"([\w+#-]+)[`'\"]?(?:\s(?:library|to|from|on|version|package|is|now))*\s*$",
        before,
        re.IGNORECASE,
    )
    return found[1].casefold() if found else ""


def _is_of_release(one: Given) -> bool:
    """Whether a bare number stands right behind a name: Node 22."""
    if one.quantity.kind != "number" or one.quantity.unit:
        return False
    return re.search(r"\s[A-Z][\w.+#-]*\s$", one.text[: one.quantity.start]) is not None


def _heads(one: Given) -> frozenset[str]:
    """Return the words of weight right before a value: what it is a value of."""
    return telling(" ".join(_WORD.findall(one.text[one.since : one.quantity.start])[-_LEADING:]))
