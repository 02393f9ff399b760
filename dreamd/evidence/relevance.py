"""How well claims answer what people asked: BM25, as a share of the best answer there is."""

from __future__ import annotations

import math
from collections import defaultdict
from collections.abc import Mapping, Sequence
from heapq import nlargest

# Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009)
_K1 = 1.2
_B = 0.5
_MOST_TERMS = 8  # of a question, the rarest; the others stand in too many claims to tell them apart
_CROWDED = 200  # claims; a word in more of them hardly tells one from another
_ANSWERS = 8  # claims that a question recalls at most
_WEAK = 0.35  # of the best answer; below it a claim is not what was asked for

Answer = tuple[int, float]


class Answers:
    """Claims by their words, to be asked."""

    def __init__(self, claims: Sequence[Sequence[str]]) -> None:
        """Take the words of each claim, in order."""
        self._places: dict[str, set[int]] = defaultdict(set)
        self._claims = claims
        for number, words in enumerate(claims):
            for word in words:
                self._places[word].add(number)
        lengths = [len(words) for words in claims]
        average = sum(lengths) / max(len(lengths), 1) or 1.0
        self._norms = [_K1 * (1 - _B + _B * length / average) for length in lengths]
        self._weighed: dict[str, Mapping[int, float]] = {}
        self._answered: dict[tuple[str, ...], tuple[Answer, ...]] = {}

    def to(self, question: Sequence[str]) -> tuple[Answer, ...]:
        """Return the claims that answer a question best, each with its share of the best, 0 to 1.

        A claim must share two of the words, or the only one. Words that very many claims have
        count only where the question has no others.
        """
        known = {word: len(self._places[word]) for word in question if word in self._places}
        telling = [word for word, count in known.items() if count <= _CROWDED] or known
        asked = tuple(sorted(telling, key=lambda word: (known[word], word))[:_MOST_TERMS])
        if not asked:
            return ()
        if asked not in self._answered:
            self._answered[asked] = self._best(asked)
        return self._answered[asked]

    def _best(self, asked: tuple[str, ...]) -> tuple[Answer, ...]:
        weights = [self._weights(word) for word in asked]
        scores = []
        for number in self._sharing(asked):
            score = 0.0
            for each in weights:
                score += each.get(number, 0.0)
            scores.append((score, -number))
        ranked = nlargest(_ANSWERS, scores)
        return tuple(
            (-number, score / ranked[0][0])
            for score, number in ranked
            if score / ranked[0][0] >= _WEAK
        )

    def _sharing(self, asked: tuple[str, ...]) -> set[int]:
        """Return the claims that share two of the words, or the only one."""
        *rarer, last = (self._places[word] for word in asked)
        if not rarer:
            return set(last)
        once: set[int] = set()
        twice: set[int] = set()
        for each in rarer:
            twice |= once & each
            once |= each
        return twice | (once & last)

    def _weights(self, word: str) -> Mapping[int, float]:
        """Return by claim how much its having a word counts."""
        if word not in self._weighed:
            places = self._places[word]
            rarity = math.log(1 + (len(self._claims) - len(places) + 0.5) / (len(places) + 0.5))
            times = [self._claims[number].count(word) for number in places]
            self._weighed[word] = {
                number: rarity * (count * (_K1 + 1) / (count + self._norms[number]))
                for number, count in zip(places, times, strict=True)
            }
        return self._weighed[word]
