"""Whether all that one statement says stands in another one already."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dreamd.domain.evidence import Candidate
from dreamd.text.late import late

_DENIES = late(
    r"\b(?:not|never|no|none|nobody|nothing|neither|nor|without|cannot)\b|n['’]t\b",  # noqa: RUF001
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Said:
    """What a candidate says: its concepts, and by figure the words before and behind it."""

    concepts: frozenset[object]
    figures: Mapping[str, tuple[str, str]]
    firmness: float
    denies: bool


def said(candidate: Candidate, concepts: Iterable[object]) -> Said:
    """Return what a candidate says; `concepts` are what its lines are told apart by."""
    tags = candidate.snippet.tags
    around = zip(("", *tags), tags, (*tags[1:], ""), strict=False)
    beside = {tag: (before, behind) for before, tag, behind in around if tag[0].isdigit()}
    denies = _DENIES.search(candidate.snippet.statement) is not None
    return Said(frozenset(concepts), beside, candidate.firmness, denies)


def covers(one: Said, other: Said) -> bool:
    """Whether `one` says all that `other` does, no less firmly, and denies if it does.

    Each figure has the same word before or behind it: that of another thing is another.
    """
    if one.denies != other.denies or one.firmness < other.firmness:
        return False
    if not other.concepts <= one.concepts:
        return False
    return all(
        _is_same(beside, one.figures.get(figure, beside))
        for figure, beside in other.figures.items()
    )


def _is_same(mine: tuple[str, str], theirs: tuple[str, str]) -> bool:
    """Whether what stands before a figure, or behind it, is the same, if there is anything."""
    return not any(mine) or any(a and a == b for a, b in zip(mine, theirs, strict=True))


class Covering:
    """Statements by their concepts, to be asked which cover another one, and which it covers."""

    def __init__(self) -> None:
        self._by_concept: dict[object, dict[int, Said]] = defaultdict(dict)

    def add(self, number: int, what: Said) -> None:
        """Let a statement be found from now on."""
        for concept in what.concepts:
            self._by_concept[concept][number] = what

    def remove(self, number: int, what: Said) -> None:
        """Let a statement be found no more."""
        for concept in what.concepts:
            del self._by_concept[concept][number]

    def cover(self, what: Said) -> bool:
        """Whether one of the statements says all of another one."""
        having = [self._by_concept.get(concept, {}) for concept in what.concepts]
        rarest: Mapping[int, Said] = min(having, key=len, default={})
        return any(covers(each, what) for each in rarest.values())

    def covered(self, what: Said) -> list[int]:
        """Return the numbers of those that another statement says all of."""
        near: dict[int, Said] = {}
        for concept in what.concepts:
            near |= self._by_concept.get(concept, {})
        return [number for number, each in near.items() if covers(what, each)]
