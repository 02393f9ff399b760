"""Prove that a change replaces a value of a line, or find the lines it may contradict.

Grounds: the sentence names the old value, or the change and the line's own subject; it corrects
what the assistant has just said; or the line is `label: value` and the sentence names the label
and a new value.
"""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass

from dreamd.engine.rules.changes import Change
from dreamd.engine.rules.facts import Fact
from dreamd.engine.rules.scope import (
    above,
    alike,
    fits,
    is_of,
    is_other,
    is_scoped,
    parts_of,
    piece,
    subject,
    telling,
    words_of,
)
from dreamd.engine.rules.slots import Slot, slots
from dreamd.text import lexicon
from dreamd.text.clause import Mood, clauses, is_past_form
from dreamd.text.late import late
from dreamd.text.statement import clean, leans, without_task
from dreamd.text.stems import content, ordered, stem
from dreamd.text.tokens import tokens

_CHANGES = lexicon.of("change") | lexicon.of("made")
_OVER = lexicon.of("over") | lexicon.of("negation") | {"was", "were", "had"}
_AGAINST = frozenset({"no longer", "instead of"})
_TOLD = frozenset({"changed to", "turned", "correction", "from to", "make it", "done again"})
_FIGURES = ("number", "time", "version", "date", "weekday")
_WORDS = ("code", "quoted", "name")
_KINDS = (*_FIGURES, "rhythm", "colour", *_WORDS)
_SAID = frozenset({Mood.STATED, Mood.ORDERED})
_DIMENSIONS = {
    unit: number
    for number, row in enumerate(lexicon.rows())
    if row.name == "dimension"
    for unit in row.words
}
_EVERY = late(r"\b(?:every|each) (other|second|third|fourth|\w+th) $", re.IGNORECASE)
_BY = late(r"\bby (?:an? )?$")  # a difference
_PARTS = late(r"[a-z0-9]+")
_ENDS = late(r"[.!?]\s|\n")
_TWO_CELLS = 4  # parts of a row of two cells between its bars
_LONG = 3  # letters of a value that tells its line alone
_RARE = 3  # facts that a name may stand in and still tell them
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

    def rarity(self, word: str) -> int:
        """Return in how many facts a word stands."""
        return len(self._by.get(word, ()))

    def tells(self, old: Slot) -> bool:
        """Whether a value that is a word tells its line by itself."""
        return old.kind in _WORDS and self.rarity(old.value) <= _RARE


def proved(change: Change, index: Index) -> tuple[Proof | None, list[Fact]]:
    """Return the one line a change replaces a value of, and the lines it may contradict."""
    found: list[Proof] = []
    likely: list[Fact] = []
    for fact in index.near(_asked(change)):
        if fact.kind in {"hook", "description"} or _is_newer(fact, change):
            continue
        proof = _of_fact(fact, change, index)
        if proof is not None and _is_of(fact, change, proof):
            found.append(proof)
        elif contradicted(fact, change):
            likely.append(fact)
    if not found:
        return None, likely
    best = max(each.shared for each in found)
    top = [each for each in found if each.shared == best]
    first = top[0]
    if all(each.new == first.new and is_copy(each.fact, first) for each in top):
        return first, []
    return None, [each.fact for each in top]


def _is_of(fact: Fact, change: Change, proof: Proof) -> bool:
    """Whether a proof is of the thing a line speaks of; an answer has been asked already."""
    is_row = fact.kind == "cell" and content(fact.label) <= change.words
    is_address = bool(proof.old.unit) and _is_similar(proof.old.value, proof.new.lower())
    if change.cue == "answer" or is_row or is_address:
        return True
    text = change.sentence.text
    olds = [slot.start for slot in change.values if slot.value == proof.old.value]
    olds = olds or [at for at in (text.lower().find(change.old),) if change.old and at >= 0]
    if not proof.new:  # a whole sentence: what leads it counts too
        first = [slot.start for slot in change.values if all(slot.start < at for at in olds)]
        return is_of(fact, change, [*olds, *first[:1]])
    news = [at for at in (text.lower().find(proof.new.lower()),) if at >= 0]
    near = [at for at in olds if any(_piece_at(text, at) == _piece_at(text, new) for new in news)]
    return is_of(fact, change, [*news, *near])


