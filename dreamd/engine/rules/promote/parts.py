"""Sentences of a statement, for where there is room for one of them and not for all."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Iterator
from collections.abc import Set as AbstractSet
from dataclasses import replace
from itertools import combinations

from dreamd.domain.evidence import PERSON, Candidate
from dreamd.domain.prose.concepts import tags
from dreamd.domain.prose.labelled import LABEL
from dreamd.domain.prose.leaning import leans_back
from dreamd.domain.prose.quoted import masked
from dreamd.domain.prose.sentences import sentences
from dreamd.domain.prose.speech import Paragraph

_SUBJECT = re.compile(r"(?:(?:my|our)\s+[\w-]+|i|we)\s", re.IGNORECASE)
_GOES_ON = re.compile(  # with what was told
    r"(?:(?:after|before|by|in|for|with|since|unlike)\s+(?:that|this|then|those|these|him|it|them)\b"
    r"|(?:each|neither|either|otherwise|afterwards|especially|mostly|who|where|same|not|the\s+one)\b)",
    re.IGNORECASE,
)
_OF_ANOTHER = re.compile(r"\b(?:it|they|them|those|these|he|she|him|mine|ones)\b", re.IGNORECASE)
_NAMED = re.compile(  # what a word behind it may stand for
    r"\b(?:an?|the|my|our|his|her|their)\s+(?!first\b|second\b|same\b|other\b)\w"
    r"|\s(?-i:(?!I\b)[A-Z])",
    re.IGNORECASE,
)
_PERSONS = re.compile(r"(?:he|she|him)\b", re.IGNORECASE)
_FEWEST = 4  # concepts of a sentence that tells something by itself


def parts(candidate: Candidate) -> Iterator[Candidate]:
    """Yield sentences of a person's statement that follow each other as candidates, longest first.

    None begins with a sentence that leans on the one before, or ends before one: that would have
    nothing to stand on later. Each is drawn from its own words only: the others may still come.
    A statement of one sentence has no parts, and what tells next to nothing by itself is none.
    """
    said = candidate.snippet
    label = LABEL.match(said.statement)
    name = label[0] if label else ""
    statement = said.statement[len(name) :]
    whole = sentences(Paragraph(statement, masked(statement)))
    if said.speaker != PERSON:
        return
    cuts = [0, *(at for at in range(1, len(whole)) if not _leans(whole[at].shown)), len(whole)]
    spans = [
        " ".join(each.text for each in whole[start:end])
        for start, end in combinations(cuts, 2)
        if end - start < len(whole)
    ]
    for words in sorted(spans, key=len, reverse=True):
        concepts = tags(name + words)
        if len(concepts) >= _FEWEST:
            quote = _quoted(words, said.quote)
            part = replace(said, statement=name + words, quote=quote, tags=concepts)
            yield replace(candidate, snippet=part)


def _leans(shown: str) -> bool:
    """Whether a sentence needs the one before it, or is the end of one that a mark broke off.

    "I bought them in May" does, "I sold my car, for it was old" does not.
    """
    if leans_back(shown) or _GOES_ON.match(shown) or shown[:1].islower():
        return True
    found = _OF_ANOTHER.search(shown)
    subject = _SUBJECT.match(shown)
    start = subject.end() if found and subject and not _PERSONS.match(found[0]) else 0
    return found is not None and not _NAMED.search(shown, start, found.start())


def left(candidates: Iterable[Candidate], drawn: AbstractSet[tuple[str, str]]) -> list[Candidate]:
    """Return what is left of candidates, without those of which a message and quote were written.

    Of one of which some sentences were written the others are left.
    """
    messages = {message for message, _ in drawn}
    found: list[Candidate] = []
    for each in candidates:
        if each.snippet.message not in messages:
            found.append(each)
        elif _key(each) not in drawn:
            those = [*parts(each)]
            taken = [part.snippet.quote for part in those if _key(part) in drawn]
            found += undrawn(each, lambda of: _overlaps(of, taken)) if taken else (each,)  # noqa: B023
    return found


def undrawn(candidate: Candidate, is_drawn: Callable[[str], bool]) -> list[Candidate]:
    """Return what is left of a candidate of which some words were drawn on, each sentence once.

    That is the longest runs of its sentences with no quote that `is_drawn`.
    """
    found: list[Candidate] = []
    for each in parts(candidate):
        quote = each.snippet.quote
        if not is_drawn(quote) and not any(quote in one.snippet.quote for one in found):
            found.append(each)
    return found


def _key(candidate: Candidate) -> tuple[str, str]:
    return candidate.snippet.message, candidate.snippet.quote


def _overlaps(quote: str, taken: Iterable[str]) -> bool:
    return any(quote in each or each in quote for each in taken)


def _quoted(words: str, quote: str) -> str:
    """Return words as the quote has them, whatever its first letter; all of it if it has not."""
    at = quote.find(words[1:-1])
    return quote[at - 1 : at + len(words) - 1] if at > 0 else quote
