"""Find the values of a text: numbers, names, addresses, days."""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterator

from dreamd.text import lexicon
from dreamd.text.late import late
from dreamd.text.markdown.inline import begins_sentence, code_spans
from dreamd.text.time.dates import MONTHS, NUMBER_WORDS
from dreamd.text.time.meaning import meant
from dreamd.text.tokens import lowered
from dreamd.text.values.addresses import addresses
from dreamd.text.values.figures import figures
from dreamd.text.values.grounds import Grounds, grounds
from dreamd.text.values.value import GRAMMAR, Value, ValueKind, unaccented

__all__ = ["Grounds", "Value", "ValueKind", "found", "grounds", "meant"]

_QUOTE = late(r"\"([^\"\n]{2,300})\"|“([^“”\n]{2,300})”|«([^«»\n]{2,300})»|„([^„“”\n]{2,300})[“”]")
_SPELT = late(rf"\b(?:{'|'.join(NUMBER_WORDS)})\b")
_LIST_MARK = late(r"(?m)^[ \t>]{0,40}\d{1,3}[.)](?=\s)")
_BEFORE = late(r"([^\W\d_]{1,24})-$")
_LETTERS = late(r"[^\W\d_]{2,}")


def found(text: str) -> Iterator[Value]:
    """Yield the values of a text with their places; what is inside a code span or a quotation too.

    The first form is one however it is written: `1,200 kB` is `1200 kb`, `ten` is `10`; code and
    quotations keep their marks. A path holds its numbers, and a date or a figure its names.
    """
    text = unicodedata.normalize("NFC", text)
    low = _LIST_MARK.sub(lambda match: " " * len(match[0]), lowered(text))
    shown, rest = list(text), list(low)  # where names and where figures are still looked for
    for start, end, code in code_spans(low):
        if inner := " ".join(code.split()):
            yield Value(ValueKind.CODE, (f"`{inner}`",), start, end, (*_LETTERS.findall(inner),))
            shown[start:end] = "\0" * (end - start)
    for match in _QUOTE.finditer(low):
        inner = " ".join(match[match.lastindex or 0].split())
        yield Value(ValueKind.QUOTE, (f'"{inner}"',), *match.span(), (*_LETTERS.findall(inner),))
    for value in addresses(low):
        yield value
        rest[value.start : value.end] = " " * (value.end - value.start)
        shown[value.start : value.end] = "\0" * (value.end - value.start)
    low = "".join(rest)
    for value in figures(low):
        before = _BEFORE.search(low, max(value.start - 25, 0), value.start)
        if before and value.kind is ValueKind.NUMBER:  # it may be of a name, too
            named = before[1] + low[value.start : value.end]
            yield value._replace(forms=(*value.forms, named))
        else:
            yield value
        if low[value.start - 1 : value.start] != "-":  # it may be the tail of a name: `GPT-4`
            shown[value.start : value.end] = "\0" * (value.end - value.start)
    for match in _SPELT.finditer(low):
        yield Value(ValueKind.NUMBER, (NUMBER_WORDS[match[0]],), *match.span())
    yield from _names("".join(shown))


_GENERIC = lexicon.of("generic") | frozenset(MONTHS)  # capitals that name nobody
_NO_NAMES = (GRAMMAR - {"go"}) | _GENERIC
_ALIASES = {row[0]: row[1:] for row in lexicon.rows("alias")}
_ANIMATE, _ROLES = lexicon.of("animate"), lexicon.of("role")  # what only somebody does; who that is
_WORD = late(r"(?<!\w)[^\W\d_]\w*(?:[.'’&+-][^\W_]\w*)*")
_PART = late(r"[^\W_]+")
_CAMEL = late(r"[^\W\d_a-z]+(?![a-z])|[^\W\d_]?[a-zà-ÿ]+|\d+")
_TITLE = late(r"\b(?:Dr|Mrs?|Ms|Prof|St)\.\s$")  # the full stop ends no sentence
_GERMAN = late(r"(?i)\b(?:der|die|das|und|ist|nicht|ein|eine|für|mit|auf|von|zu|wird)\b")
_HEADING = late(r"\s{0,3}#{1,6}\s")
_LABEL = late(r"[\s>*_+-]{0,40}(?:\d{1,3}[.)]\s)?[^:.\n]{1,64}:(?=\s|[*_]|$)")
_POSSESSIVE = late(r"['’]s?$")
_ACTS = late(r"\s(?:(?:also|now|still|never|always|often|really)\s)?([a-z]{1,20})\b")


def _names(text: str) -> Iterator[Value]:
    """Yield the names of a text: what is spelt with inner capitals or a digit, anywhere.

    Other capitals not where a sentence, an item or a cell begins, nor all through a heading. A
    first word counts where it does what only somebody does: `Zoe likes rye`.
    """
    is_plain = _HEADING.match(text) or len(_GERMAN.findall(text)) > 1  # its capitals say nothing
    label = _LABEL.match(text)
    labelled = label.end() if label and " " in label[0] else 0
    for match in _WORD.finditer(text):
        word, start = match[0], match.start()
        if word.islower() and word.isalpha():
            continue
        bare = _POSSESSIVE.sub("", word)
        low = bare.lower()
        if low in _NO_NAMES or low.rstrip("s") in _GENERIC or len(bare) < 2:
            continue
        if not _is_odd(word):
            if is_plain or not (word[0].isupper() or word[0].istitle()):
                continue
            is_titled = _TITLE.search(text[max(start - 8, 0) : start])  # `Dr. Jekyll`
            is_first = begins_sentence(text, start) and not is_titled
            if not _acts(text, match) if is_first else match.end() <= labelled:
                continue
        yield _value(bare, low, start)


def _is_odd(word: str) -> bool:
    """Whether a spelling is a name's by itself: `iPhone`, `GitHub`, `S3`, `k8s`."""
    bare = word.replace("’", "'").partition("'")[0]
    if any(each.isdigit() for each in bare):
        return True
    inner = "".join(filter(str.isalpha, bare))[1:]
    is_mixed = inner != inner.lower() and inner != inner.upper()
    return is_mixed and any(part[1:] != part[1:].lower() for part in _PART.findall(bare))


def _acts(text: str, match: re.Match[str]) -> bool:
    """Whether somebody is the subject, or a name alone is in brackets: `(Zoe)`."""
    word, (start, end) = match[0], match.span()
    if text[start - 1 : start] == "(" and text[end : end + 1] == ")":
        return True
    after = _ACTS.match(text, end)
    if not after or word.lower() in _ROLES or word.isupper():
        return False
    return after[1] in _ANIMATE and not word.endswith(("s", "ing", "ly", "ed"))


def _value(word: str, low: str, start: int) -> Value:
    squashed = "".join(_PART.findall(low))
    forms = [low, squashed, unaccented(squashed)]
    forms += [form.removesuffix("s") for form in forms if len(form) > 3]
    forms += [low + "s", *(_ALIASES.get(low) or _ALIASES.get(low.removesuffix("s"), ()))]
    split = [part.lower() for each in _PART.findall(word) for part in _CAMEL.findall(each)]
    has_digit = any(map(str.isdigit, word))
    if has_digit:
        forms.append(" ".join(split))
    is_both = not has_digit and len(split) > 1 and min(map(len, split)) > 1
    forms = list(dict.fromkeys(filter(None, forms)))
    return Value(
        ValueKind.NAME, tuple(forms), start, start + len(word), tuple(split) if is_both else ()
    )
