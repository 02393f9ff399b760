"""What was said that may be worth remembering, and how much speaks for it."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date, datetime
from enum import StrEnum

PERSON = "person"
ASSISTANT = "assistant"
NOTE = "note"  # a daily one


class ClaimKind(StrEnum):
    """What a statement is."""

    FACT = "fact"
    DECISION = "decision"
    PREFERENCE = "preference"
    INSTRUCTION = "instruction"
    CORRECTION = "correction"
    ADVICE = "advice"  # the assistant's, taken up by the person
    EVENT = "event"


class Trust(StrEnum):
    """Whose word something is; what neither said nor accepted is nobody's, and not kept."""

    SAID = "said"  # by a person
    ACCEPTED = "accepted"  # the assistant's, taken up by the person
    NOTED = "noted"  # in a daily note

    @classmethod
    def of(cls, speaker: str) -> Trust:
        """Return how far what a speaker said is to be trusted."""
        return {PERSON: cls.SAID, NOTE: cls.NOTED}.get(speaker, cls.ACCEPTED)

    @property
    def speaker(self) -> str:
        """Whose word it is."""
        return {Trust.SAID: PERSON, Trust.NOTED: NOTE}.get(self, ASSISTANT)


@dataclass(frozen=True, slots=True)
class Snippet:
    """One thing said, as it was said.

    `statement` is one self-contained line, a contiguous piece of the message (white space
    collapsed, capital first, full stop last); `quote` the sentences it was taken from. `subject`
    is what it is about, `value` the value it gives ("" where none), `tags` its concepts. Times
    are as in `PersonSaid`. Of a daily note, `session` is the path.
    """

    statement: str
    quote: str
    kind: ClaimKind
    subject: str
    value: str
    tags: tuple[str, ...]
    speaker: str
    session: str
    message: str
    at: datetime | None = None
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Query:
    """What a person asked or wanted done, as they said it; by it, what is said is relevant."""

    text: str
    session: str
    message: str
    at: datetime | None = None
    day: date | None = None


@dataclass(frozen=True, slots=True)
class Candidate:
    """A claim that passed every gate, with what speaks for it.

    `snippet` is the sighting that says it best; `terms` are the parts of the score, each from 0
    to 1, by name. `firmness`, from 0 to 1, says how firmly it holds by its words. `sightings`,
    `days` and `queries` are counts.
    """

    snippet: Snippet
    score: float
    terms: Mapping[str, float] = field(default_factory=dict)
    firmness: float = 1.0
    sightings: int = 1
    days: int = 1
    queries: int = 0
