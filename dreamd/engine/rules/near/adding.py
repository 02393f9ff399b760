"""Whether what one line tells beyond another only adds to it, and narrows or turns nothing."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

from dreamd.domain.prose.words import words
from dreamd.engine.rules.near.narrowing import CANCELS, ONLY, OPEN, PREFERRING
from dreamd.engine.rules.near.parts import (
    DATE,
    TIME,
    About,
    Part,
    is_contrast,
    is_nothing,
    narrows,
    revokes,
)
from dreamd.engine.rules.near.runs import Run
from dreamd.engine.rules.near.term import Term, is_time
from dreamd.engine.rules.near.wording import CLAUSES, FOR, LOOSE, NO, OF, TURNS, UNSPACED

_ENDS = {".", "!", "?", ";", "。", "；", "！", "？", "—", "–", "-"}  # noqa: RUF001
_STOPS = {".", "!", "。", "！"}  # noqa: RUF001
_SETS_OFF = {*_ENDS, ":", "(", ",", "，", "、", "（", "：", "and"}  # noqa: RUF001
_ASIDES = {",", "—", "–", "-", "，"}  # noqa: RUF001 - before an aside, and behind it
_SCOPES = {LOOSE, OF, FOR, "to", "as"}  # "in staging", "for images": a phrase so led narrows
_REASONS = {"because", "since", "wegen", "weil", "porque", "perché", "omdat"}
_REASON = words("so sodass weshalb deshalb denn car donc así dunque dus want")
_BESIDE = {"from", "to"}  # behind all else, whence and to what end
_EVENTS = {LOOSE, FOR}  # behind what is of one day, which nothing narrows
_CLAUSE = 3  # terms that a further sentence has at least


def adds_only(
    runs: Sequence[Run],
    mine: Sequence[Term],
    theirs: Sequence[Term],
    other: Sequence[Term],
    spoken: str,
) -> bool:
    """Whether all that only the other line says stands apart, and turns nothing.

    `runs` are the terms `mine` of the one line as they stand among `theirs`, which is `other`
    told in the order of the one.
    """
    taken = {
        theirs[run.there + n].place: mine[run.here + n].place
        for run in runs
        for n in range(run.length)
    }
    clauses = CLAUSES - (_REASONS - {"since"})  # who says why says that it is so
    opened = Counter(other[n].head for n in taken if n >= 0 and other[n].head in clauses)
    if opened - Counter(each.key for each in mine if each.place < 0):
        return False  # "when A, B" does not say A
    told = {each.place for each in theirs}
    more = [
        n
        for n in range(len(other))
        if n not in taken
        and n in told
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
    said = frozenset(each.key.removeprefix(NO) for each in mine)
    about = About(
        said,
        spoken,
        is_once=any(DATE.fullmatch(each.key) for each in mine),
        is_strict=not ONLY.isdisjoint(said) or any(each.key.startswith(NO) for each in mine),
        is_open=not OPEN.isdisjoint(said),
        is_preferring=not PREFERRING.isdisjoint(said),
    )
    return all(_stands_apart(_part(other, row), about) for row in rows)


def _part(terms: Sequence[Term], row: Sequence[int]) -> Part:
    return Part(
        tuple(terms[n] for n in row),
        terms[row[0] - 1] if row[0] else None,
        terms[row[-1] + 1] if row[-1] + 1 < len(terms) else None,
    )


def _is_asked(modal: Term, deed: Term, place: int, mine: Sequence[Term]) -> bool:
    """Whether a verb without anybody before it ("keep it short") asks for what must be done."""
    if modal.key not in {"must", "should"} or not (deed.is_passive or not place):
        return False
    return all(
        each.head not in {"", OF}
        for each in mine
        if 0 <= each.place < place and (each.head or each.opens or not each.place)
    )


def _stands_apart(part: Part, about: About) -> bool:
    first, after = part.said[0], part.after
    if all(is_nothing(each, part, about) for each in part.said):
        return True
    if is_contrast(part.said, about) and (after is None or after.opens):
        return True
    if part.before is None and after is not None and after.opens in _STOPS:
        return _is_sentence(part.said, about)
    is_why = _is_reason(part) or (after is not None and after.head in _REASONS)
    is_clause = is_why or (first.opens in _SETS_OFF and len(part.said) >= _CLAUSE)
    if about.is_open and first.opens in {":", "("} and any(is_time(each) for each in part.said):
        return False
    if is_clause and _is_apart(part):
        is_free = is_why or first.opens in _ENDS or not about.is_strict
        if about.is_strict and is_why and first.opens not in _SETS_OFF:
            return False  # "did not leave because of the rent"
        takes_back = any(revokes(each, about.said) for each in part.said)
        is_bound = not (is_why or (TURNS.isdisjoint(first.head.split("+")) and not is_time(first)))
        return is_free and not (is_bound or takes_back)
    if about.is_strict or about.is_open or any(narrows(each) for each in part.said):
        return False
    if any(is_time(each) and not TIME.fullmatch(each.key) for each in part.said):
        return False
    if first.opens == "and" and len(part.said) < _CLAUSE and part.after is None:
        return False  # "red and white", "2 hours and 30 minutes"
    return _is_apart(part) or _is_beside(part, about)


def _is_apart(part: Part) -> bool:
    """Whether a part is set off from the rest by what stands before and behind it."""
    first, before, after = part.said[0], part.before, part.after
    if first.bracket and all(each.bracket == first.bracket for each in part.said):
        around = {before.bracket if before else 0, after.bracket if after else 0}
        return first.bracket not in around and (not first.head or _is_reason(part))
    if before is None:
        return after is not None and (
            after.opens in _ENDS
            or (after.opens in _ASIDES and _is_reason(part))
            or after.head in _REASONS
        )
    if after is not None:
        is_when = first.head == LOOSE and all(each.is_value for each in part.said)
        is_set_off = first.opens in _ASIDES and after.opens in _ASIDES
        return is_set_off and (is_when or first.head not in _SCOPES)
    if _is_reason(part) or first.opens in _ENDS:
        return True
    return first.opens in _SETS_OFF and first.head not in _SCOPES


def _is_reason(part: Part) -> bool:
    """Whether a part tells why: "because the office is closed", "so the tests are slow"."""
    first = part.said[0]
    return first.head in _REASONS or (first.key in _REASON and bool(first.opens))


def _is_sentence(said: Sequence[Term], about: About) -> bool:
    """Whether terms are a sentence that leaves the next one as it is: no "Until May."."""
    if any(each.form in CANCELS or each.head in CANCELS for each in said):
        return False
    if len(said) < _CLAUSE and (said[0].head or any(is_time(each) for each in said)):
        return False
    return not any(revokes(each, about.said) for each in said)


def _is_beside(part: Part, about: About) -> bool:
    """Whether a phrase behind all else narrows nothing, though nothing sets it off."""
    first = part.said[0]
    if part.after is not None or about.spoken in UNSPACED:
        return False
    if first.head == LOOSE and all(each.is_value for each in part.said):
        return bool(first.opens == "," or TIME.fullmatch(first.key))
    if about.is_once and (first.head in _EVENTS or first.key == "about"):
        return True
    if first.is_value or (first.head == "to" and (first.is_first or first.is_capital)):
        return False  # "from 9 to 12", "to the main branch"
    if first.head == "to" and first.form.endswith("ing"):
        return False  # "for billing": a part of what is said, and no purpose
    return first.head in _BESIDE and about.spoken == "en"
