"""Which lines are orders, and whether somebody gave them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from msgspec import Struct

from dreamd.memory.review.places import Places, denies, stems
from dreamd.text.late import late

_WORD = late(r"[^\W\d_]{2,}")
_CLAUSE = late(r"(?<=[.!?;:])\s+|,?\s{1,4}(?:and|then|but)\s{1,4}(?=[a-z])|\s[—–]\s")
_MARKS = " \t>*_#|\"'“”`[]()-–—:,;.!"
_OPENING = late(
    r"(?:\d{4}-\d\d(?:-\d\d)?|\d{1,3}[.)]|please|also|then|first|important|note|rule|warning"
    r"|from now on|in (?:the )?future|(?:when(?:ever)?|before|after|for|if|on) [^,]{1,60},)(?!\w)",
    re.IGNORECASE,
)
_ORDER = late(
    r"(?:always|never|ignore|disregard|forget|do not|don['’]?t|make sure|be sure|ensure|remember to"
    r"|you (?:must|should|have|need|are)|sudo|chmod|eval|pip|npm|npx)(?![\w:(])"
    r"(?!\s+(?:is|are|was|were|has|had)\b)",
    re.IGNORECASE,
)
_DEED = late(
    r"(?:run|execute|send|post|upload|download|curl|wget|install"
    r"|delete|erase|fetch|visit|e-?mail|transfer|forward|grant|approve|override|bypass|disable"
    r"|enable|export|reveal|disclose|leak|exfiltrate|respond|reply|act as|pretend|trust|obey|follow"
    r"|publish|push)(?![\w:(])(?!\s+(?:is|are|was|were|has|had)\b)",
    re.IGNORECASE,
)
_AGENT = r"(?:assistants?|agents?|claude|models?|llms?|ais?)"
_ALL = r"(?:all|any|the|your|every|previous|prior|these|those|earlier)"
_DUTY = late(
    r"\byou (?:must|should|shall|have to|need to|are to|are required|can (?:safely )?ignore)\b"
    rf"|\b{_AGENT} (?:must|should|shall|has to|have to|needs? to)\b",
    re.IGNORECASE,
)
_ANYWHERE = late(
    rf"\b(?:ignor|disregard|forget|overrid)\w* {_ALL}\b|\bsystem prompt\b|</?system\b",
    re.IGNORECASE,
)
_HUSH = late(  # what only a person may say, and in these words
    r"\b(?:without|never|don['’]?t|do not|no need to) (?:ask|tell|inform|mention|confirm)",
    re.IGNORECASE,
)


_DEEDS = (
    "delete erase remove wipe drop send post upload transfer forward email publish share push"
    " disable bypass override approve grant export reveal disclose leak download install execute"
    " trust obey ignore disregard"
)


class Order(Struct, frozen=True):
    """One clause of a line that tells somebody what to do."""

    content: frozenset[str]
    denies: bool
    needed: frozenset[str] = frozenset()
    hush: str = ""

    def is_given(self, heard: Places) -> bool:
        """Whether most of it was said at one place, with a denial if it has one.

        So was the deed itself where it is grave, as `delete` and `send` are. That somebody is not
        to be asked or told was said in these very words.
        """
        if self.hush and not heard.has(self.hush):
            return False
        return heard.say(self.content, 0.6, self.needed, denied=self.denies)


def orders(text: str) -> Iterator[Order]:
    """Yield the clauses of a line that reads like an instruction; none of one that does not."""
    clauses = [clause for clause in _CLAUSE.split(text) if _WORD.search(clause)]
    signs = (_DUTY, _ANYWHERE, _HUSH)
    if not (any(sign.search(text) for sign in signs) or any(map(_commands, clauses))):
        return
    for clause in clauses:
        content = stems(clause)
        if content:
            hush = _HUSH.search(clause)
            grave, quiet = content & _GRAVE, hush[0].lower() if hush else ""
            yield Order(content, denies(clause.lower()), grave, quiet)


def _commands(clause: str) -> bool:
    """Whether a clause begins as an order does, after a date and the like."""
    rest = clause.strip(_MARKS)
    for _ in range(3):
        if _ORDER.match(rest) or _DEED.match(rest):
            return True
        opening = _OPENING.match(rest)
        if opening is None:
            return False
        rest = rest[opening.end() :].strip(_MARKS)
    return bool(_ORDER.match(rest) or _DEED.match(rest))


_GRAVE = stems(_DEEDS)
