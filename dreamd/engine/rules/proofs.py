"""Prove that a change replaces a value of a line, or find the lines it may contradict.

Grounds: the sentence names the old value, or the change and the line's own subject; it corrects
what the assistant has just said; or the line is `label: value` and the sentence names the label
and a new value.
"""

from __future__ import annotations

import re
from bisect import bisect_left
from collections.abc import Collection, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice

from dreamd.engine.rules.changes import Change
from dreamd.engine.rules.facts import Fact
from dreamd.engine.rules.slots import Slot, slots
from dreamd.text import lexicon
from dreamd.text.clause import Clause, Mood, clauses, is_past_form
from dreamd.text.late import late
from dreamd.text.statement import clean, leans, without_task
from dreamd.text.stems import content, ordered, stem
from dreamd.text.tokens import WORD, tokens

_GENERAL = frozenset(stem(word) for word in lexicon.of("general"))
_NAMED = frozenset(
    {
        "from to",
        "replaced by",
        "replaces",
        "swapped for",
        "took over",
        "instead of",
        "arrow",
        "no longer",
        "is gone",
        "gave up",
        "renamed from",
        "left",
        "threw out",
        "died",
    }
)
_MARKS = late(r"[,;:.] |\b(?:so|because|since) ")
_CHANGES = lexicon.of("change") | lexicon.of("made")
_OVER = lexicon.of("over") | lexicon.of("negation") | {"was", "were", "had"}
_FORMS = 8  # words of facts that are tried for a word they begin with
_LONG = 3  # letters of a value that tells its line alone
_RARE = 3  # facts that a name may stand in and still tell them
_THIS = late(r"\bth(?:is|ese) (?!is\b|are\b|was\b|one\b)\w+ (?:only |just )?(?:has|have|is|are)\b")
_BY = late(r"\bby (?:an? )?$")  # a difference
_AIM = frozenset(stem(word) for word in lexicon.of("aim"))
_PART = late(r"(?:the |our |my )?((?:[\w-]{1,20} ){1,3})of (?:the|our|my) ", re.IGNORECASE)
_OWNER = late(r"(\w+)'s\b|\(([a-z ]+)\)")
_LED = late(
    r"(?:in|on|during|without|with|for|at|under|outside|across|when|while) (?:the |all )?((?:[\w'-]+ ){1,5}?)(?:the|we|i|our|my)\b",
    re.IGNORECASE,
)
_AGAINST = frozenset({"no longer", "instead of"})
_TOLD = frozenset({"changed to", "turned", "correction", "from to", "make it", "done again"})
_FEW = 4  # facts that a rare word stands in
_MANY = 400  # facts that a word may stand in and still tell them apart


@dataclass(frozen=True, slots=True)
class Proof:
    """That a change replaces a value of a line: the old slot or words, and the new text."""

    fact: Fact
    old: Slot
    new: str
    shared: int
    measure: str = ""  # the new number with its unit of measure, where it has one


class Index:
    """Facts by the stems of their words."""

    def __init__(self, found: Sequence[Fact]) -> None:
        self.facts = found
        self._by: dict[str, list[int]] = {}
        for number, fact in enumerate(found):
            for word in fact.words | {slot.value for slot in fact.values}:
                self._by.setdefault(word, []).append(number)

    def __contains__(self, word: object) -> bool:
        return word in self._by

    def near(self, words: Iterable[str]) -> list[Fact]:
        """Return the facts that share a word, those that share most first."""
        counts: dict[int, int] = {}
        for word in words:
            places = self._by.get(word, ())
            if len(places) <= _MANY:
                for number in places:
                    counts[number] = counts.get(number, 0) + 1
        best = sorted(counts, key=lambda number: (-counts[number], number))
        return [self.facts[number] for number in best[:40]]

    def forms(self, words: Iterable[str]) -> Iterator[str]:
        """Yield the words of facts that begin with one of some words: `influxdb` of `influx`."""
        for word in words:
            at = bisect_left(self._sorted, word) if len(word) >= _LONG + 1 else len(self._sorted)
            while at < len(self._sorted) and self._sorted[at].startswith(word):
                yield self._sorted[at]
                at += 1

    @cached_property
    def _sorted(self) -> list[str]:
        return sorted(self._by)

    def rarity(self, word: str) -> int:
        """Return in how many facts a word stands."""
        return len(self._by.get(word, ()))