def _piece_at(text: str, at: int) -> tuple[int, int]:
    return piece(text, Slot("", "", "", at, at))


def is_copy(fact: Fact, proof: Proof) -> bool:
    """Whether a line gives the thing of a proved one its old value: it is about nothing else.

    "Billing timeout: 10 s" is no copy of "Orders timeout: 10 s", whatever stands above them.
    """
    mine, old = proof.fact, proof.old
    if fact is mine:
        return True
    if old.kind == "word" or not any(
        each.value == old.value and same_kind(each, old) for each in fact.values
    ):
        return False
    about, theirs = ({w for w in each.words if w not in given(old)} for each in (mine, fact))
    is_pointer = fact.kind in {"hook", "description"} and (
        fact.path == mine.path or mine.path.name in fact.prefix
    )
    if is_pointer:
        return bool(theirs & words_of(mine))
    is_within = theirs <= words_of(mine) or about <= words_of(fact)
    is_apart = above(fact) - words_of(mine) and above(mine) - words_of(fact)
    return is_within and len(theirs & words_of(mine)) > 1 and not is_apart


def given(slot: Slot) -> frozenset[str]:
    """Return the stems of a value and its unit."""
    return content(slot.value) | {slot.value, slot.unit, stem(slot.unit)}


def _asked(change: Change) -> frozenset[str]:
    """Return the stems and values of which a line must have one."""
    before = change.said.before
    if change.cue == "answer":
        return content(before) | {slot.value for slot in slots(before)}
    return change.words | {slot.value for slot in change.values} | content(change.old)


def _of_fact(fact: Fact, change: Change, index: Index) -> Proof | None:
    if change.cue == "answer":
        return _by_answer(fact, change, index)
    if change.cue == "both":
        return _by_both(fact, change, index)
    return _by_label(fact, change) or _by_old(fact, change, index) or _by_cue(fact, change, index)


def _is_newer(fact: Fact, change: Change) -> bool:
    """Whether a line is of a later time than the message, as far as anybody knows."""
    if fact.day is not None:
        return change.day is not None and fact.day > change.day
    at = change.said.at
    return fact.written is not None and at is not None and fact.written > at


def same_kind(old: Slot, new: Slot) -> bool:
    """Whether a value may take the place of another: of its kind, form and dimension."""
    if old.kind != new.kind:
        return {old.kind, new.kind} <= {"number", "version"}
    if old.kind == "code":
        return old.unit == new.unit and (" " in old.value) == (" " in new.value)
    if old.kind != "number" or old.unit == new.unit or not old.unit or not new.unit:
        return True
    return _DIMENSIONS.get(old.unit, 0) == _DIMENSIONS.get(new.unit, -1)


def _news(change: Change, old: Slot) -> list[Slot]:
    """Return the values of a change that may take the place of one: of its kind, not the old."""
    gone = content(change.old) | {slot.value for slot in slots(change.old)} | {old.value}
    found = [s for s in change.values if same_kind(old, s) and s.value not in gone]
    if old.kind == "number":
        found = [s for s in found if not _BY.search(change.sentence.text[: s.start][-6:])]
    exact = [slot for slot in found if old.unit and slot.unit == old.unit]
    if old.kind == "name":
        exact = [slot for slot in found if _has_digit(slot.value) and _has_digit(old.value)]
    return exact or found


def _fresh(fact: Fact, change: Change, old: Slot) -> Slot | None:
    """Return the one value of a change that may take a value's place, which the line has not."""
    stand = fact.words | {slot.value for slot in fact.values} | content(fact.label)
    found = [new for new in _news(change, old) if new.value not in stand]
    return found[0] if len({new.value for new in found}) == 1 else None


