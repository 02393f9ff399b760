"""What people stated that may be worth remembering, and how much speaks for it."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date, datetime

from msgspec import Struct, field

PERSON = "person"
ASSISTANT = "assistant"
NOTE = "note"  # a daily one


class Snippet(Struct, frozen=True):
    """One sentence that a person stated, or that a daily note holds.

    `statement` is the sentence as a line of its own, `quote` as it was said; `tags` are the stems
    and values in it. Times are as in `PersonSaid`. Of a daily note, `session` is the path.
    """

    statement: str
    quote: str
    tags: tuple[str, ...]
    speaker: str
    session: str
    message: str
    at: datetime | None = None
    day: date | None = None


class Candidate(Struct, frozen=True):
    """A statement with what speaks for it, and the verdict of the gates.

    `snippet` is the newest sighting; `terms` are the parts of the score, each from 0 to 1, by
    name. `sightings`, `days`, `sessions` and `queries` are counts. `passes` says whether every
    gate is open to it, `reason` which one is not, or what it is instead of a statement.
    """

    snippet: Snippet
    score: float
    terms: Mapping[str, float] = field(default_factory=dict)
    sightings: int = 1
    days: int = 1
    sessions: int = 1
    queries: int = 0
    passes: bool = False
    reason: str = ""
