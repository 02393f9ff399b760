"""What daily notes state of one day only, or what a later one told otherwise."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from math import ceil

from dreamd.domain.dates import relative_phrases
from dreamd.domain.evidence import ClaimKind, Snippet
from dreamd.evidence.deep import NOTED_DAYS
from dreamd.evidence.recurring import Recurring

_FORM = 3  # lines; fewer may recur together as facts do
_ROUNDED = 1e-9  # so that seven tenths of ten words are seven
_LASTING = {ClaimKind.DECISION, ClaimKind.PREFERENCE, ClaimKind.INSTRUCTION}
_DEED = re.compile(  # "Ran the tests", "The weather was fine": done or so on that day
    r"(?:\w{2,}ed|ran|met|got|went|had|did|made|wrote|sent|saw|spent|bought|sold|paid|took|came"
    r"|felt|slept|began|built|found|read|cut|set|put|left|gave|told|spoke|kept|brought|thought)\b"
    r"(?!\s(?:that|out\sthat|by)\b)|(?:the\s)?user\s(?:asked|wanted|requested|reported|said)\b|(?:[\w'-]+\s){1,6}?(?:was|were)\b",
    re.IGNORECASE,
)
_UNSURE = re.compile(
    r"\b(?:maybe|perhaps|probably|might|i\s(?:think|guess|believe|hope)"
    r"|(?:want|need|plan|hope|try)(?:s|ing|ning)?\sto)\b",
    re.IGNORECASE,
)


def passing(claims: Sequence[Recurring], alike: float) -> frozenset[int]:
    """Return the numbers of those claims of daily notes that do not last.

    They tell of their day only, as deeds and what is told from the day (`yesterday`) do, or in
    words that are not sure. Of those that recur often enough also what a later day told with
    other figures (the words without the figures are `alike`, as in `recurring`), and what is part
    of a form: it never stands without several others, the same word for word.
    """
    noted = [(number, each) for number, each in enumerate(claims) if each.is_noted]
    often = [(number, each) for number, each in noted if len(each.days) >= NOTED_DAYS]
    found = {number for number, mine in noted if _is_of_its_day(mine.snippet)}
    found |= _forms(often)
    if often:
        places = _by_word(claims)
        found |= {number for number, mine in often if _is_changed(mine, claims, places, alike)}
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


def _by_word(claims: Sequence[Recurring]) -> Mapping[str, Sequence[int]]:
    places: dict[str, list[int]] = defaultdict(list)
    for number, claim in enumerate(claims):
        for tag in claim.snippet.tags:
            if not tag[0].isdigit():
                places[tag].append(number)
    return places


def _is_changed(
    mine: Recurring, claims: Sequence[Recurring], places: Mapping[str, Sequence[int]], alike: float
) -> bool:
    """Whether a later claim tells the same of other figures: it has one of the rarest words."""
    words = [tag for tag in mine.snippet.tags if not tag[0].isdigit()]
    lacks = len(words) - ceil(alike * len(words) - _ROUNDED)
    rare = sorted(words, key=lambda word: len(places[word]))[: lacks + 1]
    near = {number for word in rare for number in places[word]}
    return any(
        _is_later(claims[number], mine) and _differs(claims[number], mine, alike) for number in near
    )


def _is_of_its_day(snippet: Snippet) -> bool:
    said = snippet.statement
    is_deed = snippet.kind not in _LASTING and _DEED.match(said) is not None
    return bool(is_deed or _UNSURE.search(said) or relative_phrases(said))


def _is_later(other: Recurring, mine: Recurring) -> bool:
    return (other.sightings[-1].day or date.min) > (mine.sightings[-1].day or date.min)


def _differs(other: Recurring, mine: Recurring, alike: float) -> bool:
    """Whether two claims tell the same of other figures."""
    one, two = frozenset(other.snippet.tags), frozenset(mine.snippet.tags)
    figures = _figures(one), _figures(two)
    words = one - figures[0], two - figures[1]
    either = len(words[0] | words[1])
    return figures[0] != figures[1] and len(words[0] & words[1]) >= alike * either > 0


def _figures(tags: Iterable[str]) -> frozenset[str]:
    return frozenset(tag for tag in tags if tag[0].isdigit())
