"""Whether two values are of different sorts of a thing, of a part of it, or of another measure."""

from __future__ import annotations

import re

from dreamd.engine.rules.updates.given import Given, is_known, telling
from dreamd.engine.rules.updates.quantities import Quantity, is_same, quantities
from dreamd.text.late import late

_SPOKEN = late(r"[^\W_]+(?:['’][a-z]+)?")  # noqa: RUF001
_COMPOUND = late(r"[^\W_]+(?:(?:['’]|-)[^\W_]+)*")  # noqa: RUF001
_PLAINLY = telling("cost costs price priced fee charge value worth amount sits stands averages")
_PART = late(
    r"\b(?:chapters?|sections?|half|portion|segment|parts?|other|another|remaining|rest|alone)\b",
    re.IGNORECASE,
)
_OF = late(r"(?:\s?[a-z]+)?\sof\s(?:the\s|my\s|our\s)?(?P<what>[^\W\d_]+)", re.IGNORECASE)
_STRETCH = late(r"\s(?:hour|day|week|month|year)s?\sof\s(?:the|my|our)\b", re.IGNORECASE)
_OF_IT = late(
    r"\b(?P<noun>[^\W\d_]+)\sof\s(?:my|our|his|her|their|the)\s(?P<what>[^\W\d_]+)", re.IGNORECASE
)
_SPANS = {"ms", "s", "min", "h", "day", "week", "month", "year"}
_PER = late(
    r"(?:\s[\w-]+)??(?:\s?/\s?|\s(?:per|an?|each|every)\s)(?P<per>[^\W\d_]+(?:\s(?!for|in|on|of|and|with|to)[^\W\d_]+)?)",
    re.IGNORECASE,
)
_ONLY = late(
    r"\s(?:without|containing|whose|who|with(?!\s(?:the|my|our|an?|(?-i:[A-Z])\w*)\b))\s"
    r"(?:(?:is|are|have|has|the|an?)\s)*(?P<what>[^\W\d_]+)",
    re.IGNORECASE,
)
_HOW_OFTEN = late(r"\b(?:every|each)\s$", re.IGNORECASE)


def is_other_sort(new: Given, old: Given, *, in_all: bool = False) -> bool:
    """Whether a noun has another word before it here than there: heap usage, disk usage.

    In the clauses of the values, or `in_all` that their sentences say.
    """
    texts = (new.text, old.text) if in_all else (new.clause, old.clause)
    ones, others = map(_modifiers, texts)
    for word in sorted(new.every & old.every if in_all else new.words & old.words):
        mine, theirs = ones.get(word, {""}), others.get(word, {""})
        if "" in mine | theirs or any(_is_one(each, other) for each in mine for other in theirs):
            continue
        if mine.isdisjoint(old.every) and theirs.isdisjoint(new.every):
            return True
    return False


def _is_one(word: str, other: str) -> bool:
    """Whether two words are one in another form or cut short: stats, statistics."""
    short, long = sorted((word, other), key=len)
    return is_known(word, frozenset({other})) or (len(short) >= _STEM and long.startswith(short))


def is_other_measure(new: Given, old: Given) -> bool:
    """Whether a noun leads to another one here than there: the card limit, the card balance."""
    if new.quantity.kind not in {"money", "share"} and new.quantity.unit:
        return False
    ones, others = _followers(new), _followers(old)
    return any(
        not (ones[word] | others[word]) & _PLAINLY
        and ones[word].isdisjoint(old.every)
        and others[word].isdisjoint(new.every)
        for word in ones.keys() & others.keys()
    )


def is_other_part(new: Given, old: Given) -> bool:
    """Whether one is of a part or of some only: the first chapter, 4 failing tests, the other one.

    So is 16GB of memory where the other is of disk, and what happens every 3 hours where the
    other takes 3 hours.
    """
    if {each.casefold() for each in _PART.findall(new.clause)} - _folded(old.text):
        return True
    if _is_rate(new) != _is_rate(old) or _is_per_other(new, old) or _is_of_some(new, old):
        return True
    if _STRETCH.match(new.text, new.quantity.end) and not _STRETCH.match(
        old.text, old.quantity.end
    ):
        return True
    mine, theirs = _measured(new), _measured(old)
    if mine and theirs and mine.isdisjoint(theirs):
        return True
    return not _counted(new) <= old.every or is_within(new, old)


