"""The values that a line of a note gives as those of today."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace

from dreamd.engine.rules.updates import clauses
from dreamd.engine.rules.updates.cues import is_start
from dreamd.engine.rules.updates.given import Given, given, telling
from dreamd.engine.rules.updates.labels import Label, label
from dreamd.text.late import late

_QUOTED = late(r"[\"“„](?:[^\s\"”“]+\s){2,20}[^\s\"”“]+[\"”“]")  # what somebody else says


@dataclass(frozen=True, slots=True)
class Stands:
    """A value that a line gives as that of today.

    `is_told`: the line tells it as it is, and does not only wonder. `is_planned`: it wants it so.
    `sentence` is that of the line which has it, as it stands there; `label` where it has one.
    """

    line: int
    value: Given
    is_told: bool
    is_planned: bool
    sentence: str = ""
    label: Label | None = None

    @property
    def is_vague(self) -> bool:
        """Whether its line does not tell of what it is the value."""
        return self.label is not None and self.label.is_vague


def stated(
    sentence: str, beside: frozenset[str] = frozenset(), above: tuple[str, ...] = ()
) -> Iterator[Stands]:
    """Yield the values of a sentence of a line; one with a label is read as a sentence.

    `above` are the headings and the like that the line stands below.
    """
    found = label(sentence, above)
    for text in (sentence,) if found is None else found.readings:
        for each in values(text, beside | (telling(" ".join(above)) if found else frozenset())):
            yield replace(each, sentence=sentence, label=found)


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
