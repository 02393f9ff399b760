"""Whether two lines have the same words in an order that says the same."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Sequence
from itertools import combinations, pairwise

from dreamd.engine.rules.near.runs import Run
from dreamd.engine.rules.near.terms import Term
from dreamd.engine.rules.near.wording import BY, DAILY, NO, OF, TIMES

_TIME = re.compile(r"\d\d:\d\d|\d*-\d*-\d\d")
_PARTING = {",", ";", ".", ":", "and", "—", "–", "-"}  # noqa: RUF001
_TWO = 2


def is_one_order(
    runs: Sequence[Run], one: Sequence[Term], other: Sequence[Term], spoken: str
) -> bool:
    """Whether runs that stand in another order say the same there.

    One that is led by the same preposition in both, or that has a value or a time, may stand
    anywhere among others than its like. The rest keeps its order, but for what a passive or, in
    languages that have it, a phrase at the beginning turns round.
    """
    heads = [
        (one[run.here + n].head, other[run.there + n].head, one[run.here + n].is_value)
        for run in runs
        for n in range(run.length)
    ]
    lost = {(mine, is_value) for mine, theirs, is_value in heads if mine and not theirs}
    won = {(theirs, is_value) for mine, theirs, is_value in heads if theirs and not mine}
    if lost & won:
        return False  # "A on B" is not "B on A"
    likes = [_like(run, one, other) for run in runs]
    turned = [
        (first, second)
        for (first, mine), (second, theirs) in combinations(zip(runs, likes, strict=True), 2)
        if mine == theirs and first.there > second.there
    ]
    if any(head == BY for head, _ in lost | won) or any(
        _is_other_voice(run, one, other) for run in runs
    ):
        return _is_passive_of(runs, one, other)
    if not (_is_of_one_part(runs, one, other) and _are_owners_alike(runs, one, other)):
        return False
    if not turned:
        return True
    if any(_like(run, one, other) for pair in turned for run in pair):
        return False
    if _is_told(runs, turned, one, other):
        return True
    if any(is_so(turned, one, other) for is_so in (_is_deed, _is_apposed)):
        return True
    if spoken in {"en", ""}:
        return False
    bare = [run for run, like in zip(runs, likes, strict=True) if not like]
    return any(likes) and _is_inverted(turned, bare, one)


def _like(run: Run, one: Sequence[Term], other: Sequence[Term]) -> str:
    """Return what sort of phrase a run is, nothing where it is of the sentence itself."""
    mine, theirs = one[run.here].head, other[run.there].head
    terms = one[run.here : run.here + run.length]
    when = any(is_time(each) for each in terms) and all(
        is_time(each) or each.is_value for each in terms
    )
    if mine or theirs:
        turn = NO if terms[0].key.startswith(NO) else ""
        return f"{turn}{mine}/{theirs}/{'time' if when else ''}"
    return "time" if when else ("value" if any(each.is_value for each in terms) else "")


def is_time(term: Term) -> bool:
    """Whether a term tells when: a day, a time of the day, how often."""
    is_spelt = term.form in TIMES or term.key in DAILY
    return is_spelt or (term.is_value and bool(_TIME.match(term.key)))


def _parts(terms: Sequence[Term]) -> list[tuple[range, set[str]]]:
    """Return the parts of a sentence that have words of their own, and those words."""
    starts = [n for n, term in enumerate(terms) if not n or term.opens in _PARTING]
    found = []
    for start, stop in pairwise([*starts, len(terms)]):
        bare = {
            term.key
            for term in terms[start:stop]
            if not (term.head or term.is_value or is_time(term))
        }
        if bare:
            found.append((range(start, stop), bare))
    times = Counter(key for _, bare in found for key in bare)
    return [(part, {key for key in bare if times[key] == 1}) for part, bare in found]


def _is_of_one_part(runs: Sequence[Run], one: Sequence[Term], other: Sequence[Term]) -> bool:
    """Whether each phrase is told of the same: "A to Oslo, B to Lyon" has two parts."""
    mine, theirs = _parts(one), _parts(other)
    if len(mine) < _TWO or len(theirs) < _TWO:
        return True
    for run in runs:
        here = next((bare for part, bare in mine if run.here in part), None)
        there = next((bare for part, bare in theirs if run.there in part), None)
        if here is None or there is None:
            continue
        said = {one[run.here + n].key for n in range(run.length)}
        if here.isdisjoint(there) and not (here <= said or there <= said):
            return False
    return True


def _are_owners_alike(runs: Sequence[Run], one: Sequence[Term], other: Sequence[Term]) -> bool:
    """Whether no word went over to an owner: "the first draft of a novel", "a first novel's"."""
    for run in runs:
        owning = (one, run.here, other[run.there]), (other, run.there, one[run.here])
        for terms, start, twin in owning:
            first = terms[start]
            is_bound = not (first.opens or first.is_first or first.is_capital)
            owners = terms[start : start + run.length]
            if start and twin.head == OF and is_bound and any(each.is_owner for each in owners):
                return False
    return True


def _is_told(
    runs: Sequence[Run],
    turned: Sequence[tuple[Run, Run]],
    one: Sequence[Term],
    other: Sequence[Term],
) -> bool:
    """Whether "A is the B" is told as "the B is A"."""
    if len(turned) != 1:
        return False
    first, second = turned[0]
    if not (one[second.here].is_told and other[first.there].is_told):
        return False
    there = {run.here + n: run.there + n for run in runs for n in range(run.length)}
    for here in range(second.here, len(one)):
        if here > second.here and one[here].opens in _PARTING:
            break
        if here in there and not one[here].head and there[here] > first.there:
            return False
    return True


def _is_deed(turned: Sequence[tuple[Run, Run]], one: Sequence[Term], other: Sequence[Term]) -> bool:
    """Whether a deed is told by its name: "install packages", "package installation"."""
    if len(turned) != 1 or any(run.length != 1 for run in turned[0]):
        return False
    first, second = turned[0]
    if second.here != first.here + 1 or first.there != second.there + 1:
        return False
    return any(one[run.here].is_deed != other[run.there].is_deed for run in turned[0])


def _is_inverted(
    turned: Sequence[tuple[Run, Run]], bare: Sequence[Run], one: Sequence[Term]
) -> bool:
    """Whether a verb alone changed places: "am Montag endet der Vertrag".

    It is a single word without a capital, and what it went past has one or is all the rest.
    """
    for verb in bare:
        if verb.length != 1 or one[verb.here].is_capital:
            continue
        past = [run for pair in turned if verb in pair for run in pair if run != verb]
        if len(past) != len(turned):
            continue
        if len(past) == len(bare) - 1 or all(one[run.here].is_capital for run in past):
            return True
    return False


def _is_other_voice(run: Run, one: Sequence[Term], other: Sequence[Term]) -> bool:
    return any(_is_turned_verb(one[run.here + n], other[run.there + n]) for n in range(run.length))


def _is_turned_verb(mine: Term, theirs: Term) -> bool:
    return mine.is_passive != theirs.is_passive and not (mine.is_deed or theirs.is_deed)


def _turned_verb(runs: Sequence[Run], one: Sequence[Term], other: Sequence[Term]) -> int | None:
    """Return the place in the first line of the verb that only one of both has in the passive."""
    found = [
        run.here + n
        for run in runs
        for n in range(run.length)
        if _is_turned_verb(one[run.here + n], other[run.there + n])
    ]
    return found[0] if len(found) == 1 else None


def _is_apposed(
    turned: Sequence[tuple[Run, Run]], one: Sequence[Term], other: Sequence[Term]
) -> bool:
    """Whether two neighbours only changed places around a comma: "Ana, our designer"."""
    if len(turned) != 1:
        return False
    first, second = turned[0]
    are_near = (
        first.here + first.length == second.here and second.there + second.length == first.there
    )
    return are_near and "," in {one[second.here].opens, other[first.there].opens}


def _is_passive_of(runs: Sequence[Run], one: Sequence[Term], other: Sequence[Term]) -> bool:
    """Whether one line tells in the passive what the other tells in the active.

    What is done to stands before the verb in one and behind it in the other; who does it has a
    "by" in the passive.
    """
    verb = _turned_verb(runs, one, other)
    if verb is None:
        return False
    there = {run.here + n: run.there + n for run in runs for n in range(run.length)}
    like = {run.here + n: _like(run, one, other) for run in runs for n in range(run.length)}
    is_mine = one[verb].is_passive
    rest = [n for n in sorted(there) if n != verb and not like[n] and one[n].key != "must"]
    done_to = []
    for n in rest:
        before = n < verb, there[n] < there[verb]
        passive = before if is_mine else before[::-1]
        if passive[0] == passive[1] or not passive[0]:
            return False
        done_to.append(there[n])
    for n, kind in like.items():
        if BY in kind.split("/") and (there[n] < there[verb] if is_mine else n < verb) is False:
            return False
    return done_to == sorted(done_to)
