"""Which candidates are written down: the most that is new for each byte, until nothing fits."""

from __future__ import annotations

import heapq
import re
from collections import Counter
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import replace
from itertools import pairwise
from math import pow  # noqa: A004 - of floats alone, and typed so

from dreamd.domain.evidence import Candidate
from dreamd.domain.prose.appraising import SLIGHT, appraises, without_appraisals
from dreamd.domain.prose.concepts import tags, tokens
from dreamd.domain.prose.labelled import LABEL
from dreamd.engine.rules.promote.covering import Covering, Said, said
from dreamd.text.late import late
from dreamd.text.time.dates import relative_phrases
from dreamd.text.time.resolving import resolve

ROW = 16  # bytes of a line beside its statement: the bullet, the day in brackets, the line end
_BESIDE = 13  # bytes of the day that "yesterday" means, in brackets beside it
_FIGURE, _NAME, _WORD = 2.0, 1.0, 1.0  # what a concept is worth when it is said first
_PRAISE = 0.2  # in a chat the same of a word that praises, thanks, cheers or feels
_AGAIN = 0.65  # of that, each time it is said again
_BY_SIZE = 0.5  # the power of its bytes that a line's worth is divided by
_BY_SCORE = 0.3  # the power of its score that it is multiplied by
_DAY = 2 * (_FIGURE + _WORD)  # told from the day of the message: a month and a day
_RELATIVE = late(  # what every such day has, cheaply
    r"yesterday|tomorrow|today|tonight|\b(?:last|next|this|ago|now)\b", re.IGNORECASE
)
_SHOWN = late(r"\[[^\[\]]+\](?!\()")  # and no link
_NAMED = late(r"(?<=[\w,;:)] )[^\W\d_a-z][\w+#.'-]*|\b\w*[a-z][A-Z]\w*|`[^`]+`")


def chosen(
    candidates: Sequence[Candidate],
    room: int,
    lines: int,
    standing: Iterable[Candidate] = (),
) -> tuple[Candidate, ...]:
    """Return the candidates to be written down in so many bytes and lines, best first.

    What a line is worth is what it says that the lines before it do not, for its length: figures
    more than words, and each concept less each time it is said again. What one line says whole,
    of those chosen or of those `standing` in the notes, is not said again, and what was only
    asked is no line. Of those that do not fit the next best is taken, so that in the end none is
    left that would.
    """
    counts: Counter[tuple[str, ...]] = Counter()
    worths = [dict(_concepts(each)) for each in candidates]
    sizes = [size(each) for each in candidates]
    lengths = [len(each.snippet.statement.encode()) + ROW for each in candidates]
    whole = [_said(each, worth) for each, worth in zip(candidates, worths, strict=True)]
    told = Covering()
    for number, each in enumerate(standing, 1):
        told.add(-number, _said(each, dict(_concepts(each))))

    def worth(number: int) -> float:
        each = candidates[number]
        new: float = sum(value * _AGAIN ** counts[key] for key, value in worths[number].items())
        return each.firmness * pow(each.score, _BY_SCORE) * new / pow(lengths[number], _BY_SIZE)

    heap = [(-worth(number), number) for number, each in enumerate(candidates) if not asks(each)]
    heapq.heapify(heap)
    found: dict[int, Candidate] = {}
    too_long: list[tuple[float, int]] = []
    while heap and len(found) < lines:
        before, number = heapq.heappop(heap)
        if sizes[number] > room:
            too_long.append((before, number))
            continue
        now = -worth(number)  # what was chosen since may have said part of it
        if heap and now > heap[0][0]:
            heapq.heappush(heap, (now, number))
            continue
        if told.cover(whole[number]):
            continue
        for shorter in told.covered(whole[number]):
            if shorter >= 0:  # what it said is said now
                told.remove(shorter, whole[shorter])
                del found[shorter]
                room += sizes[shorter]
                counts.subtract(worths[shorter].keys())
                heap += too_long
                heapq.heapify(heap)
                too_long = []
        room -= sizes[number]
        found[number] = candidates[number]
        told.add(number, whole[number])
        counts.update(worths[number].keys())
    return tuple(found.values())


def asks(candidate: Candidate) -> bool:
    """Whether a statement was given in a question only, and stands in it."""
    return candidate.snippet.statement.endswith("?")


def size(candidate: Candidate) -> int:
    """Return how many bytes a candidate takes as a line of a note, about."""
    statement = candidate.snippet.statement
    return len(statement.encode()) + ROW + (_BESIDE if _RELATIVE.search(statement) else 0)


def _said(candidate: Candidate, worths: Iterable[tuple[str, ...]]) -> Said:
    """Return what a candidate says, but for what stands behind its figures."""
    return said(candidate, (key for key in worths if not (key[0] and key[1:])))


def _concepts(candidate: Candidate) -> Iterator[tuple[tuple[str, ...], float]]:
    is_chat = LABEL.match(candidate.snippet.statement) is not None
    shown = _shown_beside(candidate.snippet.statement) if is_chat else frozenset()
    for tag, after in pairwise((*candidate.snippet.tags, "")):
        if tag in shown:
            continue
        yield (tag,), _PRAISE if is_chat and tag in SLIGHT else _WORD
        if tag[0].isdigit():
            yield (tag, after), _FIGURE
    for name in _NAMED.findall(candidate.snippet.statement):
        yield ("", name), _NAME
    yield from _days(candidate)


def _shown_beside(statement: str) -> frozenset[str]:
    """Return the concepts of what stands in brackets only: it describes, nobody says it."""
    if "[" not in statement:
        return frozenset()
    shown = {each for found in _SHOWN.findall(statement) for each in tokens(found)}
    return frozenset(shown.difference(tokens(_SHOWN.sub(" ", statement))))


def _days(candidate: Candidate) -> Iterator[tuple[tuple[str, ...], float]]:
    """Yield the days that a statement tells from its own: "yesterday" is a date as any other."""
    day = candidate.snippet.day
    if day is None or not _RELATIVE.search(candidate.snippet.statement):
        return
    for phrase in relative_phrases(candidate.snippet.statement):
        if means := resolve(phrase.phrase, day):
            yield ("", means.words), _DAY


def fitted(candidates: Sequence[Candidate], room: int) -> list[Candidate]:
    """Return candidates as they are, or where they are more than fits in the words that tell.

    Then what is said in a chat stands without the sentences at its ends that only appraise, and
    what is no more than these only where the rest leaves room.
    """
    if sum(map(size, candidates)) <= room:
        return list(candidates)
    telling = [_shorter(each) for each in candidates if not appraises(each.snippet.statement)]
    if sum(map(size, telling)) > room:
        return telling
    return [*telling, *(each for each in candidates if appraises(each.snippet.statement))]


def _shorter(candidate: Candidate) -> Candidate:
    said = candidate.snippet
    words = without_appraisals(said.statement)
    if words == said.statement:
        return candidate
    return replace(candidate, snippet=replace(said, statement=words, tags=tags(words)))
