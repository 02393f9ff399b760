"""Find proper names in text: capitals where the grammar needs none."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from dreamd.text.late import late
from dreamd.text.values.value import Kind, Value, lowered
from dreamd.text.values.vocabulary import ALIASES, ANIMATE, GENERIC, GRAMMAR, ROLES

_WORD = late(r"[^\W\d_]\w*(?:[.'’&+-][^\W_]\w*)*")  # noqa: RUF001
_PART = late(r"[^\W_]+")
_CAMEL = late(r"[^\W\d_a-z]+(?![a-z])|[^\W\d_]?[a-zà-ÿ]+|\d+")
_START = late(  # what stands before the first word of a sentence, an item, a cell
    r"(?:^|[.!?:;—–|…]\s|\s-\s|->\s|→\s|[(\[\"“„«‘'>]|\n)[\s>*_#|(\[\"“„«‘'`~=]*"  # noqa: RUF001
    r"(?:[-+*•]\s+|\d{1,3}[.)]\s+)?(?:\[[ xX]\]\s+)?[\s*_(|\"“`~]*$"
)
_IN_BRACKETS = late(r"\([^()a-z]?[^()]*\)")
_TITLE = late(r"\b(?:Dr|Mrs?|Ms|Prof|St)\.\s$")  # the full stop ends no sentence
_GERMAN = late(r"(?i)\b(?:der|die|das|und|ist|nicht|ein|eine|für|mit|auf|von|zu|wird)\b")
_HEADING = late(r"\s{0,3}#{1,6}\s")
_LABEL = late(r"[\s>*_+-]*(?:\d{1,3}[.)]\s+)?[*_]{0,2}\[?[^:.\n]{1,60}?\]?[*_]{0,2}:(?=\s|[*_]|$)")
_POSSESSIVE = late(r"['’]s?$")  # noqa: RUF001


def names(text: str) -> Iterator[Value]:
    """Yield the names of a text: what is spelt with inner capitals or a digit, anywhere; other
    capitals not where a sentence, an item or a cell begins, nor all through a heading.

    A first word counts where it does what only somebody does: `Zoe likes rye`.
    """  # noqa: D205
    is_heading = bool(_HEADING.match(text))
    is_german = len(_GERMAN.findall(text)) > 1
    label = _LABEL.match(text)
    for match in _WORD.finditer(text):
        word = match[0]
        first = word[0]
        is_odd = _is_odd(word)
        if not (first.isupper() or first.istitle() or is_odd):
            continue
        bare = _POSSESSIVE.sub("", word)
        low = lowered(bare)
        if low in GRAMMAR or low in GENERIC or low.rstrip("s") in GENERIC or len(low) < 2:
            continue
        if is_heading and not is_odd:
            continue
        if not is_odd and is_german:
            continue
        in_label = label is not None and match.end() <= label.end() and " " in label[0]
        if not is_odd and in_label and not _is_first(text, match.start()):
            continue
        if not is_odd and _is_first(text, match.start()) and not _acts(text, match):
            continue
        yield _value(bare, match.start(), match.start() + len(bare))


def _is_odd(word: str) -> bool:
    """Whether a spelling is a name's by itself: `iPhone`, `GitHub`, `S3`, `k8s`."""
    bare = re.split(r"['’]", word)[0]  # noqa: RUF001
    letters = [each for each in bare if each.isalpha()]
    if any(each.isdigit() for each in bare):
        return True
    inner = "".join(letters[1:])
    return inner != inner.lower() and inner != inner.upper() and not _is_title(bare)


def _is_title(word: str) -> bool:
    return all(part[1:] == part[1:].lower() for part in _PART.findall(word))


def _is_first(text: str, at: int) -> bool:
    if _TITLE.search(text[max(at - 8, 0) : at]):
        return False  # `Dr. Jekyll`
    return bool(_START.search(text[max(at - 40, 0) : at]) if at > 40 else _START.search(text[:at]))


def _acts(text: str, match: re.Match[str]) -> bool:
    """Whether somebody is the subject, or a name alone is in brackets: `(Zoe)`."""
    rest = text[match.end() : match.end() + 24]
    if text[match.start() - 1 : match.start()] == "(" and rest.startswith(")"):
        return True
    after = re.match(r"\s(?:(?:also|now|still|never|always|often|really)\s)?([a-z]+)\b", rest)
    if not after or match[0].lower() in ROLES or match[0].isupper():
        return False
    return after[1] in ANIMATE and not match[0].endswith(("s", "ing", "ly", "ed"))


def _value(word: str, start: int, end: int) -> Value:
    low = lowered(word)
    parts = _PART.findall(low)
    squashed = "".join(parts)
    forms = [low, squashed, plain(squashed)]
    forms += [form.removesuffix("s") for form in forms if len(form) > 3]
    forms += [form + "s" for form in forms[:1]]
    forms += ALIASES.get(low, ()) or ALIASES.get(low.removesuffix("s"), ())
    split = [part for each in _PART.findall(word) for part in _CAMEL.findall(each)]
    has_digit = any(each.isdigit() for each in word)
    if has_digit:
        forms.append(" ".join(each.lower() for each in split))
    both = tuple(each.lower() for each in split) if len(split) > 1 and not has_digit else ()
    if any(len(each) < 2 for each in both):
        both = ()
    return Value(Kind.NAME, tuple(dict.fromkeys(filter(None, forms))), start, end, both)


def plain(word: str) -> str:
    """Return a word without its accents."""
    if word.isascii():
        return word
    split = unicodedata.normalize("NFD", word)
    return "".join(each for each in split if not unicodedata.combining(each))
