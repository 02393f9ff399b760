"""How a line reads that was brought up to date: the newer words first, the older ones as past."""

from __future__ import annotations

import re

from dreamd.domain.superseded import PAST
from dreamd.engine.rules.gather.place_phrase import OWN_DAY
from dreamd.engine.rules.updates.given import Given
from dreamd.engine.rules.updates.lines import Line, own_day

_CLOSED = re.compile(rf"[.!?](?:{OWN_DAY.pattern})?$")
_SHORT = 32  # characters of the older value with what it counts
_FAR = 45  # characters into the older words from which on their value is named before them


def marked(head: str, old: str, line: Line) -> str:
    """Return the text of a line whose older value became past.

    `head` are the newer words with their day; empty for a copy of the older value. The older
    words stay as they were and have their day behind them: "The port is 9090. (2026-05-11)
    Previously: the port is 8080 (2026-04-02)". `old`, the older value with what it counts, is
    named first where it stands far in them. What was past before stays behind.
    """
    now = line.current.rstrip()
    before = line.text[len(now) :]
    day = "" if line.day is None or own_day(now) else f" ({line.day.isoformat()})"
    is_far = now.casefold().find(old.casefold()) > _FAR
    said = f"{PAST}{f' {old}' if is_far else ''}: {now}{day}{before}"
    return joined(head, said) if head else said


def joined(head: str, past: str) -> str:
    """Return words with those that are past behind them, each a sentence of its own."""
    return f"{head} {past}" if _CLOSED.search(head) else f"{head}. {past}"


def called(old: Given) -> str:
    """Return the older value as it was written, with the noun that it counts."""
    value = old.quantity
    end = value.end
    if value.noun:
        at = old.text.casefold().find(value.noun, value.end)
        if at >= 0 and at + len(value.noun) - value.start <= _SHORT:
            end = max(end, at + len(value.noun))
    return old.text[value.start : end]
