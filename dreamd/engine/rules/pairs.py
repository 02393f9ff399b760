"""Which value of a sentence may take the place of which value of a line."""

from __future__ import annotations

from collections.abc import Iterable

from msgspec import Struct

from dreamd.engine.rules.changes import Change
from dreamd.engine.rules.facts import Fact
from dreamd.engine.rules.slots import Slot, slots
from dreamd.text import lexicon
from dreamd.text.clause import Mood
from dreamd.text.late import late
from dreamd.text.stems import content, stem
from dreamd.text.tokens import tokens

CHANGES = lexicon.of("change") | lexicon.of("made")
_OVER = lexicon.of("over") | lexicon.of("negation") | {"was", "were", "had"}
FIGURES = ("number", "time", "version", "date", "weekday")
SAID = frozenset({Mood.STATED, Mood.ORDERED})
_DIMENSIONS = lexicon.forms("dimension")
_EVERY = lexicon.pattern("every-other")
_BY = late(r"\bby (?:an? )?$")  # a difference
_PARTS, _DIGIT = late(r"[a-z0-9]+"), late(r"\d")


class Proof(Struct, frozen=True):
    """That a change replaces a value of a line: the old slot or words, and the new text."""

    fact: Fact
    old: Slot
    new: str
    shared: int
    measure: str = ""  # the new number with its unit of measure, where it has one


def given(slot: Slot) -> frozenset[str]:
    """Return the stems of a value and its unit."""
    return content(slot.value) | {slot.value, slot.unit, stem(slot.unit)}


def same_kind(old: Slot, new: Slot) -> bool:
    """Whether a value may take the place of another: of its kind, form and dimension."""
    if old.kind != new.kind:
        return {old.kind, new.kind} <= {"number", "version"}
    if old.kind == "code":
        return old.unit == new.unit and (" " in old.value) == (" " in new.value)
    if old.kind != "number" or old.unit == new.unit or not old.unit or not new.unit:
        return True
    return _DIMENSIONS.get(old.unit, "") == _DIMENSIONS.get(new.unit, "-")


def like(values: Iterable[Slot], old: Slot) -> Slot | None:
    """Return the first of some values that is the same as an old one."""
    return next((slot for slot in values if slot.value == old.value and same_kind(slot, old)), None)


def news_of(change: Change, old: Slot) -> list[Slot]:
    """Return the values of a change that may take the place of one: of its kind, not the old."""
    gone = content(change.old) | {slot.value for slot in slots(change.old)} | {old.value}
    found = [s for s in change.values if same_kind(old, s) and s.value not in gone]
    if old.kind == "number":
        found = [s for s in found if not _BY.search(change.sentence.text[: s.start][-6:])]
    exact = [slot for slot in found if old.unit and slot.unit == old.unit]
    if old.kind == "name" and _DIGIT.search(old.value):
        exact = [slot for slot in found if _DIGIT.search(slot.value)]
    return exact or found


def fresh(fact: Fact, change: Change, old: Slot) -> Slot | None:
    """Return the one value of a change that may take a value's place, which the line has not."""
    stand = fact.words | fact.given | content(fact.label)
    found = [new for new in news_of(change, old) if new.value not in stand]
    return found[0] if len({new.value for new in found}) == 1 else None


def swap(fact: Fact, old: Slot, new: Slot, text: str, shared: int) -> Proof:
    """Return the proof that a new value of a text takes the place of an old one."""
    return Proof(fact, old, text[new.start : new.end], shared, text[new.start : new.behind])


def is_over(text: str) -> bool:
    """Whether words say of a value that it holds no more."""
    said = {token.low for token in tokens(text)}
    return not said.isdisjoint(_OVER) or any(word.endswith("n't") for word in said)


def is_similar(old: Slot, other: str) -> bool:
    """Whether an address has much of an old one: `/scratch/ckpt`, `/project/ckpt`; no channel."""
    mine, theirs = set(_PARTS.findall(old.value)), set(_PARTS.findall(other))
    return old.unit != "#" and len(mine & theirs) * 3 >= len(mine | theirs)


def is_another(fact: Fact, change: Change, old: Slot) -> bool:
    """Whether a sentence gives a line another value of a second kind too: it is another thing."""
    kinds = {slot.kind for slot in fact.values}
    if old.kind == "rhythm" and "weekday" in kinds:
        return True  # "weekly on Mondays" is one value
    new = next(iter(news_of(change, old)), None)
    if _qualifier(fact.text, old) != _qualifier(change.sentence.text, new):
        return True
    others = (s for s in fact.values if s.kind != old.kind and s.start >= fact.label_end)
    for other in others:
        new = fresh(fact, change, other)
        if new is not None and other.value not in change.words and new.start > 0:
            return True
    return False


def _qualifier(text: str, slot: Slot | None) -> str:
    """Return how a day is qualified right before it: `every second Monday`."""
    found = _EVERY.search(text[: slot.start].lower()) if slot else None
    return found[1] if found else ""
