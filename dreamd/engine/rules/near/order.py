"""Whether two lines have the same words in an order that says the same."""

from __future__ import annotations

from collections.abc import Sequence
from itertools import combinations

from dreamd.engine.rules.near.attached import is_hung_alike, is_of_one_part
from dreamd.engine.rules.near.inverted import is_inverted
from dreamd.engine.rules.near.runs import Run, is_part
from dreamd.engine.rules.near.term import Term, is_time
from dreamd.engine.rules.near.wording import BOTH_WAYS, BY, NO, OF, UNSPACED

_TWO = 2


def is_one_order(
    runs: Sequence[Run], one: Sequence[Term], other: Sequence[Term], spoken: str
) -> bool:
    """Whether runs that stand in another order say the same there.

    One that is led by the same preposition in both, or that has a value or a time, may stand
    anywhere among others than its like, unless two of them changed places. The rest keeps its
    order, but for a verb that a phrase at the beginning turns round in languages that have it.
    """
    both = [(one[run.here + n], other[run.there + n]) for run in runs for n in range(run.length)]
    verbs = [pair for pair in both if not any(each.is_deed for each in pair)]
    is_by = any(each.head == BY for each in (*one, *other))
    verbs = [pair for pair in verbs if is_by or pair[0].key not in BOTH_WAYS]
    if any(mine.is_passive != theirs.is_passive for mine, theirs in verbs):
        return False
    heads = [(mine.head, theirs.head, mine.is_value) for mine, theirs in both]
    lost = {(mine, is_value) for mine, theirs, is_value in heads if mine and not theirs}
    won = {(theirs, is_value) for mine, theirs, is_value in heads if theirs and not mine}
    if lost & won or any(head == BY for head, _ in lost | won):
        return False  # "A on B" is not "B on A"
    if not is_hung_alike(runs, one, other, spoken):
        return False
    likes = {run: _like(run, one, other) for run in runs}
    turned = [pair for pair in combinations(runs, 2) if pair[0].there > pair[1].there]
    phrases = {run for run in runs if one[run.here].head and other[run.there].head}
    phrases = {run for run in phrases if not likes[run].endswith("time")}  # when is never who
    if any(phrases.issuperset(pair) and _are_exchanged(pair, runs) for pair in turned):
        return False
    if not is_of_one_part(runs, one, other):
        return False
    turned = [pair for pair in turned if likes[pair[0]] == likes[pair[1]]]
    turned = [pair for pair in turned if not _are_beside(pair, one, other)]
    if not turned:
        return True
    if len(runs) == _TWO and all(run.length >= _TWO for run in runs) and spoken not in UNSPACED:
        # "a, b" and "b, a": where two are exchanged, something stands between
        return not _is_in_steps(one) and (spoken != "de" or is_part(one, runs[1].here))
    if any(likes[run] for pair in turned for run in pair):
        return False
    bare = [run for run in runs if not likes[run]]
    if spoken in {"en", ""}:  # "the job starts", "I start the job"
        deeds = [one[run.here].key for run in bare if run.length == 1]
        return len(bare) == _TWO and not BOTH_WAYS.isdisjoint(deeds)
    return is_inverted(turned, bare, one, other, spoken)


def _like(run: Run, one: Sequence[Term], other: Sequence[Term]) -> str:
    """Return what sort of phrase a run is, nothing where it is of the sentence itself."""
    mine, theirs = one[run.here].head, other[run.there].head
    terms = one[run.here : run.here + run.length]
    when = any(is_time(each) for each in terms) and all(
        is_time(each) or each.is_value for each in terms
    )
    if {mine, theirs} <= {"", OF}:
        mine = theirs = ""
    if mine or theirs:
        turn = NO if terms[0].key.startswith(NO) else ""
        return f"{turn}{mine}/{theirs}/{'time' if when else ''}"
    return "time" if when else ("value" if any(each.is_value for each in terms) else "")


def _are_exchanged(pair: tuple[Run, Run], runs: Sequence[Run]) -> bool:
    """Whether two runs changed places around others that stayed."""
    first, second = pair
    between = [run for run in runs if first.here < run.here < second.here]
    return bool(between) and all(second.there < run.there < first.there for run in between)


def _are_beside(pair: tuple[Run, Run], one: Sequence[Term], other: Sequence[Term]) -> bool:
    """Whether two phrases stand together in one line, and so in the other or one at its front.

    "at berth 31 in Lemmer" is "in Lemmer … at berth 31".
    """
    first, second = pair
    if not all(one[run.here].head and other[run.there].head for run in pair):
        return False
    if any(is_part(one, run.here) or is_part(other, run.there) for run in pair):
        return False
    said = [run for run in pair if one[run.here].is_said]
    if said and [run for run in pair if other[run.there].is_said] not in ([], said):
        return False  # "the key in the box is in the hall"
    here = first.here + first.length == second.here
    there = second.there + second.length == first.there
    return (here and (there or not second.there)) or (there and not first.here)


def _is_in_steps(terms: Sequence[Term]) -> bool:
    """Whether somebody is told to do one thing and then another: "Save the file and restart …"."""
    is_asked = not terms[0].is_first and terms[1].is_first and not terms[0].is_capital
    is_asked = is_asked or (terms[0].is_capital and terms[1].is_first and not terms[1].opens)
    return is_asked and any(each.opens == "and" for each in terms)
