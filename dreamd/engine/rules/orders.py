"""Ground 4: a newer order about the same thing replaces the value of an older one.

Both order the same of the same objects and differ in one quoted value ("end variable names with
`_w`", weeks later "`_n`"), or say the same in the same words but for one figure.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import NamedTuple

from dreamd.engine.rules.changes import Change
from dreamd.engine.rules.facts import Fact
from dreamd.engine.rules.pairs import FIGURES, Proof, swap
from dreamd.engine.rules.slots import Slot, slots
from dreamd.text import lexicon
from dreamd.text.clause import clauses
from dreamd.text.stems import content, ordered, stem
from dreamd.text.tokens import words

_VERBS = lexicon.forms("order-verb")
_OBJECTS = frozenset(stem(word) for word in lexicon.of("agent-noun")) - {stem("names")}


class Order(NamedTuple):
    """What a clause orders: its verb in one form, the objects it is about, and the one value."""

    verb: str
    objects: frozenset[str]
    slot: Slot


def orders(text: str) -> Iterator[Order]:
    """Yield the orders of a line that give one quoted value each, slots as places in the line."""
    before: frozenset[str] = frozenset()
    verb_before = ""
    for part in clauses(text):
        objects = frozenset(ordered(part.text)) & _OBJECTS
        found = [
            slot
            for slot in slots(text)
            if slot.kind in {"quoted", "code"} and part.start <= slot.start < part.end
        ]
        about = objects or before
        said = text[part.start : found[0].start] if len(found) == 1 else part.text
        verbs = [_VERBS[word] for word in words(said) if word in _VERBS]
        verbs = [word for word in verbs if word != "name"] or verbs  # mostly a noun there
        verb = verbs[-1] if verbs else verb_before
        if len(found) == 1 and verb and about:
            yield Order(verb, about, found[0])
        before, verb_before = about, verb


def keys(text: str) -> frozenset[object]:
    """Return by what a line is found that another one replaces: its orders, its words."""
    return frozenset(key for key, _ in _keyed(text))


def _keyed(text: str) -> Iterator[tuple[object, Slot]]:
    for each in orders(text):
        yield (each.verb, each.objects, each.slot.kind), each.slot
    values = [slot for slot in slots(text) if slot.kind in FIGURES]
    if len(values) == 1:
        slot = values[0]
        rest = content(text[: slot.start] + text[slot.end :]) - {slot.unit}
        yield (rest, slot.kind, slot.unit), slot


def by_order(fact: Fact, change: Change) -> Proof | None:
    """Ground 4: both order the same, or say the same in the same words, but for one value.

    Where several values are others, the whole request takes the place of the line.
    """
    text = change.sentence.text
    told = dict(_keyed(text))
    pairs = [(old, told[key]) for key, old in _keyed(fact.text) if key in told]
    others = [(old, new) for old, new in pairs if old.value != new.value]
    if len(others) == 1:
        return swap(fact, *others[0], text, len(change.words))
    return Proof(fact, others[0][0], "", len(change.words)) if others else None
