"""Whether a value is only wished for, asked about, or told of another time."""

from __future__ import annotations

import re

from dreamd.domain.prose.cued import cued
from dreamd.text.late import late

_FEW = 2
_CHECKS = late(
    r"\W*(?:do|does|did|is|are|was|were|has|have|had|will|isn't|wasn't|doesn't)\s", re.IGNORECASE
)
_WOULD = late(r"\b(?:would|could|might|should|as\san\sexample)\b|\w['’]d\b", re.IGNORECASE)  # noqa: RUF001
_WANTED = cued(  # "a job where my salary is": of what somebody only wants or orders
    r"\b(?:wants?|wish|like|need|looking\s+for|write|make|create|give|build|add)\s[^.;]*?\s(?:where|in\s+which)\b",
    "where which",
)
_WITH = late(r"\W*with\s", re.IGNORECASE)
_WHAT_IF = late(r"\b(?:how|what|when|where|which|why)\s(?:would|could|might)\b", re.IGNORECASE)
_WAS = late(r"\b(?:was|were|had)\s(?:[\w'-]+\s){0,3}?$", re.IGNORECASE)


def is_wished(text: str, at: int, end: int) -> bool:
    """Whether what follows a value in its clause says that it would be so."""
    return _WOULD.search(text, at, end) is not None


def is_told_of_then(text: str, start: int, at: int) -> bool:
    """Whether a value is told in the past tense: "there were 5 of us"."""
    return _WAS.search(text, start, at) is not None


def is_checked(text: str, at: int) -> bool:
    """Whether a question asks if the value at a column holds: "does it return 250 items?"."""
    found = _CHECKS.match(text)
    return found is not None and len(text[found.end() : at].split()) >= _FEW


def is_wanted(text: str, start: int, at: int) -> bool:
    """Whether a value is of what is only wanted or supposed: "with 8 shards, how would"."""
    if _WANTED.search(text, start, at):
        return True
    return bool(_WITH.match(text, start) and _WHAT_IF.search(text, at))
