"""REM sleep over a whole memory: its themes by how likely the claims of each are to last."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

from dreamd.domain.prose.concepts import spoken
from dreamd.evidence.judging import Judged
from dreamd.evidence.themes import KEPT, confidence, parts, themes


@dataclass(frozen=True, slots=True)
class Dreamt:
    """A theme: its confidence is that of its claims on average, and so is each of the four terms.

    `word` is how they say the concept. `claims` are its claims, likeliest first, each with
    its confidence.
    """

    concept: str
    word: str
    confidence: float
    parts: Mapping[str, float]
    claims: tuple[tuple[Judged, float], ...]

    @property
    def truths(self) -> int:
        """How many of its claims are likely enough to be lasting truths."""
        return sum(1 for _, how in self.claims if how >= KEPT)


def dreamt(claims: Sequence[Judged]) -> tuple[Dreamt, ...]:
    """Return the themes of some claims, those of most confidence first."""
    likely = [confidence(each.traces) for each in claims]
    found = []
    for theme in themes([each.claim.snippet.tags for each in claims]):
        numbers = sorted(theme.claims, key=lambda n: (-likely[n], n))
        every = [parts(claims[number].traces) for number in numbers]
        mean = {name: sum(each[name] for each in every) / len(every) for name in every[0]}
        whole = sum(likely[number] for number in numbers) / len(numbers)
        mine = tuple((claims[number], likely[number]) for number in numbers)
        word = spoken(theme.concept, (claims[n].claim.snippet.statement for n in numbers))
        found.append(Dreamt(theme.concept, word, whole, mean, mine))
    return tuple(sorted(found, key=lambda each: (-each.confidence, each.concept)))
