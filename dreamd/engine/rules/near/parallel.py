"""Whether two lines of one order differ in a small word that matters.

What differs is told in parallel: "the key is on the box" and "the key is in the box" have one order
and all words of weight in common. Who tells one fact again mostly builds another sentence. So where
the words of weight stand in one order, the small words between them count, too.
"""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence

from dreamd.domain.prose.words import words
from dreamd.engine.rules.near.determiners import OBJECTS
from dreamd.engine.rules.near.sayings import Saying
from dreamd.engine.rules.near.small_words import CASES, PRONOUNS, SMALL
from dreamd.engine.rules.near.term import Term, is_time
from dreamd.text.late import late

_BE, _HAVE, _BECOME, _GET, _ITSELF = "be", "have", "become", "get", "itself"
_SET_OFF = {",", "(", ":", ";", "—", "–", "-", "."}  # noqa: RUF001
_PRETTY_ALIKE = ({"in", "at"}, {"on", "at"}, {"in", "during"}, {"to", "into"})


_FOUND = words("befindet befinden trouve trouvent")
_MINE = {"habe", "tengo", "tenemos"}
_WHO, _WHOM = late(r"\bqui\b", re.IGNORECASE), late(r"\bqu(?:e\b|')", re.IGNORECASE)
_TURNING = {_BECOME, _ITSELF, "qui", "que"}
_VERBAL = {_BE, _HAVE, _GET}


def differs_in_parallel(one: Saying, told: Sequence[Term], other: Saying, spoken: str) -> bool:
    """Whether two lines whose words of weight are in one order differ in a small word.

    `told` are the terms of the one line in the words of the other.
    """
    known, spoken = bool(spoken), spoken or "en"
    if spoken == "fr" and _is_other_clause(one.text, other.text):
        return True
    places = _in_order(told, other.terms)
    if places is None:
        return False
    is_prefixed = spoken in {"de", "nl"} and len(told) == len(other.terms)
    if is_prefixed and set(one.tail) != set(other.tail):
        return True  # "wir melden Ida an", "um"
    return any(
        _differ(mine, theirs, spoken, known=known)
        for mine, theirs in _beside(told, other.terms, places)
    )


def _in_order(told: Sequence[Term], other: Sequence[Term]) -> list[int] | None:
    """Return where the terms of one line stand in another, None if there in another order."""
    found: list[int] = []
    for term in told:
        start = found[-1] + 1 if found else 0
        place = next((n for n in range(start, len(other)) if other[n].key == term.key), None)
        if place is None:
            return None
        found.append(place)
    return found


def _beside(
    told: Sequence[Term], other: Sequence[Term], places: Sequence[int]
) -> Iterator[tuple[Term, Term]]:
    """Yield the terms that have the same term before them in both lines, or none."""
    before = -1
    for term, place in zip(told, places, strict=True):
        if place == before + 1:
            yield term, other[place]
        before = place


def _sense(led: Sequence[str], spoken: str) -> Counter[str]:
    known = SMALL.get(spoken, {})
    found = Counter(known[word] for word in led if word in known)
    if not _FOUND.isdisjoint(led):
        found.pop(_ITSELF, None)  # "befindet sich"
    return found


def _is_other_clause(one: str, other: str) -> bool:
    """Whether somebody does in one line what is done to him in the other: "qui", "que"."""
    here, there = ([bool(each.search(text)) for each in (_WHO, _WHOM)] for text in (one, other))
    return here != there and here == there[::-1]


def _differ(one: Term, other: Term, spoken: str, *, known: bool) -> bool:
    if one.form == other.form:  # of "the tests" and "the test" the articles differ
        if _is_other_case(one, other, spoken) or _is_other_article(one, other, spoken):
            return True
    elif spoken == "de" and _is_subject(one) and _is_object(other):
        return True  # "der Nachbar", "den Nachbarn"
    elif spoken == "de" and _is_object(one) and _is_subject(other):
        return True
    elif any(one.form in row and other.form in row for row in CASES.get(spoken, ())[2:]):
        return True  # "mein Bruder", "meinen Bruder"
    if not known:
        return Counter(one.led) != Counter(other.led)
    here, there = _sense(one.led, spoken), _sense(other.led, spoken)
    lost, won = set(here - there), set(there - here)
    if (lost | won) & _MINE or _is_other_verb(lost, won, one, other, spoken):
        return True
    lost, won = lost - _VERBAL, won - _VERBAL
    if lost and won:
        return _is_other(lost | won, one, other, spoken)
    return bool(lost or won) and _is_more(lost or won, one, other if lost else one, spoken)


def _is_other_case(one: Term, other: Term, spoken: str) -> bool:
    """Whether the articles of one noun are of two cases: "der Hund", "den Hund"."""
    for row in CASES.get(spoken, ()):
        mine, theirs = row.intersection(one.led), row.intersection(other.led)
        if mine and theirs and mine != theirs:
            return True
    return False


def _is_subject(term: Term) -> bool:
    return not {"der", "ein"}.isdisjoint(term.led)


def _is_object(term: Term) -> bool:
    return not OBJECTS.isdisjoint(term.led)


def _is_other_article(one: Term, other: Term, spoken: str) -> bool:
    """Whether only one word has an article or a pronoun before it: "lundi", "le lundi"."""
    articles = PRONOUNS.get(spoken, frozenset())
    mine, theirs = (articles.intersection(each.led) for each in (one, other))
    if mine == theirs or "l" in {*one.led, *other.led}:
        return False
    is_amid = one.place and other.place and not {one.opens, other.opens} & _SET_OFF
    return bool((mine and theirs) or is_amid or is_time(one))


def _is_more(more: set[str], one: Term, bare: Term, spoken: str) -> bool:
    """Whether what stands before a word in one line only says more than the other line says."""
    if more & _TURNING:
        return True
    if is_time(one) or one.is_value or bare.opens in {*_SET_OFF, "and"}:
        return False
    if not bare.place and not (spoken != "en" and one.is_capital):
        return False
    return not more <= {"of", "de", "di", "van", "von"}


def _is_other_verb(lost: set[str], won: set[str], one: Term, other: Term, spoken: str) -> bool:
    """Whether "is" and "has" tell two things: "is a nurse", but not "is allergic, has allergies".

    "Il écrit" and "il a écrit" do.
    """
    if spoken in {"fr", "it"} and _HAVE in lost ^ won and not one.is_first:
        return True
    if not (lost & _VERBAL and won & _VERBAL):
        return False
    if one.is_value or one.is_passive or other.is_passive:
        return False
    return one.form.rstrip("s") == other.form.rstrip("s")


def _is_other(said: set[str], one: Term, other: Term, spoken: str) -> bool:
    """Whether two prepositions before one word say two things."""
    if spoken != "en" or is_time(one):
        return not (is_time(one) and said <= {"in", "an", "on", "at", "à", "en"})
    if any(said <= each for each in _PRETTY_ALIKE):
        return False
    return one.is_first and other.is_first if said == {"in", "on"} else True
