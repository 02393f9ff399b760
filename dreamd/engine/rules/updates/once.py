"""What somebody did once: done again, it is another deed."""

from __future__ import annotations

import re

from dreamd.engine.rules.updates.cues import TURNS
from dreamd.engine.rules.updates.given import Given
from dreamd.engine.rules.updates.quantities import DAYS
from dreamd.text.late import late

_DEED = late(
    r"\b(?:i|we|he|she|they|i've|we've|have|has|had)\s+(?:(?:\w+ly|just|already|also|now|even)\s+)*"
    r"(?P<verb>\w+ed|spent|wrote|ran|bought|paid|got|took|made|read|sold|won|lost|ate|saw|went|gave(?!\s\w+\suntil\b)"
    r"|did|built|sent|met|earned)\s+(?:\w+\s){0,3}[^\w\s]?$"
    r"|\b(?:i|we|he|she|they|i've|we've)\s(?:(?:\w+ly|just|already|also|have)\s)*(?P<once>paid|spent)"
    r"\s(?:[\w'’-]+\s){1,7}of\s[^\w\s]?$",  # noqa: RUF001
    re.IGNORECASE,
)
_BY_THE_WAY = late(  # what a deed brought: ", saving $125"
    r"\b(?:i|we|he|she|they|i've|we've)\s(?:[\w'’-]+\s){0,4}?(?:sold|bought|selling|buying)\b.*"  # noqa: RUF001
    r",\s(?:saving|earning|making|losing)\s(?:\w+\s){0,3}$",
    re.IGNORECASE,
)
_STATES = late(  # done, they last
    rf"(?:{'|'.join(TURNS.split(' '))}|set|allocat|budget|decid|agree|plan|schedul|limit|reach|need"
    r"|want|aim|target|estimat|configur|defin|capp|pric|used|expect|book|reserv|commit|fix|pass|topp|exceed|cross|surpass|achiev|attain|got|scor)\w*",
    re.IGNORECASE,
)
_HABIT = late(  # done each time
    r"(?:\s[\w'’-]+){0,2}\s(?:per|an?|each|every)\s(?:hour|day|night|morning|evening|week|month)\b",  # noqa: RUF001
    re.IGNORECASE,
)
_EVENT = late(
    r"\b(?:i|we|he|she|they)\s(?:(?!need|schedul|book|plan|agree|reserv|arrang|reschedul|postpon)\w+ed|met|saw|went|had|did"
    r"|bought|got|took|made|paid|sold|sent)\b"
    r"|\b(?:i|we|they)(?:['’]ve|\shave)\s(?:\w+ly\s|just\s)?(?:paid|sold|bought|sent|met|seen|spent|been)\b",  # noqa: RUF001
    re.IGNORECASE,
)


def is_deed(one: Given) -> bool:
    """Whether a value tells what somebody did once."""
    if _HABIT.match(one.text, one.quantity.end):
        return False
    if _BY_THE_WAY.search(one.text[: one.quantity.start]):
        return True
    return bool(verb_of(one))


def verb_of(one: Given) -> str:
    """Return the verb of what somebody did once with so many, or nothing."""
    found = _DEED.search(one.text[one.since : one.quantity.start])
    if found is None:
        return ""
    if found["verb"] is None:
        return found["once"] if one.quantity.kind == "money" else ""
    return "" if _STATES.match(found["verb"]) else found["verb"]


def is_event(one: Given) -> bool:
    """Whether what leads to a day tells what somebody did."""
    return _EVENT.search(one.text[one.since : one.quantity.start]) is not None


def are_of_events(new: Given, old: Given) -> bool:
    """Whether two days are those on which somebody did something: "I paid it on June 10"."""
    return new.quantity.kind in DAYS and is_event(new) and is_event(old)
