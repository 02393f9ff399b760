"""Where in long texts the words of a line stand close together, found without reading them all."""

from __future__ import annotations

from array import array
from collections import defaultdict
from collections.abc import Iterable
from functools import cached_property, lru_cache
from itertools import islice
from math import ceil

from dreamd.text.late import late
from dreamd.text.values.value import APART, GRAMMAR

_BEFORE, _AFTER = 180, 240  # characters around a word that are what was said with it
_MOST = 1_000  # places of one question that are read
_WORD = late(r"[^\W\d_]{2,}")
_WHOLE = late(rf"(?<![^\W_]){_WORD.pattern}")
_LETTERS = late(r"[^\W\d_]+")
_SLACK = 64  # characters of a word behind what is cut
_SUFFIX = late(r"(?:ings?|ed|ers?|ments?|ions?|ly|es|s|e)$")
_DENIAL = late(r"\b(?:not|never|no|without|cannot|avoid|stop|nobody|none|\w+n['’]?t)\b")
_DENIED = late(rf"{_DENIAL.pattern}(?:\s+\w+){{0,2}}")


def stems(text: str) -> frozenset[str]:
    """Return the words of a text that say something, without their endings."""
    found = _WORD.findall(text.lower())
    return frozenset(stem(word) for word in found if word not in GRAMMAR)


@lru_cache(maxsize=50_000)
def stem(word: str) -> str:
    """Return a word without its ending, six letters at most: always what the word begins with."""
    short = _SUFFIX.sub("", word)
    return (short if len(short) > 2 else word)[:6]


def denies(text: str) -> bool:
    """Whether a text in lower case says that something is not so."""
    return bool(_DENIAL.search(text))


class Places:
    """Some texts in lower case, to be asked whether words stand together in them.

    Asked first, it notes where each word stands: two seconds for 10 MB.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self.text = APART.join(texts)

    def say(
        self,
        content: frozenset[str],
        share: float,
        needed_words: frozenset[str] = frozenset(),
        *,
        denied: bool = False,
    ) -> bool:
        """Whether this share of the stems, the needed ones too, stands together at one place.

        That is 180 characters before a word and 240 after its beginning, within one text.
        `denied` asks for a denial among them; without, the needed words may not be denied there.
        """
        needed = max(1, ceil(share * len(content) - 1e-9))
        if needed > (_BEFORE + _AFTER) // 2:
            return False  # no place has as many words
        # One of any `len - needed + 1` words stands there; the longest are the rarest.
        ranked = sorted(content, key=lambda word: (-len(word), word))
        anchors = ranked[: len(content) - needed + 1]
        around = (self._place(at) for anchor in anchors for at in self._words.get(anchor, ()))
        # A stem begins its word, so this is quick, not exact.
        near = (place for place in around if sum(word in place for word in content) >= needed)
        for place in islice(near, _MOST):
            there = content & stems(place)
            if len(there) < needed or not needed_words <= there:
                continue
            if denies(place) if denied else needed_words <= stems(_DENIED.sub(" ", place)):
                return True
        return False

    def _place(self, at: int) -> str:
        """Return what stands around a word, from a word's beginning to a word's end."""
        text, first, last = self.text, max(at - _BEFORE, 0), at + _AFTER
        cut = _LETTERS.match(text, first - 1, at) if first else None
        first = cut.end() if cut else first
        cut = _LETTERS.match(text, last - 1, last + _SLACK)
        last = cut.end() if cut else last
        return text[first:at].rpartition(APART)[2] + text[at:last].partition(APART)[0]

    @cached_property
    def _words(self) -> dict[str, array[int]]:
        """Where the words of each stem begin."""
        found: dict[str, array[int]] = defaultdict(lambda: array("I"))
        for match in _WHOLE.finditer(self.text):
            if match[0] not in GRAMMAR:
                found[stem(match[0])].append(match.start())
        return found
