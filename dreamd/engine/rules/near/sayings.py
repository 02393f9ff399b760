"""A line of a note as what it says, so that another may be held against it."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable
from dataclasses import dataclass, field, replace
from functools import lru_cache
from itertools import pairwise

from dreamd.domain.superseded import current
from dreamd.engine.rules.near.numbers import STAMP
from dreamd.engine.rules.near.phrases import plainly
from dreamd.engine.rules.near.term import Term
from dreamd.engine.rules.near.terms import terms_of
from dreamd.engine.rules.near.wording import BY
from dreamd.text.late import late
from dreamd.text.markdown.markdown import plain

_MARKER = late(r"^[ \t>]*(?:(?:[-*+]|\d{1,9}[.)])(?:[ \t]+|$))?(?:\[(?P<box>[ xX])\][ \t]+)?")
_LINK = late(r"\]\(([^()]*)\)|\[\[([^\]|]*)")

_TO_DO = late(r"\s*(?:to[ -]?dos?|zu tun|zu erledigen|à faire|por hacer)\s*[:–—-]", re.IGNORECASE)  # noqa: RUF001

_DO = "perform"  # as which what is done, carried out and so on is read


@dataclass(frozen=True, slots=True)
class Saying:
    """What a line says, as far as another may be held against it.

    `day` is the one it was given (ISO 8601); `frame` what must be equal by itself: whether it
    asks, whether its box is ticked, where its links lead, whether it is still to be done.
    """

    text: str
    terms: tuple[Term, ...]
    persons: frozenset[str] = frozenset()
    day: str = ""
    frame: tuple[object, ...] = ()
    is_whole: bool = field(default=True)  # nothing of it is struck out or past
    tail: tuple[str, ...] = ()  # small words behind all else


@lru_cache(maxsize=4096)
def saying(row: str, spoken: str, named: frozenset[str] = frozenset()) -> Saying:
    """Return what a line of a note says, read as one of the language `spoken`.

    The words `named` are names of code, which are taken as they stand.
    """
    row = unicodedata.normalize("NFKC", row)
    marker = _MARKER.match(row)
    box = (marker["box"] or "").casefold() if marker else ""
    said = row[marker.end() if marker else 0 :].strip()
    stamp = STAMP.search(said)
    said = said[: stamp.start()] if stamp else said
    links = frozenset(one or other for one, other in _LINK.findall(said))
    is_whole = "~~" not in said and current(said) == said
    if spoken in {"ja", "zh"}:
        said = said.replace("`", " ` ")
    text = plain(said)
    asks = any(mark in text for mark in "?؟")
    persons: set[str] = set()
    found, tail = terms_of(plainly(text, spoken).strip(), spoken, persons, named)
    frame = (asks, box, links, bool(_TO_DO.match(text)))
    day = stamp["day"] if stamp else ""
    return Saying(text, _undone(found), frozenset(persons), day, frame, is_whole, tail)


def _undone(terms: Iterable[Term]) -> tuple[Term, ...]:
    """Return terms without "perform": "the check is performed by us" is "the check by us"."""
    found: list[Term] = []
    rest = [*terms, None]
    for term, after in pairwise(rest):
        is_said = term is not None and term.key == _DO and not (term.head or term.opens)
        if term is not None and is_said and found and after is not None:
            if term.is_passive and after.head == BY:
                found[-1] = replace(found[-1], is_passive=True)
                continue
            if not term.is_passive and after.is_deed:
                continue
        if term is not None:
            found.append(replace(term, place=len(found)))
    return tuple(found)
