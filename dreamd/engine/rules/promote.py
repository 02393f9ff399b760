"""Promote what recurs: candidates that pass every threshold, within the budget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dreamd.domain.evidence import Candidate, PersonSaid
from dreamd.domain.settings import Settings
from dreamd.engine.rules.orient import Memory
from dreamd.engine.rules.placing import NewLine
from dreamd.engine.rules.requests import kind_of

PROMOTED = "recurring statement"  # the reason for a line that nobody asked for


def chosen(
    candidates: Sequence[Candidate], memory: Memory, settings: Settings
) -> Iterator[NewLine]:
    """Yield the lines of the best candidates that pass, within the budget of the notes.

    What a full budget leaves out stays a candidate.
    """
    room = settings.budget.memory_bytes - sum(len(text.encode()) for text in memory.texts.values())
    left = settings.evidence.lines
    for each in candidates:
        text, quote, found = each.snippet.statement, each.snippet.quote, each.snippet
        needs = len(text.encode()) + len("- \n (2026-01-01)")
        if each.passes and left > 0 and needs <= room:
            left, room = left - 1, room - needs
            said = PersonSaid(quote, found.session, found.message, found.at, found.day)
            yield NewLine(text, quote, PROMOTED, kind_of(text), said)
