"""Whether two lines of the same words are one fact told in another build.

What differs is told in parallel: "Kasia reviews Ben's code" and "Ben reviews Kasia's code" have one
build and two words exchanged. Who tells a fact again builds another sentence, in which what belongs
together stays together. So two English lines with the same words, each in its family ("expires",
"expiry"), say the same where nothing they hang on differs and no two words of theirs would bring
the lines closer if they changed places.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence
from itertools import pairwise

from dreamd.domain.prose.words import words
from dreamd.engine.rules.near.attached import is_doing, is_owned_alike
from dreamd.engine.rules.near.exchanged import Line, is_exchanged, pairs
from dreamd.engine.rules.near.families import family
from dreamd.engine.rules.near.term import Term, is_time
from dreamd.engine.rules.near.wording import BY, FOR, LOOSE, NO, OF

_FEWEST = 4  # families in common
_PAST = "+ed"
_IDLE = words("thing job which where wher that one have come com")  # stems: they say nothing
_LIGHT = words(  # stems: what is done so is only there: "is kept in", "is done with"
    "keep hold perform do make mak put place plac stor serv cal run use locat find set"
)
_USE = "use"
_HAS = {"has", "have", "get", "gets"}
_OPERATORS = words("must should can may will about")  # and the signs of bounds
_HANGS = {OF, LOOSE, "with", "as", "to", FOR}  # a phrase so led may be told without it
_ORDERED = words("then first next later final afterward than")  # told in an order that counts
_FOCUS = words("onli even also both most some half everi ani mani few")  # of the next word
_JOINED = {"and", ";", "."}
_PARTS = {*_JOINED, ","}


def is_rebuilt(one: Sequence[Term], other: Sequence[Term]) -> bool:
    """Whether two lines have the same words, hung on the same, and none of them exchanged."""
    mine, theirs = _line(one, other), _line(other, one)
    found = set(mine.families)
    if len(mine.families) != len(found) or len(found) < _FEWEST:
        return False  # what is named twice is told in parallel
    if Counter(mine.families) != Counter(theirs.families) or found & _ORDERED:
        return False
    if any(
        _is_other_thing(mine.terms[here], theirs.terms[there])
        for here, there in pairs(mine, theirs)
    ):
        return False
    if _bounds(one) != _bounds(other) or _is_past(one) != _is_past(other):
        return False
    return (
        _is_hung_alike(mine, theirs)
        and _is_done_alike(mine, theirs)
        and _is_parted_alike(mine, theirs)
        and _is_of_the_same(mine, theirs)
        and all(
            is_owned_alike(here, there, mine.terms, theirs.terms)
            for here, there in pairs(mine, theirs)
        )
        and not is_exchanged(mine, theirs)
    )


def _is_other_thing(one: Term, other: Term) -> bool:
    """Whether two words of one family name two things: "the ship", "the shipment"."""
    if one.key == other.key:
        return False
    are_things = (one.is_first and other.is_first) or one.key.startswith(NO)
    return are_things or is_time(one) or is_time(other)


def _line(terms: Sequence[Term], others: Sequence[Term]) -> Line:
    """Return the words of a line but those that another one lacks and that say nothing."""
    known, has = {family(each.key) for each in others}, {family(each.key) for each in terms}
    # the other line has no word for it, nor has it anything
    is_all = known <= has and all(_HAS.isdisjoint(each.led) for each in others)
    kept = tuple(
        each
        for n, each in enumerate(terms)
        if family(each.key) in known
        or not _is_idle(each, is_ours=is_all and (each.key == _USE or not _bare(terms[:n])))
    )
    return Line(kept, tuple(family(each.key) for each in kept))


def _is_idle(term: Term, *, is_ours: bool) -> bool:
    """Whether a word says nothing: "is kept in", and `is_ours` "we keep it in", "uses it for"."""
    if not term.key or term.key in _IDLE:
        return True
    return term.key in _LIGHT and (term.is_passive or is_ours)


def _bare(terms: Sequence[Term]) -> list[Term]:
    return [each for each in terms if not (each.head or each.is_value or is_time(each))]


def _bounds(terms: Sequence[Term]) -> Counter[str]:
    """Return what denies, asks for, allows or bounds, each with the word it is of if it denies."""
    denied = [f"{NO}{family(each.key)}" for each in terms if each.key.startswith(NO)]
    return Counter([*denied, *(each.key for each in terms if each.key in _OPERATORS)])


def _is_past(terms: Sequence[Term]) -> bool:
    return any(
        each.key in {"was", "had"} or (each.key.endswith(_PAST) and not each.is_reduced)
        for each in terms
    )


def _is_hung_alike(mine: Line, theirs: Line) -> bool:
    """Whether each word is led by the same preposition in both lines, or by none in one."""
    return all(
        _is_led_alike(mine.terms[here], theirs.terms[there], mine, theirs)
        for here, there in pairs(mine, theirs)
    )


def _is_led_alike(one: Term, other: Term, mine: Line, theirs: Line) -> bool:
    if one.head == other.head:
        return True
    if one.head and other.head:
        return {one.head, other.head} == {OF, LOOSE}
    led, bare, line = (one, other, theirs) if one.head else (other, one, mine)
    if led.head == BY:
        return bare.is_owner or _is_first(line, bare)
    if led.head == "from":
        return bare.is_owner
    at = next(n for n, each in enumerate(line.terms) if each is bare)
    if led.head in {"to", "with", FOR} and is_doing(at, line.terms):
        return False  # "Ana reviews it", "we review it with Ana"
    is_its = led.head in {OF, LOOSE} or (led.head == FOR and not bare.is_capital)
    return led.head in _HANGS and (is_its or not bare.is_owner)


def _is_first(line: Line, term: Term) -> bool:
    """Whether a term is what the sentence begins with, but for when, how much and where."""
    bare = _bare(line.terms)
    first = next((n for n, each in enumerate(bare) if each is term), len(bare))
    return all(
        each.is_first or each.is_capital or not n for n, each in enumerate(bare[: first + 1])
    )


def _is_done_alike(mine: Line, theirs: Line) -> bool:
    """Whether what is done in one line is done in the other, to the same.

    "The files are packed" is "we pack the files" or "Ida packs the files" of "packed by Ida", and
    never "the files pack".
    """
    for here, there in pairs(mine, theirs):
        one, other = mine.terms[here], theirs.terms[there]
        if one.is_passive == other.is_passive or one.is_deed or other.is_deed:
            continue
        passive, active = (mine, theirs) if one.is_passive else (theirs, mine)
        place = there if one.is_passive else here
        doers = _doers(passive)
        if any(family(each.key) not in doers for each in _subject(active.terms[:place])):
            return False
    return True


def _doers(line: Line) -> set[str]:
    """Return what is told behind "by" to do something."""
    found: set[str] = set()
    is_behind = False
    for each, term in zip(line.families, line.terms, strict=True):
        is_behind = term.head == BY or (is_behind and not (term.opens or term.is_value))
        if is_behind:
            found.add(each)
    return found


def _subject(terms: Sequence[Term]) -> list[Term]:
    """Return the terms before a verb that no phrase has, nor tells when."""
    found: list[Term] = []
    is_bare = True
    for term in terms:
        is_bare = not term.head and (is_bare or bool(term.opens) or term.is_first)
        if is_bare and not (term.is_value or is_time(term)):
            found.append(term)
    return found


def _is_parted_alike(mine: Line, theirs: Line) -> bool:
    """Whether the parts that "and" joins have the same words: "tea at work and coffee at home".

    Where one line has none, those of the other stand together in it, but for what it begins with.
    """
    one, other = _parts(mine, _JOINED), _parts(theirs, _JOINED)
    if len(one) > 1 and len(other) == 1:
        other = _parts(theirs, _PARTS)
    elif len(other) > 1 and len(one) == 1:
        one = _parts(mine, _PARTS)
    if len(one) > 1 and len(other) > 1:
        return sorted(one) == sorted(other)
    parts, whole = (one, theirs) if len(one) > 1 else (other, mine)
    return len(parts) == 1 or all(_is_together(part, whole.families) for part in parts)


def _is_together(part: Sequence[str], families: Sequence[str]) -> bool:
    places = sorted(families.index(each) for each in part if each != families[0])
    return not places or places[-1] - places[0] < len(places)


def _parts(line: Line, parting: set[str]) -> list[list[str]]:
    parts: list[list[str]] = [[]]
    for each, term in zip(line.families, line.terms, strict=True):
        if term.opens in parting and parts[-1]:
            parts.append([])
        parts[-1].append(each)
    return [sorted(part) for part in parts]


def _is_of_the_same(mine: Line, theirs: Line) -> bool:
    """Whether "only" and its like stand before the same word, and "is" leads to one."""
    one, other = (
        {each: after for each, after in pairwise((*line.families, "")) if each in _FOCUS}
        for line in (mine, theirs)
    )
    said = [
        {
            each
            for each, term in zip(line.families, line.terms, strict=True)
            if term.is_said and term.head
        }
        for line in (mine, theirs)
    ]
    return one == other and (not all(said) or said[0] == said[1])
