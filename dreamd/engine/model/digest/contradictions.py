"""Suspected contradictions: what was said, or another note, beside the old line it denies."""

from __future__ import annotations

import re
from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from functools import lru_cache
from heapq import nlargest
from itertools import chain
from math import inf, log

from msgspec import Struct

from dreamd.domain.evidence import PersonSaid
from dreamd.engine.model.digest.notes import Lines, OldLine, Section, shown
from dreamd.engine.model.page import size
from dreamd.engine.model.prose import piece, sentences
from dreamd.text.late import late
from dreamd.text.secrets.secrets import redact
from dreamd.text.stems import content
from dreamd.text.values.figures import figures

_MOST = 5
_LIKELY, _POSSIBLE = 4.0, 2.5  # scores; on labelled updates 21 of 23 rows above the first were true
_OF_NOTES = 4  # pairs of lines looked at; each seems less sure, as what recurs has many values
_DOUBT = 0.4
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
_CUE = late(
    r"\b(?:now|new|newly|instead|any ?more|no longer|updated?|changed?|adjusted|extended"
    r"|increased?|decreased?|raised|lowered|reduced|moved|switched|migrated|replaced|postponed"
    r"|pushed|rescheduled|revised|actually|turns out|grown|rose|dropped|reached|improved|just)\b",
    re.IGNORECASE,
)
_NO_VALUES = late(  # captions of photos, days in brackets, formulas
    r"\[[^\]]{0,40}\b(?:photo|image|picture)\b[^\]]{0,400}\]"
    r"|\((?:said )?\d{4}-\d\d-\d\d[^)]{0,20}\)"
    r"|\\\(.{0,400}?\\\)|\\\[.{0,400}?\\\]|\$\$.{0,400}?\$\$|\\\w+\{|\S*[\^=]\S*"
    r"|\d*[a-z](?=\s*[-+*/=]\s)|(?<=\s[-+*=]\s)\d+[a-z]?\b"
)
_FRACTION = late(r"(?<![\w/.])\d{1,6}/\d{1,6}(?![\w/.]\w)")
_AFFIX = late(r"(?<!\w)(['\"`])([^'\"`\s]{1,30})\1(?!\w)")
_TO_TWELVE = "two three four five six seven eight nine ten eleven twelve".split()  # noqa: SIM905
_WORD = late(rf"(?i:\b(?:{'|'.join(_TO_TWELVE)})\b)")
_RECURRING = {"date", "time"}
_HAS_VALUES = late(rf"\d|{_WORD.pattern}|{_AFFIX.pattern}")
_INSIDE = tuple("/.-_#")  # before a digit: it stands in a path, a name or a longer number

_A = r"\w(?:[\w.+#/-]*[\w+#])?"
_NAME = rf"[`'\"]?{_A}[`'\"]?(?:\s[A-Z0-9](?:[\w.+#/-]*[\w+#])?){{0,2}}"
_THE = r"(?:(?:the|our|my|a|an)\s)?"
_REPLACED = (
    late(
        r"\b(?:switch|mov|migrat|chang|went|convert)\w*\s(?:\w+\s){0,4}?"
        rf"from\s{_THE}(?P<old>{_NAME})\s(?:over\s)?to\s(?P<new>{_NAME})"
    ),
    late(rf"\breplac\w*\s{_THE}(?P<old>{_NAME})\s(?:with|by)\s{_THE}(?P<new>{_NAME})"),
    late(
        rf"(?<![\w.+#/-])(?P<new>{_NAME})\s(?:instead\sof|rather\sthan|in\splace\sof)"
        rf"\s{_THE}(?P<old>{_NAME})"
    ),
    late(
        r"(?P<new>)\b(?:no\slonger|don['’]t|stopped)"
        rf"\s(?:use|using|on|with|need)\s(?P<old>{_NAME})"
    ),
)
_NEVER = late(
    r"\b(?:I|we)(?:['’]ve|\shave|\shad)?\snever\s"
    r"(?P<new>(?!\s)[^.,;!?]{8,160}?)(?P<old>)(?=[.,;!?]|\s(?:so|but|which|because|before)\b|$)",
    re.IGNORECASE,
)
_DENIES = late(r"\b(?:never|not|no longer|previously)\b|n['’]t\b", re.IGNORECASE)
_HINTS = late(
    r"(?i)never | from |replac|instead of|rather than|no longer|in place of|n['’]t use|stopped"
)


class Quantity(Struct, frozen=True):
    """Columns `start` to `end` (half-open) of a text hold a value of a kind.

    Kinds are date, time, version, fraction and number; a number with a unit is of the kind of that
    unit (`number of ms`). Two values are one where `key` is the same.
    """

    kind: str
    key: str
    start: int
    end: int