_SUBJECT = late(
    r"\W*(?:(?:the|my|our|der|die|das|le|la|les|el|los|las|mi|mon|ma)\s)?(?P<what>[^\W\d_]+)",
    re.IGNORECASE,
)
_INSIDE = late(
    r"\b(?P<head>[^\W\d_]+)(?:,?\s|s\s)(?:for|of|in|within|inside|on|dans|sur|de|del|du|von|für|im|en)\s"
    r"(?:(?:the|my|our|der|die|das|den|dem|le|la|les|el|los|las|mi|mon|ma)\s)?(?P<what>[^\W\d_]+)"
    r"|^\W*(?:in|within|inside|im|dans|en)\s(?:(?:the|my|our|der|die|das|dem|le|la|el)\s)?(?P<where>[^\W\d_]+)",
    re.IGNORECASE,
)
HEADS = telling(
    "number count price cost total size length amount date sum level rate share value latest"
)
_STEM = 4  # characters by which a noun and the verb of it are one: opens, opening


def is_within(new: Given, old: Given) -> bool:
    """Whether the newer one is of something in or for that of which the older one is told.

    "The tiles for the kitchen cost" tells a part of what "the kitchen costs" tells.
    """
    subject = _SUBJECT.match(old.clause)
    whole = telling(subject["what"]) if subject else frozenset[str]()
    known = {word[:_STEM] for word in old.every | HEADS}
    for match in _INSIDE.finditer(one := new.text[new.since : new.quantity.start]):
        if not whole & telling(match["what"] or match["where"]):
            continue
        heads = telling(match["head"] or one[match.end() :])
        if heads and not any(head[:_STEM] in known for head in heads):
            return True
    return False


def _is_per_other(new: Given, old: Given) -> bool:
    """Whether each is an amount for something, and for another: a lesson, a year."""
    ones, others = (_PER.match(each.text, each.quantity.end) for each in (new, old))
    if ones is None or others is None:
        return False
    return _folded(ones["per"]).isdisjoint(_folded(others["per"]))


def _is_of_some(new: Given, old: Given) -> bool:
    """Whether the newer one counts only those of some kind: 3 dishes without nuts."""
    value = new.quantity
    if value.kind != "number" or not value.noun:
        return False
    at = new.text.casefold().find(value.noun, value.end) + len(value.noun)
    found = _ONLY.match(new.text, at)
    return found is not None and not telling(found["what"]) <= old.every


def _folded(text: str) -> set[str]:
    return set(_SPOKEN.findall(text.casefold()))


def _is_rate(one: Given) -> bool:
    return _HOW_OFTEN.search(one.text[one.since : one.quantity.start]) is not None


def _measured(one: Given) -> frozenset[str]:
    """Return what is measured: of "16GB of memory" the memory."""
    found = _OF.match(one.text, one.quantity.end)
    return telling(found["what"]) if found else frozenset()


def _counted(one: Given) -> frozenset[str]:
    """Return the words of weight between a number and the noun that it counts."""
    value = one.quantity
    if value.kind != "number" or not value.noun:
        return frozenset()
    at = one.text.casefold().find(value.noun, value.end)
    return telling(one.text[value.end : at]) if at >= 0 else frozenset()


def _followers(one: Given) -> dict[str, set[str]]:
    """Return for each word of weight before a value those that stand right behind it."""
    found: dict[str, set[str]] = {}
    last, end = "", 0
    text = one.text[one.since : one.quantity.start]
    for match in _SPOKEN.finditer(text):
        word = next(iter(telling(match[0])), "")
        if word and last and text[end : match.start()] == " ":
            found.setdefault(last, set()).add(word)
        last, end = word, match.end()
    return found


def _modifiers(text: str) -> dict[str, set[str]]:
    """Return for each word of weight those that stand right before it; "" where none does.

    Of "the backup of my laptop" the laptop does.
    """
    found: dict[str, set[str]] = {}
    last, end = "", 0
    for match in _COMPOUND.finditer(text):
        word = next(iter(telling(match[0])), "")
        if "-" in match[0]:
            word = match[0].casefold()
        if word:
            is_joined = text[end : match.start()] in {" ", "-", "/"}
            found.setdefault(word, set()).add(last if is_joined else "")
        last, end = word, match.end()
    for match in _OF_IT.finditer(text):
        for word in telling(match["noun"]):
            if found.get(word) == {""}:
                found[word] = set(telling(match["what"])) or {""}
    return found


def is_under_other(new: Given, old: Given) -> bool:
    """Whether another figure beside them tells two things apart: under 20 users, under 50."""
    mine, theirs = (
        [
            each
            for each in quantities(one.clause)
            if each.kind == "number" and each.unit and each.start + one.since != one.quantity.start
        ]
        for one in (new, old)
    )
    return any(
        _is_one_measure(one.unit, other.unit)
        and not any(_is_equal(each, other) for each in mine)
        and not any(_is_equal(one, each) for each in theirs)
        for one in mine
        for other in theirs
    )


def _is_equal(one: Quantity, other: Quantity) -> bool:
    return one.unit == other.unit and is_same(one, other)


def _is_one_measure(one: str, other: str) -> bool:
    return one == other or {one, other} <= _SPANS
