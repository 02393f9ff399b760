"""Replace the value of a standing order by that of a newer one about the same thing.

Both say what to do with the same kind of name or object, and differ in one quoted value:
"end variable names with `_w`", weeks later "`_n`".
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import date
from typing import NamedTuple

from dreamd.engine.rules.edit import Edit, Insertion, Refusals, Removal, Source
from dreamd.engine.rules.facts import Fact, day_of
from dreamd.engine.rules.requests import Request
from dreamd.engine.rules.slots import Slot, slots
from dreamd.engine.rules.supersede import RULE, STEP, with_aside
from dreamd.text import lexicon
from dreamd.text.clause import clauses
from dreamd.text.stems import ordered, stem
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
        verb = verbs[-1] if verbs else verb_before
        if len(found) == 1 and verb and about:
            yield Order(verb, about, found[0])
        before, verb_before = about, verb


def replaced(
    request: Request, known: Sequence[Fact], refusals: Refusals
) -> Mapping[tuple[object, int], Edit]:
    """Return the edits by which a request replaces values of older orders; none where it adds one.

    An older line keeps its words; the old value stands behind `previously`, with its day.
    """
    news = list(orders(request.text))
    edits: dict[tuple[object, int], Edit] = {}
    for fact in known:
        if not _may_change(fact, request.said.day):
            continue
        row, gone = _renewed(fact, news)
        if not gone:
            continue
        day = request.said.day.isoformat() if request.said.day else ""
        old = f", {fact.day.isoformat()}" if fact.day else ""
        text = row
        if fact.kind == "item":
            text = with_aside(row, f"{day}; previously {' and '.join(gone)}{old}{fact.older}")
        after = fact.prefix + text
        if refusals.of_removing(fact.path, (fact.row,)) or refusals.of_adding(fact.path, (after,)):
            continue
        edits[fact.path, fact.number] = Edit(
            RULE,
            STEP,
            (Removal(fact.path, fact.number, says=after),),
            (Insertion(fact.path, fact.number, (after,)),),
            source=Source(request.quote, request.said.session, request.said.message, day),
        )
    return edits


def _may_change(fact: Fact, day: date | None) -> bool:
    known = fact.day or day_of(fact.text)
    return fact.kind != "cell" and (known is None or day is None or known <= day)


def _renewed(fact: Fact, news: Iterable[Order]) -> tuple[str, list[str]]:
    """Return the text of a line with the newer values in it, and the values that went."""
    swaps: list[tuple[Slot, str]] = []
    for mine in orders(fact.text):
        for new in news:
            is_same = mine.verb == new.verb and mine.objects == new.objects
            if is_same and mine.slot.value != new.slot.value and mine.slot.kind == new.slot.kind:
                swaps.append((mine.slot, new.slot.value))
                break
    text = fact.text
    gone: list[str] = []
    for slot, value in reversed(swaps):
        old = text[slot.start : slot.end]
        mark = old[:1] if old[:1] in {"'", '"', "`"} else ""
        text = f"{text[: slot.start]}{mark}{value}{mark}{text[slot.end :]}"
        gone.insert(0, old)
    return text, gone