def proved(change: Change, index: Index) -> tuple[Proof | None, list[Fact]]:
    """Return the one line a change replaces a value of, and the lines it may contradict."""
    found: list[Proof] = []
    likely: list[Fact] = []
    asked = change.words | {slot.value for slot in change.values} | content(change.old)
    asked |= set(islice(index.forms(content(change.old)), _FORMS))
    if change.cue == "answer":
        asked = content(change.said.before) | {slot.value for slot in slots(change.said.before)}
    for fact in index.near(asked):
        if fact.kind in {"hook", "description"} or _is_newer(fact, change):
            continue
        proof = _of_fact(fact, change, index)
        if proof is not None:
            found.append(proof)
        elif contradicted(fact, change):
            likely.append(fact)
    if not found:
        return None, likely
    best = max(each.shared for each in found)
    top = [each for each in found if each.shared == best]
    if len({(each.old.value, each.new) for each in top}) > 1:
        return None, [each.fact for each in top]
    return top[0], []


def _of_fact(fact: Fact, change: Change, index: Index) -> Proof | None:
    if change.cue == "answer":
        return _by_answer(fact, change, index)
    if change.cue == "both":
        return _by_both(fact, change, index)
    return _by_label(fact, change) or _by_old(fact, change, index) or _by_cue(fact, change, index)


def _by_answer(fact: Fact, change: Change, index: Index) -> Proof | None:
    """Ground 2: the assistant has just named the line's value, the answer gives another one."""
    answer = slots(change.said.before)
    for old in fact.values:
        news = _fresh(fact, change, old)
        if len({new.value for new in news}) != 1 or old.value in {s.value for s in change.values}:
            continue
        if not any(s.value == old.value and s.kind == old.kind for s in answer):
            continue
        if any(s.value == news[0].value for s in answer) or not _lasts(change, news[0]):
            continue
        if old.kind in {"name", "quoted"}:
            is_other = _has_digit(old.value) != _has_digit(news[0].value)
            if is_other or not _names_change(change) or bool(old.behind) != bool(news[0].behind):
                continue
        about = content(change.said.before) | change.words
        shared = about & words_of(fact) - {old.value, old.unit}
        if not shared and (len(old.value) < _LONG or index.rarity(old.value) > _RARE):
            continue
        if old.kind == "code" and (" " in old.value or " " in news[0].value):
            continue
        known = words_of(fact) | content(change.said.before)
        start, _ = _piece(change.sentence.text, news[0])
        ahead = _telling(change.sentence.text[start : news[0].start])
        if ahead and known.isdisjoint(ahead):
            continue
        if any(_is_other(s, known, change, news[0]) for p in change.parts for s in p.scope):
            continue
        text = change.sentence.text
        return _swap(fact, old, text, news[0], len(shared))
    return None


def _has_digit(text: str) -> bool:
    return any(char.isdigit() for char in text)


def _lasts(change: Change, new: Slot) -> bool:
    """Whether a value is stated to be so, or ordered for a reason that is stated."""
    parts = _part(change, new)
    if any(part.negated or part.mood in {Mood.REPORTED, Mood.SUPPOSED} for part in parts):
        return False
    if all(part.mood is not Mood.ORDERED for part in parts):
        return True
    return _names_change(change)


def _names_change(change: Change) -> bool:
    words = [word for part in change.parts for word in part.words]
    return any(word in _CHANGES or (word[:2] == "re" and word[-2:] == "ed") for word in words)


def _by_both(fact: Fact, change: Change, index: Index) -> Proof | None:
    """Ground 1: one clause says that the line's value is over, another what is so now."""
    for old in fact.values:
        news = _fresh(fact, change, old)
        over = [s for s in change.values if s.value == old.value and same_kind(s, old)]
        if len(over) != 1 or len({new.value for new in news}) != 1:
            continue
        text = change.sentence.text
        then, now = _piece(text, over[0]), _piece(text, news[0])
        if then == now or not _is_over(text[slice(*then)]) or _is_over(text[slice(*now)]):
            continue
        if not _lasts(change, news[0]):
            continue
        about = change.words | content(change.said.before)
        shared = len(about & words_of(fact) - {old.value, news[0].value})
        is_telling = old.kind in {"name", "code", "quoted"} and index.rarity(old.value) <= _RARE
        if shared or is_telling:
            return _swap(fact, old, change.sentence.text, news[0], 10 + shared)
    return None