def _swap(fact: Fact, old: Slot, text: str, new: Slot, shared: int) -> Proof:
    return Proof(fact, old, text[new.start : new.end], shared, text[new.start : new.behind])


def _by_label(fact: Fact, change: Change) -> Proof | None:
    """Ground 3: the line is `label: value`, and the sentence gives the label another value."""
    mine, theirs = content(change.label), content(fact.label)
    if not mine & theirs or mine - theirs - fact.context:
        return None
    news = slots(change.new)
    stand = {slot.value for slot in news}
    olds = [s for s in fact.values if s.start >= _label_end(fact) and s.value not in stand]
    if len(olds) != 1 or _is_another(fact, change, olds[0]):
        return None
    if news and same_kind(olds[0], news[0]):
        return _swap(fact, olds[0], change.new, news[0], 20 + len(mine & theirs))
    return None


def _label_end(fact: Fact) -> int:
    """Return where the label of a line ends, and its value may begin."""
    at = fact.text.find(fact.label) if fact.label else -1
    return at + len(fact.label) if at >= 0 else 0


def _by_answer(fact: Fact, change: Change, index: Index) -> Proof | None:
    """Ground 2: the assistant has just named the line's value, the answer gives another one."""
    before, text = change.said.before, change.sentence.text
    answer = slots(before)
    for old in fact.values:
        new = _fresh(fact, change, old)
        named = next((s for s in answer if (s.value, s.kind) == (old.value, old.kind)), None)
        if new is None or named is None or new.kind != old.kind or old.value in _values(change):
            continue
        about = content(_sentence(before, named))
        shared = (about | change.words) & words_of(fact) - {old.value, old.unit}
        is_telling = len(old.value) >= _LONG and index.rarity(old.value) <= _RARE
        if not (shared or is_telling) or not _lasts(change, new) or _is_unlike(old, new, change):
            continue
        known = words_of(fact) | about
        ahead = telling(text[piece(text, new)[0] : new.start])
        if any(s.value == new.value for s in answer) or (ahead and known.isdisjoint(ahead)):
            continue
        scopes = (scope for part in change.parts for scope in part.scope)
        if not any(is_other(each, known, change, new) for each in scopes):
            return _swap(fact, old, text, new, len(shared))
    return None


def _sentence(text: str, slot: Slot) -> str:
    """Return the sentence of an answer in which a value stands."""
    ends = [m.end() for m in _ENDS.finditer(text)]
    start = max((end for end in ends if end <= slot.start), default=0)
    return text[start : min((end for end in ends if end >= slot.end), default=len(text))]


def _values(change: Change) -> frozenset[str]:
    return frozenset(slot.value for slot in change.values)


def _is_unlike(old: Slot, new: Slot, change: Change) -> bool:
    """Whether a word of an answer is of another form than the old one, or no change is named."""
    if old.kind not in {"name", "quoted"}:
        return False
    is_numbered = [bool(slot.behind) or _has_digit(slot.value) for slot in (old, new)]
    return len(set(is_numbered)) > 1 or not _names_change(change)


def _has_digit(text: str) -> bool:
    return any(char.isdigit() for char in text)


def _lasts(change: Change, new: Slot) -> bool:
    """Whether a value is stated to be so, or ordered for a reason that is stated."""
    parts = parts_of(change, new)
    if any(part.negated or part.mood in {Mood.REPORTED, Mood.SUPPOSED} for part in parts):
        return False
    return all(part.mood is not Mood.ORDERED for part in parts) or _names_change(change)


def _names_change(change: Change) -> bool:
    words = [word for part in change.parts for word in part.words]
    return any(word in _CHANGES or (word[:2] == "re" and word[-2:] == "ed") for word in words)


