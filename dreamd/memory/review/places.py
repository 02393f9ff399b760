"""Where in long texts the words of a line stand close together, found without reading them all."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator
from functools import cached_property, lru_cache
from itertools import islice
from math import ceil

from dreamd.text.late import late
from dreamd.text.values.value import APART, GRAMMAR

_BEFORE, _AFTER = 180, 240  # characters around a word that are what was said with it
_STRETCH = 512  # characters; no place is as long, so that it is in two neighbours at most
_SLACK = 64  # characters within which a stretch ends at a blank, so as to cut no word
_MOST = 1_000  # places of one question that are read
_WORD = late(r"[^\W\d_]{2,}")
_LETTERS = late(r"[^\W\d_]+")
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

    Asked first, they are cut into short stretches and each word is noted with those it stands in:
    half a second for 10 MB.
    """

    def __init__(self, texts: Iterable[str]) -> None:
        self._text = APART.join(texts)
        self._masks: dict[str, int] = {}
        self._phrases: dict[str, bool] = {}

    def has(self, phrase: str) -> bool:
        """Whether a phrase in lower case stands in a text, letter by letter."""
        if phrase not in self._phrases:
            self._phrases[phrase] = phrase in self._text
        return self._phrases[phrase]

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
        anchors = sorted(content, key=lambda word: (-len(word), word))[: len(content) - needed + 1]
        stretches = self._with(content, needed, needed_words)
        for place in islice(self._around(anchors, stretches), _MOST):
            if sum(word in place for word in content) < needed:
                continue  # a stem begins its word: quick, not exact
            there = content & stems(place)
            if len(there) < needed or not needed_words <= there:
                continue
            if denies(place) if denied else needed_words <= stems(_DENIED.sub(" ", place)):
                return True
        return False

    def _with(
        self, content: frozenset[str], needed: int, needed_words: frozenset[str]
    ) -> Iterator[int]:
        """Yield the stretches that have enough of the words, taken with the next one."""
        reached = [-1] + [0] * needed  # by how many words: the stretches that have them, as bits
        for word in content:
            mask = self._mask(word)
            for count in range(needed, 0, -1):
                reached[count] |= reached[count - 1] & mask
        found = reached[needed]
        for word in needed_words:
            found &= self._mask(word)
        row = f"{found:b}"[::-1] if found > 0 else ""
        at = row.find("1")
        while at >= 0:
            yield at
            at = row.find("1", at + 1)

    def _around(self, anchors: list[str], stretches: Iterator[int]) -> Iterator[str]:
        """Yield what stands around each word that begins as an anchor does, in these stretches."""
        seen = 0
        for number in stretches:
            start, end = max(seen, self._cut(number)), self._cut(number + 2)
            for anchor in anchors:
                at = self._text.find(anchor, start, end + len(anchor))
                while at >= 0:
                    if not self._text[at - 1 : at].isalnum():
                        yield self._place(at)
                    at = self._text.find(anchor, at + 1, end + len(anchor))
            seen = end

    def _place(self, at: int) -> str:
        """Return what stands around a word, from a word's beginning to a word's end."""
        text, first, last = self._text, max(at - _BEFORE, 0), at + _AFTER
        cut = _LETTERS.match(text, first - 1, at) if first else None
        first = cut.end() if cut else first
        cut = _LETTERS.match(text, last - 1, last + _SLACK)
        last = cut.end() if cut else last
        return text[first:at].rpartition(APART)[2] + text[at:last].partition(APART)[0]

    def _cut(self, number: int) -> int:
        """Return where a stretch begins: behind a blank, if there is one near."""
        at = number * _STRETCH
        blank = self._text.find(" ", at, at + _SLACK) if at else -1
        return blank + 1 if blank >= 0 else at

    def _mask(self, word: str) -> int:
        """Return the stretches that have a word, themselves or in the next one, as bits."""
        if word not in self._masks:
            row = bytearray(b"0") * (len(self._text) // _STRETCH + 1)
            for token in self._tokens.get(word, ()):
                for number in self._standing[token]:
                    row[~number] = 49  # 1
            mask = int(row, 2)
            self._masks[word] = mask | mask >> 1
        return self._masks[word]

    @cached_property
    def _standing(self) -> dict[str, list[int]]:
        """The stretches in which what is between white space stands."""
        found: dict[str, list[int]] = defaultdict(list)
        for number in range(len(self._text) // _STRETCH + 1):
            row = self._text[self._cut(number) : self._cut(number + 1) + 8]
            for token in set(row.split()) - GRAMMAR:
                found[token].append(number)
        return found

    @cached_property
    def _tokens(self) -> dict[str, list[str]]:
        """What is between white space, by the stems of the words in it."""
        found: dict[str, list[str]] = defaultdict(list)
        for token in self._standing:
            for word in (token,) if token.isalpha() else _WORD.findall(token):
                if word not in GRAMMAR:
                    found[stem(word)].append(token)
        return found