def _is_over(text: str) -> bool:
    """Whether words say of a value that it holds no more."""
    said = {token.low for token in tokens(text)}
    return not said.isdisjoint(_OVER) or any(word.endswith("n't") for word in said)


def _is_newer(fact: Fact, change: Change) -> bool:
    """Whether a line is of a later time than the message, as far as anybody knows."""
    if fact.day is not None:
        return change.day is not None and fact.day > change.day
    at = change.said.at
    return fact.written is not None and at is not None and fact.written > at


def words_of(fact: Fact) -> frozenset[str]:
    """Return the stems of what a line is about: its words and those above it."""
    return fact.words | fact.context


_VERBS = frozenset(stem(word) for word in lexicon.of("verb") | lexicon.of("change"))


def _subject(change: Change, new: Slot | None, known: Collection[str] = ()) -> list[str]:
    """Return the stems of what a change is said of: the words before its value, up to a comma.

    Where these are pronouns only, what stands behind the value tells, or else the clause before
    it: "they raised the limit, it is 20". A general word counts where `known` has it.
    """
    text = change.sentence.text
    if new is None:
        return _telling(text, known)
    start, end = _piece(text, new)
    if ahead := _telling(text[start : new.start], known):
        return ahead
    behind = _telling(text[new.end : end], known)
    pieces = (_telling(piece, known) for piece in reversed(_MARKS.split(text[:start])))
    before = next(filter(None, pieces), [])
    is_label = text[:start].rstrip().endswith(":") and not set(before).isdisjoint(known)
    if is_label or not behind or (before and set(behind).isdisjoint(known)):
        return before
    return behind


def _piece(text: str, slot: Slot) -> tuple[int, int]:
    """Return where the words around a value begin and end: at a comma, or a word of reason."""
    start = max((m.end() for m in _MARKS.finditer(text, 0, slot.start)), default=0)
    after = _MARKS.search(text, slot.end)
    return start, after.start() if after else len(text)


def _telling(text: str, known: Collection[str] = ()) -> list[str]:
    """Return the stems that tell what is spoken of: no general word, time or verb.

    Behind a determiner a verb's form is a noun (`the test run`), up to the verb itself.
    """
    found: list[str] = []
    is_noun = is_first = False
    for token in tokens(text):
        low = token.low
        if low in _DETERMINER or token.kind is not WORD or low in lexicon.STOP:
            is_noun = is_first = low in _DETERMINER
        elif low in _CHANGES or (
            not is_first and low.endswith(("s", "ed")) and stem(low) in _VERBS
        ):
            is_noun = is_first = False
        is_noun = is_noun and low not in _PARTICLES
        for word in ordered(token.text):
            is_empty = (
                low in _AUX or word in _GENERAL or word in _WHEN or (word in _VERBS and not is_noun)
            )
            if word in known or not is_empty:
                found.append(word)
        is_first = is_first and low in _DETERMINER
    return found


def _part(change: Change, new: Slot | None) -> list[Clause]:
    """Return the clause of a change in which its value stands; all where there is none."""
    return [
        part for part in change.parts if new is None or part.start <= new.start < part.end
    ] or list(change.parts)


def _fits(fact: Fact, change: Change, new: Slot | None, *, is_named: bool = False) -> bool:
    """Whether a change is said of the thing of a line, in no scope that the line does not know.

    Where the label or the old value is named, the subject may have other words.
    """
    known = words_of(fact) | {slot.value for slot in fact.values}
    subject = _subject(change, new, known)
    names = {word for slot in change.values if slot.kind == "name" for word in content(slot.value)}
    while len(subject) > 1 and subject[0] in names - known:  # who did it is not what it is about
        subject = subject[1:]
    is_known = all(word in known or any(_alike(word, each) for each in known) for word in subject)
    if not is_named and not is_known:
        return False
    if new is not None and _THIS.search(change.sentence.text, *_piece(change.sentence.text, new)):
        return False
    if _is_narrower(fact, change) or _is_led(change.sentence.text, known):
        return False
    parts = _part(change, new)
    if any(part.mood is not Mood.STATED for part in parts if new is not None):
        return False
    return not any(_is_other(scope, known, change, new) for part in parts for scope in part.scope)


