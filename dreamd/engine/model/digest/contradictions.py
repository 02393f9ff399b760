"""Suspected contradictions: what was said, or another note, beside the old line it denies."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import nlargest
from itertools import chain
from math import log

from msgspec import Struct

from dreamd.domain.evidence import PersonSaid
from dreamd.engine.model.digest.notes import Lines, OldLine, Section, shown
from dreamd.engine.model.digest.turns import newest
from dreamd.engine.model.page import piece, sentences
from dreamd.engine.rules.facts import day_of
from dreamd.engine.rules.slots import Slot, slots
from dreamd.text import lexicon
from dreamd.text.late import late
from dreamd.text.secrets.secrets import redact
from dreamd.text.stems import content

_MOST = 5
_LIKELY, _POSSIBLE = 4.0, 2.5  # scores; of labelled updates most above the first were true
_DOUBT = 0.4  # factor of two notes that differ: what recurs has many values
_CUED, _FRESH = 1.5, 1.3  # how much likelier a word of change, or a value in no note, makes it
_SPARE = 6  # rarest words of a sentence by which old lines are looked up
_FEW = 100  # sentences added to those there are, so that among few a shared word still counts
_COMMON = 40  # old sentences; a word in more of them finds none
_CLOSE = 4  # old sentences looked at closely for one that was said
_SHORT = 20.0  # weight added to that of an old sentence, so that a short one does not win by that
_ALIKE = 0.6  # share of words that an old line must have to say the same, or what is denied
_AROUND = 48  # characters on either side in which stands what a value is a value of
_QUOTED = 240  # characters of either side that are shown
_WORK = 1_000_000  # bytes of messages looked at, the newest
_KINDS = {"time", "version", "date", "weekday"}
_MONEY, _MARKS, _YEAR = set("$€£¥"), str.maketrans("", "", "./-"), late(r"one|(?:19|20)\d\d")
_UNITS = frozenset(lexicon.forms("unit").values())
_RECURRING = {"time", "date", "weekday"}
_CUE, _NO_VALUES = lexicon.pattern("changed"), lexicon.pattern("no-value")
_DENIES = lexicon.pattern("denial")
_MAY_DENY = lexicon.pattern("may-deny")
_DENIED = tuple(map(lexicon.pattern, ("replaced", "instead-of", "no-longer", "i-never")))


class _Sentence(Struct, frozen=True):
    source: PersonSaid | OldLine
    text: str
    words: frozenset[str]
    values: tuple[Slot, ...]


class _Suspicion(Struct, frozen=True):
    """A sentence, and the line that it seems to contradict; without `old` it denies the line."""

    said: _Sentence
    line: OldLine
    new: str
    old: str
    score: float


def contradictions(said: Sequence[PersonSaid], lines: Lines) -> Section:
    """Return the likeliest contradictions as rows; few, for most of the less likely are none."""
    lead = (
        "Contradictions that a program suspects: how sure it is · new value against old · what was "
        "said · old line. Only the same quantity of the same thing is an update."
    )
    return Section("contradictions", lead, [*map(_row, _suspected(said, lines))])


def _row(one: _Suspicion) -> str:
    source, where = one.said.source, "no day"
    if isinstance(source, OldLine):
        where = source.place
    elif source.day:
        where = source.day.isoformat()
    what = f"{one.new} against {one.old}" if one.new else f"no longer {one.old}"
    sure = "likely" if one.score >= _LIKELY else "possible"
    quoted = piece(one.said.text, one.new or one.old, _QUOTED)
    old = f"{one.line.place}: {piece(one.line.text, one.old, _QUOTED)}"
    return shown(redact(f"{sure} · {what if one.old else 'denied'} · {where}: {quoted} · {old}"))


def _score(one: _Suspicion) -> float:
    return one.score


def _suspected(said: Sequence[PersonSaid], lines: Lines) -> tuple[_Suspicion, ...]:
    """Return the likeliest contradictions, likeliest first, one of a line."""
    old = [_sentence(line, text) for line in lines.rows for text in sentences(line.current)]
    latest = {text: each for each in newest(said, _WORK) for text in sentences(each.text)}
    news = [_sentence(each, text) for text, each in latest.items()]
    index = _Index([part for part in old if part.values], news)
    found = [*_worded(news, lines)]
    for part in (*(each for each in news if each.values), *index.parts):
        found += index.best(part)
    chosen: dict[object, _Suspicion] = {}  # one of a line
    for one in sorted(found, key=_score, reverse=True):
        if one.said.source not in chosen and len(chosen) < _MOST:
            chosen.setdefault(one.line, one)
    return tuple(chosen.values())


def _sentence(source: PersonSaid | OldLine, text: str) -> _Sentence:
    return _Sentence(source, text, content(text), _values(text))


@lru_cache(maxsize=1 << 14)
def _values(text: str) -> tuple[Slot, ...]:
    """Return the values that may change; of numbers only a unit of measure or money is one."""
    found = []
    for each in slots(_NO_VALUES.sub(lambda match: " " * len(match[0]), text)):
        bare = each.value.lstrip("v").translate(_MARKS)
        if each.kind == "number" and text[each.start - 1 : each.start] in _MONEY:
            found.append(each._replace(unit="$", start=each.start - 1))
        elif each.kind == "number" and not _YEAR.fullmatch(each.value):
            found.append(each._replace(unit=each.unit if each.unit in _UNITS else ""))
        elif each.kind in _KINDS or bare.isdigit() or (each.kind == "quoted" and " " not in bare):
            found.append(each)
    return tuple(found)


def _key(value: Slot) -> tuple[str, str, str]:
    return value.kind, value.unit, value.value


class _Index:
    """Old sentences, looked up by the kind of a value and a rare word beside it."""

    def __init__(self, parts: Sequence[_Sentence], news: Sequence[_Sentence]) -> None:
        self.parts = parts
        self._places: Mapping[tuple[object, str], list[int]] = defaultdict(list)
        for number, part in enumerate(parts):
            for kind in {each[:2] for each in map(_key, part.values)}:
                for word in part.words:
                    self._places[kind, word].append(number)
        valued = [each for each in news if each.values]
        counts = Counter(chain.from_iterable(each.words for each in (*parts, *valued)))
        total = len(parts) + len(valued) + _FEW
        self._weight = {word: log(total / count) for word, count in counts.items()}
        self._known = {_key(value) for part in parts for value in part.values}

    def _whole(self, words: Iterable[str]) -> float:
        return sum(self._weight.get(word, 0.0) for word in sorted(words))

    def _near(self, said: _Sentence) -> list[_Sentence]:
        """Return the old sentences that share most rare words with one."""
        tally: dict[int, float] = defaultdict(float)
        words = sorted(said.words, key=lambda word: (-self._weight[word], word))
        for kind in sorted({each[:2] for each in map(_key, said.values)}):
            having = ((word, self._places.get((kind, word), ())) for word in words)
            few = [(word, places) for word, places in having if 0 < len(places) <= _COMMON]
            for word, places in few[:_SPARE]:
                for number in places:
                    tally[number] += self._weight[word]
        close = nlargest(_CLOSE, tally, key=lambda number: (tally[number], -number))
        return [self.parts[number] for number in close]

    def best(self, said: _Sentence) -> list[_Suspicion]:
        """Return the likeliest contradiction of another line, none where one says the same."""
        near = [part for part in self._near(said) if _is_older(part.source, said.source)]
        if any(_is_known(said, part) for part in near):
            return []
        return nlargest(1, (one for part in near for one in self._judged(said, part)), key=_score)

    def _judged(self, said: _Sentence, part: _Sentence) -> Iterator[_Suspicion]:
        """Yield each two values of one kind that differ, if they are likely of one thing.

        A value that stands in both sentences differs from none. Two plain numbers need a word
        beside them that is the same.
        """
        are_notes, line = isinstance(said.source, OldLine), part.source
        theirs, ours = ({*map(_key, one.values)} for one in (said, part))
        shared = self._whole(word for word in said.words & part.words if not word[0].isdigit())
        scale = _DOUBT if are_notes else _CUED if _CUE.search(said.text.lower()) else 1.0
        scale /= (self._whole(part.words) + _SHORT) ** 0.5
        for new in said.values:
            for old in part.values if _key(new) not in ours else ():
                is_other = _key(old) not in theirs and _key(old)[:2] == _key(new)[:2]
                if not is_other or (are_notes and new.kind in _RECURRING):
                    continue
                beside = self._whole(_beside(said.text, new) & _beside(part.text, old))
                score = (shared + 2 * beside) * scale
                score *= 1 if _key(new) in self._known else _FRESH
                is_likely = score >= _POSSIBLE and (beside or new.kind != "number" or new.unit)
                if is_likely and isinstance(line, OldLine):
                    value = said.text[new.start : new.behind or new.end]
                    was = part.text[old.start : old.behind or old.end]
                    yield _Suspicion(said, line, value, was, score)


@lru_cache(maxsize=1 << 13)
def _beside(text: str, slot: Slot) -> frozenset[str]:
    """Return the stems beside a value, on both sides: what it is a value of."""
    before, after = text[: slot.start][-_AROUND:], text[slot.end :][:_AROUND]
    before = before.partition(" ")[2] if slot.start > _AROUND else before
    after = after.rpartition(" ")[0] if slot.end + _AROUND < len(text) else after
    return frozenset(word for word in content(f"{before} {after}") if not word[0].isdigit())


def _is_older(line: object, source: PersonSaid | OldLine) -> bool:
    """Whether a line is another one, and bears no later day than a message."""
    day = source.day if isinstance(source, PersonSaid) else None
    named = day_of(line.text) if isinstance(line, OldLine) else None
    return line != source and (day is None or named is None or named <= day)


def _is_known(said: _Sentence, part: _Sentence) -> bool:
    """Whether an old sentence has every value of a sentence and most of its words."""
    has_all = {*map(_key, said.values)} <= {*map(_key, part.values)}
    return has_all and len(said.words & part.words) >= _ALIKE * len(said.words)


def _worded(news: Iterable[_Sentence], lines: Lines) -> Iterator[_Suspicion]:
    """Yield lines whose name was replaced, or that say what a person denies."""
    for each in news:
        for pattern in _DENIED if _MAY_DENY.search(each.text) else ():
            for match in pattern.finditer(each.text):
                new, old = match["new"].rstrip("."), match["old"].rstrip(".")
                needed = content(old or new)
                least = len(needed) if old else max(_ALIKE * len(needed), 2)
                line = lines.likeliest(needed, least, each.words)
                if line is None or each.text in line.text or not _is_older(line, each.source):
                    continue
                if old or not _DENIES.search(line.text.lower()):
                    yield _Suspicion(each, line, new, old, 3 * _LIKELY if old else _LIKELY)
