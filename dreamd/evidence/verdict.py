"""Decide whether a candidate is promoted, and give the reason if not."""

from __future__ import annotations

from typing import NamedTuple

from dreamd.domain.evidence import Snippet
from dreamd.domain.settings import Evidence
from dreamd.evidence.deep import NOTED_DAYS, Traces
from dreamd.text.late import late
from dreamd.text.statement import otherwise
from dreamd.text.tokens import words

_LASTS = late(r"always|never|prefer|rather")


class Promotion(NamedTuple):
    """Whether every gate is open; `reason` names the one that is not, or what it is instead."""

    passes: bool
    reason: str


def verdict(snippet: Snippet, traces: Traces, total: float, settings: Evidence) -> Promotion:
    """Return the verdict on a claim: the one that is shown, and by which it is written.

    It waits until it was stated on enough days, in enough sessions, with enough signals, and its
    score is reached; then it must be a statement that lasts.
    """
    if missing := recurrence(traces.sessions, len(traces.days), traces.is_noted, settings):
        return Promotion(False, missing)
    if traces.signals < settings.signals:
        return Promotion(False, _more(settings.signals - traces.signals, "signal"))
    if traces.questions < settings.questions:
        return Promotion(False, _more(settings.questions - traces.questions, "question"))
    if total < settings.score:
        return Promotion(False, f"its score {total:.2f} is below {settings.score:g}")
    if kind := unlasting(snippet.quote, snippet.statement):
        return Promotion(False, kind)
    return Promotion(True, "would be written")


def unlasting(quote: str, statement: str) -> str:
    """Return what a claim is instead of a statement that lasts; empty if it is one."""
    return otherwise(quote) or otherwise(statement)


def recurrence(sessions: int, days: int, is_noted: bool, settings: Evidence) -> str:
    """Return for which sessions and days a claim waits; empty where it recurred often enough."""
    if is_noted:
        missing = NOTED_DAYS - days
        return f"waits for {missing} more days in daily notes" if missing > 0 else ""
    if sessions < settings.sessions:
        return _more(settings.sessions - sessions, "session")
    return _more(settings.days - days, "day") if days < settings.days else ""


def _more(count: int, thing: str) -> str:
    number = f"{count} more {thing}s" if count > 1 else f"another {thing}"
    return f"waits for {number}"


def is_lasting(statement: str) -> bool:
    """Whether a statement holds until it is taken back: a preference, or a standing order."""
    if not _LASTS.search(statement.lower()):  # most need no closer look
        return False
    return not {"always", "never", "prefer", "prefers", "rather"}.isdisjoint(words(statement))
