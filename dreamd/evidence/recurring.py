"""Statements that say the same, said again: one claim with its sightings."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable
from dataclasses import dataclass

from dreamd.domain.evidence import Snippet

_CROWDED = 200  # statements; a word in more tells little

_Tags = frozenset[str]


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

        One that is alike enough lacks so few of the words that it has one of the rarest.
        """
        size = len(mine)
        rare = sorted((self._counts.get(word, 0), word) for word in mine)
        figures = _figures(mine)
        numbers: set[int] = set()
        for count, word in rare[: size - int(self._alike * size) + 1]:
            if 0 < count <= _CROWDED:
                numbers |= self._places.get((word, figures), frozenset())
        found = []
        for number in numbers:
            other = self._words[number]
            both = len(mine & other)
            share = both / (size + len(other) - both)
            if share >= self._alike:
                found.append((share, number))
        return max(found)[1] if found else None


def _figures(tags: _Tags) -> _Tags:
    return frozenset(tag for tag in tags if tag[0].isdigit())
