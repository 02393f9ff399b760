"""Whether one line says all that another one says, so that nobody would miss the other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from dreamd.domain.prose.words import words
from dreamd.domain.superseded import current, is_open
from dreamd.engine.rules.near.adding import adds_only
from dreamd.engine.rules.near.compounds import uncompounded
from dreamd.engine.rules.near.families import family
from dreamd.engine.rules.near.languages import language
from dreamd.engine.rules.near.order import is_one_order as _is_one_order
from dreamd.engine.rules.near.parallel import differs_in_parallel
from dreamd.engine.rules.near.rebuilt import is_rebuilt
from dreamd.engine.rules.near.retelling import retellings
from dreamd.engine.rules.near.runs import runs_of as _runs
from dreamd.engine.rules.near.sayings import Saying, saying
from dreamd.engine.rules.near.term import Term, is_time
from dreamd.engine.rules.near.thesaurus import reworded
from dreamd.engine.rules.near.wording import OTHERS, TURNS
from dreamd.text.late import late
from dreamd.text.time.calendar_words import MONTHS
from dreamd.text.time.dates import relative_phrases

_FEWEST = 2  # terms of a line that may go
_LONGEST = 600  # characters of a line that is compared
_PROGRAM = late(r"\s=\s|[{};]\s*$|\w\([^)]*$")
_NAME = late(r"[^\W\d]\w*")
_I, _ME = late(r"\b(?:I|[Ww]e)\b"), late(r"\b(?:me|us)\b")
_TAKEN_UP = late(r"[,;.]\s(?:[\w']+\s){0,6}(?:it|they|them|he|she|him)\b")
_KNOWN = {"the", "my", "our"}
_TO_ME = late(r"\b(?:to|for|with|from) (?:me|us)\b")
_IN_ORDER = words(
    "order route rout winner winners priority priorit priorities step steps sequence sequenc "
    "ranking rank queue reihenfolge route ablauf schritte orden ordre ruta ordine"
)
_HEDGES = late(
    r"\b(?:I|we) (?:think|guess|believe|suppose|reckon|assume)\b|\b(?:almost|pretty|quite|fairly) "
    r"(?:sure|certain)\b|\bit (?:seems|appears|looks like)\b|\bif (?:I|my)\b|\bas far as\b"
    r"|\b(?:someone|somebody|they) said\b|\baccording to (?:him|her|them)\b|\b(?:he|she) (?:thinks"
    r"|believes|guesses)\b|\b(?:glaube|vermute|denke|angeblich|vermutlich)\b|\bcreo que\b|\bje "
    r"crois\b",
    re.IGNORECASE,
)
_EARNS, _PAYS = (
    late(r"\b(?:gets?|receives?|earns?|has)\b", re.IGNORECASE),
    late(r"\bpays?\b", re.IGNORECASE),
)
_GOES, _COMES = (
    late(r"\b(?:goes|leaves)\b", re.IGNORECASE),
    late(r"\b(?:comes|arrives)\b", re.IGNORECASE),
)
_CODE = late(r"`([^\W\d]\w*)`")  # a name in it stands for itself, whatever its ending
_LASTS = late(
    r"\b(?:is|are|am|always|never|must|should|prefers?|uses?|likes?|wants?|needs?|lives?|owns?"
    r"|works?|has|have|requires?|runs?)\b",
    re.IGNORECASE,
)
_WAS = late(r"\b(?:was|were|did|had|went|(?!need\b)\w+ed)\b", re.IGNORECASE)
_KIND = late(  # "with hashed passwords": of what sort, not what was done
    r"\b(?:with|of|the|an?|for|to|in|on|by|is|are|be|being)\s+\w+ed\b", re.IGNORECASE
)


@lru_cache(maxsize=1 << 14)
def says_the_same(going: str, staying: str) -> bool:
    """Whether every value and word of weight of one line stands in another, and says the same.

    Both may have their list marker. What the other says beyond it only adds: it stands apart (a
    further sentence, a reason, more of a list), and nothing in it denies, doubts or narrows. In
    languages whose small words are not known the words must be the same.
    """
    if max(len(going), len(staying)) > _LONGEST or going.rstrip("*_ ").endswith((":", "：")):  # noqa: RUF001
        return False  # what ends in a colon tells of the lines behind it
    if not is_open(staying):
        staying = current(staying).rstrip()  # what it calls past is beside what it says of today
    spoken = language(f"{going}\n{staying}")
    if spoken == "de":
        going, staying = uncompounded(going, staying), uncompounded(staying, going)
    named = _named(going, staying)
    one, other = (
        saying(line, spoken, named.intersection(_NAME.findall(line)) if named else named)
        for line in (going, staying)
    )
    if not (one.is_whole and other.is_whole) or one.frame != other.frame:
        return False
    told = reworded(one.terms, other.terms, spoken)
    if min(len(told), len(other.terms)) < _FEWEST or not _is_one_speaker(one, other):
        return False
    if not _is_as_new(one, other, spoken):
        return False
    if _is_another(one, told, other, spoken):
        return False
    is_english = spoken in {"en", ""}
    is_plain = is_english and _is_one_side(one, other) and not _are_taken_up(one, other)
    if is_plain and is_rebuilt(told, other.terms):
        return True
    lacking = Counter(each.key for each in told) - Counter(each.key for each in other.terms)
    return not lacking and any(
        _is_one_order(runs, mine, theirs, spoken) and adds_only(runs, mine, theirs, listed, spoken)
        for heard, listed in _listings(told, other.terms)
        for mine, theirs in retellings(heard, listed)
        if (runs := _runs(mine, theirs, spoken)) is not None
    )


def _is_another(one: Saying, told: Sequence[Term], other: Saying, spoken: str) -> bool:
    """Whether one line says what the other one does not, or says it more surely."""
    if _HEDGES.search(other.text) and not _HEDGES.search(one.text):
        return True
    if _is_opposed(one.text, other.text) or differs_in_parallel(one, told, other, spoken):
        return True
    if spoken not in {"en", ""}:
        return False
    return _is_given_back(one.text, other.text) or _is_asked_of_done(one, told, other)


def _named(going: str, staying: str) -> frozenset[str]:
    """Return the names of code in two lines: of a statement all words, else those in backticks."""
    both = f"{going} {staying}"
    is_program = _PROGRAM.search(going) or _PROGRAM.search(staying)
    return frozenset((_NAME if is_program else _CODE).findall(both))


def _is_one_speaker(one: Saying, other: Saying) -> bool:
    """Whether two lines speak of the same persons, as far as their pronouns tell.

    Where only the other line has "he" or "she", it names them before, and tells more.
    """
    mine, theirs = ({each.strip("()") for each in line.persons} for line in (one, other))
    if mine & OTHERS != theirs & OTHERS:
        is_more = len(other.terms) > len(one.terms)
        if not is_more or mine & OTHERS or other.persons & OTHERS:
            return False
    mine, theirs = mine - OTHERS, theirs - OTHERS
    return mine <= theirs or theirs <= mine


def _is_opposed(one: str, other: str) -> bool:
    """Whether one line gets or goes where the other pays or comes."""
    for give, take in ((_EARNS, _PAYS), (_GOES, _COMES)):
        here = bool(give.search(one)), bool(take.search(one))
        there = bool(give.search(other)), bool(take.search(other))
        if here != there and here == tuple(reversed(there)):
            return True
    return False


def _is_one_side(one: Saying, other: Saying) -> bool:
    """Whether it is not I in one line who does what is done to me in the other."""
    (does, done), (its, to_it) = (
        (bool(_I.search(line.text)), bool(_ME.search(line.text))) for line in (one, other)
    )
    return not (does and not done and to_it and not its) and not (
        its and not to_it and done and not does
    )


def _are_taken_up(one: Saying, other: Saying) -> bool:
    """Whether both lines have a pronoun for somebody or something of another clause.

    "Ana met Eva, she is ill" is not "Eva met Ana, she is ill".
    """
    return all(_TAKEN_UP.search(line.text) for line in (one, other))


def _is_given_back(one: str, other: str) -> bool:
    """Whether I do in one line what is done to me in the other: "lent it to Ana", "to me"."""
    here, there = ((bool(_I.search(text)), bool(_TO_ME.search(text))) for text in (one, other))
    return here != there and here == there[::-1]


def _is_asked_of_done(one: Saying, told: Sequence[Term], other: Saying) -> bool:
    """Whether what one line says is done the other one asks for: "The bill is paid", "Pay it"."""
    mine = any(_is_done_once(told, verb) for verb in other.terms[:1] if not other.persons)
    return mine or any(_is_done_once(other.terms, verb) for verb in told[:1] if not one.persons)


def _is_done_once(terms: Sequence[Term], verb: Term) -> bool:
    done = [each for each in terms if each.key == verb.key and each.is_passive]
    is_known = not _KNOWN.isdisjoint(terms[0].led)  # "the bill", and no "Python code"
    is_once = is_known and any("is" in each.led for each in done)
    return is_once and not verb.is_passive and not any(_is_often(each) for each in terms)


def _is_often(term: Term) -> bool:
    """Whether a term tells that something is done again and again, or on what condition."""
    is_when = term.key == "everi" or not TURNS.isdisjoint(term.head.split("+"))
    return is_when or (is_time(term) and term.form not in MONTHS and not term.is_value)


def _is_as_new(one: Saying, other: Saying, spoken: str) -> bool:
    """Whether the line that stays was said no earlier; what was done on two days is two things."""
    if one.day == other.day:
        return True
    if relative_phrases(one.text):
        return False  # "tomorrow" of two days
    if not one.day:
        return True
    if not other.day or other.day < one.day or spoken != "en":
        return False
    return bool(_LASTS.search(one.text)) and not _WAS.search(_KIND.sub(" ", one.text))


def _listings(
    one: tuple[Term, ...], other: tuple[Term, ...]
) -> Iterator[tuple[tuple[Term, ...], tuple[Term, ...]]]:
    """Yield the terms of both as they stand, and with their lists in one order."""
    yield one, other
    if not (_has_one_list(one) and _has_one_list(other)):
        return
    listed = _listed(one), _listed(other)
    if listed != (one, other):
        yield listed


def _has_one_list(terms: tuple[Term, ...]) -> bool:
    """Whether terms have a single list, whose order nothing tells to matter."""
    lists = sum(term.opens == "and" for term in terms)
    is_ordered = any(family(term.key) in _IN_ORDER or term.form in _IN_ORDER for term in terms)
    return lists == 1 and not is_ordered and sum(term.is_value for term in terms) < _FEWEST


def _listed(terms: tuple[Term, ...]) -> tuple[Term, ...]:
    """Return the terms with those of each list of single ones ("a, b and c") by the alphabet."""
    found = list(terms)
    for last, term in enumerate(terms):
        if term.opens != "and" or not last:
            continue
        first = last - 1
        while first and terms[first].opens == ",":
            first -= 1
        if first and last + 1 < len(terms) and not terms[last + 1].opens:
            continue  # "A calls B and C calls D"
        if first and terms[first - 1].is_value and not terms[first].opens:
            continue  # "3 apples and pears"
        run = sorted(terms[first : last + 1], key=lambda each: each.key)
        for at, each in enumerate(run, first):
            found[at] = replace(
                each, head=terms[at].head, opens=terms[at].opens, place=terms[at].place
            )
    return tuple(found)