_DIMENSIONS = {
    unit: n
    for n, row in enumerate(row for row in lexicon.rows() if row.name == "dimension")
    for unit in row.words
}
_DETERMINER = lexicon.of("determiner")
_AUX = lexicon.of("aux")
_PREPOSITION = lexicon.of("preposition")
_PARTICLES = frozenset({"back", "up", "down", "out", "over", "off"})
_TIMES = frozenset(
    stem(word)
    for name in ("weekday", "month", "season", "rhythm", "period")
    for word in lexicon.of(name)
)
_WHEN = _TIMES | {stem("weekend"), stem("always"), stem("already")}


def _is_narrower(fact: Fact, change: Change) -> bool:
    """Whether a line speaks of less than a sentence: of somebody's, of a part, of an aim."""
    said = change.words | content(change.said.before)
    if not _AIM.isdisjoint(fact.words) and _AIM.isdisjoint(change.words):
        return True
    found = [m[1] or m[2] for m in _OWNER.finditer(fact.text)]
    found += [match[1] for match in (_LED.match(fact.text), _PART.match(fact.text)) if match]
    return any(content(each) and said.isdisjoint(content(each)) for each in found)


def _is_led(text: str, known: Collection[str]) -> bool:
    """Whether a sentence begins with where or for whom it is so, and the line knows nothing of it.

    "In the hallway the lamp uses 12 watts"; a time is no such place.
    """
    led = _LED.match(text)
    words = content(led[1]) - _TIMES - _GENERAL if led else frozenset()
    return bool(words) and words.isdisjoint(known)


def _is_other(scope: str, known: frozenset[str], change: Change, new: Slot | None) -> bool:
    """Whether a phrase narrows what is said to something the line does not speak of."""
    head, _, rest = scope.partition(" ")
    if head not in {"in", "on", "for", "of", "at", "with", "under", "within", "inside", "across"}:
        return False
    words = content(rest)
    if words & known or not any(word[0].isalpha() for word in words - _TIMES):
        return False
    if new is not None:
        low = change.sentence.text.lower()
        if _spoken(low, new) in rest or f"by order {scope}" in low:
            return False
    given = content(change.new) | content(change.old)
    if words & given or (head != "across" and ("all" in rest or "every" in rest)):
        return False
    return head in {"for", "in", "on", "under", "of", "at", "across"}


def same_kind(old: Slot, new: Slot) -> bool:
    """Whether a value may take the place of another: of its kind, and of its dimension."""
    if old.kind != new.kind:
        return {old.kind, new.kind} <= {"number", "version"}
    if old.kind == "code":
        return old.unit == new.unit
    if old.kind != "number" or old.unit == new.unit or not old.unit or not new.unit:
        return True
    return _DIMENSIONS.get(old.unit, 0) == _DIMENSIONS.get(new.unit, 1)


def _news(change: Change, old: Slot) -> list[Slot]:
    """Return the values of a change that may take the place of one: of its kind, not the old."""
    gone = content(change.old) | {slot.value for slot in slots(change.old)}
    found = [
        slot
        for slot in change.values
        if same_kind(old, slot) and slot.value != old.value and slot.value not in gone
    ]
    if old.kind == "number":
        found = [s for s in found if not _BY.search(change.sentence.text[: s.start][-6:])]
    exact = [slot for slot in found if old.unit and slot.unit == old.unit]
    return exact or found


def _fresh(fact: Fact, change: Change, old: Slot) -> list[Slot]:
    """Return the same without values that the line gives already."""
    stand = fact.words | {slot.value for slot in fact.values} | content(fact.label)
    return [new for new in _news(change, old) if new.value not in stand]


def _by_label(fact: Fact, change: Change) -> Proof | None:
    """Ground 3: the line is `label: value`, and the sentence gives the label another value."""
    if not fact.label or not change.label:
        return None
    mine, theirs = content(change.label), content(fact.label)
    if not mine or mine - theirs - fact.context or not mine & theirs:
        return None
    news = slots(change.new)
    stand = {slot.value for slot in news}
    olds = [s for s in fact.values if s.start >= _label_end(fact) and s.value not in stand]
    if len(olds) == 1 and news and same_kind(olds[0], news[0]):
        return _swap(fact, olds[0], change.new, news[0], 20 + len(mine & theirs))
    return None


def _spoken(text: str, slot: Slot) -> str:
    return text[slot.start : slot.end]


