"""A value: a piece of text that can be right or wrong by itself, with its normal forms."""

from __future__ import annotations

import unicodedata
from enum import StrEnum
from typing import NamedTuple

from dreamd.text import lexicon

APART = "\n\f\n"  # stands between two texts, so that no sentence runs on from one to the next
GRAMMAR = lexicon.STOP | lexicon.of("grammar")  # words that say little by themselves
UNITS = lexicon.forms("measure")


class ValueKind(StrEnum):
    """What sort of value it is, as a sentence for the user calls it."""

    NUMBER = "number"
    DATE = "date"
    TIME = "time"
    VERSION = "version"
    PATH = "path"  # a file name too
    ADDRESS = "address"  # a URL, a host, a mail address
    CODE = "code"
    NAME = "name"
    QUOTE = "quotation"


class Value(NamedTuple):
    """Columns `start` to `end` (half-open) of a text hold a value.

    It occurs where any of its `forms` does, or where it has `parts`, all of them. `forms[0]` is
    the one that `values` gives.
    """

    kind: ValueKind
    forms: tuple[str, ...]
    start: int
    end: int
    parts: tuple[str, ...] = ()


def unaccented(word: str) -> str:
    """Return a word without its accents."""
    split = unicodedata.normalize("NFD", word)
    return "".join(each for each in split if not unicodedata.combining(each))
