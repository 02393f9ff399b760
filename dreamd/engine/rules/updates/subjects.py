"""Whether two values are of two things that their sentences name: of Redis, of Postgres."""

from __future__ import annotations

import re

from dreamd.domain.prose.words import words
from dreamd.engine.rules.updates import clauses, scope
from dreamd.engine.rules.updates.beside import is_beside
from dreamd.engine.rules.updates.cues import is_start, is_step
from dreamd.engine.rules.updates.given import Given, telling
from dreamd.engine.rules.updates.quantities import MEASURES, Quantity, is_same, quantities
from dreamd.text.late import late

_OF = late(
    r"\b(?P<noun>[^\W\d_][\w-]*)\s(?:of|für|de|von)\s(?:(?:the|my|our|a|an|his|her|their|this|der|die|das|la|le|el)\s)?"
    r"(?P<what>[^\W\d_][\w'’-]*(?:\s[^\W\d_][\w'’-]*)?)",  # noqa: RUF001
    re.IGNORECASE,
)
_LABEL = late(r"\W*(?P<what>[^\W\d_][\w-]*(?:\s[\w-]+){0,2})\W*[:—–]\W+(?P<noun>\w+)")  # noqa: RUF001
_DOES = late(
    r"\W*(?:the\s)?(?P<who>[^\W\d_][\w-]*)\s(?:(?:now|still|currently|already|again)\s)?"
    r"(?P<does>[a-z]{2,}s)\b",
    re.IGNORECASE,
)
_IS = words("is was has does this its")
_KIN = words(scope.RELATIVES)
_PAIR = 2
_NEXT = 6  # words between two values that are told together
_LISTS = late(r"[,;/]|\b(?:and|und|et|y|or|oder|ou|o)\b", re.IGNORECASE)
_ANYBODY = words(
    "it this that he she who which what there everybody everyone somebody someone nobody each one "
    "now currently today so and but also actually then still"
)


def differ(new: Given, old: Given) -> bool:
    """Whether two values are of another scope, or of things of other names.

    Other names are those of which the same noun is told ("the image of the worker", "of the
    client"; before a colon, too), and those that do the same ("Redis listens", "Nginx listens").
    """
    if scope.differs(new.clause, old.clause) or is_beside(new, old, _KIN):
        return True
    if _is_beside_its_like(new, old):
        return True
    ones, others = _things(new), _things(old)
    if any(ones[noun].isdisjoint(others[noun]) for noun in ones.keys() & others.keys()):
        return True
    one, other = _DOES.match(new.clause), _DOES.match(old.clause)
    if one is None or other is None or one["does"].casefold() != other["does"].casefold():
        return False
    names = {one["who"].casefold(), other["who"].casefold()}
    return one["does"].casefold() not in _IS and len(names) > 1 and names.isdisjoint(_ANYBODY)


def _is_beside_its_like(new: Given, old: Given) -> bool:
    """Whether an older sentence has a second value of the kind, and rather that one is meant.

    "30 days for audit and 7 days for debug": the words behind each tell which; where they tell
    nothing, nobody can know.
    """
    like = [each for each in quantities(old.text) if each.kind == old.quantity.kind]
    like = [each for each in like if each.unit == old.quantity.unit and not _is_passed(old, each)]
    if len(like) != _PAIR or any(_has(new.text, each) for each in like):
        return False
    between = old.text[like[0].end : like[1].start]
    if not _LISTS.search(between) or len(between.split()) > _NEXT:
        return False
    ends = [*(each.start for each in like[1:]), len(old.text)]
    behind = [
        telling(old.text[each.end : end]) & new.every for each, end in zip(like, ends, strict=True)
    ]
    mine = 0 if like[0].start == old.quantity.start else 1
    return len(behind[mine]) <= len(behind[1 - mine])


def _is_passed(old: Given, value: Quantity) -> bool:
    """Whether a value is that from which something changed, or to which it shall come."""
    begin = clauses.own(old.text, *clauses.bounds(old.text, value.start)[:1], 0)
    is_from = is_start(old.text, value.start, 0) or is_step(old.text, value, 0)
    return is_from or clauses.is_planned(old.text, begin, value.start)


def _has(text: str, value: Quantity) -> bool:
    return any(each.is_of_kind(value) and is_same(each, value) for each in quantities(text))


def is_other_copy(one: Given, other: Given) -> bool:
    """Whether two places of the same count or bare number have each a word that the other lacks."""
    if one.quantity.kind != "number" or one.quantity.unit in MEASURES:
        return False
    return bool(one.words - other.every) and bool(other.words - one.every)


def _things(one: Given) -> dict[str, frozenset[str]]:
    """Return of what each noun of a clause is told."""
    found = {match["noun"].casefold(): _named(match["what"]) for match in _OF.finditer(one.clause)}
    label = _LABEL.match(one.text)
    if label and label.start("noun") <= one.quantity.start:
        found.setdefault(label["noun"].casefold(), _named(label["what"]))
    return {noun: words for noun, words in found.items() if words}


def _named(text: str) -> frozenset[str]:
    """Return the words of a name; one with hyphens is one word."""
    return telling(text.replace("-", ""))