def _swap(fact: Fact, old: Slot, text: str, new: Slot, shared: int) -> Proof:
    return Proof(fact, old, _spoken(text, new), shared, text[new.start : new.behind])


def _by_old(fact: Fact, change: Change, index: Index) -> Proof | None:
    """Ground 1: the sentence names the old value, and the line holds it."""
    if change.cue not in _NAMED or not change.old:
        return None
    named = slots(change.old)
    for old in fact.values:
        if not _is_named(old, change, named):
            continue
        shared = len((change.words & words_of(fact)) - {old.value} - content(old.value))
        is_telling = old.kind in {"name", "code", "quoted"} and index.rarity(old.value) <= 3
        if not shared and not is_telling:
            continue
        if old.kind in _FIGURES:
            news = _beside(change, _news(change, old))
            if len(news) == 1 and _fits(fact, change, news[0], is_named=shared > 0):
                return _swap(fact, old, change.sentence.text, news[0], 10 + shared)
        elif _fits(fact, change, _first(change, old)) and (text := _named_new(change, old)):
            return Proof(fact, old, text, 10 + shared)
        elif change.cue in _AGAINST and (new := _beside_it(fact, change, old)):
            return _swap(fact, old, change.sentence.text, new, 10 + shared)
        elif change.cue != "renamed from" and _is_telling(fact, change):
            return Proof(fact, old, "", 8 + shared)
    return _by_old_word(fact, change, index)


def _nearest(fact: Fact, change: Change, news: list[Slot]) -> list[Slot]:
    """Return of several new values those between whose commas a word of the line stands."""
    if len(news) < 2:
        return news
    text = change.sentence.text
    own = fact.words - {slot.value for slot in fact.values}
    pieces = ((new, _piece(text, new)) for new in news)
    return [new for new, (start, end) in pieces if not own.isdisjoint(ordered(text[start:end]))]


def _beside(change: Change, news: list[Slot]) -> list[Slot]:
    """Return of several new values the one in the clause in which the old value is named."""
    at = change.sentence.text.lower().find(change.old)
    part = next((part for part in change.parts if part.start <= at < part.end), None)
    if len(news) < 2 or part is None:
        return news
    return [new for new in news if part.start <= new.start < part.end]


def _beside_it(fact: Fact, change: Change, old: Slot) -> Slot | None:
    """Return the new value of `it is stg_, not tmp_`."""
    news = _beside(change, _fresh(fact, change, old))
    return news[0] if len(news) == 1 and _fits(fact, change, news[0], is_named=True) else None


def _first(change: Change, old: Slot) -> Slot | None:
    return next(iter(_news(change, old)), None)


_FIGURES = frozenset({"number", "time", "date", "weekday", "version"})


def _is_named(old: Slot, change: Change, named: Sequence[Slot]) -> bool:
    if any(slot.value == old.value and slot.kind == old.kind for slot in named):
        return True
    if old.kind not in {"name", "code", "quoted"}:
        return False
    if old.kind == "quoted":
        return old.value.lower() in change.old.lower()
    found = ordered(change.old)
    alike = [any(_alike(mine, theirs) for theirs in found) for mine in ordered(old.value)]
    return any(alike) if old.kind == "name" else bool(alike) and all(alike)


def _alike(one: str, other: str) -> bool:
    short, long = sorted((one, other), key=len)
    return short == long or (len(short) > 3 and long.startswith(short))


_SAID = frozenset({Mood.STATED, Mood.ORDERED})


def _is_telling(fact: Fact, change: Change) -> bool:
    """Whether a sentence makes sense in place of a line: it says something of its own, alone."""
    text = sentence_of(change)
    own = content(text) - content(change.old) - fact.words
    if len(own) < 2 or len(text) > 200 or leans(text):
        return False
    known = words_of(fact) | {slot.value for slot in fact.values}
    at, low = text.lower().find(change.old), text.lower()
    gone = low[slice(*_piece(text, Slot("", "", "", at, at)))] if at >= 0 else ""
    scopes = (s for part in change.parts for s in part.scope if s not in gone)
    moods = {part.mood for part in clauses(text)}
    allowed = _SAID if change.cue == "no longer" else {Mood.STATED}
    return (
        moods <= allowed
        and not _is_led(text, known)
        and not any(
            _is_other(scope, known, change, None) and scope.split(" ")[0] in {"for", "of"}
            for scope in scopes
        )
    )


