"""Old lines that what was said makes outdated, found as the rules that date them find them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from datetime import datetime
from pathlib import PurePosixPath

from dreamd.domain.heard import PersonSaid
from dreamd.domain.tree import Tree
from dreamd.engine.model.digest.oldlines import OldLine
from dreamd.engine.model.digest.prose import Utterance, recent
from dreamd.engine.model.digest.suspicion import Suspicion, distinct
from dreamd.engine.rules.noticing import New
from dreamd.engine.rules.orient import Memory
from dreamd.engine.rules.updates.alike import Weights
from dreamd.engine.rules.updates.denials import Denial, denials
from dreamd.engine.rules.updates.given import telling
from dreamd.engine.rules.updates.lines import Line, lines
from dreamd.engine.rules.updates.quantities import has_quantities
from dreamd.engine.rules.updates.standing import Standing
from dreamd.engine.rules.updates.statements import Statement, statements
from dreamd.engine.rules.updates.switches import Switch, switches
from dreamd.host import clock

_WORK = 500_000  # bytes of messages looked through closely, the newest: a second
_SURE = 100.0  # added to the score where the words leave nothing open
_OPEN = 1.0  # score of what is denied or going to be left


def outdated(
    heard: Sequence[Utterance], memory: Memory, tree: Tree, shown: Sequence[OldLine], most: int
) -> tuple[Suspicion, ...]:
    """Return old lines beside what was said since that makes them outdated, the surest first.

    By a newer value, by a name that nobody uses any more, by a denial: first what the rules would
    bring up to date by themselves, then what they would leave open. A line stood before what was
    said by the day that it names, or else by when its note, one of `memory`, was written, as
    `tree` has it. `shown` are the lines that may be quoted.
    """
    rows = list(lines(memory, dict(_edited(tree))))
    said = [each.said for each in recent(heard, _WORK)][::-1]
    news: list[New] = [*_values(said, rows), *switches(said), *denials(said)]
    if not news:
        return ()
    weights = Weights([*(row.text for row in rows), *(each.quote for each in news)])
    standing = _standing(rows, news, weights)
    quoted = {(line.path, line.number): line for line in shown}
    found: list[Suspicion] = []
    for new in sorted(news, key=lambda each: -each.number):
        for old in _replaced(new, standing, weights):
            row = standing.line(old.line)
            if line := quoted.get((row.path, row.number + 1)):
                found.append(Suspicion(new.quote, new.said, line, old.new, old.old, old.score))
    return distinct(sorted(found, key=lambda each: -each.score), most)


@dataclass(frozen=True, slots=True)
class _Old:
    """An old line by its number, the two values, and how likely one replaces the other."""

    line: int
    new: str
    old: str
    score: float


def _edited(tree: Tree) -> Iterator[tuple[PurePosixPath, datetime]]:
    for path, entry in tree.files.items():
        try:
            yield path, clock.from_ns(entry.mtime_ns)
        except OverflowError:  # of no day
            continue


def _values(said: Sequence[PersonSaid], rows: Sequence[Line]) -> Iterator[Statement]:
    """Yield what gives something a value, in order, but for what the notes say word for word."""
    if not any(has_quantities(row.text) for row in rows):
        return
    known = "\n".join(_squeezed(row.text) for row in rows)
    for each in statements(said):
        if _squeezed(each.text).rstrip(".!") not in known:
            yield each


def _standing(rows: Sequence[Line], news: Sequence[New], weights: Weights) -> Standing:
    """Return the lines, but for those with a value that share no word with anything new."""
    words = {word for each in news for word in telling(each.quote)}
    standing = Standing(weights)
    for row in rows:
        if not has_quantities(row.text) or not words.isdisjoint(telling(row.text)):
            standing.add(row)
    return standing


def _replaced(new: New, standing: Standing, weights: Weights) -> Iterator[_Old]:
    """Yield the line that is outdated by what was said, or may be; what was left has several."""
    match new:
        case Switch():
            for line, _ in standing.using(new):
                yield _Old(line, "", new.old, _SURE if new.is_sure else _OPEN)
        case Denial():
            denied = standing.denied(new)
            if denied is not None:
                yield _Old(denied, new.text.rstrip("."), "", _OPEN)
        case Statement():
            sure = standing.replaced(new) if new.is_sure else ()
            likely, olds = standing.perhaps(new) if not sure else (0.0, sure)
            for old in olds[:1]:
                score = likely or _SURE + weights.shared(new.value, old.value)
                yield _Old(old.line, new.value.said, old.value.said, score)


def _squeezed(text: str) -> str:
    return " ".join(text.casefold().split())
