"""Whether two words of a line would bring it closer to another one if they changed places."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import product

from dreamd.engine.rules.near.term import Term, is_time

_NEAR, _NEXT, _OWN = 1, 2, 3  # what a word two places off, the next one and its phrase count
Item = tuple[str, str]


@dataclass(frozen=True, slots=True)
class Line:
    """The words of a line that are not light, by family, and the terms they are."""

    terms: tuple[Term, ...]
    families: tuple[str, ...]

    @property
    def items(self) -> list[Item]:
        """Return each word with the class of the preposition that leads it."""
        return [(each, term.head) for each, term in zip(self.families, self.terms, strict=True)]


def pairs(mine: Line, theirs: Line) -> Iterator[tuple[int, int]]:
    """Yield the places of each word in both lines, the first of one line with that of the other."""
    places: dict[str, list[int]] = {}
    for place, each in enumerate(theirs.families):
        places.setdefault(each, []).append(place)
    for place, each in enumerate(mine.families):
        yield place, places[each].pop(0)


def is_exchanged(mine: Line, theirs: Line) -> bool:
    """Whether two words, or two phrases, would bring the lines closer if they changed places."""
    fixed = {
        here
        for here, there in pairs(mine, theirs)
        if mine.terms[here].head and mine.terms[here].head == theirs.terms[there].head
    }
    items, told = mine.items, _ties(theirs.items)
    now = _shared(items, told)
    return any(_shared(moved, told) > now for moved in _exchanges(items, mine.terms, fixed))


def _exchanges(items: list[Item], terms: Sequence[Term], fixed: set[int]) -> Iterator[list[Item]]:
    """Yield items with two runs of one or two exchanged; what is fixed takes its head along."""
    for size, length in product((1, 2), repeat=2):
        for first in range(len(items)):
            for second in range(first + size, len(items) - length + 1):
                both = [*range(first, first + size), *range(second, second + length)]
                if len({_is_amount(terms[n]) for n in both}) > 1:
                    continue
                one, other = items[first : first + size], items[second : second + length]
                if first not in fixed and second not in fixed:
                    heads = one[0][1], other[0][1]
                    one = [(one[0][0], heads[1]), *one[1:]]
                    other = [(other[0][0], heads[0]), *other[1:]]
                between = items[first + size : second]
                if not between and first in fixed and second in fixed:
                    continue  # "in the shed behind the house"
                yield [*items[:first], *other, *between, *one, *items[second + length :]]


def _is_amount(term: Term) -> bool:
    return term.is_value or is_time(term)


def _ties(items: Sequence[Item]) -> Counter[tuple[str, ...]]:
    """Return what ties the words of a line: the next one, the one after that, and what leads."""
    found: Counter[tuple[str, ...]] = Counter()
    for place, item in enumerate(items):
        found[item] += _OWN
        for off, count in ((1, _NEXT), (2, _NEAR)):
            if place + off < len(items):
                found[item[0], str(off), items[place + off][0]] += count
    return found


def _shared(items: Sequence[Item], told: Counter[tuple[str, ...]]) -> int:
    return (_ties(items) & told).total()
