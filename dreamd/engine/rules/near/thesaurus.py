"""Words of which one may stand for another: those that a person wrote into one set."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from dreamd.engine.rules.near.abroad import ABROAD
from dreamd.engine.rules.near.stems import IRREGULAR, UNMARKED, derived, root
from dreamd.engine.rules.near.tables import sets
from dreamd.engine.rules.near.term import Term
from dreamd.engine.rules.near.things import SHORT, THINGS
from dreamd.engine.rules.near.verbs import DEEDS, VERBS
from dreamd.engine.rules.near.wording import LIGHT, LOOSE, NO
from dreamd.text.late import late

_PAST = "+ed"
_PAIR = 2
_DATE = late(r"\d{4}-\d\d-\d\d")
_BEGINNING = 5  # letters by which a word is known whatever its ending
_STARTS = {".", "!", "?", ":", ";"}  # behind which a capital makes no name
_TABLES = (("verb", VERBS), ("", THINGS), ("", DEEDS), ("name", SHORT))
Sense = tuple[str, int]


def reworded(one: tuple[Term, ...], other: Sequence[Term], spoken: str) -> tuple[Term, ...]:
    """Return the terms of a line with each that another line lacks in the word it has for it.

    They stay as they are where one of them has no such word there, or more than half have none
    but such. One that only says that something is where it is goes.
    """
    lacking = Counter(each.key for each in one) - Counter(each.key for each in other)
    if not lacking or 2 * lacking.total() > len(one) + 1:
        return one
    has = Counter(each.key for each in other) - Counter(each.key for each in one)
    spare = [each for each in other if each.key in has]
    found = list(one)
    light: list[int] = []
    is_dated = any(_DATE.fullmatch(each.key) for each in one)
    for place, term in enumerate(one):
        if not lacking[term.key]:
            continue
        lacking[term.key] -= 1
        for each in spare:
            if _is_reduced(term, each):
                found[place] = replace(
                    term, key=each.key, form=each.form, is_passive=each.is_passive
                )
                spare.remove(each)
                break
            is_event = is_dated and _is_event(term, each, spoken)
            if is_event or is_synonym(term, each, spoken):
                is_passive = (each if is_event else term).is_passive
                found[place] = replace(
                    term, key=each.key, form=each.form, led=each.led, is_passive=is_passive
                )
                spare.remove(each)
                break
        else:
            if not _is_light(one[place : place + 2]):
                return one
            light.append(place)
    return tuple(
        replace(each, place=each.place - sum(n < place for n in light))
        for place, each in enumerate(found)
        if place not in light
    )


def _is_event(one: Term, other: Term, spoken: str) -> bool:
    """Whether what was done to something is what another line has the name of."""
    (mine, past), (theirs, is_past) = _bare(one.key, spoken), _bare(other.key, spoken)
    if mine != theirs or past == is_past:
        return False
    done, name = (one, other) if past else (other, one)
    return done.is_passive and bool(name.place) and not name.form.endswith(("s", "ed"))


def _is_reduced(one: Term, other: Term) -> bool:
    """Whether one of two terms is a participle without a verb, of the verb that the other is."""
    if one.key.removesuffix(_PAST) != other.key.removesuffix(_PAST):
        past, other = (one, other) if one.key.endswith(_PAST) else (other, one)
        deed = IRREGULAR.get(past.key.removesuffix(_PAST))
        return (
            past.is_reduced and deed is not None and root(deed, "en", is_passive=False) == other.key
        )
    return one.is_reduced or other.is_reduced


def _is_light(terms: Sequence[Term]) -> bool:
    """Whether the first of two terms tells no more than that it is there: "kept in the shed"."""
    if len(terms) < _PAIR or terms[0].opens or terms[0].head:
        return False
    return terms[0].is_passive and terms[0].key in LIGHT and terms[1].head == LOOSE


def is_synonym(one: Term, other: Term, spoken: str) -> bool:
    """Whether two terms stand in one set, of verbs only where neither is plainly a thing."""
    is_denied = one.key.startswith(NO)
    if is_denied != other.key.startswith(NO):
        return False
    known = _senses("en" if spoken == "" else spoken)
    mine, past = _bare(one.key.removeprefix(NO), spoken)
    theirs, is_past = _bare(other.key.removeprefix(NO), spoken)
    shared = known.get(mine, frozenset()) & known.get(theirs, frozenset())
    if not shared:
        return False
    if past != is_past and (other if past else one).form not in UNMARKED:
        return False
    is_named = any(each.is_value or _is_name(each, spoken) for each in (one, other))
    is_thing = any(each.is_thing for each in (one, other))
    return any(
        kind == "name" or not (is_named or (kind == "verb" and is_thing) or (not kind and past))
        for kind, _ in shared
    )


def _is_name(term: Term, spoken: str) -> bool:
    if not term.is_capital or spoken == "de":
        return False
    return bool(term.is_first or term.head or (term.place and term.opens not in _STARTS))


def _bare(key: str, spoken: str) -> tuple[str, bool]:
    """Return what stands in a set for a key, and whether it is of the past."""
    bare = key.removesuffix(_PAST)
    if bare == key:
        return key, False
    deed = IRREGULAR.get(bare)
    return (root(deed, spoken, is_passive=False) if deed else derived(bare)), True


def _tables(spoken: str) -> Iterator[tuple[str, list[str]]]:
    for kind, table in _TABLES if spoken == "en" else (("", ABROAD.get(spoken, "")),):
        for words in sets(table):
            yield kind, [each for each in words if " " not in each]


@lru_cache(maxsize=8)
def _senses(spoken: str) -> dict[str, frozenset[Sense]]:
    """Return the sets that a word is of, by what is left of it without its endings."""
    found: dict[str, set[Sense]] = {}
    for number, (kind, words) in enumerate(_tables(spoken)):
        for word in words:
            found.setdefault(root(word.casefold(), spoken, is_passive=False), set()).add(
                (kind, number)
            )
    return {word: frozenset(each) for word, each in found.items()}


@lru_cache(maxsize=1 << 14)
def kin(begins: str) -> frozenset[str]:
    """Return how words begin that may stand for one which begins so, itself among them."""
    return _kin().get(begins, frozenset((begins,)))


@lru_cache(maxsize=1)
def _kin() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    rows = [words for spoken in ("en", *ABROAD) for _, words in _tables(spoken)]
    for row in [*rows, *([deed, base] for deed, base in IRREGULAR.items())]:
        begins = {beginning(word.casefold()) for word in row}
        for each in begins:
            found.setdefault(each, set()).update(begins)
    for deed, base in IRREGULAR.items():  # "bought" is "purchased"
        found[beginning(deed)] |= found[beginning(base)]
    return {word: frozenset(each) for word, each in found.items()}


def beginning(word: str) -> str:
    """Return how a folded word begins, by which it is looked up."""
    return word.removesuffix("s")[:_BEGINNING]