def _by_both(fact: Fact, change: Change, index: Index) -> Proof | None:
    """Ground 1: one clause says that the line's value is over, another what is so now."""
    text = change.sentence.text
    for old in fact.values:
        new = _fresh(fact, change, old)
        over = [s for s in change.values if s.value == old.value and same_kind(s, old)]
        if len(over) != 1 or new is None or not _lasts(change, new):
            continue
        if not fits(fact, change, new, moods=_SAID) or _is_another(fact, change, old):
            continue
        then, now = piece(text, over[0]), piece(text, new)
        if then == now or not _is_over(text[slice(*then)]) or _is_over(text[slice(*now)]):
            continue
        about = change.words | content(change.said.before)
        shared = len(about & words_of(fact) - {old.value, new.value})
        is_rare = len(old.value) >= _LONG and index.rarity(old.value) <= _RARE
        if shared or is_rare:
            return _swap(fact, old, text, new, 10 + shared)
    return None


def _is_over(text: str) -> bool:
    """Whether words say of a value that it holds no more."""
    said = {token.low for token in tokens(text)}
    return not said.isdisjoint(_OVER) or any(word.endswith("n't") for word in said)


def _by_old(fact: Fact, change: Change, index: Index) -> Proof | None:
    """Ground 1: the sentence names the old value, and the line holds it."""
    if not change.old:
        return None
    named = slots(change.old)
    for old in fact.values:
        if not _is_named(old, change, named):
            continue
        shared = len((change.words & words_of(fact)) - {old.value} - content(old.value))
        is_telling = index.tells(old)
        if not shared and not is_telling:
            continue
        if (content(change.old) - given(old)) & fact.words - content(old.value):
            continue  # it names more of the line than this value
        if proof := _of_named(fact, change, old, shared, is_telling=is_telling):
            return proof
    return _by_old_word(fact, change, index)


def _of_named(
    fact: Fact, change: Change, old: Slot, shared: int, *, is_telling: bool
) -> Proof | None:
    """Return how the new value, or the whole sentence, takes the place of a value it names."""
    text, news = change.sentence.text, _news(change, old)
    if old.kind in _FIGURES:
        is_one = len(news) == 1 and not _is_another(fact, change, old)
        is_one = is_one and "please" not in text[slice(*piece(text, news[0]))].lower()
        if is_one and fits(fact, change, news[0]):
            return _swap(fact, old, text, news[0], 10 + shared)
        return None
    is_swap = bool(change.new) and is_telling and old.start >= _label_end(fact)
    if fits(fact, change, news[0] if news else None, is_named=is_swap) and (
        said := _named_new(change, old)
    ):
        return Proof(fact, old, said, 10 + shared)
    new = _fresh(fact, change, old) if change.cue in _AGAINST else None
    if new is not None and fits(fact, change, new):
        return _swap(fact, old, text, new, 10 + shared)
    if change.cue != "renamed from" and _is_telling(fact, change):
        return Proof(fact, old, "", 8 + shared)
    return None


def _is_named(old: Slot, change: Change, named: Sequence[Slot]) -> bool:
    if any(slot.value == old.value and slot.kind == old.kind for slot in named):
        return True
    if old.kind not in _WORDS:
        return False
    if old.kind == "quoted":
        return old.value.lower() in change.old.lower()
    found = ordered(change.old)
    alikes = [any(alike(mine, theirs) for theirs in found) for mine in ordered(old.value)]
    return any(alikes) if old.kind == "name" else bool(alikes) and all(alikes)


def _is_telling(fact: Fact, change: Change) -> bool:
    """Whether a sentence makes sense in place of a line: it says something of its own, alone."""
    text = sentence_of(change, fact)
    about = set(telling(fact.text)) - content(change.old) if change.cue in _AGAINST else set()
    if about and about.isdisjoint(change.words):
        return False
    if fact.kind == "cell" or _gives_more(fact, change):
        return False
    own = content(text) - content(change.old) - fact.words
    if len(own) < 2 or len(text) > 200 or leans(text):
        return False
    allowed = _SAID if change.cue == "no longer" else {Mood.STATED}
    return {part.mood for part in clauses(text)} <= allowed and not is_scoped(change, text, fact)


