"""Lines that have most of their words in common, found by the rarest of them."""

from __future__ import annotations

import unicodedata
from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache

from dreamd.engine.rules.near.idioms import in_one_word
from dreamd.engine.rules.near.numbers import numbers
from dreamd.engine.rules.near.same import says_the_same
from dreamd.engine.rules.near.thesaurus import beginning, kin
from dreamd.engine.rules.near.wording import CLASSES, JOINS, PERSONS, PREPOSITIONS, SILENT
from dreamd.text.late import late

_SHARED = 0.6  # of the words of the line that has fewer
_COMMON = 50  # lines; a word in more of them finds none where a rarer one may
_MOST = 20  # lines that one is held against, those with most words in common
_WORD = late(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f]+|[^\W\d_]+")
_UNSPACED = late(r"[\u3040-\u30ff\u3400-\u9fff\uf900-\ufaff\u0e00-\u0e7f]")
_SMALL = frozenset({*CLASSES, *PERSONS}).union(
    *SILENT.values(),
    *JOINS.values(),
    *(row for each in PREPOSITIONS.values() for row in each.values()),
)


@lru_cache(maxsize=1 << 15)
def keys(line: str) -> frozenset[str]:
    """Return what a line is looked up by: beginnings of its words, pairs of unspaced letters."""
    if not line.isascii():
        line = unicodedata.normalize("NFKC", line)
    found: set[str] = set()
    for word in _WORD.findall(in_one_word(line.casefold())):
        if word in _SMALL:
            continue
        if _UNSPACED.match(word):
            found.update(word[n : n + 2] for n in range(max(len(word) - 1, 1)))
        else:
            found.add(beginning(word))
    return frozenset(found)


class Alike:
    """Lines to be asked which of them say all that another line says.

    A line without the numbers of another cannot, so that one with numbers is looked for among
    those with the rarest of them only.
    """

    def __init__(self, lines: Iterable[str]) -> None:
        self.lines: Sequence[str] = tuple(lines)
        self._numbers: dict[str, list[int]] = defaultdict(list)
        for place, line in enumerate(self.lines):
            for number in numbers(line):
                self._numbers[number].append(place)
        self._words: dict[str, list[int]] | None = None
        self._keys: list[frozenset[str]] = []

    def pairs(self) -> Iterator[tuple[int, int]]:
        """Yield (going, staying) for each line of which another says every word of weight."""
        for number, line in enumerate(self.lines):
            for other in self._near(line, 2):
                if other != number and says_the_same(line, self.lines[other]):
                    yield number, other

    def saying(self, line: str) -> str | None:
        """Return a line that says all that another one says, None where there is none."""
        near = (self.lines[place] for place in self._near(line, 1))
        return next((each for each in near if says_the_same(line, each)), None)

    def _near(self, line: str, least: int) -> Iterator[int]:
        """Yield the places of the lines with most of the words of one, if there are so many."""
        figures = numbers(line)
        if figures:
            rarest = min((self._numbers.get(each, []) for each in figures), key=len)
            if len(rarest) < least:
                return
            found = {n for n in rarest if figures <= numbers(self.lines[n])}
            if len(found) < least:
                return
            words = keys(line)
            needed = -int(-_SHARED * len(words) // 1)
        else:
            words = keys(line)
            needed = -int(-_SHARED * len(words) // 1)
            found = self._among(words, needed)
        meant = [kin(word) for word in words]
        known = frozenset().union(*meant)
        has = self._keys = self._keys or [keys(each) for each in self.lines]
        likely = [n for n in found if len(known & has[n]) >= needed]
        shared = {n: sum(not each.isdisjoint(has[n]) for each in meant) for n in likely}
        enough = [n for n in likely if shared[n] >= needed]
        ranked = sorted(enough, key=lambda n: (-shared[n], -len(words & has[n]), n))
        yield from ranked[:_MOST]

    def _among(self, words: frozenset[str], needed: int) -> set[int]:
        """Return the places that have one of the rarest words; one with most has one of them."""
        if self._words is None:
            self._words = defaultdict(list)
            for place, line in enumerate(self.lines):
                for word in keys(line):
                    self._words[word].append(place)
        places = {
            word: [n for each in kin(word) for n in self._words.get(each, ())] for word in words
        }
        rare = sorted(words, key=lambda word: (len(places[word]), word))
        found: set[int] = set()
        for word in rare[: len(rare) - needed + 1]:
            if found and len(places[word]) > _COMMON:
                break
            found.update(places[word])
        return found
