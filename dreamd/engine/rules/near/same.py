"""Whether one line says all that another one says, so that nobody would miss the other."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import replace
from functools import lru_cache

from dreamd.domain.dates import relative_phrases
from dreamd.domain.late import late
from dreamd.domain.prose.words import words
from dreamd.engine.rules.near.compounds import uncompounded
from dreamd.engine.rules.near.languages import language
from dreamd.engine.rules.near.order import Run
from dreamd.engine.rules.near.order import is_one_order as _is_one_order
from dreamd.engine.rules.near.order import runs_of as _runs
from dreamd.engine.rules.near.retelling import retellings
from dreamd.engine.rules.near.sayings import Saying, saying
from dreamd.engine.rules.near.terms import Term
from dreamd.engine.rules.near.thesaurus import reworded
from dreamd.engine.rules.near.wording import (
    ANYWHERE,
    CLAUSES,
    FOR,
    LIGHT,
    LOOSE,
    NARROWS,
    NO,
    OF,
    OTHERS,
    TURNS,
    UNSPACED,
)

_FEWEST = 2  # terms of a line that may go
_LONGEST = 600  # characters of a line that is compared
_ENDS = {".", "!", "?", ";", "。", "；", "！", "？", "—", "–", "-"}  # noqa: RUF001
_STOPS = {".", "!", "。", "！"}  # noqa: RUF001
_SETS_OFF = {*_ENDS, ":", "(", ",", "，", "、", "（", "：", "and"}  # noqa: RUF001
_SCOPES = {LOOSE, OF, FOR, "to", "as"}  # "in staging", "for images": a phrase so led narrows
_PROGRAM = late(r"\s=\s|[{};]\s*$|\w\([^)]*$")
_NAME = late(r"[^\W\d]\w*")
_CODE = late(r"`([^\W\d]\w*)`")  # a name in it stands for itself, whatever its ending
_TIME = late(r"\d\d:\d\d")
_CONTRAST = 3  # terms in "instead of the old one"
_LASTS = late(
    r"\b(?:is|are|am|always|never|must|should|prefers?|uses?|likes?|wants?|needs?|lives?|owns?"
    r"|works?|has|have|requires?|runs?)\b",
    re.IGNORECASE,
)
_WAS = late(r"\b(?:was|were|did|had|went|(?!need\b)\w+ed)\b", re.IGNORECASE)
_KIND = late(  # "with hashed passwords": of what sort, not what was done
    r"\b(?:with|of|the|an?|for|to|in|on|by|is|are|be|being)\s+\w+ed\b", re.IGNORECASE
)
_CANCELS = words(  # in a sentence of what the next one says
    "outdated obsolete deprecated wrong mistaken changed previously formerly longer anymore "
    "earlier past rejected supposedly reportedly maybe perhaps if"
)


@lru_cache(maxsize=1 << 14)
def says_the_same(going: str, staying: str) -> bool:
    """Whether every value and word of weight of one line stands in another, and in one order.

    Both may have their list marker. What the other says beyond it only adds: it stands apart (a
    further sentence, a reason, more of a list), and nothing in it denies, doubts or narrows. In
    languages whose small words are not known the words must be the same.
    """
    if max(len(going), len(staying)) > _LONGEST or going.rstrip("*_ ").endswith((":", "：")):  # noqa: RUF001
        return False  # what ends in a colon tells of the lines behind it
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
    lacking = Counter(each.key for each in told) - Counter(each.key for each in other.terms)
    if len(told) < _FEWEST or lacking:
        return False
    if not _is_one_speaker(one.persons, other.persons) or not _is_as_new(one, other, spoken):
        return False
    return any(
        _is_one_order(runs, mine, theirs, spoken) and _adds_only(runs, mine, theirs, listed, spoken)
        for heard, listed in _listings(told, other.terms)
        for mine, theirs in retellings(heard, listed)
        if (runs := _runs(mine, theirs, spoken)) is not None
    )


def _named(going: str, staying: str) -> frozenset[str]:
    """Return the names of code in two lines: of a statement all words, else those in backticks."""
    both = f"{going} {staying}"
    is_program = _PROGRAM.search(going) or _PROGRAM.search(staying)
    return frozenset((_NAME if is_program else _CODE).findall(both))


def _is_one_speaker(one: frozenset[str], other: frozenset[str]) -> bool:
    if one & OTHERS != other & OTHERS:
        return False
    return one == other or not one or not other


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
    listed = _listed(one), _listed(other)
    if listed != (one, other):
        yield listed


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
        run = sorted(terms[first : last + 1], key=lambda each: each.key)
        for at, each in enumerate(run, first):
            found[at] = replace(
                each, head=terms[at].head, opens=terms[at].opens, place=terms[at].place
            )
    return tuple(found)


def _adds_only(
    runs: Sequence[Run],
    mine: Sequence[Term],
    theirs: Sequence[Term],
    other: Sequence[Term],
    spoken: str,
) -> bool:
    """Whether all that only the other line says stands apart, and turns nothing."""
    taken = {
        theirs[run.there + n].place: mine[run.here + n].place
        for run in runs
        for n in range(run.length)
    }
    opened = Counter(other[n].head for n in taken if n >= 0 and other[n].head in CLAUSES)
    if opened - Counter(each.key for each in mine if each.place < 0):
        return False  # "when A, B" does not say A
    more = [
        n
        for n in range(len(other))
        if n not in taken
        and not (n + 1 in taken and _is_asked(other[n], other[n + 1], taken[n + 1], mine))
    ]
    if not more:
        return True
    if not spoken:
        return False
    rows: list[list[int]] = []
    for n in more:
        if rows and rows[-1][-1] == n - 1:
            rows[-1].append(n)
        else:
            rows.append([n])
    return all(_stands_apart(other, row, spoken) for row in rows)


def _is_asked(modal: Term, deed: Term, place: int, mine: Sequence[Term]) -> bool:
    """Whether a verb without anybody before it ("keep it short") asks for what must be done."""
    if modal.key not in {"must", "should"} or not (deed.is_passive or not place):
        return False
    return all(
        each.head not in {"", OF}
        for each in mine
        if 0 <= each.place < place and (each.head or each.opens or not each.place)
    )


def _stands_apart(terms: Sequence[Term], run: Sequence[int], spoken: str) -> bool:
    first, last = terms[run[0]], run[-1]
    said = [terms[n] for n in run]
    ends = last + 1 == len(terms)
    if all(_is_nothing(terms, n) for n in run):
        return True
    if _is_contrast(said) and (ends or terms[last + 1].opens):
        return True
    if run[0] == 0 and not ends and terms[last + 1].opens in _STOPS:
        return not any(each.form in _CANCELS or each.head in _CANCELS for each in said)
    if any(_narrows(each) for each in said):
        return False
    if first.bracket and all(each.bracket == first.bracket for each in said):
        before = terms[run[0] - 1].bracket if run[0] else 0
        after = 0 if ends else terms[last + 1].bracket
        return first.bracket not in {before, after} and not first.head
    if run[0] == 0:
        return not ends and terms[last + 1].opens in _ENDS
    if not ends:
        return False
    if first.opens in _ENDS or (first.opens in _SETS_OFF and first.head not in _SCOPES):
        return True
    if spoken in UNSPACED:
        return False
    return first.head == LOOSE and bool(_TIME.fullmatch(first.key))


def _is_nothing(terms: Sequence[Term], place: int) -> bool:
    """Whether a term tells no more than what it stands by: "is kept in", "on host Heron"."""
    term = terms[place]
    if term.key in ANYWHERE or term.key == "but":
        return True
    is_verb = term.is_passive or term.form in {"runs", "running"}
    return bool(place) and is_verb and term.key in LIGHT and not term.opens


def _is_contrast(said: Sequence[Term]) -> bool:
    """Whether terms name what is not meant: "not npm", "instead of npm"."""
    first, *rest = said
    if len(said) > _CONTRAST or any(_narrows(each) or each.is_value for each in rest):
        return False
    if first.key.startswith(NO):
        plain = replace(first, key=first.key.removeprefix(NO))
        is_set_off = first.opens in {",", "(", "—", "–", "and"}  # noqa: RUF001
        return is_set_off and not (_narrows(plain) or any(each.head for each in said))
    if first.key == "instead":
        return bool(rest) and rest[0].head == OF
    return first.head == "over" and first.key not in NARROWS


def _narrows(term: Term) -> bool:
    is_turned = not TURNS.isdisjoint(term.head.split("+")) or term.key.startswith(NO)
    return is_turned or term.key in NARROWS or term.form in NARROWS
