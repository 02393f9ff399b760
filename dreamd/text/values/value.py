"""A value: a piece of text that can be right or wrong by itself, with its normal forms."""

from __future__ import annotations

from dataclasses import dataclass
from enum import StrEnum

APART = "\n\f\n"  # stands between two texts, so that no sentence runs on from one to the next


class Kind(StrEnum):
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


@dataclass(frozen=True, slots=True)
class Value:
    """Columns `start` to `end` (half-open) of a text hold a value.

    It occurs where any of its `forms` does, or where it has `parts`, all of them. `forms[0]` is
    the one that `values` gives.
    """

    kind: Kind
    forms: tuple[str, ...]
    start: int
    end: int
    parts: tuple[str, ...] = ()


def listed(text: str) -> tuple[str, ...]:
    """Return the words of a long list, which reads better without a quote around each."""
    return tuple(text.split())


def lowered(text: str) -> str:
    """Return a text in lower case with every character at its place."""
    low = text.lower()
    if len(low) == len(text):
        return low
    return "".join(one if len(one) == 1 else each for each in text for one in (each.lower(),))
