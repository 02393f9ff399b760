"""Sentences of a statement, for where there is room for one of them and not for all."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
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

_FEWEST = 4  # concepts of a sentence that tells something by itself


def parts(candidate: Candidate) -> Iterator[Candidate]:
    """Yield sentences of a person's statement that follow each other as candidates, longest first.

    None begins with a sentence that leans on the one before, and each is drawn from its own words
    only: the others may still come. A statement of one sentence has no parts, and what tells next
    to nothing by itself is none.
    """
    said = candidate.snippet
    label = LABEL.match(said.statement)
    name = label[0] if label else ""
    statement = said.statement[len(name) :]
    whole = sentences(Paragraph(statement, masked(statement)))
    if said.speaker != PERSON:
        return
    spans = [
        " ".join(each.text for each in whole[start:end])
        for start, end in combinations(range(len(whole) + 1), 2)
        if end - start < len(whole) and not (start and leans_back(whole[start].shown))
    ]
    for words in sorted(spans, key=len, reverse=True):
        concepts = tags(name + words)
        if len(concepts) >= _FEWEST:
            quote = _quoted(words, said.quote)
            part = replace(said, statement=name + words, quote=quote, tags=concepts)
            yield replace(candidate, snippet=part)


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
            rest = (part for part in those if not _overlaps(part.snippet.quote, taken))
            found += rest if taken else (each,)
    return found


def _key(candidate: Candidate) -> tuple[str, str]:
    return candidate.snippet.message, candidate.snippet.quote


def _overlaps(quote: str, taken: Iterable[str]) -> bool:
    return any(quote in each or each in quote for each in taken)


def _quoted(words: str, quote: str) -> str:
    """Return words as the quote has them, whatever its first letter; all of it if it has not."""
    at = quote.find(words[1:-1])
    return quote[at - 1 : at + len(words) - 1] if at > 0 else quote