class Sentence(Struct, frozen=True):
    """A sentence with its words and values, and the message or the line that it stands in."""

    source: PersonSaid | OldLine
    text: str
    words: frozenset[str]
    values: tuple[Quantity, ...]


class Contradiction(Struct, frozen=True):
    """A sentence that seems to say otherwise than an old line does, and the values of both.

    Without a value of the old line, the sentence denies what that says.
    """

    said: Sentence
    line: OldLine
    new: str
    old: str
    score: float


def _score(one: Contradiction) -> float:
    return one.score


def contradictions(said: Sequence[PersonSaid], lines: Lines) -> Section:
    """Return the likeliest contradictions as rows; few, for most of the less likely are none."""
    lead = (
        "Contradictions that a program suspects: how sure it is · new value against old · what was "
        "said · old line. Only the same quantity of the same thing is an update."
    )
    return Section("contradictions", lead, [*map(_row, suspected(said, lines))])


def _row(one: Contradiction) -> str:
    source = one.said.source
    if isinstance(source, OldLine):
        where = f"{source.path}:{source.number}"
    else:
        where = source.day.isoformat() if source.day else "no day"
    values = f"{one.new} against {one.old}" if one.new and one.old else f"no longer {one.old}"
    quoted = piece(one.said.text, one.new or one.old, _QUOTED)
    old = piece(one.line.text, one.old, _QUOTED)
    sure = "likely" if one.score >= _LIKELY else "possible"
    what = values if one.old else "denied"
    return shown(redact(f"{sure} · {what} · {where}: {quoted} · {one.line.place}: {old}"))


def suspected(said: Sequence[PersonSaid], lines: Lines) -> tuple[Contradiction, ...]:
    """Return the likeliest contradictions, likeliest first, two of a line at most."""
    old = [*_parts((line, line.current) for line in lines.rows)]
    news = _news(said)
    found = [*_worded(news, lines)]
    index = _Index([part for part in old if part.values], news)
    found += filter(None, (index.best(each) for each in news if each.values))
    found += nlargest(_OF_NOTES, filter(None, map(index.twin, index.parts)), key=_score)
    chosen: list[Contradiction] = []
    pairs: set[tuple[object, str]] = set()
    crowd: Counter[object] = Counter()
    for each in nlargest(8 * _MOST, found, key=_score):
        pair = (each.line, each.new.casefold())
        if len(chosen) < _MOST and pair not in pairs and crowd[each.line] < 2:
            pairs |= {pair, (each.said.source, each.old.casefold())}
            crowd.update((each.line,))
            chosen.append(each)
    return tuple(chosen)


def _news(said: Sequence[PersonSaid]) -> list[Sentence]:
    """Return the sentences of the newest messages, newest first, each once."""
    latest: dict[str, PersonSaid] = {}
    room = _WORK
    for each in reversed(said):
        room -= size(each.text)
        if room < 0:
            break
        for text in sentences(each.text):
            latest.setdefault(text, each)
    return [*_parts((source, text) for text, source in latest.items())]


def _parts(rows: Iterable[tuple[PersonSaid | OldLine, str]]) -> Iterator[Sentence]:
    for source, row in rows:
        for text in sentences(row) if isinstance(source, OldLine) else [row]:
            found = values(text) if _HAS_VALUES.search(text) else ()
            yield Sentence(source, text, content(text) if found else frozenset(), found)


@lru_cache(maxsize=1 << 15)
def values(text: str) -> tuple[Quantity, ...]:
    """Return the values of a text in order, one for each place."""
    low = text.lower()
    low = low if len(low) == len(text) else text
    low = _NO_VALUES.sub(lambda match: " " * len(match[0]), low)
    places: dict[int, Quantity] = {}
    for match in _FRACTION.finditer(low):
        places[match.start()] = Quantity("fraction", match[0], *match.span())
    for match in _AFFIX.finditer(text):
        places[match.start()] = Quantity("name", match[2], *match.span())
    low = _FRACTION.sub(lambda match: " " * len(match[0]), low)
    for each in figures(low):
        if not low.startswith(_INSIDE, max(each.start - 1, 0)):
            key, _, unit = each.forms[0].partition(" ")
            kind = f"number of {unit}" if unit else each.kind.value
            places.setdefault(each.start, Quantity(kind, key, each.start, each.end))
    for match in _WORD.finditer(low):
        key = str(_TO_TWELVE.index(match[0].lower()) + 2)
        places.setdefault(match.start(), Quantity("number", key, *match.span()))
    return tuple(places[start] for start in sorted(places))


