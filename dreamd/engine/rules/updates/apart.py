"""Whether words beside a newer value tell of a part, another sort or somebody else."""

from __future__ import annotations

import re
from collections.abc import Iterator
from itertools import pairwise

from dreamd.engine.rules.gather.place_phrase import keys
from dreamd.engine.rules.updates import clauses, scope, topics
from dreamd.engine.rules.updates.given import HOLDS, SMALL, WORD, Given, is_known, telling
from dreamd.engine.rules.updates.sorts import HEADS
from dreamd.text.late import late

_SORTS = keys("work project test best example other next last first")  # if before a noun
_WHERE = late(
    r"\W*(?:(?:and|but|so)\s)?(?:in|on|at|for|among|within|during)\s(?:the|our|my|this|an?)\s"
    r"(?P<what>[\w'’-]+(?:\s[\w'’-]+)?),?\s(?:the|my|our|i|we)\b",  # noqa: RUF001
    re.IGNORECASE,
)
_FRONT = late(r"(?:in|on|at|for|among|within|during)\s(?:the|our|my|this|an?)\s", re.IGNORECASE)
_AT_ONE = late(r"\s(?:on|in|at|from|with)\s(?:the|my|our|this|these)\s", re.IGNORECASE)
_WITHIN = late(r"\s(?:of|in|within|inside)\s(?:(?:the|my|our)\s)?", re.IGNORECASE)
_BESIDE = {" ", "'s ", "’s ", "' ", "’ "}  # noqa: RUF001
_LINKS = late(  # what joins a word to the next one, of which it is a part, sort or owner
    r"(?:['’]s?)?\s|\s(?:of|in|for|within|inside|from|de|du|von|der|des|del)\s"  # noqa: RUF001
    r"(?:(?:the|my|our|his|her|their|an?|this|la|le|el|die|das|den|dem)\s)?|-",
    re.IGNORECASE,
)
_I = late(r"\W*(?:i|we)\b", re.IGNORECASE)
_MINE = late(r"\b(?:i|we|my|our|us)\b", re.IGNORECASE)
_OURS = late(
    r"\b(?:i|we|my|our|me|us|mine|ours|it|that|there|this|which|with)\b|\w+ing\s", re.IGNORECASE
)
_DOES = late(  # somebody or something named before, with what they do
    r"\b(?P<who>i|we|it|which|that|they|he|she)(?:['’]\w+)?\s"  # noqa: RUF001
    r"(?:(?:\w+ly|now|just|also|already|even|have|has|had|is|are|was|been|got)\s)*[\w-]+"
    r"|\b(?:me|us)\b",
    re.IGNORECASE,
)
_THEIRS = late(r"\b(?:he|she|his|her|their|theirs|hers)\b", re.IGNORECASE)
_UNDER = late(
    r"\s(?:for|among|without|during|under|in|at|on|within|per)\s"
    r"(?:(?:the|my|our|his|her|their|an?|this|these)\s)?(?P<what>[^\W\d_]+)",
    re.IGNORECASE,
)
_SOME = late(r"(?:\s[\w-]+){0,2}\sof\s(?:the|my|our|them|these|those|which|it)\b", re.IGNORECASE)
_NO_SUBJECT = late(r"\b(?:the|and|but|so|of|these|those|about|only|just|over)\b|\W", re.IGNORECASE)
_NOW = telling("point moment meantime present average total")


def is_own(new: Given) -> bool:
    """Whether people tell of a value as one of theirs: what I have, what our app holds."""
    return _MINE.search(new.text, new.start, new.quantity.start) is not None


def is_at_another(new: Given, old: Given) -> bool:
    """Whether a clause begins with a place of its own: "on the new app the coverage is"."""
    front = _FRONT.match(new.text, clauses.first(new.text, new.start), new.quantity.start)
    if front is None:
        return False
    for match in WORD.finditer(new.text, front.end(), new.quantity.start):
        if found := telling(match[0]) - _NOW:
            return _is_new(found, old)
    return False


