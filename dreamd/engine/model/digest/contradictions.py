"""Suspected contradictions: what was said, beside the old line that gives another value."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import lru_cache
from heapq import nlargest
from math import log
from typing import Generic, TypeVar

from msgspec import Struct

from dreamd.domain.evidence import PersonSaid
from dreamd.engine.model.digest.notes import OldLine
from dreamd.engine.model.prose import Utterance, sentences
from dreamd.text.late import late
from dreamd.text.stems import content
from dreamd.text.values.figures import figures

_CUE = late(
    r"\b(?:now|new|newly|instead|any ?more|no longer|updated?|changed?|adjusted|extended"
    r"|increased?|decreased?|raised|lowered|reduced|moved|switched|migrated|replaced|postponed"
    r"|pushed|rescheduled|revised|actually|turns out|grown|rose|dropped|reached|improved|just)\b",
    re.IGNORECASE,
)
_CUED = 1.5  # how much likelier a word of change makes it
_FRESH = 1.3  # the same of a value that stands in no note
_SPARE = 6  # rarest words of a sentence by which old lines are looked up
_FEW = 100  # sentences added to those there are, so that among few a shared word still counts
_COMMON = 40  # old sentences; a word in more of them finds none
_LIKELY = 3_000  # sentences looked at closely
_MOST_SAID = 30_000  # sentences with a value, the newest
_CLOSE = 4  # old sentences looked at closely for one that was said
_SHORT = 20.0  # weight added to that of an old sentence, so that a short one does not win by that
_KNOWN = 0.6  # share of a sentence's words that an old one has which says the same
_LEAST = 0.8  # score of a suspicion worth a row; of true ones the lowest measured was 4
_SAME_LINE = 2  # suspicions of one old line
_AROUND = 48  # characters on either side in which stands what a value is a value of
_DIGIT = late(r"\d")
_TO_TWELVE = "two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
_WORD = late(rf"(?i)\b(?:{'|'.join(_TO_TWELVE)})\b")
_INSIDE = tuple("/.-_#")  # before a digit: it stands in a path, a name or a longer number

Origin = TypeVar("Origin")


class Contradiction(Struct, frozen=True):
    """A sentence that seems to give another value than an old line does.

    `said` is a contiguous piece of the message with its white space collapsed; `new` and `old`
    are the values as they are written there.
    """

    said: str
    message: PersonSaid
    line: OldLine
    new: str
    old: str
    score: float = 0.0


def distinct(found: Iterable[Contradiction], most: int) -> tuple[Contradiction, ...]:
    """Return the first of them, in their order: none says the same of a line, few are of one."""
    chosen: list[Contradiction] = []
    pairs: set[tuple[OldLine, str]] = set()
    crowd: Counter[OldLine] = Counter()
    for each in found:
        pair = (each.line, each.new.casefold())
        if len(chosen) < most and pair not in pairs and crowd[each.line] < _SAME_LINE:
            pairs.add(pair)
            crowd[each.line] += 1
            chosen.append(each)
    return tuple(chosen)


class Quantity(Struct, frozen=True):
    """Columns `start` to `end` (half-open) of a text hold a value of a kind.

    Kinds are date, time, version and number; a number with a unit is of the kind of that unit
    (`number of ms`). Two values are one where `key` is the same.
    """

    kind: str
    key: str
    start: int
    end: int


def _has_values(text: str) -> bool:
    """Whether a text may hold a value; cheap."""
    return _DIGIT.search(text) is not None or _WORD.search(text) is not None


@lru_cache(maxsize=1 << 15)
def values(text: str) -> tuple[Quantity, ...]:
    """Return the values of a text in order, one for each place."""
    low = text.lower()
    low = low if len(low) == len(text) else text
    places: dict[int, Quantity] = {}
    for each in figures(low):
        if not low.startswith(_INSIDE, max(each.start - 1, 0)):
            key, _, unit = each.forms[0].partition(" ")
            kind = f"number of {unit}" if unit else each.kind.value
            places.setdefault(each.start, Quantity(kind, key, each.start, each.end))
    for match in _WORD.finditer(text):
        key = str(_TO_TWELVE.index(match[0].lower()) + 2)
        places.setdefault(match.start(), Quantity("number", key, *match.span()))
    return tuple(places[start] for start in sorted(places))


def is_same(one: Quantity, other: Quantity) -> bool:
    """Whether two values are the same; a date without a year is that day of any year."""
    if one.kind != other.kind:
        return False
    keys = sorted((one.key, other.key), key=len)
    return one.key == other.key or (keys[0][:2] == "--" and keys[1].endswith(keys[0][1:]))


@lru_cache(maxsize=1 << 13)
def _beside(text: str, start: int, end: int) -> frozenset[str]:
    """Return the stems beside a value, on both sides: what it is a value of."""
    before = text[max(start - _AROUND, 0) : start]
    after = text[end : end + _AROUND]
    before = before.partition(" ")[2] if start > _AROUND else before
    after = after.rpartition(" ")[0] if end + _AROUND < len(text) else after
    return frozenset(word for word in content(f"{before} {after}") if not word[0].isdigit())


class _Sentence(Struct, Generic[Origin], frozen=True):
    """One sentence with its values, and the old line it stands in, or who said it last."""

    source: Origin
    text: str
    words: frozenset[str]
    values: tuple[Quantity, ...]


def suspicions(
    heard: Sequence[Utterance], lines: Iterable[OldLine], most: int
) -> tuple[Contradiction, ...]:
    """Return the likeliest contradictions of values, likeliest first.

    A sentence is there once, with the line it most likely contradicts. Time grows with the words
    said, not with sentences times lines: only lines with a value of the same kind and one of the
    rarest words of a sentence are held against it.
    """
    parts = tuple(_parts(lines))
    if not parts:
        return ()
    news = _news(heard)
    index = _Index(parts, news)
    near = ((index.near(each), number) for number, each in enumerate(news))
    likely = nlargest(_LIKELY, near, key=lambda each: (each[0][0], each[1]))
    found = (
        best
        for (_, numbers), number in likely
        if (best := index.best(news[number], numbers)) is not None
    )
    likeliest = nlargest(most * 8, found, key=lambda one: one.score)
    return distinct(likeliest, most)


def _parts(lines: Iterable[OldLine]) -> Iterator[_Sentence[OldLine]]:
    for line in lines:
        if _has_values(line.text):
            for text in sentences(line.text):
                if found := values(text):
                    yield _Sentence(line, text, content(text), found)


def _news(heard: Sequence[Utterance]) -> list[_Sentence[PersonSaid]]:
    latest: dict[str, PersonSaid] = {}
    for utterance in reversed(heard):
        if _has_values(utterance.said.text):
            for text in filter(_has_values, utterance.sentences):
                latest.setdefault(text, utterance.said)
        if len(latest) >= _MOST_SAID:
            break
    return [
        _Sentence(message, text, content(text), found)
        for text, message in latest.items()
        if (found := values(text))
    ]


class _Index:
    """Old sentences, looked up by the kind of a value and a rare word beside it."""

    def __init__(
        self, parts: Sequence[_Sentence[OldLine]], news: Sequence[_Sentence[PersonSaid]]
    ) -> None:
        self._parts = parts
        self._places: dict[tuple[str, str], list[int]] = defaultdict(list)
        counts: Counter[str] = Counter()
        for number, part in enumerate(parts):
            counts.update(part.words)
            for kind in {value.kind for value in part.values}:
                for word in part.words:
                    self._places[kind, word].append(number)
        for each in news:
            counts.update(each.words)
        total = len(parts) + len(news) + _FEW
        self._weight = {word: log(total / count) for word, count in counts.items()}
        self._whole = [sum(map(self._weight.__getitem__, sorted(part.words))) for part in parts]
        self._known = {(value.kind, value.key) for part in parts for value in part.values}

    def near(self, said: _Sentence[PersonSaid]) -> tuple[float, tuple[int, ...]]:
        """Return the old sentences that share most rare words with one, and how much that is."""
        tally: dict[int, float] = defaultdict(float)
        words = sorted(said.words, key=lambda word: (-self._weight[word], word))
        for kind in sorted({value.kind for value in said.values}):
            used = 0
            for word in words:
                places = self._places.get((kind, word))
                if places is None or len(places) > _COMMON:
                    continue
                for number in places:
                    tally[number] += self._weight[word]
                used += 1
                if used == _SPARE:
                    break
        if not tally:
            return 0.0, ()
        close = nlargest(_CLOSE, tally.items(), key=lambda each: (each[1], -each[0]))
        return close[0][1], tuple(number for number, _ in close)

    def best(self, said: _Sentence[PersonSaid], near: Iterable[int]) -> Contradiction | None:
        """Return the old line that a sentence most likely contradicts, None where none is.

        None either where an old sentence says the same with all its values.
        """
        near = tuple(near)
        if any(_is_known(said, self._parts[number]) for number in near):
            return None
        found = [each for number in near if (each := self._judged(said, number)) is not None]
        best = max(found, key=lambda one: one.score, default=None)
        return best if best is not None and best.score >= _LEAST else None

    def _judged(self, said: _Sentence[PersonSaid], number: int) -> Contradiction | None:
        part = self._parts[number]
        pair = max(self._differing(said, part), default=None, key=lambda each: each[0])
        if pair is None:
            return None
        beside, new, old = pair
        shared = sum(
            self._weight[word] for word in sorted(said.words & part.words) if not word[0].isdigit()
        )
        score = (shared + 2 * beside) / (self._whole[number] + _SHORT) ** 0.5
        score *= _CUED if _CUE.search(said.text) else 1
        score *= _FRESH if (new.kind, new.key) not in self._known else 1
        texts = (said.text[new.start : new.end], part.text[old.start : old.end])
        return Contradiction(said.text, said.source, part.source, *texts, score)

    def _differing(
        self, said: _Sentence[PersonSaid], part: _Sentence[OldLine]
    ) -> Iterator[tuple[float, Quantity, Quantity]]:
        """Yield each two values of one kind that differ, by the weight of what both stand beside.

        A value that stands in both sentences differs from none. Two plain numbers need a word
        beside them that is the same.
        """
        fresh = [new for new in said.values if not any(is_same(new, each) for each in part.values)]
        gone = [old for old in part.values if not any(is_same(old, each) for each in said.values)]
        for new in fresh:
            for old in gone:
                if old.kind == new.kind:
                    near = _beside(said.text, new.start, new.end)
                    near &= _beside(part.text, old.start, old.end)
                    beside = sum(self._weight.get(word, 0.0) for word in sorted(near))
                    if beside or new.kind != "number":
                        yield beside, new, old


def _is_known(said: _Sentence[PersonSaid], part: _Sentence[OldLine]) -> bool:
    """Whether an old sentence has every value of a sentence and most of its words."""
    if len(said.words & part.words) < _KNOWN * len(said.words):
        return False
    return all(any(is_same(new, old) for old in part.values) for new in said.values)