def _by_old_word(fact: Fact, change: Change, index: Index) -> Proof | None:
    """The same where the old value is a word like any other: `no longer optional`."""
    words = ordered(change.old)
    if change.cue not in _NAMED or not 1 <= len(words) <= 2 or not set(words) <= fact.words:
        return None
    at = _place(fact.text, change.old.split()[-1])
    if at is None or len(words[-1]) < 3:
        return None
    shared = (change.words & words_of(fact)) - set(words)
    is_rare = max(index.rarity(word) for word in words) <= 2
    if change.cue == "no longer":
        is_rare = is_rare and any(index.rarity(word) <= _FEW for word in shared)
    if not (len(shared) >= 2 or is_rare):
        return None
    slot = Slot(words[-1], "word", "", *at)
    if not _is_telling(fact, change):
        return None
    return Proof(fact, slot, "", 5 + len(shared))


def _named_new(change: Change, old: Slot) -> str:
    """Return the new value that the pattern names, in the letters of the sentence."""
    if not change.new:
        return ""
    at = change.sentence.text.lower().find(change.new.lower())
    spoken = change.sentence.text[at : at + len(change.new)] if at >= 0 else change.new
    kept: list[str] = []
    for word in spoken.split(" "):
        if kept and (word.lower() in lexicon.STOP or kept[-1].endswith((",", ".", ";"))):
            break
        kept.append(word)
    text = " ".join(kept).strip(" ,.;`")
    return text if content(text) - content(old.value) else ""


def _place(text: str, word: str) -> tuple[int, int] | None:
    """Return where a word, or another form of it, stands in a text."""
    wanted = stem(word.strip("`'.,"))
    return next(((t.start, t.end) for t in tokens(text) if stem(t.low) == wanted), None)


def _by_cue(fact: Fact, change: Change, index: Index) -> Proof | None:
    """Grounds 1 and 2: the change is named, the subject is the line's, the kind of value fits.

    Without a word of change the sentence must say all that the line says, but for the value.
    """
    if change.cue == "label" or not content(change.old).isdisjoint(words_of(fact)):
        return None
    for kind in (
        "number",
        "time",
        "version",
        "date",
        "weekday",
        "rhythm",
        "code",
        "quoted",
        "name",
    ):
        old = _only(fact, change, kind)
        news = _nearest(fact, change, _fresh(fact, change, old)) if old else []
        if old is None or len(news) != 1 or _is_another(fact, change, old):
            continue
        new, said = news[0], change.sentence.text
        shared = change.words & fact.words
        shared -= {old.value, new.value, old.unit} | content(new.value)
        around = (change.words & fact.context) - shared
        label = content(fact.label)
        subject = set(_subject(change, new, words_of(fact)))
        counted = set(ordered(fact.text[old.end :])[:1]) & set(ordered(said[new.end :])[:1])
        shared -= counted
        telling = subject - counted - {old.unit, new.unit, new.value, old.value}
        is_all = bool(telling & fact.words) and telling <= words_of(fact)
        is_label = bool(label) and label <= change.words
        is_alike = kind == "code" and _is_similar(old.value, new.value)
        is_both = old.value in {slot.value for slot in change.values}
        weight = len(shared) + is_both + is_alike * (2 if change.cue in _TOLD else 1)
        if change.cue in {"restated", "request"}:
            if not _is_restated(fact, change, old, new):
                continue
        elif not (
            weight >= 2
            or ((is_all or is_label or is_both) and (shared or counted))
            or (shared and around and subject)
        ):
            continue
        if kind in {"name", "code", "weekday"} and weight < 2 and not is_all and not is_label:
            continue
        if change.cue in {"since", "now"} and any(p.tense == "past" for p in _part(change, new)):
            continue
        if not _fits(fact, change, new, is_named=is_alike or (is_label and fact.kind == "cell")):
            continue
        if _is_crowded(fact, change, old, len(shared) + len(around), index):
            continue
        return _swap(fact, old, change.sentence.text, new, len(shared) + len(around))
    return None


def _is_another(fact: Fact, change: Change, old: Slot) -> bool:
    """Whether a sentence gives a line another value of a second kind too: it is another thing."""
    kinds = {"name", "number"} - {old.kind}
    for other in fact.values:
        if other.kind in kinds and other.start >= _label_end(fact):
            news = _fresh(fact, change, other)
            if news and other.value not in change.words and news[0].start > 0:
                return True
    return False