def is_special(new: Given, old: Given) -> bool:
    """Whether anything beside the newer value tells of more or less than the older words do.

    New words may stand before the thing ("with Ann on board the club has"), never between it and
    the value, or joined to it: "the chapter of the book".
    """
    lead = new.text[new.start : new.quantity.start]
    if is_at_another(new, old):
        return True
    is_some = new.quantity.kind == "number" and _SOME.match(new.text, new.quantity.end)
    if is_some or not _NO_SUBJECT.sub("", lead).strip():
        return True  # some of them, or what some of them do
    if _THEIRS.search(lead) and not _THEIRS.search(old.text):
        return True
    if _I.match(old.text, clauses.first(old.text, old.start)) and not _OURS.search(lead):
        return True
    under = _UNDER.finditer(new.text, new.quantity.end, new.end)
    if any(_is_new(telling(match["what"]) - _NOW, old) for match in under):
        return True
    return _is_joined(new, old)


def is_apart(new: Given, old: Given) -> bool:
    """Whether the newer words name another sort, a part, a place or somebody of their own.

    "The front door", "the chapter of the book", "on the treadmill my pulse", "she has".
    """
    where = _WHERE.match(new.text, new.start, new.quantity.start)
    if where and _is_new(telling(where["what"]), old):
        return True
    if topics.does_other(new, old) or _is_of_another(new, old):
        return True
    return _is_of_sort(new, old, list(_behind(new, old))) or _is_in_part(new, old)


def _is_new(words: frozenset[str], old: Given) -> bool:
    """Whether there are words, and an older sentence has none of them."""
    return bool(words) and not any(is_known(word, old.every) for word in words)


def _is_of_another(new: Given, old: Given) -> bool:
    """Whether "she" or "which" in the newer clause can hardly mean what the older one is of."""
    does = list(_DOES.finditer(new.text, new.start, new.quantity.start))
    who = (does[-1]["who"] or "").casefold() if does else ""
    if who in {"he", "she"} and not scope.knows_somebody(old.text):
        return not _MINE.search(new.text, does[-1].end(), new.end)
    return who in {"which", "it"} and _is_new(telling(new.text[: new.quantity.start]), old)


def _is_of_sort(new: Given, old: Given, behind: list[tuple[re.Match[str], bool]]) -> bool:
    """Whether a new word stands right before one of the older sentence, before or after a value."""
    for said in (list(_lead(new, old)), behind):
        for (word, is_old), (after, is_next_old) in pairwise(said):
            between = new.text[word.end() : after.start()]
            if is_next_old and not is_old and between in _BESIDE:
                return True
    return False


def _is_in_part(new: Given, old: Given) -> bool:
    """Whether a count is of something in what the older one is of, or of it at one place."""
    is_count = new.quantity.kind == "number" and new.quantity.unit != ""
    said = list(_lead(new, old))
    for (word, is_old), (after, is_next_old) in pairwise(said):
        between = new.text[word.end() : after.start()]
        if is_old and not is_next_old and _AT_ONE.fullmatch(between):
            return True
        if is_count and not is_old and is_next_old and _WITHIN.fullmatch(between):
            return not telling(word[0]) & HEADS
    return False


def _is_joined(new: Given, old: Given) -> bool:
    """Whether a new word is joined to what the older value is of, stands behind it, or for it."""
    is_after, before = False, None
    for match, is_old in _lead(new, old):
        if is_old and before and _LINKS.fullmatch(new.text, before.end(), match.start()):
            return True
        if not is_old and is_after:
            return True
        is_after, before = is_after or is_old, None if is_old else match
    if before is None or is_after:
        return False
    return not _DOES.search(new.text, new.start, new.quantity.start)


def _lead(new: Given, old: Given) -> Iterator[tuple[re.Match[str], bool]]:
    """Yield the telling words that lead to a newer value, and whether the older sentence has them.

    From what somebody does on, who is named before: "we scaled the cluster to".
    """
    does = list(_DOES.finditer(new.text, new.start, new.quantity.start))
    start = does[-1].end() if does else new.start
    for match in WORD.finditer(new.text, start, new.quantity.start):
        said = (telling(match[0]) | keys(match[0]) & _SORTS) - HOLDS - SMALL
        if said and not match[0].endswith("ly"):
            yield match, not _is_new(said, old)


def _behind(new: Given, old: Given) -> Iterator[tuple[re.Match[str], bool]]:
    """Yield the same of the words behind it."""
    for match in WORD.finditer(new.text, new.quantity.end, new.core_end):
        if said := telling(match[0]) - HOLDS:
            yield match, not _is_new(said, old)
