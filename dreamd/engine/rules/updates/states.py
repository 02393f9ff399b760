"""Values that are words: who or what something is by name, and whether it is on or off."""

from __future__ import annotations

from collections.abc import Iterator

from dreamd.text.late import late
from dreamd.text.time.calendar_words import MONTHS, WEEKDAYS

# States of one row exclude each other.
_ROWS = (
    "enabled disabled",
    "active inactive",
    "public private",
    "allowed forbidden",
    "required optional mandatory",
    "online offline",
    "approved rejected pending",
    "confirmed cancelled canceled",
    "on off",
    "yes no",
    "true false",
)
_SAME = {"canceled": "cancelled", "mandatory": "required"}
_ROW = {word: f"row{number}" for number, row in enumerate(_ROWS) for word in row.split(" ")}
_STATE = late(
    r"\b(?:is|are|was|were|been|be|got|stays?|remains?|turned|switched|set\sto)\s"
    r"(?:(?:now|currently|again|still|always|turned|switched|set\sto|finally)\s){0,2}"
    rf"(?P<state>{'|'.join(_ROW)})\b(?!\s(?:the|my|our|a|an|to|this|that|[A-Z]|\d+)\b)"
)
_NAME = late(
    r"\b(?:is|are)\s(?:(?:now|currently|called|named)\s){0,2}"
    r"(?P<name>(?:(?:Mr|Mrs|Ms|Dr|Herr|Frau)\.?\s)?[A-Z][^\W\d_]+(?:[ -][A-Z][^\W\d_]+){0,2})"
    r"(?=[.,;!]|$|\s(?:and|but|so|now|again|because|since)\b)"
)
_DAYS = {*MONTHS, *WEEKDAYS}


def has_states(text: str) -> bool:
    """Whether a text may hold such a value; cheap."""
    return " is " in text or " are " in text or " turned " in text or " switched " in text


def states(text: str) -> Iterator[tuple[str, str, str, int, int]]:
    """Yield each as its kind (state, name), key, row of what excludes each other, and columns."""
    for match in _STATE.finditer(text):
        word = match["state"]
        yield "state", _SAME.get(word, word), _ROW[word], *match.span("state")
    for match in _NAME.finditer(text):
        name = match["name"].casefold()
        if name not in _DAYS:
            yield "name", name, "", *match.span("name")
