"""Statements that say the same, said again: one claim with its sightings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from math import ceil

from dreamd.domain.evidence import Snippet

_CROWDED = 200  # statements; a word in more tells little

_ROUNDED = 1e-9  # so that seven tenths of ten words are seven

_Tags = frozenset[str]
_NONE: frozenset[int] = frozenset()


@dataclass(frozen=True, slots=True)
class Recurring:
    """All sightings of one claim, oldest first; `snippet` says it best: the newest of them."""

    sightings: tuple[Snippet, ...]

    @property
    def snippet(self) -> Snippet:
        """The sighting to be quoted."""
        return self.sightings[-1]


def recurring(snippets: Iterable[Snippet], alike: float) -> tuple[Recurring, ...]:
    """Return the claims of some statements, in order of their first sighting.

    Two statements are one claim where the same figures stand in both, and the share of words in
    both among those in either (Jaccard) is `alike` or more. What is in one message is said once.
    """
    groups: list[list[Snippet]] = []
    claims = _Claims(alike)
    for snippet in snippets:
        mine = frozenset(snippet.tags)
        found = claims.like(mine)
        if found is None:
            claims.add(mine)
            groups.append([snippet])
        elif all(each.message != snippet.message for each in groups[found]):
            groups[found].append(snippet)
    return tuple(Recurring(tuple(group)) for group in groups)


class _Claims:
    """The words of the claims so far, to be looked up by the rarest of a statement's."""

    def __init__(self, alike: float) -> None:
        self._alike = alike
        self._words: list[_Tags] = []
        self._counts: dict[str, int] = defaultdict(int)
        # By word, and by the figures of the statement, which must be the same.
        self._places: dict[tuple[str, _Tags], set[int]] = defaultdict(set)

    def add(self, mine: _Tags) -> None:
        """Add the next claim."""
        figures = _figures(mine)
        for word in mine:
            self._counts[word] += 1
            self._places[word, figures].add(len(self._words))
        self._words.append(mine)

    def like(self, mine: _Tags) -> int | None:
        """Return the number of the claim that is most alike, the last of several, or None.

        One that is alike enough lacks so few of the words that it has one of the rarest, and
        two where one more is looked at.
        """
        size = len(mine)
        found = []
        for number in self._near(mine, size - ceil(self._alike * size - _ROUNDED)):
            other = self._words[number]
            both = len(mine & other)
            share = both / (size + len(other) - both)
            if share >= self._alike:
                found.append((share, number))
        return max(found)[1] if found else None

    def _near(self, mine: _Tags, lacks: int) -> Iterable[int]:
        """Return those that may lack at most so many words, by the rarest; the figures are same.

        A figure is in all of them: where it is rare enough, each other word is.
        """
        figures = _figures(mine)
        counts = self._counts
        rare = sorted((counts.get(word, 0), word) for word in mine)
        if any(0 < count <= _CROWDED and word in figures for count, word in rare[: lacks + 1]):
            others = [each for each in rare if each[1] not in figures]
            if len(others) > lacks:
                return self._having(others[: lacks + 1], figures)
        usable = [each for each in rare[: lacks + 2] if each[0] <= _CROWDED]
        if len(usable) < lacks + 2:
            return self._having(usable[: lacks + 1], figures)
        once: set[int] = set()
        twice: set[int] = set()
        for _, word in usable:
            having = self._places.get((word, figures), _NONE)
            twice |= once & having
            once |= having
        return twice

    def _having(self, rare: Iterable[tuple[int, str]], figures: _Tags) -> set[int]:
        return set().union(*(self._places.get((word, figures), _NONE) for _, word in rare))


def _figures(tags: _Tags) -> _Tags:
    return frozenset(tag for tag in tags if tag[0].isdigit())
