"""Whether a word of one line is a word of another."""

from __future__ import annotations

from dreamd.engine.rules.near.stems import stem
from dreamd.engine.rules.near.term import Term
from dreamd.engine.rules.near.wording import EASY, FOR, GENDERED, LOOSE, OF, TIMES

_NOUN = 4  # letters of a German noun, which has a capital and endings
_DECLINED = {"s", "es", "n", "en", "ern"}  # but no "e" nor "er": Simon is not Simone
_IS, _AN = {"is", "am", "are"}, {"a", "an"}


def is_one(one: Term, other: Term, spoken: str) -> bool:
    """Whether two terms are one, led by the same word or by none."""
    if one.key != other.key:
        return False
    if one.head != other.head and not (one.head in EASY and other.head in EASY):
        return False
    if one.head and other.head and one.head != other.head:
        return False
    if (one.is_doer or other.is_doer) and {one.head, other.head} & {FOR, "to", LOOSE, OF}:
        return False  # "written by developers" is not "for developers"
    owns = any(each.is_owner and each.is_capital for each in (one, other))
    if FOR in {one.head, other.head} and owns:
        return False  # "a review for Ana" is not hers
    is_verb = one.form.endswith("ing") or other.form.endswith("ing")  # "Using", "Use"
    if spoken in GENDERED and _is_other_sex(*sorted((one.form, other.form), key=len)):
        return False
    if spoken == "de" and _is_more(one.form, other.form):
        return False
    if spoken in {"en", ""} and _is_other_kind(one, other):
        return False
    if one.is_capital and other.is_capital and one.form != other.form and not is_verb:
        short, long = sorted((one.form, other.form), key=len)
        ending = long.removeprefix(short)
        is_name = one.is_titled or other.is_titled  # "Frau Wolf", "Frau Wolfs"
        return spoken == "de" and len(short) >= _NOUN and ending in _DECLINED and not is_name
    return not (spoken in {"en", ""} and _is_other_noun(one, other))


def _is_other_kind(one: Term, other: Term) -> bool:
    """Whether somebody is one of a kind in one line only: "I am a tenant", "my tenant is …"."""
    for kind, its in ((one, other), (other, one)):
        led = set(kind.led)
        if led & _AN and led & _IS and "there" not in led:
            return not (_IS.intersection(its.led) or its.head == "as" or its.opens == ",")
    return False


def _is_more(one: str, other: str) -> bool:
    """Whether of two German words one is more than the other, or each such day."""
    short, long = sorted((one, other), key=len)
    return long == f"{short}er" or (long == f"{short}s" and short in TIMES)


def _is_other_noun(one: Term, other: Term) -> bool:
    """Whether two names of things have one stem only: "the train", "the training"."""
    if not (one.is_first and other.is_first):
        return False
    if one.form.endswith("ing") != other.form.endswith("ing"):
        return True
    return stem(one.form, "en", is_passive=False) != stem(other.form, "en", is_passive=False)


def _is_other_sex(one: str, other: str) -> bool:
    """Whether one of two words is the other of a woman: "hermano", "cousine", "profesora"."""
    one, other = one.removesuffix("s"), other.removesuffix("s")
    ends = {one[-1:], other[-1:]}
    is_turned = ends in ({"o", "a"}, {"i", "e"}, {"e", "a"})
    return (one[:-1] == other[:-1] and is_turned) or other in {f"{one}a", f"{one}e"}
