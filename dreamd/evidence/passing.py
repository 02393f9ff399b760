"""What daily notes state of one day only, or what a later one told otherwise."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Sequence
from datetime import date
from math import ceil

from dreamd.domain.evidence import ClaimKind, Snippet
from dreamd.evidence.deep import NOTED_DAYS
from dreamd.evidence.recurring import Recurring
from dreamd.text.late import late
from dreamd.text.time.dates import relative_phrases

_FORM = 3  # lines; fewer may recur together as facts do
_ROUNDED = 1e-9  # so that seven tenths of ten words are seven
_LASTING = {ClaimKind.DECISION, ClaimKind.PREFERENCE, ClaimKind.INSTRUCTION}
_DEED = late(  # "Ran the tests", "The weather was fine": done or so on that day
    r"(?:\w{2,}ed|ran|met|got|went|had|did|made|wrote|sent|saw|spent|bought|sold|paid|took|came"
    r"|felt|slept|began|built|found|read|cut|set|put|left|gave|told|spoke|kept|brought|thought)\b"
    r"(?!\s(?:that|out\sthat|by)\b)|(?:the\s)?user\s(?:asked|wanted|requested|reported|said)\b|(?:[\w'-]+\s){1,6}?(?:was|were)\b",
    re.IGNORECASE,
)
_UNSURE = late(
    r"\b(?:maybe|perhaps|probably|might|i\s(?:think|guess|believe|hope)"
    r"|(?:want|need|plan|hope|try)(?:s|ing|ning)?\sto)\b",
    re.IGNORECASE,
)


def passing(claims: Sequence[Recurring], alike: float, *, least_days: int = 0) -> frozenset[int]:
    """Return the numbers of those claims of daily notes that do not last.

    They tell of their day only, as deeds and what is told from the day (`yesterday`) do, or in
    words that are not sure. Of those that recur often enough also what a later day told with
    other figures (the words without the figures are `alike`, as in `recurring`), and what is part
    of a form: it never stands without several others, the same word for word. Those of fewer days
    than `least_days` are not looked at.
    """
    noted = [(number, each, len(each.days)) for number, each in enumerate(claims) if each.is_noted]
    often = [(number, each) for number, each, days in noted if days >= NOTED_DAYS]
    found = {
        number
        for number, mine, days in noted
        if days >= least_days and _is_of_its_day(mine.snippet)
    }
    found |= _forms(often)
    if often:
        told = _Told(claims, alike)
        told.know_places(number for number, _ in often)
        found |= {number for number, _ in often if told.is_changed(number)}
    return frozenset(found)


def _forms(often: Sequence[tuple[int, Recurring]]) -> set[int]:
    """Return those that never stand without several others, word for word, in the same note."""
    alike = [each for each in often if len({said.statement for said in each[1].sightings}) == 1]
    beside: dict[str, set[int]] = defaultdict(set)
    for number, claim in alike:
        for said in claim.sightings:
            beside[said.session].add(number)
    return {
        number
        for number, claim in alike
        if len(set.intersection(*(beside[said.session] for said in claim.sightings))) >= _FORM
    }


class _Told:
    """What claims tell, by their words without the figures."""

    def __init__(self, claims: Sequence[Recurring], alike: float) -> None:
        self._alike = alike
        self._last = [each.sightings[-1].day or date.min for each in claims]
        self._words: list[frozenset[str]] = []
        self._figures: list[frozenset[str]] = []
        for each in claims:
            tags = frozenset(each.snippet.tags)
            figures = frozenset([tag for tag in tags if tag[0].isdigit()])
            self._figures.append(figures)
            self._words.append(tags - figures if figures else tags)
        self._counts = Counter(word for words in self._words for word in words)
        self._places: dict[str, list[int]] = {}

    def know_places(self, claims: Iterable[int]) -> None:
        """Know where the words stand by which others like some claims are found."""
        places = self._places
        places.update((word, []) for each in claims for word in self._rare(each))
        for number, words in enumerate(self._words):
            for word in words & places.keys():
                places[word].append(number)

    def is_changed(self, mine: int) -> bool:
        """Whether a later claim tells the same of other figures: it has one of the rarest words."""
        near = {number for word in self._rare(mine) for number in self._places[word]}
        last = self._last
        return any(last[each] > last[mine] and self._differs(each, mine) for each in near)

    def _rare(self, mine: int) -> Sequence[str]:
        words = self._words[mine]
        lacks = len(words) - ceil(self._alike * len(words) - _ROUNDED)
        return sorted(words, key=lambda word: (self._counts[word], word))[: lacks + 1]

    def _differs(self, one: int, other: int) -> bool:
        """Whether two claims tell the same of other figures."""
        both = len(self._words[one] & self._words[other])
        either = len(self._words[one]) + len(self._words[other]) - both
        return both >= self._alike * either > 0 and self._figures[one] != self._figures[other]


def _is_of_its_day(snippet: Snippet) -> bool:
    said = snippet.statement
    is_deed = snippet.kind not in _LASTING and _DEED.match(said) is not None
    return bool(is_deed or _UNSURE.search(said) or relative_phrases(said))