def _is_same(one: Quantity, other: Quantity) -> bool:
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


class _Index:
    """Old sentences, looked up by the kind of a value and a rare word beside it."""

    def __init__(self, parts: Sequence[Sentence], news: Sequence[Sentence]) -> None:
        self.parts = parts
        self._places: Mapping[tuple[str, str], list[int]] = defaultdict(list)
        for number, part in enumerate(parts):
            for kind in {value.kind for value in part.values}:
                for word in part.words:
                    self._places[kind, word].append(number)
        counts = Counter(chain.from_iterable(each.words for each in (*parts, *news)))
        total = len(parts) + len(news) + _FEW
        self._weight = {word: log(total / count) for word, count in counts.items()}
        self._known = {(value.kind, value.key) for part in parts for value in part.values}

    def _whole(self, words: Iterable[str]) -> float:
        return sum(self._weight.get(word, 0.0) for word in sorted(words))

    def _near(self, said: Sentence) -> list[Sentence]:
        """Return the old sentences that share most rare words with one."""
        tally: dict[int, float] = defaultdict(float)
        words = sorted(said.words, key=lambda word: (-self._weight[word], word))
        for kind in sorted({value.kind for value in said.values}):
            having = ((word, self._places.get((kind, word), ())) for word in words)
            few = [(word, places) for word, places in having if 0 < len(places) <= _COMMON]
            for word, places in few[:_SPARE]:
                for number in places:
                    tally[number] += self._weight[word]
        close = nlargest(_CLOSE, tally, key=lambda number: (tally[number], -number))
        return [self.parts[number] for number in close]

    def best(self, said: Sentence) -> Contradiction | None:
        """Return the old line that a sentence most likely contradicts, None where none is.

        None either where an old sentence says the same with all its values.
        """
        near = self._near(said)
        if any(_is_known(said, part) for part in near):
            return None
        cued = _CUED if _CUE.search(said.text) else 1.0
        found = [one for part in near for one in self._judged(said, part, cued)]
        return max(found, key=_score, default=None)

    def twin(self, part: Sentence) -> Contradiction | None:
        """Return a line of another place that gives another value of the same thing."""
        others = [each for each in self._near(part) if each.source != part.source]
        found = [one for each in others for one in self._judged(part, each, _DOUBT)]
        return max(found, key=_score, default=None)

    def _judged(self, said: Sentence, part: Sentence, factor: float) -> Iterator[Contradiction]:
        """Yield each two values of one kind that differ, if they are likely of one thing.

        A value that stands in both sentences differs from none. Two plain numbers need a word
        beside them that is the same.
        """
        line = part.source
        if not isinstance(line, OldLine):
            return
        fresh = [new for new in said.values if not any(_is_same(new, each) for each in part.values)]
        gone = [old for old in part.values if not any(_is_same(old, each) for each in said.values)]
        shared = self._whole(word for word in said.words & part.words if not word[0].isdigit())
        scale = factor / (self._whole(part.words) + _SHORT) ** 0.5
        for new in fresh:
            for old in gone:
                if old.kind != new.kind or (factor < 1 and old.kind in _RECURRING):
                    continue
                near = _beside(said.text, new.start, new.end)
                beside = self._whole(near & _beside(part.text, old.start, old.end))
                is_new = (new.kind, new.key) not in self._known
                score = (shared + 2 * beside) * scale * (_FRESH if is_new else 1)
                if score >= _POSSIBLE and (beside or new.kind != "number"):
                    texts = said.text[new.start : new.end], part.text[old.start : old.end]
                    yield Contradiction(said, line, *texts, score)


def _is_known(said: Sentence, part: Sentence) -> bool:
    """Whether an old sentence has every value of a sentence and most of its words."""
    if len(said.words & part.words) < _ALIKE * len(said.words):
        return False
    return all(any(_is_same(new, old) for old in part.values) for new in said.values)


def _worded(news: Iterable[Sentence], lines: Lines) -> Iterator[Contradiction]:
    """Yield lines whose name was replaced, or that say what a person denies."""
    for each in news:
        for pattern in (*_REPLACED, _NEVER) if _HINTS.search(each.text) else ():
            for match in pattern.finditer(each.text):
                new, old = match["new"], match["old"]
                needed = content(old or new)
                least = len(needed) if old else max(_ALIKE * len(needed), 2)
                best = lines.likeliest(needed, least, content(each.text))
                is_other = best is not None and each.text not in best.text
                if best and is_other and (old or not _DENIES.search(best.text)):
                    yield Contradiction(each, best, new, old, inf if old else _LIKELY)
