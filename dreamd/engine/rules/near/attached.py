"""Whether each word of two lines hangs on the same one: its owner, "with", "only", its part."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from dreamd.domain.prose.words import words
from dreamd.engine.rules.near.runs import PARTING, Run
from dreamd.engine.rules.near.term import Term, is_time
from dreamd.engine.rules.near.wording import BOTH_WAYS, BY, FOR, LOOSE, OF

_AMOUNTS = words(  # stems of what stands before what it is of
    "everi some most ani both half few mani onli nur solo sólo seulement alleen apenas "
    "mein sein ihr unser dein mío nuestr notre votre ses mon son"
)
_LEADS = {LOOSE, FOR, "with", "to"}
_TO_WHOM = {"to", "with", FOR}
_IS = {"is", "are"}
_TURNED = BOTH_WAYS | {"need", "requir", "keep", "cost", "rent"}  # "needs it" is "it is needed for"
_HAS = {"has", "have", "get", "gets"}
_TOLD = {OF, BY}  # that which these lead is told of what stands before
_VON = {"von", "vom"}
_TWO = 2


def is_hung_alike(
    runs: Sequence[Run], one: Sequence[Term], other: Sequence[Term], spoken: str
) -> bool:
    """Whether what stands in two lines hangs on the same in both."""
    places = [(run.here + n, run.there + n) for run in runs for n in range(run.length)]
    if spoken not in {"en", ""} and any(
        _is_unled(one[here], other[there]) for here, there in places
    ):
        return False
    if spoken in {"en", ""} and any(
        _is_led_subject(here, there, one, other) or _is_led_subject(there, here, other, one)
        for here, there in places
    ):
        return False
    if any(_is_of_another(run, one, other) for run in runs):
        return False
    if any(
        _is_amid(one, run.here, run.length) != _is_amid(other, run.there, run.length)
        for run in _with(runs, one, other)
    ):
        return False  # "the man with the dog calls Ida", "calls Ida with the dog"
    return all(
        is_owned_alike(here, there, one, other) for here, there in places
    ) and _is_of_as_many(runs, one, other)


def _is_led_subject(here: int, there: int, one: Sequence[Term], other: Sequence[Term]) -> bool:
    """Whether who does something in one line is told behind "to" or "with" in another.

    "Rosa brings cake" is not "we bring cake to Rosa"; but what is needed for a thing the thing
    needs, and "the shed key" is "the key to the shed".
    """
    if other[there].head not in _TO_WHOM or not is_doing(here, one):
        return False
    if any(each.key == "accord" for each in other):
        return False  # "the vet wants it", "according to the vet"
    after = one[here + 1]
    is_one_thing = there and other[there - 1].key == after.key
    return not (is_one_thing and (other[there - 1].is_thing or other[there - 1].is_first))


def is_doing(place: int, terms: Sequence[Term]) -> bool:
    """Whether a term is who does something: the first one, but for when and how much."""
    term, after = terms[place], terms[place + 1 : place + 2]
    if term.head or term.is_owner or term.is_value or is_time(term) or not after:
        return False
    if any(not (each.head or each.is_value or is_time(each)) for each in terms[:place]):
        return False
    if place and not (term.opens or term.is_first or is_time(terms[place - 1])):
        return False  # "for installing packages, …"
    if not _IS.isdisjoint(after[0].led) or any(not _HAS.isdisjoint(each.led) for each in terms):
        return False
    return _TURNED.isdisjoint(each.key for each in terms)


def _is_unled(one: Term, other: Term) -> bool:
    """Whether a name is led by a preposition in one line only: "mit Ida", "a Marta"."""
    if bool(one.head) == bool(other.head) or one.is_value or is_time(one):
        return False
    led, bare = (one, other) if one.head else (other, one)
    if led.head == OF and not _VON.isdisjoint(led.led):
        return not _is_genitive(bare, led)
    return one.is_capital and led.head in _LEADS


def _is_genitive(term: Term, led: Term) -> bool:
    """Whether a German word says whose something is: "Idas Hund", "der Hund meiner Schwester"."""
    if (
        term.is_capital
        and {term.form, term.form.removesuffix("s")} & {led.form}
        and led.form != term.form
    ):
        return True
    is_led = not {"der", "des", "einer", "eines"}.isdisjoint(term.led)
    return bool(term.place) and (
        is_led or (not term.is_capital and term.form.endswith(("er", "es")))
    )


def _with(runs: Sequence[Run], one: Sequence[Term], other: Sequence[Term]) -> list[Run]:
    """Return the runs that "with" leads in both lines, behind another word in each."""
    return [
        run
        for run in runs
        if one[run.here].head == other[run.there].head == "with"
        and one[run.here - 1].key != other[run.there - 1].key
    ]


def is_owned_alike(here: int, there: int, one: Sequence[Term], other: Sequence[Term]) -> bool:
    """Whether what has an owner in one line has the same one in the other.

    "Ana's key" is "the key of Ana", "Ana has a key" and "the Ana key", and never "Ana is the key".
    """
    if one[here].is_owner == other[there].is_owner:
        return True
    if other[there].is_owner:
        here, there, one, other = there, here, other, one
    is_thing = not one[here].is_capital and other[there].head == FOR
    if here + 1 == len(one) or other[there].head in {OF, "from", LOOSE} or is_thing:
        return True
    thing, after = one[here + 1], other[there + 1 : there + 2]
    if other[there].is_doer or not after or after[0].key != thing.key or after[0].opens:
        return other[there].is_doer
    if _HAS.isdisjoint(after[0].led):
        return not after[0].is_said
    return all(_HAS.isdisjoint(each.led) for each in one)


def _is_amid(terms: Sequence[Term], place: int, length: int) -> bool:
    """Whether a phrase stands behind what it is of, and the sentence goes on behind it."""
    after = terms[place + length : place + length + 1]
    return bool(place and after and not after[0].opens)


def _is_of_another(run: Run, one: Sequence[Term], other: Sequence[Term]) -> bool:
    """Whether what "of" leads at the beginning of a run is said of two things.

    So is what "by" leads where nothing is done to anything: "an approval by the lead".
    """
    mine, theirs = one[run.here], other[run.there]
    if mine.head != theirs.head or not (run.here and run.there):
        return False
    is_done = mine.is_value or is_time(mine) or any(each.is_passive for each in one)
    if mine.head not in _TOLD or (mine.head == BY and is_done):
        return False
    return one[run.here - 1].key != other[run.there - 1].key


def _is_of_as_many(runs: Sequence[Run], one: Sequence[Term], other: Sequence[Term]) -> bool:
    """Whether what "every" and its like stand before is the same in both lines."""
    for run in runs:
        for n in range(run.length):
            if one[run.here + n].key not in _AMOUNTS:
                continue
            mine, theirs = one[run.here + n + 1 :][:1], other[run.there + n + 1 :][:1]
            is_when = any(is_time(each) or each.is_value for each in (*mine, *theirs))
            if not is_when and [each.key for each in mine] != [each.key for each in theirs]:
                return False
    return True


def _parts(terms: Sequence[Term]) -> list[tuple[range, set[str]]]:
    """Return the parts of a sentence that have words of their own, and those words."""
    starts = [n for n, term in enumerate(terms) if not n or term.opens in PARTING]
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


def is_of_one_part(runs: Sequence[Run], one: Sequence[Term], other: Sequence[Term]) -> bool:
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
