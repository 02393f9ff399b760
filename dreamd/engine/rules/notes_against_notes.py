"""Compare dated notes with each other: the newer of two values wins."""

from __future__ import annotations

from collections.abc import Iterator
from datetime import date

from dreamd.engine.rules.edit import Edit, Insertion, Refusals, Removal
from dreamd.engine.rules.facts import Fact, facts
from dreamd.engine.rules.orient import Memory
from dreamd.engine.rules.slots import Slot, slots
from dreamd.text.late import late
from dreamd.text.stems import ordered
from dreamd.text.tokens import tokens

RULE = "newer note"
STEP = "marked {older note} as past"
_DATE = late(r"\(?\b\d{4}-\d\d-\d\d\b\)?:?")


def edits(memory: Memory, refusals: Refusals) -> Iterator[Edit]:
    """Yield the edits that mark the older of two dated lines as past.

    Both are equal but for their dates and one value of the same kind in the same place, or are
    rows of one table with one label. Anything looser is left.
    """
    groups: dict[tuple[str, ...], list[tuple[date, Fact, Slot]]] = {}
    for fact in facts(memory, {}, are_dated=True):
        if fact.kind not in {"item", "cell"} or fact.day is None:
            continue
        for key, slot in _keys(fact):
            groups.setdefault(key, []).append((fact.day, fact, slot))
    done: set[tuple[object, int]] = set()
    for same in groups.values():
        newest = max(same, key=lambda each: each[0])
        for day, fact, slot in same:
            if day == newest[0] or slot.value == newest[2].value:
                continue
            if (fact.path, fact.number) not in done:
                done.add((fact.path, fact.number))
                yield from _past(fact, newest[1], newest[2], refusals)


def _keys(fact: Fact) -> Iterator[tuple[tuple[str, ...], Slot]]:
    """Yield what a line says but for its day and one value, with that value."""
    bare = _DATE.sub(lambda match: " " * len(match[0]), fact.text)
    if fact.kind == "cell":
        yield from _cells(fact, bare)
        return
    for slot in slots(bare):
        rest = (
            *ordered(bare[: slot.start]),
            f"<{slot.kind}{slot.unit}>",
            *ordered(bare[slot.end :]),
        )
        if len(rest) > 2:
            yield rest, slot
    yield from _last_words(bare)


def _last_words(bare: str) -> Iterator[tuple[tuple[str, ...], Slot]]:
    """Yield a line without the plain words it ends in, where a verb of being stands before them."""
    found = [token for token in tokens(bare) if token.kind != "mark"]
    for number, token in enumerate(found[1:-1], 1):
        if token.low in {
            "is",
            "are",
            "on",
            "off",
            "in",
            "by",
            "with",
            "at",
            "to",
            "through",
            "from",
        }:
            start, end = found[number + 1].start, found[-1].end
            before = ordered(bare[:start])
            if len(before) > 1 and len(found) - number <= 4:
                value = bare[start:end]
                yield (*before, token.low, "<words>"), Slot(value.lower(), "words", "", start, end)


def _cells(fact: Fact, bare: str) -> Iterator[tuple[tuple[str, ...], Slot]]:
    cells = [cell.strip() for cell in bare.strip().strip("|").split("|")]
    filled = [cell for cell in cells if cell]
    if len(filled) == 2:
        at = bare.index(filled[1], bare.index(filled[0]) + len(filled[0]))
        label = (str(fact.path), fact.about, filled[0].lower(), "<cell>")
        yield label, Slot(filled[1].lower(), "cell", "", at, at + len(filled[1]))


def _past(fact: Fact, newer: Fact, value: Slot, refusals: Refusals) -> Iterator[Edit]:
    """Yield the edit that marks a line as past and names the line that replaces it."""
    now = newer.text[value.start : value.end].strip("`| ")
    day = newer.day.isoformat() if newer.day else ""
    if fact.kind == "cell":
        first = fact.text.index("|") + 1
        cell, bar, rest = fact.text[first:].partition("|")
        text = f"{fact.text[:first]}{cell.rstrip()} (previously, until {day}) {bar}{rest}"
    else:
        text = f"Previously: {fact.text.rstrip()} Now {now} ({day})."
    row = fact.prefix + text
    if refusals.of_removing(fact.path, (fact.row,)) or refusals.of_adding(fact.path, (row,)):
        return
    yield Edit(
        RULE,
        STEP,
        (Removal(fact.path, fact.number, says=newer.row),),
        (Insertion(fact.path, fact.number, (row,)),),
    )