def _gives_more(fact: Fact, change: Change) -> bool:
    """Whether a line gives, behind a comma, a value that a sentence does not speak of."""
    said = change.words | content(change.old)
    parts = [part for part in fact.text[_label_end(fact) :].split(",") if slots(part)]
    return any(
        said.isdisjoint(given(slot)) for part in parts[1:] or () for slot in slots(part)
    ) or (len(parts) > 1 and all(said.isdisjoint(given(slot)) for slot in slots(parts[0])))


def _by_old_word(fact: Fact, change: Change, index: Index) -> Proof | None:
    """The same where the old value is a word like any other: `no longer optional`."""
    words = ordered(change.old)
    if not 1 <= len(words) <= 2 or not set(words) <= fact.words:
        return None
    at = _place(fact.text, change.old.split()[-1])
    if at is None or len(words[-1]) < 3 or _is_figure(change.old):
        return None
    shared = (change.words & words_of(fact)) - set(words)
    is_rare = max(index.rarity(word) for word in words) <= 2
    if change.cue == "no longer":
        is_rare = is_rare and any(index.rarity(word) <= _FEW for word in shared)
    if not (len(shared) >= 2 or is_rare) or not _is_telling(fact, change):
        return None
    return Proof(fact, Slot(words[-1], "word", "", *at), "", 5 + len(shared))


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
    """Ground 1: the change is named, the subject is the line's, the kind of value fits.

    Without a word of change the sentence must say all that the line says, but for the value.
    """
    if change.cue == "label" or not content(change.old).isdisjoint(words_of(fact)):
        return None
    for kind in _FIGURES if change.old else _KINDS:
        old = _only(fact, change, kind)
        new = _fresh(fact, change, old) if old else None
        if old is None or new is None or _is_another(fact, change, old):
            continue
        shared = _shared(fact, change, old, new)
        if shared is not None and not _is_crowded(fact, change, old, shared, index):
            return _swap(fact, old, change.sentence.text, new, shared)
    return None


def _shared(fact: Fact, change: Change, old: Slot, new: Slot) -> int | None:
    """Return how many words tell that a change speaks of a value; None where they do not."""
    said, label = change.sentence.text, content(fact.label)
    counted = set(ordered(fact.text[old.end :])[:1]) & set(ordered(said[new.end :])[:1])
    values = {old.value, new.value, old.unit, new.unit} | content(new.value) | counted
    shared = (change.words & fact.words) - values
    told = set(subject(change, new, words_of(fact))) - values
    is_all = bool(told & fact.words) and told <= words_of(fact)
    is_label = bool(label) and label <= change.words
    is_alike = old.kind == "code" and _is_similar(old.value, new.value)
    if old.kind == "name" and fact.kind == "cell" and len(fact.text.split("|")) > _TWO_CELLS:
        return None  # nobody can say which column a name is for
    named = [slot for slot in change.values if slot.value == old.value]
    if named and old.kind == "name" and _stays(said[slice(*piece(said, named[0]))]):
        return None  # "Bohdan is early now, Piotr stays late"
    is_both = bool(named)
    around = (change.words & fact.context) - values
    weight = len(shared) + is_both + is_alike * (2 if change.cue in _TOLD else 1)
    if change.cue in {"restated", "request"}:
        is_proved = _is_restated(fact, change, old, new)
    else:
        is_proved = (is_all or is_label or is_both) and bool(shared or counted)
        is_proved = is_proved or bool(shared and around and told)
    is_word = old.kind in {"name", "code", "weekday"}
    if weight < 2 and (not is_proved or (is_word and not is_all and not is_label)):
        return None
    if change.cue in {"restated", "request"} and not is_proved:
        return None
    if change.cue in {"since", "now"} and any(p.tense == "past" for p in parts_of(change, new)):
        return None
    is_named = is_alike or (is_label and fact.kind == "cell")
    moods = _SAID if is_both and change.cue == "now" else {Mood.STATED}
    if not fits(fact, change, new, is_named=is_named, moods=moods):
        return None
    return len(shared | around)


