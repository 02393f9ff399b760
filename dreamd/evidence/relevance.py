"""Score how well a claim answers what people asked: BM25, as a share of a full answer."""

from __future__ import annotations

import math
from collections import Counter, defaultdict
from collections.abc import Callable, Iterable, Mapping, Sequence
from itertools import accumulate

# Robertson and Zaragoza, The Probabilistic Relevance Framework: BM25 and Beyond (2009)
_K1 = 1.2
_B = 0.5
_MOST_TERMS = 8  # of a question, the rarest; the others stand in too many claims to tell them apart
_CROWDED = 200  # claims; a word in more of them hardly tells one from another
_ANSWERS = 8  # claims that a question recalls at most
_WEAK = 0.35  # of the best answer; below it a claim is not what was asked for
_FEW = 100  # of so many claims with a word that very many have, it weighs more than usual in one
_ROUNDED = 1 - 1e-9  # of a sum, for one that is as great may be added up in another order

Answer = tuple[int, float]


class Answers:
    """Claims by their words, to be asked."""

    def __init__(self, claims: Sequence[Sequence[str]], wanted: Iterable[int]) -> None:
        """Take the words of each claim, in order, and which of them are wanted as answers."""
        self._places: dict[str, set[int]] = defaultdict(set)
        self._size = len(claims)
        self._said_again: dict[str, dict[int, int]] = defaultdict(dict)  # how often, if not once
        for number, words in enumerate(claims):
            for word in words:
                self._places[word].add(number)
            if len(set(words)) < len(words):
                for word, count in Counter(words).items():
                    if count > 1:
                        self._said_again[word][number] = count
        self._wanted: dict[str, set[int]] = defaultdict(set)
        for number in wanted:
            for word in claims[number]:
                self._wanted[word].add(number)
        self._lengths = [len(words) for words in claims]
        average = sum(self._lengths) / max(len(claims), 1) or 1.0
        self._norms = {
            length: _K1 * (1 - _B + _B * length / average) for length in set(self._lengths)
        }
        self._weighed: dict[str, Mapping[int, float]] = {}
        self._usual: dict[str, float] = {}  # of those, the most but for the heavy
        self._heavy: dict[str, set[int]] = {}  # claims in which it weighs more
        self._answered: dict[tuple[str, ...], tuple[Answer, ...]] = {}

    def to(self, question: Sequence[str]) -> tuple[Answer, ...]:
        """Return the claims that answer a question best, each with its share of the best, 0 to 1.

        None where no claim that is wanted can be among them. A claim must share two of the
        words, or the only one. Words that very many claims have count only where the question
        has no others.
        """
        known = {word: len(self._places[word]) for word in question if word in self._places}
        telling = [word for word, count in known.items() if count <= _CROWDED] or known
        asked = tuple(sorted(telling, key=lambda word: (known[word], word))[:_MOST_TERMS])
        if not self._may_be_answered(asked):
            return ()
        if asked not in self._answered:
            self._answered[asked] = self._best(asked)
        return self._answered[asked]

    def _may_be_answered(self, asked: Sequence[str]) -> bool:
        """Whether a claim that is wanted shares two of the words, or the only one."""
        seen: set[int] = set()
        for word in asked:
            having = self._wanted.get(word)
            if having:
                if len(asked) == 1 or not seen.isdisjoint(having):
                    return True
                seen |= having
        return False

    def full(self, question: Sequence[str]) -> tuple[Answer, ...]:
        """Return the same claims, each with its share of what a full answer would have, 0 to 1.

        That is the best one's, as far as it has what weighs in the question: a word that no claim
        has weighs as much as one that stands in a single claim.
        """
        found = self.to(question)
        if not found:
            return ()
        best = found[0][0]
        weights = {word: self._rarity(len(self._places.get(word, ())) or 1) for word in question}
        has = sum(weight for word, weight in weights.items() if best in self._places.get(word, ()))
        covered = has / sum(weights.values())
        return tuple((number, share * covered) for number, share in found)

    def _rarity(self, count: int) -> float:
        """Return the weight of a word that is in so many claims."""
        return math.log(1 + (self._size - count + 0.5) / (count + 0.5))

    def _best(self, asked: tuple[str, ...]) -> tuple[Answer, ...]:
        weights = [self._weights(word) for word in asked]
        found = self._sharing(asked, weights)
        ranked = sorted((-score, number) for number, score in found.items())[:_ANSWERS]
        return tuple(
            (number, score / ranked[0][0])
            for score, number in ranked
            if score / ranked[0][0] >= _WEAK
        )

    def _sharing(
        self, asked: tuple[str, ...], weights: Sequence[Mapping[int, float]]
    ) -> Mapping[int, float]:
        """Return the claims that share two of the words, or the only one, each with its score.

        Those that the usual weights of the words they may have do not let be among the best are
        left out, unless a word weighs more in them: most claims share but the commonest words.
        """
        if len(asked) == 1:
            return weights[0]
        places = [self._places[word] for word in asked]
        usual = [self._usual[word] for word in asked]
        rest = [*accumulate(reversed(usual))][::-1]  # what a word and all commoner ones give
        found: dict[int, float] = {}
        weighs = [each.get for each in weights]
        least = self._add(found, weighs, self._heavier(asked))
        for number, first in enumerate(places[:-1]):
            for other in range(number + 1, len(places)):
                if usual[number] + rest[other] < least:
                    break
                least = self._add(found, weighs, first & places[other])
        return {claim: score for claim, score in found.items() if score >= least}

    def _heavier(self, asked: Sequence[str]) -> set[int]:
        """Return those in which a word weighs more than it usually does, with another one."""
        return set().union(
            *(
                heavy & self._places[other]
                for word in asked
                if (heavy := self._heavy[word])
                for other in asked
                if other != word
            )
        )

    def _add(
        self,
        found: dict[int, float],
        weighs: Sequence[Callable[[int, float], float]],
        claims: set[int],
    ) -> float:
        """Add the scores of claims to those that were found; return what the best ones have."""
        for claim in claims.difference(found):
            score = 0.0
            for weight in weighs:
                score += weight(claim, 0.0)
            found[claim] = score
        if not found:
            return 0.0
        best = sorted(found.values(), reverse=True)
        enough = best[_ANSWERS - 1] if len(best) >= _ANSWERS else 0.0
        return max(enough, _WEAK * best[0]) * _ROUNDED

    def _weights(self, word: str) -> Mapping[int, float]:
        """Return by claim how much its having a word counts."""
        if word not in self._weighed:
            places = self._places[word]
            rarity = self._rarity(len(places))
            lengths = self._lengths
            once = {length: rarity * _counts(1, norm) for length, norm in self._norms.items()}
            weighed = {number: once[lengths[number]] for number in places}
            for number, count in self._said_again[word].items():
                weighed[number] = rarity * _counts(count, self._norms[lengths[number]])
            self._weighed[word] = weighed
            self._know_usual(word)
        return self._weighed[word]

    def _know_usual(self, word: str) -> None:
        """Know how much a word weighs at most in claims, but for the few where it weighs most."""
        weighed = self._weighed[word]
        ranked = sorted(weighed.values(), reverse=True)
        usual = ranked[len(ranked) // _FEW if len(ranked) > _CROWDED else 0]
        self._usual[word] = usual
        self._heavy[word] = {claim for claim, weight in weighed.items() if weight > usual}


def _counts(count: int, norm: float) -> float:
    """Return the weight of a word by how often it is in a claim."""
    return count * (_K1 + 1) / (count + norm)
