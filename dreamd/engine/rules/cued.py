"""Ground 1: a sentence names the change and the subject of a line."""

from __future__ import annotations

from dreamd.engine.rules import pairs, scope
from dreamd.engine.rules.changes import Change
from dreamd.engine.rules.facts import WORDS, Fact, Index
from dreamd.engine.rules.pairs import CHANGES, FIGURES, Proof, fresh, is_another, is_similar, swap
from dreamd.engine.rules.slots import Slot
from dreamd.text.clause import Mood
from dreamd.text.stems import content, ordered

_KINDS = (*FIGURES, "rhythm", "colour", *WORDS)
_FEWEST = 2  # words that a sentence and a line share
_SHARE = 4  # of so many words of a line the sentence has one, or it names the old value


def by_cue(fact: Fact, change: Change, index: Index) -> Proof | None:
    """Ground 1: the change is named, the subject is the line's, the kind of value fits.

    Without a word of change the sentence must say all that the line says, but for the value.
    """
    if not content(change.old).isdisjoint(fact.known) or (change.cue == "label" and not fact.label):
        return None
    for kind in FIGURES if change.old else _KINDS:
        old = _only(fact, change, kind)
        new = fresh(fact, change, old) if old else None
        if old is None or new is None or is_another(fact, change, old):
            continue
        shared = _shared(fact, change, old, new)
        if shared is not None and not _is_crowded(change, old, new, shared, index):
            return swap(fact, old, new, change.sentence.text, shared)
    return None


def _shared(fact: Fact, change: Change, old: Slot, new: Slot) -> int | None:
    """Return how many words tell that a change speaks of a value; None where they do not."""
    said = change.sentence.text
    counted = set(ordered(fact.text[old.end :])[:1]) & set(ordered(said[new.end :])[:1])
    values = pairs.given(old) | pairs.given(new) | counted
    shared, around = ((change.words & each) - values for each in (fact.words, fact.context))
    told = set(scope.subject(change, new, fact.known)) - values
    is_all = bool(told & fact.words) and told <= fact.known
    is_alike = old.kind == "code" and is_similar(old, new.value)
    named = next((slot for slot in change.values if slot.value == old.value), None)
    if old.kind == "name":
        if fact.kind == "cell":
            return None  # nobody can say which column a name is for
        then = said[scope.piece(said, named.start, named.end)] if named else ""
        if named and CHANGES.isdisjoint(then.lower().split()):
            return None  # "Bohdan is early now, Piotr stays late"
    if not named and len(shared | around) * _SHARE < len(fact.words - fact.given):
        return None
    weight = len(shared) + bool(named) + is_alike
    if change.cue == "restated":
        is_proved = _is_restated(fact, change, old, new)
    else:
        is_proved = bool((is_all or named) and (shared or counted))
    if not is_proved and (weight < _FEWEST or change.cue == "restated" or old.kind == "name"):
        return None
    return len(shared | around) if scope.fits(fact, change, new, is_named=is_alike) else None


def _is_restated(fact: Fact, change: Change, old: Slot, new: Slot) -> bool:
    """Whether a sentence says today what a line says, but for its value."""
    own = fact.words - content(fact.text[old.start : old.end]) - {old.value, old.unit}
    said = own & change.words
    is_present = all(part.tense == "present" for part in scope.parts_of(change, new))
    is_present = is_present and all(part.mood is not Mood.ORDERED for part in change.parts)
    return len(said) >= _FEWEST and len(said) * 2 >= len(own) and is_present


def _only(fact: Fact, change: Change, kind: str) -> Slot | None:
    """Return the one value of a kind that a line gives, of several the one with the new unit."""
    olds = [slot for slot in fact.values if slot.kind == kind and slot.start >= fact.label_end]
    if len(olds) > 1:
        units = {slot.unit for slot in change.values if slot.kind == kind and slot.unit}
        olds = [slot for slot in olds if slot.unit in units]
    return olds[0] if len(olds) == 1 else None


def _is_crowded(change: Change, old: Slot, new: Slot, shared: int, index: Index) -> bool:
    """Whether another line, with another value of that kind, fits the sentence as well."""
    for other in index.near(change.words):
        rivals = [slot.value for slot in other.values if slot.kind == old.kind]
        about = scope.subject(change, new, other.known) or change.words
        is_rival = bool(rivals) and old.value not in rivals and not other.known.isdisjoint(about)
        if is_rival and len(change.words & other.known) >= shared:
            return True
    return False
