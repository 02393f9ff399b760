"""Statements that say the same, said again: one claim with its sightings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil

from dreamd.domain.evidence import NOTE, Snippet

_CROWDED = 200  # statements; a word in more tells little

_ROUNDED = 1e-9  # so that seven tenths of ten words are seven

_Tags = frozenset[str]


@dataclass(frozen=True, slots=True)
class Recurring:
    """All sightings of one claim, oldest first.

    `snippet` says it best: the newest in the talk, or where it is in daily notes only the newest.
    """

    sightings: tuple[Snippet, ...]

    @property
    def snippet(self) -> Snippet:
        """The sighting to be quoted."""
        newest = self.sightings[-1]
        if newest.speaker != NOTE:
            return newest
        return next((each for each in reversed(self.sightings) if each.speaker != NOTE), newest)

    @property
    def days(self) -> frozenset[date]:
        """The days on which it was said."""
        return frozenset(each.day for each in self.sightings if each.day)

    @property
    def is_noted(self) -> bool:
        """Whether it stands in daily notes only, and was said in no talk."""
        return self.snippet.speaker == NOTE


def recurring(snippets: Iterable[Snippet], alike: float) -> tuple[Recurring, ...]:
    """Return the claims of some statements, in order of their first sighting.

    Two statements are one claim where the same figures stand in both, and the share of words in
    both among those in either (Jaccard) is `alike` or more. What is in one message is said once,
    and so is what stands in the daily notes of one day.
    """
    groups: list[list[Snippet]] = []
    claims = _Claims(alike)
    for snippet in snippets:
        mine = frozenset(snippet.tags)
        figures = frozenset(tag for tag in snippet.tags if tag[0].isdigit())
        found = claims.like(mine, figures)
        if found is None:
            claims.add(mine, figures)
            groups.append([snippet])
        elif not any(_is_once(each, snippet) for each in groups[found]):
            groups[found].append(snippet)
    return tuple(Recurring(tuple(_in_order(group))) for group in groups)


def _is_once(one: Snippet, other: Snippet) -> bool:
    is_noted = one.speaker == NOTE == other.speaker
    return one.message == other.message or (is_noted and one.day == other.day)


def _in_order(group: list[Snippet]) -> list[Snippet]:
    """Return sightings oldest first: those of daily notes come behind all others."""
    if group[-1].speaker != NOTE:
        return group
    return sorted(group, key=lambda each: each.day or date.max)


class _Claims:
    """The words of the claims so far, to be looked up by the rarest of a statement's."""

    def __init__(self, alike: float) -> None:
        self._alike = alike
        self._words: list[_Tags] = []
        self._counts: dict[str, int] = defaultdict(int)
        # By the figures of the statement, which must be the same, and by word.
        self._places: dict[_Tags, dict[str, list[int]]] = defaultdict(dict)

    def add(self, mine: _Tags, figures: _Tags) -> None:
        """Add the next claim; `figures` are those of its words that are."""
        number = len(self._words)
        places = self._places[figures]
        for word in mine:
            self._counts[word] += 1
            places.setdefault(word, []).append(number)
        self._words.append(mine)

    def like(self, mine: _Tags, figures: _Tags) -> int | None:
        """Return the number of the claim that is most alike, the last of several, or None.

        One that is alike enough lacks so few of the words that it has one of the rarest, and
        two where one more is looked at.
        """
        size = len(mine)
        found = []
        for number in self._near(mine, figures, size - ceil(self._alike * size - _ROUNDED)):
            other = self._words[number]
            both = len(mine & other)
            share = both / (size + len(other) - both)
            if share >= self._alike:
                found.append((share, number))
        return max(found)[1] if found else None

    def _near(self, mine: _Tags, figures: _Tags, lacks: int) -> Iterable[int]:
        """Return those that may lack at most so many words, by the rarest; the figures are same.

        A figure is in all of them: where it is rare enough, each other word is.
        """
        places = self._places.get(figures)
        if places is None:
            return ()
        counts = self._counts
        rare = sorted([(counts.get(word, 0), word) for word in mine])
        few = {word for count, word in rare[: lacks + 1] if 0 < count <= _CROWDED}
        if not few.isdisjoint(figures):
            others = [each for each in rare if each[1] not in figures]
            if len(others) > lacks:
                return _having(places, others[: lacks + 1])
        usable = [each for each in rare[: lacks + 2] if each[0] <= _CROWDED]
        if len(usable) < lacks + 2:
            return _having(places, usable[: lacks + 1])
        once: set[int] = set()
        twice: set[int] = set()
        for _, word in usable:
            having = places.get(word, ())
            twice |= once.intersection(having)
            once.update(having)
        return twice


def _having(places: Mapping[str, Sequence[int]], rare: Iterable[tuple[int, str]]) -> set[int]:
    """Return the claims that have one of some words at least."""
    return set().union(*(places.get(word, ()) for _, word in rare))
