"""Whether a verb alone changed places, in languages in which it does: "Montags endet der Kurs"."""

from __future__ import annotations

from collections.abc import Sequence

from dreamd.engine.rules.near.runs import Run, is_part
from dreamd.engine.rules.near.term import Term
from dreamd.engine.rules.near.wording import GENDERED, NAMING, SPEAKERS

_VERBAL = 3  # words of what somebody does: "feiern wir", "puede tener"


def is_inverted(
    turned: Sequence[tuple[Run, Run]],
    bare: Sequence[Run],
    one: Sequence[Term],
    other: Sequence[Term],
    spoken: str,
) -> bool:
    """Whether a verb alone changed places: "am Montag endet der Vertrag".

    It has few words and is no name of anything, and what it went past is one or is all the rest.
    Who does something and what it is done to may change places around a verb of naming, and where
    the words themselves tell which is which: "den Hund", "las plantas las riega Carmen".
    """
    named = {run for run in bare if _is_named(run, one, other)}
    if spoken == "fr" and len(named) > 1:
        return False
    marked = [pair for pair in turned if named.issuperset(pair)]
    if not all(_is_marked(pair, bare, one, other, spoken) for pair in marked):
        return False
    turned = [pair for pair in turned if pair not in marked]
    if not turned:
        return True
    for verb in bare:
        if verb.length > _VERBAL or verb in named:
            continue
        past = [run for pair in turned if verb in pair for run in pair if run != verb]
        if len(past) != len(turned):
            continue
        if len(past) == len(bare) - 1 or named.issuperset(past):  # "mein Bruder" too
            return True
    return False


def _is_named(run: Run, one: Sequence[Term], other: Sequence[Term]) -> bool:
    """Whether a run names somebody or something: it has an article in both lines, or a capital."""
    mine = one[run.here : run.here + run.length]
    theirs = other[run.there : run.there + run.length]
    return any(
        each.key in SPEAKERS
        or (each.is_first and its.is_first)
        or (each.is_capital and each.place)
        or (its.is_capital and its.place)
        for each, its in zip(mine, theirs, strict=True)
    )


def _is_object(terms: Sequence[Term]) -> bool:
    """Whether the noun that terms begin with is plainly not the subject: "seinen Kaffee"."""
    return next((each.is_object for each in terms if each.is_capital), False)


def _is_marked(
    pair: tuple[Run, Run],
    bare: Sequence[Run],
    one: Sequence[Term],
    other: Sequence[Term],
    spoken: str,
) -> bool:
    """Whether the words tell in both lines which of two runs something is done to."""
    verbs = [run for run in bare if run not in pair and run.length <= _VERBAL]
    if any(one[run.here].key in NAMING and run.length == 1 for run in verbs):
        return not any(is_part(line, n) for line in (one, other) for n in range(len(line)))
    objects = [
        [_is_object(line[at : at + run.length]) for at, run in zip(places, pair, strict=True)]
        for line, places in (
            (one, [run.here for run in pair]),
            (other, [run.there for run in pair]),
        )
    ]
    if objects[0] == objects[1] and any(objects[0]) and not all(objects[0]):
        return True
    verbs = [run for run in verbs if not _is_named(run, one, other)]
    is_taken_up = any(one[run.here].is_first != other[run.there].is_first for run in verbs)
    return spoken in GENDERED and is_taken_up
