"""Find proper names in text: capitals where the grammar needs none."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from dreamd.text import lexicon
from dreamd.text.late import late
from dreamd.text.markdown.inline import begins_sentence
from dreamd.text.time.calendar_words import MONTHS
from dreamd.text.values.value import GRAMMAR, Kind, Value
from dreamd.text.wording import lowered

_GENERIC = lexicon.of("generic") | frozenset(MONTHS)  # capitals that name nobody
_NO_NAMES = (GRAMMAR - {"go"}) | _GENERIC
_ALIASES = {row.words[0]: row.words[1:] for row in lexicon.rows() if row.name == "alias"}
_ANIMATE = lexicon.of("animate")  # verbs of which somebody is the subject
_ROLES = lexicon.of("role")
_WORD = late(r"(?<!\w)[^\W\d_]\w*(?:[.'’&+-][^\W_]\w*)*")  # noqa: RUF001
_PART = late(r"[^\W_]+")
_CAMEL = late(r"[^\W\d_a-z]+(?![a-z])|[^\W\d_]?[a-zà-ÿ]+|\d+")
_TITLE = late(r"\b(?:Dr|Mrs?|Ms|Prof|St)\.\s$")  # the full stop ends no sentence
_GERMAN = late(r"(?i)\b(?:der|die|das|und|ist|nicht|ein|eine|für|mit|auf|von|zu|wird)\b")
_HEADING = late(r"\s{0,3}#{1,6}\s")
_LABEL = late(r"[\s>*_+-]{0,40}(?:\d{1,3}[.)]\s)?[^:.\n]{1,64}:(?=\s|[*_]|$)")
_POSSESSIVE = late(r"['’]s?$")  # noqa: RUF001
_ACTS = late(r"\s(?:(?:also|now|still|never|always|often|really)\s)?([a-z]{1,20})\b")


def names(text: str) -> Iterator[Value]:
    """Yield the names of a text: what is spelt with inner capitals or a digit, anywhere.

    Other capitals not where a sentence, an item or a cell begins, nor all through a heading. A
    first word counts where it does what only somebody does: `Zoe likes rye`.
    """
    is_heading = _HEADING.match(text) is not None
    is_german = len(_GERMAN.findall(text)) > 1
    label = _LABEL.match(text)
    labelled = label.end() if label and " " in label[0] else 0
    for match in _WORD.finditer(text):
        word, start = match[0], match.start()
        is_odd = _is_odd(word)
        if not (word[0].isupper() or word[0].istitle() or is_odd):
            continue
        bare = _POSSESSIVE.sub("", word)
        low = lowered(bare)
        if low in _NO_NAMES or low.rstrip("s") in _GENERIC or len(low) < 2:
            continue
        if not is_odd:
            if is_heading or is_german:
                continue
            if _is_first(text, start):
                if not _acts(text, match):
                    continue
            elif match.end() <= labelled:
                continue
        yield _value(bare, start)


def _is_odd(word: str) -> bool:
    """Whether a spelling is a name's by itself: `iPhone`, `GitHub`, `S3`, `k8s`."""
    if word.islower() and word.isalpha():
        return False
    bare = word.replace("’", "'").partition("'")[0]  # noqa: RUF001
    if any(each.isdigit() for each in bare):
        return True
    inner = "".join(each for each in bare if each.isalpha())[1:]
    is_mixed = inner != inner.lower() and inner != inner.upper()
    return is_mixed and any(part[1:] != part[1:].lower() for part in _PART.findall(bare))


def _is_first(text: str, at: int) -> bool:
    is_titled = _TITLE.search(text[max(at - 8, 0) : at]) is not None  # `Dr. Jekyll`
    return not is_titled and begins_sentence(text, at)


def _acts(text: str, match: re.Match[str]) -> bool:
    """Whether somebody is the subject, or a name alone is in brackets: `(Zoe)`."""
    start, end = match.span()
    if text[start - 1 : start] == "(" and text[end : end + 1] == ")":
        return True
    after = _ACTS.match(text, end)
    if not after or match[0].lower() in _ROLES or match[0].isupper():
        return False
    return after[1] in _ANIMATE and not match[0].endswith(("s", "ing", "ly", "ed"))


def _value(word: str, start: int) -> Value:
    low = lowered(word)
    squashed = "".join(_PART.findall(low))
    forms = [low, squashed, plain(squashed)]
    forms += [form.removesuffix("s") for form in forms if len(form) > 3]
    forms.append(low + "s")
    forms += _ALIASES.get(low) or _ALIASES.get(low.removesuffix("s"), ())
    split = [part.lower() for each in _PART.findall(word) for part in _CAMEL.findall(each)]
    both: tuple[str, ...] = ()
    if any(each.isdigit() for each in word):
        forms.append(" ".join(split))
    elif len(split) > 1 and min(map(len, split)) > 1:
        both = tuple(split)
    forms = list(dict.fromkeys(filter(None, forms)))
    return Value(Kind.NAME, tuple(forms), start, start + len(word), both)


def plain(word: str) -> str:
    """Return a word without its accents."""
    if word.isascii():
        return word
    split = unicodedata.normalize("NFD", word)
    return "".join(each for each in split if not unicodedata.combining(each))
