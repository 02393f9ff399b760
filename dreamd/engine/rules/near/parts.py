"""What stands in one of two lines only: whether it says nothing, contrasts, narrows, takes back."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, replace

from dreamd.engine.rules.near.narrowing import ANYWHERE, MANNERS, MEASURES, NARROWS, REVOKES, SORTS
from dreamd.engine.rules.near.term import Term
from dreamd.engine.rules.near.wording import LIGHT, LOOSE, NO, OF, TURNS
from dreamd.text.late import late

TIME = late(r"\d\d:\d\d")
DATE = late(r"(?:\d{4}|-)-\d\d-\d\d")
_CREDITS = {"say", "accord"}  # ", says the physio", ", according to the physio"
_CONTRAST = 3  # terms in "instead of the old one"


@dataclass(frozen=True, slots=True)
class About:
    """What is known of the line that may go: its words, and whether these leave room for more.

    What is denied or said "only" of something is narrowed by most that is said with it, what is
    open, free or allowed by a phrase behind it.
    """

    said: frozenset[str]
    spoken: str
    is_once: bool
    is_strict: bool
    is_open: bool
    is_preferring: bool


@dataclass(frozen=True, slots=True)
class Part:
    """Terms that follow each other and stand in one line only, and what they stand between."""

    said: tuple[Term, ...]
    before: Term | None
    after: Term | None


def is_nothing(term: Term, part: Part, about: About) -> bool:
    """Whether a term tells no more than what it stands by: "is kept in", "on host Heron"."""
    if term.form in MANNERS and not term.key.startswith(NO):
        return not about.is_strict
    if term.key in ANYWHERE or term.key == "but":
        return True
    if term.key in _CREDITS and term.opens == "," and part.after is not None:
        return True
    if len(part.said) == 1 and part.before and part.after and _is_plain(term, part.after):
        return True
    is_verb = term.is_passive or term.form in {"runs", "running"}
    is_first = part.before is None and term == part.said[0]
    return not is_first and is_verb and term.key in LIGHT and not term.opens


def _is_plain(term: Term, after: Term) -> bool:
    """Whether a single term says only of what sort the next one is: "weighs 3 kg", "host heron"."""
    if term.opens and term.opens != "prep":
        return False
    if term.key in MEASURES and not term.head:
        return after.is_value and not after.head
    if term.key in {"start", "begin", "fal"} and not term.head:
        return after.head == LOOSE and bool(TIME.fullmatch(after.key) or DATE.fullmatch(after.key))
    is_named = after.is_capital or not after.form.isalpha()
    return term.key in SORTS and is_named and not (after.head or after.opens or after.is_value)


def is_contrast(said: Sequence[Term], about: About) -> bool:
    """Whether terms name what is not meant: "not npm", "instead of npm"."""
    first, *rest = said
    if len(said) > _CONTRAST or any(narrows(each) or each.is_value for each in rest):
        return False
    if first.key.startswith(NO):
        plain = replace(first, key=first.key.removeprefix(NO))
        is_set_off = first.opens in {",", "(", "—", "–", "and"}  # noqa: RUF001
        return is_set_off and not (narrows(plain) or any(each.head for each in said))
    if first.key == "instead":
        return bool(rest) and rest[0].head == OF
    return first.head == "over" and first.key not in NARROWS and about.is_preferring


def narrows(term: Term) -> bool:
    """Whether a term may turn or narrow what it is said with."""
    is_turned = not TURNS.isdisjoint(term.head.split("+")) or term.key.startswith(NO)
    is_known = not {term.key, term.form}.isdisjoint(NARROWS | REVOKES)
    return is_turned or is_known


def revokes(term: Term, said: frozenset[str]) -> bool:
    """Whether a term of a further clause takes back or bounds what is said before it."""
    bare = term.key.removeprefix(NO)
    if bare != term.key and (not bare or bare in said):
        return True  # "…; staging does not"
    return not {bare, term.form, *term.head.split("+")}.isdisjoint(REVOKES)
