"""A value within a noun phrase that takes it for granted: my table read on April 13, the 15 nurses.

Whatever the sentence around it asks, plans or does, people name a thing so because it is so.
"""

from __future__ import annotations

import re
from dataclasses import replace

from dreamd.engine.rules.updates.cues import ABOUT
from dreamd.engine.rules.updates.given import Given, is_known, telling
from dreamd.engine.rules.updates.quantities import DAYS
from dreamd.text.late import late

_FEW = 2  # words
_OWN = (
    r"(?:my|our|the|his|her|their|its"
    r"|(?!(?:it|that|there|he|she|what|here|let|who)\W)[^\W\d_]+['’]s)"  # noqa: RUF001
)
_WORDS = r"(?:(?!(?:and|or|but|to|that|which|who|with|is|are|was|were)\s)[\w'’-]+\s)"  # noqa: RUF001
_DAY = late(  # before my table read on April 13
    rf".*\b(?:about|before|after|until)\s(?P<what>{_OWN}\s{_WORDS}{{1,5}}?)(?:(?:coming\sup|planned|scheduled|set|due|here)\s)?"
    rf"(?:on|at)\s{ABOUT}$",
    re.IGNORECASE,
)
_OF = late(  # my refund of $1,185
    rf".*(?<!\bof\s)(?<!\bon\s)(?<!\bin\s)(?<!\bto\s)(?<!\bfor\s)(?<!\breach\s)(?<!\bget\s)"
    rf"(?<!\bhave\s)(?<!\bwant\s)(?<!\bneed\s)\b(?P<what>{_OWN}\s{_WORDS}{{1,4}}?)of\s{ABOUT}$",
    re.IGNORECASE,
)
_COUNTED = late(  # the 15 nurses, its 88 responses
    rf"(?<!\bfor\s)\b(?:{_OWN}|these|those)\s{ABOUT}$", re.IGNORECASE
)
_BEHIND = late(  # the nouns behind a value, and what stands with them
    r"(?:[\s-](?!(?:of|on|in|for|at|from|left|per|by|as|than|when|because|so|if|and|or|but|to|that"
    r"|which|who|with|is|are|was|were|i|we|they|he|she|it)\b)[\w'’-]+){1,3}"  # noqa: RUF001
    r"(?:(?:\sleft)?\s(?:of|on|in|for|at|from)\s(?:(?:my|our|the|his|her|their|this)\s)?"
    r"[\w'’-]+(?:\s[\w'’-]+)?)?",  # noqa: RUF001
    re.IGNORECASE,
)


def described(one: Given) -> Given | None:
    """Return a value with nothing but the noun phrase it stands in as its clause; None without.

    Its text ends where the phrase does.
    """
    text, value = one.text, one.quantity
    before = text[one.start : value.start]
    found = (_DAY if value.kind in DAYS else _OF).match(before)
    if found:
        return _only(one, one.start + found.start("what"), value.end)
    if value.kind in DAYS or one.said[-1:].isalpha() or not _COUNTED.search(before):
        return None
    behind = _BEHIND.match(text, value.end, one.end)
    return _only(one, value.start, behind.end()) if behind else None


def _only(one: Given, start: int, end: int) -> Given | None:
    words = telling(one.text[start:end])
    return (
        replace(
            one, text=one.text[:end], since=start, start=start, end=end, near=words, words=words
        )
        if words
        else None
    )


def is_same(new: Given, old: Given) -> bool:
    """Whether the older sentence knows all that a noun phrase names, some of it by its value.

    They share another word of weight at least, in the phrase or around it.
    """
    if len(new.words) < _FEW and len(new.every & old.every) < _FEW:
        return False
    if new.quantity.kind == "number" and new.quantity.amount < old.quantity.amount:
        return False  # rather some of them
    beside = any(is_known(word, old.words) for word in new.words)
    return beside and all(is_known(word, old.every) for word in new.words)