def _stays(text: str) -> bool:
    return not _is_over(text) and _CHANGES.isdisjoint(text.lower().split())


def _is_another(fact: Fact, change: Change, old: Slot) -> bool:
    """Whether a sentence gives a line another value of a second kind too: it is another thing."""
    kinds = {slot.kind for slot in fact.values}
    if old.kind == "rhythm" and "weekday" in kinds:
        return True  # "weekly on Mondays" is one value
    if _qualifier(fact.text, old) != _qualifier(change.sentence.text, *_named(change, old)):
        return True
    others = (s for s in fact.values if s.kind != old.kind and s.start >= _label_end(fact))
    for other in others:
        new = _fresh(fact, change, other)
        if new is not None and other.value not in change.words and new.start > 0:
            return True
    return False


def _qualifier(text: str, *slots_: Slot) -> str:
    """Return how a day is qualified right before it: `every second Monday`."""
    found = _EVERY.search(text[: slots_[0].start]) if slots_ else None
    return found[1].lower() if found else ""


def _named(change: Change, old: Slot) -> list[Slot]:
    """Return the new value of a change that takes the place of one."""
    return _news(change, old)[:1]


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


def _is_present(change: Change, new: Slot) -> bool:
    """Whether the clause with a value speaks of today: `took 41` is a moment that is over."""
    return all(
        part.tense == "present" and not any(is_past_form(word) for word in part.words)
        for part in parts_of(change, new)
    )


def _only(fact: Fact, change: Change, kind: str) -> Slot | None:
    """Return the one value of a kind that a line gives, of several the one with the new unit."""
    olds = [slot for slot in fact.values if slot.kind == kind and slot.start >= _label_end(fact)]
    if len(olds) > 1:
        units = {slot.unit for slot in change.values if slot.kind == kind and slot.unit}
        olds = [slot for slot in olds if slot.unit in units]
    return olds[0] if len(olds) == 1 else None


def _is_similar(one: str, other: str) -> bool:
    """Whether two addresses have much in common: `/scratch/ckpt`, `/project/ckpt`."""
    mine, theirs = set(_PARTS.findall(one)), set(_PARTS.findall(other))
    return len(mine & theirs) * 3 >= len(mine | theirs)


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
    theirs = change.words - _values(change)
    shared = own & theirs
    if len(shared) < 2 or len(shared) * 2 < len(own):
        return False
    if change.cue == "request" and len(shared) * 5 < len(own | theirs) * 3:
        return False
    known = _values(change)
    for slot in fact.values:
        if slot.kind in _FIGURES and slot.value not in known:
            news = [new for new in _news(change, slot) if new.unit == slot.unit]
            if any(fits(fact, change, new) for new in news):
                return True
    return False


def _is_figure(text: str) -> bool:
    return any(slot.kind in _FIGURES for slot in slots(text))


def sentence_of(change: Change, fact: Fact) -> str:
    """Return what a sentence says, without what only leads to it and the task behind it.

    Where it only says that something is gone, the sentence behind it says what is there now.
    """
    text = without_task(change.sentence.text)
    head, colon, rest = text.partition(": ")
    is_lead = change.old.lower() not in head.lower() and fact.words.isdisjoint(content(head))
    if colon and change.old and is_lead and len(rest.split()) > 3:
        text = rest
    if len(change.parts) == 1 and change.after:
        text = f"{clean(text)} {without_task(change.after)}"
    return clean(text)
