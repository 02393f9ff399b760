"""Group statements that say the same into one claim with its sightings."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Mapping, Sequence
from datetime import date
from itertools import chain
from math import ceil
from typing import NamedTuple

from msgspec import Struct

from dreamd.domain.evidence import NOTE
from dreamd.evidence.light import Sighting

_CROWDED = 200  # statements; a word in more of them says little

_ROUNDED = 1e-9  # so that seven tenths of ten words are seven
_BARE = ""  # in place of a word: the figures alone may make two statements alike

_NOWHERE: Mapping[tuple[int, int], Sequence[int]] = {}
_NEVER = (-1, -1)  # words that one of another size may lack

_Tags = frozenset[str]


class Recurring(Struct, frozen=True):
    """All sightings of one claim, oldest first.

    `best` says it best: the newest in the talk, or where it is in daily notes only the newest.
    """

    sightings: tuple[Sighting, ...]

    @property
    def best(self) -> Sighting:
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
        return self.best.speaker == NOTE


def recurring(sightings: Iterable[Sighting], alike: float) -> tuple[Recurring, ...]:
    """Return the claims of some statements, in order of their first sighting.

    Two statements are one claim where the same figures stand in both, and the share of words in
    both among those in either (Jaccard) is `alike` or more. What is in one message is said once,
    and so is what stands in the daily notes of one day.
    """
    groups: list[list[Sighting]] = []
    known: list[set[object]] = []  # of each group, what counts once
    every = tuple(sightings)
    words = [frozenset(each.tags) for each in every]
    claims = _Claims(alike, Counter(chain.from_iterable(words)))
    for sighting, its in zip(every, words, strict=True):
        found = claims.like_or_new(its)
        if found is None:
            groups.append([sighting])
            known.append(set(_once(sighting)))
        elif known[found].isdisjoint(once := _once(sighting)):
            groups[found].append(sighting)
            known[found].update(once)
    return tuple(Recurring(tuple(_in_order(group))) for group in groups)


def _once(sighting: Sighting) -> tuple[object, ...]:
    """Return what counts once: the message, and the day of a daily note."""
    return (sighting.message, sighting.day) if sighting.speaker == NOTE else (sighting.message,)


def _in_order(group: list[Sighting]) -> list[Sighting]:
    """Return sightings oldest first: those of daily notes come behind all others."""
    if group[-1].speaker != NOTE:
        return group
    return sorted(group, key=lambda each: each.day or date.max)


class _Statement(NamedTuple):
    """The words of a statement; `ranked` are those that are no figures, the rarest first."""

    words: _Tags
    figures: _Tags
    ranked: Sequence[str]


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
        self._often = often
        self._rank = {word: rank for rank, word in enumerate(ranked)}.__getitem__
        self._figures = frozenset([word for word in ranked if word[0].isdigit()])
        self._words: list[_Tags] = []
        self._same: dict[_Tags, int] = {}  # the last claim of just these words
        self._counts: dict[str, int] = defaultdict(int)
        # By the figures of the statement, which must be the same; by word; by size and rank.
        self._places: dict[_Tags, dict[str, dict[tuple[int, int], list[int]]]] = {}
        self._sizes: dict[int, Mapping[int, tuple[int, int]]] = {}

    def like_or_new(self, words: _Tags) -> int | None:
        """Return the number of the claim that is most alike, the last of several.

        None where there is none: then the statement is the next claim. Claims with none of its
        words but such as very many claims have are not seen.
        """
        same = self._same.get(words)
        if same is not None and min(map(self._counts.__getitem__, words)) <= _CROWDED:
            return same
        figures = words & self._figures
        mine = _Statement(words, figures, sorted(words - figures, key=self._rank))
        found = self._like(mine) if same is None else None
        if found is None:
            self._add(mine)
        return found

    def _add(self, mine: _Statement) -> None:
        number, size = len(self._words), len(mine.words)
        counts = self._counts
        for word in mine.words:
            counts[word] += 1
        places = self._places.setdefault(mine.figures, {})
        lacks, often = self._lacks(size), self._often
        for rank, word in enumerate(mine.ranked[: lacks + 1]):
            if often[word] > 1:  # else no other statement has it
                places.setdefault(word, {}).setdefault((size, rank), []).append(number)
        if len(mine.ranked) <= lacks:
            places.setdefault(_BARE, {}).setdefault((size, 0), []).append(number)
        self._same[mine.words] = number
        self._words.append(mine.words)

    def _like(self, mine: _Statement) -> int | None:
        places = self._places.get(mine.figures)
        if places is None:
            return None
        size, words = len(mine.words), self._words
        found = []
        for number in self._near(mine.ranked, size, places):
            both = len(mine.words & words[number])
            share = both / (size + len(words[number]) - both)
            if share >= self._alike:
                found.append((share, number))
        if not found:
            return None
        seen = self._seen(mine)
        alike = [each for each in found if not seen.isdisjoint(words[each[1]])]
        return max(alike)[1] if alike else None

    def _near(
        self,
        ranked: Sequence[str],
        size: int,
        places: Mapping[str, Mapping[tuple[int, int], Sequence[int]]],
    ) -> Iterable[int]:
        """Return those that may share enough words, by their sizes and the rarest ones."""
        found: set[int] = set()
        sizes = self._sizes.get(size)
        if sizes is None:
            sizes = self._sizes[size] = self._matching(size)
        for place, word in enumerate(ranked[: self._lacks(size) + 1]):
            for (other, rank), having in places.get(word, _NOWHERE).items():
                lacks, adds = sizes.get(other, _NEVER)
                if place <= lacks and rank <= adds:
                    found.update(having)
        for (other, _), having in places.get(_BARE, _NOWHERE).items():
            if len(ranked) <= sizes.get(other, _NEVER)[0]:
                found.update(having)
        return found

    def _matching(self, size: int) -> Mapping[int, tuple[int, int]]:
        """Return the sizes of others that may be alike: how many words each may have by itself."""
        found = {}
        for other in range(size - self._lacks(size), int(size / self._alike + _ROUNDED) + 1):
            shared = ceil(self._alike * (size + other) / (1 + self._alike) - _ROUNDED)
            if shared <= min(size, other):
                found[other] = size - shared, other - shared
        return found

    def _lacks(self, size: int) -> int:
        """Return how many words of a statement one that is alike enough may lack."""
        return size - ceil(self._alike * size - _ROUNDED)

    def _seen(self, mine: _Statement) -> _Tags:
        """Return the words of a statement by which others are seen: rare so far, if there are.

        A figure is in all of them: where it is rare enough, each other word is.
        """
        lacks = self._lacks(len(mine.words))
        rare = sorted([(self._counts.get(word, 0), word) for word in mine.words])
        few = {word for count, word in rare[: lacks + 1] if 0 < count <= _CROWDED}
        if not few.isdisjoint(mine.figures) and len(mine.ranked) > lacks:
            return mine.words
        usable = [word for count, word in rare[: lacks + 2] if count <= _CROWDED]
        return mine.words if len(usable) == lacks + 2 else frozenset(usable[: lacks + 1])
