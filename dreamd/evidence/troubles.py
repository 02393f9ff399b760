"""Whether a statement tells only how things go just now, or also what holds beside that."""

from __future__ import annotations

import re

from dreamd.domain.prose.cued import cued
from dreamd.text.late import late

_TROUBLES = cued(
    r"\b(?:having\s+(?:some\s+|a\s+bit\s+of\s+)?(?:trouble|issues?|problems?|difficult\w+|a\s+hard\s+time)|struggling"
    r"|stuck(?!\s+(?:on|with)\s+(?-i:[A-Z])(?!tep|ine|art|ask|uestion|xercise|hapter|ption|\w*day))"
    r"|confused|wondering|not\s+(?:\w+\s+)?sure|unsure|getting\s+(?:an?|this|the|some)\s+(?:\S+\s+){0,4}?(?:errors?|issues?|problems?|exceptions?|warnings?|response|traceback|message)\b|the\s+error|experiencing|encounter\w*"
    r"|(?:can't|cannot|don't)\s+(?:see|find)(?=\s+(?:it|that|this|any|an?|the|how|what|where|why|which|lines?)\b)|not\s+(?:\w+\s+)?clear|(?:this|it|that)\s+(?:fails|breaks|crashes)"
    r"|doesn't\s+work|not\s+working|still\s+(?:fails?|failing|broken))\b",
    "having struggling stuck confused wondering sure unsure getting error experiencing encounter*"
    " see find clear breaks crashes work working fail fails failing broken",
)
_TRIED = cued(
    r"\b(?:i|we)(?:['’]ve|\s+have)\s+(?:(?:also|already|even|just)\s+)*(?:been\s+)?(?:tried|trying)\b",  # noqa: RUF001
    "tried trying",
    "i we",
)
_CLAUSES = late(
    r"[.!]\s+|[;—–]\s|\s-\s|,?\s(?:but|so|which|because|after|until|now\sthat|since|who)\s"  # noqa: RUF001
    r"|,?\sand\s(?=(?:i|we|my|our|it|its|they|he|she|there)\b)"
    r"|,\s(?=(?:i|we|my|our|it|its|the|they|he|she)\b)",
    re.IGNORECASE,
)
_FIGURE = late(r"\d")
_STATUS = late(  # of a request to a server, or a place in code or a text: part of the trouble
    r"\b(?:lines?|steps?|exercises?|questions?|options?|parts?|pages?|chapters?|sections?|tasks?|forms?)\s+\d[\d.-]*|"
    r"\b[1-5]\d\d\b(?=\s+(?:\w+\s+){0,2}(?:errors?|response|status)\b)|\b(?:status|code|returns?|error)\s+(?:an?\s+)?[1-5]\d\d\b",
    re.IGNORECASE,
)
_SETTLES = late(  # what was decided, or how the trouble was ended
    r"\b(?:i|we)(?:['’]ve|\s+have)?\s+(?:(?:already|also|just|now|finally)\s+)*(?:decided|agreed|chose|chosen|switched)\b"  # noqa: RUF001
    r"|\b(?:re)?sol(?:ve|ves|ved|ving)\b.*\bby\s+\w+ing\b|\b(?:fix(?:ed)?|overc[ao]me|got\s+(?:rid|around|past))\b.*\bby\s+\w+ing\b",
    re.IGNORECASE,
)


def is_trouble(statement: str) -> bool:
    """Whether a statement is of what fails, is unclear or was only tried.

    It is not where a clause beside it counts, dates or decides something, or tells the remedy:
    "I'm on Rust 1.79, but I'm having trouble with the parser" says what the person uses. A
    server's status counts nothing.
    """
    if not (_TROUBLES.search(statement) or _TRIED.search(statement)):
        return False
    clauses = _CLAUSES.split(_STATUS.sub("", statement))
    return not any(map(_holds, clauses))


def settles(statement: str) -> bool:
    """Whether a statement says what was decided, or how a trouble was ended."""
    return _SETTLES.search(statement) is not None


def _holds(clause: str) -> bool:
    says = _FIGURE.search(clause) or _SETTLES.search(clause)
    return bool(says) and not (_TROUBLES.search(clause) or _TRIED.search(clause))
