"""The lines that say how things are, by the stems of their words."""

from __future__ import annotations

from collections.abc import Iterable, Sequence

from dreamd.engine.rules.facts import Fact

WORDS = ("code", "quoted", "name")
RARE = 3  # facts that a name may stand in and still tell them
LONG = 3  # letters of a value that tells its line alone
_MANY = 400  # facts that a word may stand in and still tell them apart


class Index:
    """Facts by the stems of their words."""

    def __init__(self, found: Sequence[Fact]) -> None:
        self.facts = found
        self._by: dict[str, list[int]] = {}
        for number, fact in enumerate(found):
            for word in fact.words | fact.given:
                self._by.setdefault(word, []).append(number)

    def __contains__(self, word: object) -> bool:
        return word in self._by

    def near(self, words: Iterable[str]) -> list[Fact]:
        """Return the facts that share a word, those that share most first."""
        counts: dict[int, int] = {}
        for word in words:
            places = self._by.get(word, ())
            if len(places) <= _MANY:
                for number in places:
                    counts[number] = counts.get(number, 0) + 1
        best = sorted(counts, key=lambda number: (-counts[number], number))
        return [self.facts[number] for number in best[:40]]

    def rarity(self, word: str) -> int:
        """Return in how many facts a word stands."""
        return len(self._by.get(word, ()))