def _is_restated(fact: Fact, change: Change, old: Slot, new: Slot) -> bool:
    """Whether a sentence says what a line says, but for its value; a request says it all."""
    own = fact.words - content(fact.text[old.start : old.end]) - {old.value, old.unit}
    if change.cue == "request":
        theirs = change.words - content(change.sentence.text[new.start : new.end])
        return bool(own) and own == theirs - {new.value, new.unit}
    said = own & change.words
    if fact.label and said >= content(fact.label) and len(change.words - said) == 1:
        return True  # nothing but the label and its value
    return len(said) >= 2 and len(said) * 2 >= len(own) and _is_present(change, new)


def _only(fact: Fact, change: Change, kind: str) -> Slot | None:
    """Return the one value of a kind that a line gives, of several the one with the new unit."""
    olds = [slot for slot in fact.values if slot.kind == kind and slot.start >= _label_end(fact)]
    if len(olds) > 1:
        olds = [slot for slot in olds if slot.value not in change.words]
    if len(olds) > 1:
        leads = {_lead(change.sentence.text, slot) for slot in change.values if slot.kind == kind}
        olds = [slot for slot in olds if _lead(fact.text, slot) in leads - {""}] or olds
    if len(olds) > 1:
        units = {slot.unit for slot in change.values if slot.kind == kind and slot.unit}
        olds = [slot for slot in olds if slot.unit in units]
    return olds[0] if len(olds) == 1 else None


def _lead(text: str, slot: Slot) -> str:
    """Return the preposition right before a value: `hosted at Route 53`, `sits at Cloudflare`."""
    before = text[: slot.start].rsplit(maxsplit=1)[-1:]
    return before[0].lower() if before and before[0].lower() in _PREPOSITION else ""


def _is_present(change: Change, new: Slot) -> bool:
    """Whether the clause with a value speaks of today: `took 41` is a moment that is over."""
    return all(
        part.tense == "present" and not any(is_past_form(word) for word in part.words)
        for part in _part(change, new)
    )


_PARTS = late(r"[a-z0-9]+")


def _is_similar(one: str, other: str) -> bool:
    """Whether two addresses have much in common: `/scratch/ckpt`, `/project/ckpt`."""
    mine, theirs = set(_PARTS.findall(one)), set(_PARTS.findall(other))
    return len(mine & theirs) * 3 >= len(mine | theirs)


def _label_end(fact: Fact) -> int:
    """Return where the label of a line ends, and its value may begin."""
    at = fact.text.find(fact.label) if fact.label else -1
    return at + len(fact.label) if at >= 0 else 0


def _is_crowded(fact: Fact, change: Change, old: Slot, shared: int, index: Index) -> bool:
    """Whether another line with a value of that kind fits the sentence as well."""
    for other in index.near(change.words):
        if other is fact or other.kind in {"hook", "description"}:
            continue
        rivals = [s for s in other.values if same_kind(old, s) and s.kind == old.kind]
        if rivals and all(s.value != old.value for s in rivals):
            mine = len(change.words & words_of(other))
            if mine >= shared and len(change.words & other.words) > 0:
                return True
    return False


def contradicted(fact: Fact, change: Change) -> bool:
    """Whether a sentence may give what a line speaks of another value of one kind."""
    own = fact.words - {slot.value for slot in fact.values}
    theirs = change.words - {slot.value for slot in change.values}
    shared = own & theirs
    if len(shared) < 2 or len(shared) * 2 < len(own):
        return False
    if change.cue == "request" and len(shared) * 5 < len(own | theirs) * 3:
        return False
    known = {each.value for each in change.values}
    for slot in fact.values:
        if slot.kind in _FIGURES and slot.value not in known:
            news = [new for new in _news(change, slot) if new.unit == slot.unit]
            if any(_fits(fact, change, new) for new in news):
                return True
    return False


def sentence_of(change: Change) -> str:
    """Return what a sentence says, without what only leads to it and the task behind it.

    Where it only says that something is gone, the sentence behind it says what is there now.
    """
    text = without_task(change.sentence.text)
    head, colon, rest = text.partition(": ")
    if colon and change.old and change.old.lower() not in head.lower() and len(rest.split()) > 3:
        text = rest
    if len(change.parts) == 1 and change.after:
        text = f"{clean(text)} {without_task(change.after)}"
    return clean(text)
