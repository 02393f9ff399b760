"""Suspected contradictions: what was said, beside the old line that gives another value."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Sequence
from heapq import nlargest
from math import log

from msgspec import Struct

from dreamd.domain.evidence import PersonSaid
from dreamd.engine.model.digest.oldlines import OldLine
from dreamd.engine.model.digest.prose import Utterance, sentences
from dreamd.engine.model.digest.suspicion import Suspicion, distinct
from dreamd.engine.model.digest.values import Value, around, has_values, is_same, values
from dreamd.text.late import late
from dreamd.text.stems import content

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


class _Part(Struct, frozen=True):
    """One sentence of an old line."""

    line: OldLine
    text: str
    words: frozenset[str]
    values: tuple[Value, ...]


class _Said(Struct, frozen=True):
    """A sentence with a value, as it was said last."""

    text: str
    message: PersonSaid
    words: frozenset[str]
    values: tuple[Value, ...]


def suspicions(
    heard: Sequence[Utterance], lines: Iterable[OldLine], most: int
) -> tuple[Suspicion, ...]:
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


def _parts(lines: Iterable[OldLine]) -> Iterator[_Part]:
    for line in lines:
        if has_values(line.text):
            for text in sentences(line.text):
                if found := values(text):
                    yield _Part(line, text, content(text), found)


def _news(heard: Sequence[Utterance]) -> list[_Said]:
    latest: dict[str, PersonSaid] = {}
    for utterance in reversed(heard):
        if has_values(utterance.said.text):
            for text in utterance.sentences:
                if has_values(text):
                    latest.setdefault(text, utterance.said)
        if len(latest) >= _MOST_SAID:
            break
    return [
        _Said(text, message, content(text), found)
        for text, message in latest.items()
        if (found := values(text))
    ]


class _Index:
    """Old sentences, looked up by the kind of a value and a rare word beside it."""

    def __init__(self, parts: Sequence[_Part], news: Sequence[_Said]) -> None:
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

    def near(self, said: _Said) -> tuple[float, tuple[int, ...]]:
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

    def best(self, said: _Said, near: Iterable[int]) -> Suspicion | None:
        """Return the old line that a sentence most likely contradicts, None where none is.

        None either where an old sentence says the same with all its values.
        """
        near = tuple(near)
        if any(_is_known(said, self._parts[number]) for number in near):
            return None
        found = [each for number in near if (each := self._judged(said, number)) is not None]
        best = max(found, key=lambda one: one.score, default=None)
        return best if best is not None and best.score >= _LEAST else None

    def _judged(self, said: _Said, number: int) -> Suspicion | None:
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
        return Suspicion(said.text, said.message, part.line, *texts, score)

    def _differing(self, said: _Said, part: _Part) -> Iterator[tuple[float, Value, Value]]:
        """Yield each two values of one kind that differ, by the weight of what both stand beside.

        A value that stands in both sentences differs from none. Two plain numbers need a word
        beside them that is the same.
        """
        fresh = [new for new in said.values if not any(is_same(new, each) for each in part.values)]
        gone = [old for old in part.values if not any(is_same(old, each) for each in said.values)]
        for new in fresh:
            for old in gone:
                if old.kind == new.kind:
                    near = around(said.text, new.start, new.end)
                    near &= around(part.text, old.start, old.end)
                    beside = sum(self._weight.get(word, 0.0) for word in sorted(near))
                    if beside or new.kind != "number":
                        yield beside, new, old


def _is_known(said: _Said, part: _Part) -> bool:
    """Whether an old sentence has every value of a sentence and most of its words."""
    if len(said.words & part.words) < _KNOWN * len(said.words):
        return False
    return all(any(is_same(new, old) for old in part.values) for new in said.values)
