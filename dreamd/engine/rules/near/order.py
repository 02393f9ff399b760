"""Whether two lines have the same words in an order that says the same."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from dataclasses import dataclass
from itertools import combinations, pairwise

from dreamd.engine.rules.near.terms import Term, is_time
from dreamd.engine.rules.near.wording import (
    BOTH_WAYS,
    BY,
    CLAUSES,
    EASY,
    FOR,
    NO,
    OF,
    UNSPACED,
)

_PARTING = {",", ";", ".", ":", "and", "—", "–", "-"}  # noqa: RUF001
_TWO = 2
_GENDERED = {"es", "fr", "it", "pt"}
_NOUN = 4  # letters of a German noun, which has a capital and endings
_DECLINED = {"s", "es", "n", "en", "er", "ern"}  # but no "e": Simon is not Simone


@dataclass(frozen=True, slots=True)
class Run:
    """Terms that follow each other in both lines: from `here` in one, from `there` in the other."""

    here: int
    there: int
    length: int


def runs_of(one: Sequence[Term], other: Sequence[Term], spoken: str) -> tuple[Run, ...] | None:
    """Return one line cut into the longest runs that stand in another, None where a term does not.

    They are in the order of the first line.
    """
    mine, theirs = set(range(len(one))), set(range(len(other)))
    found: list[Run] = []
    while mine:
        best = Run(0, 0, 0)
        for here in sorted(mine):
            for there in sorted(theirs):
                length = 0
                while (
                    here + length in mine
                    and there + length in theirs
                    and is_one(one[here + length], other[there + length], spoken)
                    and not (length and _is_cut(one[here + length], other[there + length]))
                ):
                    length += 1
                if length > best.length:
                    best = Run(here, there, length)
        if not best.length:
            return None
        found.append(best)
        mine -= set(range(best.here, best.here + best.length))
        theirs -= set(range(best.there, best.there + best.length))
    return tuple(sorted(found, key=lambda run: run.here))


def _is_cut(one: Term, other: Term) -> bool:
    """Whether what stands before two terms in both lines may move without them."""
    return bool(one.opens and other.opens) and not one.head == other.head == OF


def is_one(one: Term, other: Term, spoken: str) -> bool:
    """Whether two terms are one, led by the same word or by none."""
    if one.key != other.key:
        return False
    if one.head != other.head and not (one.head in EASY and other.head in EASY):
        return False
    if one.head and other.head and one.head != other.head:
        return False
    owns = any(each.is_owner and each.is_capital for each in (one, other))
    if FOR in {one.head, other.head} and owns:
        return False  # "a review for Ana" is not hers
    is_verb = one.form.endswith("ing") or other.form.endswith("ing")  # "Using", "Use"
    if spoken in _GENDERED and _is_other_sex(*sorted((one.form, other.form), key=len)):
        return False
    if one.is_capital and other.is_capital and one.form != other.form and not is_verb:
        short, long = sorted((one.form, other.form), key=len)
        return spoken == "de" and len(short) >= _NOUN and long.removeprefix(short) in _DECLINED
    return True


def _is_other_sex(one: str, other: str) -> bool:
    """Whether one of two words is the other of a woman: "hermano", "cousine", "profesora"."""
    one, other = one.removesuffix("s"), other.removesuffix("s")
    ends = {one[-1:], other[-1:]}
    return (one[:-1] == other[:-1] and ends == {"o", "a"}) or other in {f"{one}a", f"{one}e"}


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
    if any(mine.is_passive != theirs.is_passive for mine, theirs in verbs):
        return False
    heads = [(mine.head, theirs.head, mine.is_value) for mine, theirs in both]
    lost = {(mine, is_value) for mine, theirs, is_value in heads if mine and not theirs}
    won = {(theirs, is_value) for mine, theirs, is_value in heads if theirs and not mine}
    if lost & won or any(head == BY for head, _ in lost | won):
        return False  # "A on B" is not "B on A"
    if any(_is_of_another(run, one, other) for run in runs):
        return False
    likes = {run: _like(run, one, other) for run in runs}
    turned = [pair for pair in combinations(runs, 2) if pair[0].there > pair[1].there]
    phrases = {run for run in runs if one[run.here].head and other[run.there].head}
    phrases = {run for run in phrases if not likes[run].endswith("time")}  # when is never who
    if any(phrases.issuperset(pair) and _are_exchanged(pair, runs) for pair in turned):
        return False
    if not _is_of_one_part(runs, one, other):
        return False
    turned = [pair for pair in turned if likes[pair[0]] == likes[pair[1]]]
    if not turned:
        return True
    if len(runs) == _TWO and all(run.length >= _TWO for run in runs) and spoken not in UNSPACED:
        return True  # "a, b" and "b, a": where two are exchanged, something stands between
    if any(likes[run] for pair in turned for run in pair):
        return False
    bare = [run for run in runs if not likes[run]]
    is_led = any(likes.values()) or any(term.key in CLAUSES for term in one)
    if spoken in {"en", ""}:  # "the job starts", "I start the job"
        deeds = [one[run.here].key for run in bare if run.length == 1]
        return len(bare) == _TWO and not BOTH_WAYS.isdisjoint(deeds)
    return is_led and _is_inverted(turned, bare, one)


def _are_exchanged(pair: tuple[Run, Run], runs: Sequence[Run]) -> bool:
    """Whether two runs changed places around others that stayed."""
    first, second = pair
    between = [run for run in runs if first.here < run.here < second.here]
    return bool(between) and all(second.there < run.there < first.there for run in between)


def _is_of_another(run: Run, one: Sequence[Term], other: Sequence[Term]) -> bool:
    """Whether what "of" leads at the beginning of a run is said of two things."""
    if not one[run.here].head == other[run.there].head == OF or not (run.here and run.there):
        return False
    return one[run.here - 1].key != other[run.there - 1].key


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
        named = [any(one[run.here + n].is_capital for n in range(run.length)) for run in past]
        if len(past) == len(bare) - 1 or all(named):  # "mein Bruder" too
            return True
    return False
