"""Group statements that say the same into one claim with its sightings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from math import ceil

from dreamd.domain.evidence import NOTE, Snippet

_CROWDED = 200  # statements; a word in more of them says little

_ROUNDED = 1e-9  # so that seven tenths of ten words are seven
_BARE = ""  # in place of a word: the figures alone may make two statements alike

_Tags = frozenset[str]
_Key = tuple[str, int, int]


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
    def sessions(self) -> frozenset[str]:
        """The sessions in which it was said, or the daily notes that hold it."""
        return frozenset(each.session for each in self.sightings)

    @property
    def is_noted(self) -> bool:
        """Whether it is in daily notes only, and in no session."""
        return self.snippet.speaker == NOTE


def recurring(snippets: Iterable[Snippet], alike: float) -> tuple[Recurring, ...]:
    """Return the claims of some statements, in order of their first sighting.

    Two statements are one claim where the same figures stand in both, and the share of words in
    both among those in either (Jaccard) is `alike` or more. What is in one message is said once,
    and so is what stands in the daily notes of one day.
    """
    groups: list[list[Snippet]] = []
    every = tuple(snippets)
    claims = _Claims(alike, Counter(tag for each in every for tag in set(each.tags)))
    for snippet in every:
        mine, figures = _words(snippet)
        found = claims.like(mine, figures)
        if found is None:
            claims.add(mine, figures)
            groups.append([snippet])
        elif not any(_is_once(each, snippet) for each in groups[found]):
            groups[found].append(snippet)
    return tuple(Recurring(tuple(_in_order(group))) for group in groups)


def _words(snippet: Snippet) -> tuple[_Tags, _Tags]:
    """Return the words of a statement, and those of them that are figures."""
    mine = frozenset(snippet.tags)
    return mine, frozenset([tag for tag in mine if tag[0].isdigit()])


def _is_once(one: Snippet, other: Snippet) -> bool:
    is_noted = one.speaker == NOTE == other.speaker
    return one.message == other.message or (is_noted and one.day == other.day)


def _in_order(group: list[Snippet]) -> list[Snippet]:
    """Return sightings oldest first: those of daily notes come behind all others."""
    if group[-1].speaker != NOTE:
        return group
    return sorted(group, key=lambda each: each.day or date.max)


class _Claims:
    """The words of the claims so far, to be looked up by the rarest of a statement's.

    How many words two statements must share follows from how many both have; of those that they
    share the rarest is then among the few rarest of each, by how often words stand in all
    statements (Xiao, Wang, Lin and Yu, Efficient Similarity Joins for Near Duplicate Detection,
    2008). So claims are known by their rarest words, each with its rank and their size.
    """

    def __init__(self, alike: float, often: Mapping[str, int]) -> None:
        """Take how alike two statements must be, and in how many statements each word stands."""
        self._alike = alike
        ranked = sorted(often, key=lambda word: (often[word], word))
        self._ranks = {word: rank for rank, word in enumerate(ranked)}
        self._words: list[_Tags] = []
        self._counts: dict[str, int] = defaultdict(int)
        # By the figures of the statement, which must be the same; by word, size and rank.
        self._places: dict[_Tags, dict[_Key, list[int]]] = defaultdict(dict)
        self._sizes: dict[int, Sequence[tuple[int, int, int]]] = {}

    def add(self, mine: _Tags, figures: _Tags) -> None:
        """Add the next claim; `figures` are those of its words that are."""
        number, size = len(self._words), len(mine)
        counts, places = self._counts, self._places[figures]
        for word in mine:
            counts[word] += 1
        ranked, lacks = self._ranked(mine, figures), self._lacks(size)
        for rank, word in enumerate(ranked[: lacks + 1]):
            places.setdefault((word, size, rank), []).append(number)
        if len(ranked) <= lacks:
            places.setdefault((_BARE, size, 0), []).append(number)
        self._words.append(mine)

    def like(self, mine: _Tags, figures: _Tags) -> int | None:
        """Return the number of the claim that is most alike, the last of several, or None.

        Those with none of a statement's words but such as very many claims have are not seen.
        """
        places = self._places.get(figures)
        if places is None:
            return None
        size, words = len(mine), self._words
        found = []
        for number in self._near(self._ranked(mine, figures), size, places):
            both = len(mine & words[number])
            share = both / (size + len(words[number]) - both)
            if share >= self._alike:
                found.append((share, number))
        if not found:
            return None
        seen = self._seen(mine, figures)
        alike = [each for each in found if not seen.isdisjoint(words[each[1]])]
        return max(alike)[1] if alike else None

    def _near(
        self, ranked: Sequence[str], size: int, places: Mapping[_Key, Sequence[int]]
    ) -> Iterable[int]:
        """Return those that may share enough words, by their sizes and the rarest ones."""
        found: set[int] = set()
        if size not in self._sizes:
            self._sizes[size] = tuple(self._matching(size))
        for other, lacks, adds in self._sizes[size]:
            for word in ranked[: lacks + 1]:
                for rank in range(adds + 1):
                    if having := places.get((word, other, rank)):
                        found.update(having)
            if len(ranked) <= lacks and (having := places.get((_BARE, other, 0))):
                found.update(having)
        return found

    def _matching(self, size: int) -> Iterator[tuple[int, int, int]]:
        """Yield the sizes of others that may be alike: how many words each may have by itself."""
        for other in range(size - self._lacks(size), int(size / self._alike + _ROUNDED) + 1):
            shared = ceil(self._alike * (size + other) / (1 + self._alike) - _ROUNDED)
            if shared <= min(size, other):
                yield other, size - shared, other - shared

    def _ranked(self, mine: _Tags, figures: _Tags) -> Sequence[str]:
        return sorted(mine - figures if figures else mine, key=self._ranks.__getitem__)

    def _lacks(self, size: int) -> int:
        """Return how many words of a statement one that is alike enough may lack."""
        return size - ceil(self._alike * size - _ROUNDED)

    def _seen(self, mine: _Tags, figures: _Tags) -> _Tags:
        """Return the words of a statement by which others are seen: rare so far, if there are.

        A figure is in all of them: where it is rare enough, each other word is.
        """
        lacks = self._lacks(len(mine))
        rare = sorted([(self._counts.get(word, 0), word) for word in mine])
        few = {word for count, word in rare[: lacks + 1] if 0 < count <= _CROWDED}
        if not few.isdisjoint(figures) and len(mine - figures) > lacks:
            return mine
        usable = [word for count, word in rare[: lacks + 2] if count <= _CROWDED]
        return mine if len(usable) == lacks + 2 else frozenset(usable[: lacks + 1])
