"""The values that a line of a note gives as those of today."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dreamd.domain.late import late
from dreamd.engine.rules.updates import clauses
from dreamd.engine.rules.updates.cues import is_start
from dreamd.engine.rules.updates.given import Given, given

_QUOTED = late(r"[\"“„](?:[^\s\"”“]+\s){2,20}[^\s\"”“]+[\"”“]")  # what somebody else says


@dataclass(frozen=True, slots=True)
class Stands:
    """A value that a line gives as that of today.

    `is_told`: the line tells it as it is, and does not only wonder. `is_planned`: it wants it so.
    """

    line: int
    value: Given
    is_told: bool
    is_planned: bool


def values(text: str, beside: frozenset[str]) -> Iterator[Stands]:
    """Yield the values of a sentence of a line, as those of line 0.

    `beside` are further words of what was said with it.
    """
    for value in (replace(each, every=each.every | beside) for each in given(text)):
        if not _is_over(value):
            begin = clauses.own(text, value.start, value.since)
            is_told = not clauses.is_supposed(text, begin, value.quantity.start)
            is_planned = clauses.is_planned(text, begin, value.quantity.start)
            yield Stands(0, value, is_told, is_planned)


def _is_over(value: Given) -> bool:
    """Whether a sentence tells a value as one of the past, or as that from which it changed."""
    text, at = value.text, value.quantity.start
    if clauses.is_past(text, value.start, value.end, at) or is_start(text, at, value.since):
        return True
    return any(match.start() < at < match.end() for match in _QUOTED.finditer(text))
