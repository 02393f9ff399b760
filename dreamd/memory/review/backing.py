"""Whether the words of a line stand together in what someone said, and which lines are orders."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass
from math import ceil

from dreamd.domain.values import Grounds
from dreamd.domain.values.grounds import APART
from dreamd.domain.values.vocabulary import GRAMMAR

_BEFORE, _AFTER = 180, 240  # characters around a word that are what was said with it
_PLACES = 200  # of one word that are looked at
_WORD = re.compile(r"[^\W\d_]{2,}")
_SUFFIX = re.compile(r"(?:ings?|ed|ers?|ments?|ions?|ly|es|s|e)$")
_DENIAL = re.compile(r"\b(?:not|never|no|without|cannot|avoid|stop|nobody|none|\w+n['’]?t)\b")  # noqa: RUF001
_CLAUSE = re.compile(r"(?<=[.!?;:])\s+|,?\s+(?:and|then|but)\s+(?=[a-z])|\s[—–]\s")  # noqa: RUF001
_MARKS = " \t>*_#|\"'“”`[]()-–—:,;.!"  # noqa: RUF001
_OPENING = re.compile(
    r"(?:\d{4}-\d\d(?:-\d\d)?|\d{1,3}[.)]|please|also|then|first|important|note|rule|warning"
    r"|from now on|in (?:the )?future|(?:when(?:ever)?|before|after|for|if|on) [^,]{1,60},)(?!\w)",
    re.IGNORECASE,
)
_ORDER = re.compile(
    r"(?:always|never|ignore|disregard|forget|do not|don['’]?t|make sure|be sure|ensure|remember to"  # noqa: RUF001
    r"|you (?:must|should|have|need|are)|run|execute|send|post|upload|download|curl|wget|install"
    r"|delete|erase|fetch|visit|e-?mail|transfer|forward|grant|approve|override|bypass|disable"
    r"|enable|export|reveal|disclose|leak|exfiltrate|respond|reply|act as|pretend|trust|obey|follow"
    r"|publish|push|sudo|chmod|eval|pip|npm|npx)(?![\w:(])(?!\s+(?:is|are|was|were|has|had)\b)",
    re.IGNORECASE,
)
_AGENT = r"(?:assistants?|agents?|claude|models?|llms?|ais?)"
_ALL = r"(?:all|any|the|your|every|previous|prior|these|those|earlier)"
_ANYWHERE = re.compile(
    r"\byou (?:must|should|shall|have to|need to|are to|are required|can (?:safely )?ignore)\b"
    rf"|\b{_AGENT} (?:must|should|shall|has to|have to|needs? to)\b"
    rf"|\b(?:ignor|disregard|forget|overrid)\w* {_ALL}\b|\bsystem prompt\b|</?system\b",
    re.IGNORECASE,
)
_HUSH = re.compile(  # what only a person may say, and in these words
    r"\b(?:without|never|don['’]?t|do not|no need to) (?:ask|tell|inform|mention|confirm)",  # noqa: RUF001
    re.IGNORECASE,
)


_DEEDS = (
    "delete erase remove wipe drop send post upload transfer forward email publish share push"
    " disable bypass override approve grant export reveal disclose leak download install execute"
    " trust obey ignore disregard"
)


@dataclass(frozen=True, slots=True)
class Order:
    """One clause of a line that tells somebody what to do."""

    content: frozenset[str]
    denies: bool
    needed: frozenset[str] = frozenset()
    hush: str = ""

    def is_given(self, heard: Grounds) -> bool:
        """Whether most of it was said at one place, with a denial if it has one.

        So was the deed itself where it is grave, as `delete` and `send` are. That somebody is not
        to be asked or told was said in these very words.
        """
        if self.hush and not any(self.hush in text for text in heard.texts):
            return False
        return backed(heard, self.content, 0.6, self.needed, denies=self.denies)


def orders(text: str) -> Iterator[Order]:
    """Yield the clauses of a line that reads like an instruction; none of one that does not."""
    clauses = [clause for clause in _CLAUSE.split(text) if _WORD.search(clause)]
    if not (_ANYWHERE.search(text) or _HUSH.search(text) or any(map(_commands, clauses))):
        return
    for clause in clauses:
        content = stems(clause)
        if content:
            hush = _HUSH.search(clause)
            denies = bool(_DENIAL.search(clause.lower()))
            yield Order(content, denies, content & _GRAVE, hush[0].lower() if hush else "")


def _commands(clause: str) -> bool:
    """Whether a clause begins as an order does, after a date and the like."""
    rest = clause.strip(_MARKS)
    for _ in range(3):
        if _ORDER.match(rest):
            return True
        opening = _OPENING.match(rest)
        if opening is None:
            return False
        rest = rest[opening.end() :].strip(_MARKS)
    return bool(_ORDER.match(rest))


def stems(text: str) -> frozenset[str]:
    """Return the words of a text that say something, without their endings."""
    found = _WORD.findall(text.lower())
    return frozenset(_stem(word) for word in found if word not in GRAMMAR)


def _stem(word: str) -> str:
    short = _SUFFIX.sub("", word)
    return (short if len(short) > 2 else word)[:6]


def backed(
    heard: Grounds,
    content: frozenset[str],
    share: float,
    needed_words: frozenset[str] = frozenset(),
    *,
    denies: bool = False,
) -> bool:
    """Whether this share of the words, the needed ones too, stands together at one place."""
    needed = max(1, ceil(share * len(content) - 1e-9))
    # One of any `len - needed + 1` words stands there; the longest are the rarest.
    anchors = sorted(content, key=lambda word: (-len(word), word))[: len(content) - needed + 1]
    for text in heard.texts:
        for anchor in anchors:
            for place in _places(text, anchor):
                if sum(word in place for word in content) < needed:
                    continue  # a stem begins its word: quick, not exact
                there = content & stems(place)
                if len(there) < needed or not needed_words <= there:
                    continue
                if not denies or _DENIAL.search(place):
                    return True
    return False


def _places(text: str, anchor: str) -> Iterator[str]:
    """Yield what stands around a word in its text, wherever it begins one."""
    at, count = text.find(anchor), 0
    while at >= 0 and count < _PLACES:
        if not text[at - 1 : at].isalnum():
            before = text[max(at - _BEFORE, 0) : at].rpartition(APART)[2]
            yield before + text[at : at + _AFTER].partition(APART)[0]
            count += 1
        at = text.find(anchor, at + 1)


_GRAVE = stems(_DEEDS)
