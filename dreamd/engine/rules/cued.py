"""Ground 1: a sentence names the change and the subject of a line."""

from __future__ import annotations

from dreamd.engine.rules.changes import Change
from dreamd.engine.rules.facts import Fact
from dreamd.engine.rules.index import WORDS, Index
from dreamd.engine.rules.replacing import (
    CHANGES,
    FIGURES,
    SAID,
    Proof,
    fresh,
    is_another,
    is_over,
    is_similar,
    label_end,
    same_kind,
    swap,
)
from dreamd.engine.rules.scope import (
    fits,
    parts_of,
    piece,
    subject,
    words_of,
)
from dreamd.engine.rules.slots import Slot
from dreamd.text.clause import Mood, is_past_form
from dreamd.text.stems import content, ordered

_TOLD = frozenset({"changed to", "turned", "correction", "from to", "make it", "done again"})
_KINDS = (*FIGURES, "rhythm", "colour", *WORDS)
_TWO_CELLS = 4  # parts of a row of two cells between its bars


def by_cue(fact: Fact, change: Change, index: Index) -> Proof | None:
    """Ground 1: the change is named, the subject is the line's, the kind of value fits.

    Without a word of change the sentence must say all that the line says, but for the value.
    """
    if change.cue == "label" or not content(change.old).isdisjoint(words_of(fact)):
        return None
    for kind in FIGURES if change.old else _KINDS:
        old = _only(fact, change, kind)
        new = fresh(fact, change, old) if old else None
        if old is None or new is None or is_another(fact, change, old):
            continue
        shared = _shared(fact, change, old, new)
        if shared is not None and not _is_crowded(fact, change, old, shared, index):
            return swap(fact, old, change.sentence.text, new, shared)
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
    is_alike = old.kind == "code" and is_similar(old.value, new.value)
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
    moods = SAID if is_both and change.cue == "now" else {Mood.STATED}
    if not fits(fact, change, new, is_named=is_named, moods=moods):
        return None
    return len(shared | around)


def _stays(text: str) -> bool:
    return not is_over(text) and CHANGES.isdisjoint(text.lower().split())


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
    olds = [slot for slot in fact.values if slot.kind == kind and slot.start >= label_end(fact)]
    if len(olds) > 1:
        units = {slot.unit for slot in change.values if slot.kind == kind and slot.unit}
        olds = [slot for slot in olds if slot.unit in units]
    return olds[0] if len(olds) == 1 else None


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
