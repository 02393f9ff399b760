"""Replace the value of a line by that of a newer request about the same thing.

Both order the same of the same objects and differ in one quoted value ("end variable names with
`_w`", weeks later "`_n`"), or say the same in the same words but for one figure.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from pathlib import PurePosixPath
from typing import NamedTuple

from dreamd.engine.rules.edit import Edit, Insertion, Refusals, Removal, Source
from dreamd.engine.rules.facts import Fact
from dreamd.engine.rules.requests import Request
from dreamd.engine.rules.slots import Slot, slots
from dreamd.engine.rules.supersede import RULE, STEP, with_aside
from dreamd.text import lexicon
from dreamd.text.clause import clauses
from dreamd.text.stems import content, ordered, stem
from dreamd.text.tokens import words

_VERBS = lexicon.forms("order-verb")
_FIGURES = frozenset({"number", "time", "date", "weekday", "version"})
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


class Lines:
    """The lines of notes by what they order, and by what they say but for a value."""

    def __init__(self, known: Iterable[Fact]) -> None:
        self.facts = tuple(known)
        self.keys: dict[object, list[Fact]] = {}
        for fact in self.facts:
            if fact.kind != "cell":
                for key in keys(fact.text):
                    self.keys.setdefault(key, []).append(fact)

    def replaced(self, request: Request, refusals: Refusals) -> dict[Place, Edit]:
        """Return the edits by which a request gives older lines its value; none where it adds one.

        An older line keeps its words; the old value stands behind `previously`, with its day.
        """
        news = list(orders(request.text))
        edits: dict[Place, Edit] = {}
        for key in keys(request.text):
            for fact in self.keys.get(key, ()):
                known = fact.day
                if known is None or request.said.day is None or known <= request.said.day:
                    edits |= _edit(fact, request, news, refusals)
        return edits


Place = tuple[PurePosixPath, int]


def keys(text: str) -> Iterator[object]:
    """Yield by what a line is found that another one replaces: its orders, its words."""
    for each in orders(text):
        yield each.verb, each.objects, each.slot.kind
    values = [slot for slot in slots(text) if slot.kind in _FIGURES]
    if len(values) == 1:
        slot = values[0]
        yield content(text[: slot.start] + text[slot.end :]) - {slot.unit}, slot.kind, slot.unit


def _edit(
    fact: Fact, request: Request, news: Sequence[Order], refusals: Refusals
) -> dict[Place, Edit]:
    row, gone = _renewed(fact, request.text, news)
    if not gone:
        return {}
    day = request.said.day.isoformat() if request.said.day else ""
    old = f", {fact.day.isoformat()}" if fact.day else ""
    text = row
    if fact.kind == "item":
        text = with_aside(row, f"{day}; previously {' and '.join(gone)}{old}{fact.older}")
    after = fact.prefix + text
    if refusals.of_removing(fact.path, (fact.row,)) or refusals.of_adding(fact.path, (after,)):
        return {}
    edit = Edit(
        RULE,
        STEP,
        (Removal(fact.path, fact.number, says=after),),
        (Insertion(fact.path, fact.number, (after,)),),
        source=Source(request.quote, request.said.session, request.said.message, day),
    )
    return {(fact.path, fact.number): edit}


def _renewed(fact: Fact, text: str, news: Iterable[Order]) -> tuple[str, list[str]]:
    """Return the text of a line with the newer values in it, and the values that went."""
    swaps: list[tuple[Slot, str]] = []
    for mine in orders(fact.text):
        for new in news:
            is_same = mine.verb == new.verb and mine.objects == new.objects
            if is_same and mine.slot.value != new.slot.value and mine.slot.kind == new.slot.kind:
                swaps.append((mine.slot, new.slot.value))
                break
    if not swaps:
        mine_, theirs = (
            [slot for slot in slots(each) if slot.kind in _FIGURES] for each in (fact.text, text)
        )
        is_one = len(mine_) == len(theirs) == 1 and mine_[0].value != theirs[0].value
        if is_one and mine_[0].kind == theirs[0].kind:
            swaps.append((mine_[0], text[theirs[0].start : theirs[0].end]))
    found = fact.text
    gone: list[str] = []
    for slot, value in reversed(swaps):
        old = found[slot.start : slot.end]
        mark = old[:1] if old[:1] in {"'", '"', "`"} else ""
        found = f"{found[: slot.start]}{mark}{value}{mark}{found[slot.end :]}"
        gone.insert(0, old)
    return found, gone
