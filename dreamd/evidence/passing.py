"""What daily notes state of one day only, or what a later one told otherwise."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from datetime import date

from dreamd.domain.dates import relative_phrases
from dreamd.domain.evidence import ClaimKind, Snippet
from dreamd.evidence.recurring import Recurring

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
    words that are not sure; or a later day told them with other figures: the words without the
    figures are `alike`, as in `recurring`.
    """
    noted = [(number, each) for number, each in enumerate(claims) if each.is_noted]
    return frozenset(
        number
        for number, mine in noted
        if _is_of_its_day(mine.snippet)
        or any(_is_later(other, mine) and _differs(other, mine, alike) for other in claims)
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
