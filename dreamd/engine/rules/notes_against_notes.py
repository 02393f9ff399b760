"""Compare dated notes with each other: the newer of two values stands."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator
from datetime import date
from itertools import pairwise

from dreamd.engine.rules.edit import Edit, Refusals
from dreamd.engine.rules.facts import Fact, facts
from dreamd.engine.rules.orient import Memory
from dreamd.engine.rules.slots import Slot, slots
from dreamd.text.late import late
from dreamd.text.stems import ordered
from dreamd.text.tokens import tokens

REASON = "newer note", "marked {older note} as past"
_DATE = late(r"\(?\b\d{4}-\d\d-\d\d\b\)?:?")
_BEFORE_A_VALUE = {"is", "are", "on", "off", "in", "by", "with", "at", "to", "through", "from"}
_LONGEST = 4  # words of a value, with the one before it
Key = tuple[str, ...]


def edits(memory: Memory, refusals: Refusals) -> Iterator[Edit]:
    """Yield the edits that mark the older of two dated lines as past.

    Both are equal but for their dates and one value of the same kind in the same place, or are
    rows of one table with one label. Anything looser is left, and so are two values of one day.
    """
    groups: dict[Key, list[tuple[date, Fact, Slot]]] = defaultdict(list)
    for fact in facts(memory, {}, are_dated=True):
        if fact.kind in {"item", "cell"} and fact.day is not None:
            bare = _DATE.sub(lambda match: " " * len(match[0]), fact.text)
            for key, slot in _cell(fact, bare) if fact.kind == "cell" else _item(bare):
                groups[key].append((fact.day, fact, slot))
    past: set[Fact] = set()
    for same in groups.values():
        newest, newer, value = max(same, key=lambda each: each[0])
        older = [(day, fact) for day, fact, slot in same if slot.value != value.value]
        for _, fact in older if all(day < newest for day, _ in older) else ():
            if fact not in past:
                row = fact.prefix + _past(fact, newer, value)
                at = fact.path, fact.number
                yield from refusals.swap(at, fact.row, row, REASON, newer.row)
            past.add(fact)


def _item(bare: str) -> Iterator[tuple[Key, Slot]]:
    """Yield what a line says but for its day and one value, with that value.

    That is a number, a name or the like, or the few words that a line ends in ("… is on call").
    """
    for slot in slots(bare):
        kind = f"<{slot.kind}{slot.unit}>"
        rest = (*ordered(bare[: slot.start]), kind, *ordered(bare[slot.end :]))
        if len(rest) > 2:
            yield rest, slot
    found = [token for token in tokens(bare) if token.kind != "mark"]
    for verb, first in pairwise(found[1:][-_LONGEST:]):
        before, words = ordered(bare[: first.start]), bare[first.start : found[-1].end].lower()
        if verb.low in _BEFORE_A_VALUE and len(before) > 1 and not slots(words):
            slot = Slot(words, "words", "", first.start, found[-1].end)
            yield (*before, verb.low, "<words>"), slot


def _cell(fact: Fact, bare: str) -> Iterator[tuple[Key, Slot]]:
    """Yield the label of a row of two cells, with the value beside it."""
    filled = [cell.strip() for cell in bare.split("|") if cell.strip()]
    if len(filled) == 2:
        label, value = filled
        at = bare.index(value, bare.index(label) + len(label))
        key = (str(fact.path), fact.about, label.lower(), "<cell>")
        yield key, Slot(value.lower(), "cell", "", at, at + len(value))


def _past(fact: Fact, newer: Fact, value: Slot) -> str:
    """Return a line as past, with the value that replaces it."""
    day = newer.day.isoformat() if newer.day else ""
    if fact.kind == "cell":
        head, label, rest = fact.text.split("|", 2)
        return f"{head}|{label.rstrip()} (previously, until {day}) |{rest}"
    now = newer.text[value.start : value.end].strip("`| ")
    return f"Previously: {fact.text.rstrip()} Now {now} ({day})."
