"""Promote what recurs: candidates that pass every threshold, within the budget."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dreamd.domain.evidence import Candidate
from dreamd.domain.heard import PersonSaid
from dreamd.domain.settings import Settings
from dreamd.engine.rules.orient import Memory
from dreamd.engine.rules.placing import PROMOTED, NewLine
from dreamd.engine.rules.requests import kind_of


def chosen(
    candidates: Sequence[Candidate], memory: Memory, settings: Settings
) -> Iterator[NewLine]:
    """Yield the lines of the best candidates that pass, within the budget of the notes.

    What a full budget leaves out stays a candidate.
    """
    size = sum(len(text.encode()) for text in memory.texts.values())
    room = settings.budget.memory_bytes - size
    left = settings.evidence.lines
    for each in candidates:
        if not each.passes or left <= 0:
            continue
        snippet = each.snippet
        needs = len(snippet.statement.encode()) + len("- \n (2026-01-01)")
        if needs > room:
            continue
        left, room = left - 1, room - needs
        said = PersonSaid(snippet.quote, snippet.session, snippet.message, snippet.at, snippet.day)
        kind = kind_of(snippet.statement)
        yield NewLine(snippet.statement, snippet.quote, PROMOTED, kind, said)
