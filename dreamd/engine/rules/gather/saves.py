"""What a person says outright is to be remembered: "remember that …", "note that …"."""

from __future__ import annotations

import re

from dreamd.domain.prose.clauses import Piece, opening, until_request
from dreamd.text.late import late

_ASKED = (
    r"(?:(?:please|pls|plz|kindly|just|also|always|and|then)\s+"
    r"|(?:can|could|would|will)\s+you\s+"
    r"|(?:you\s+)?(?:should|must|need to|have to|might want to)\s+"
    r"|(?:i\s+want|i\s+need|i'd\s+like|i\s+would\s+like)\s+you\s+to\s+|make\s+sure\s+(?:to|you)\s+"
    r"|be\s+sure\s+to\s+|try\s+to\s+|let's\s+)*"
)
_LATER = (
    r"(?P<later>\s*,?\s*(?:for|in)\s+(?:later|next time"
    r"|(?:the\s+)?future(?:\s+(?:reference|sessions?"
    r"|conversations?|chats?|use|work))?|later reference|good|our next sessions?|all sessions))?"
)
_WHERE = (
    r"(?P<where>\s+(?:in|to|into)\s+(?:(?:your|the)\s+)?"
    r"(?:long[- ]term\s+)?(?:memory|memories|notes)"
    r"|\s+about\s+me|\s+this\s+about\s+me)?"
)
_THING = r"(?:\s+(?:this|these|the following|this fact|these facts|one thing|also|too))?"
_VERB = (
    r"(?:remember|keep\s+in\s+mind|bear\s+in\s+mind|(?:don't|do\s+not|never)\s+forget|memori[sz]e"
    r"|(?:make|take)\s+(?:a\s+)?(?:mental\s+)?note(?:\s+of)?|note\s+down|write\s+down|save|store"
    r"|record|jot\s+down|commit\s+to\s+memory|add)"
)
_SAVE = late(
    rf"{_ASKED}{_VERB}{_THING}{_WHERE}{_LATER}(?P<link>\s*[:,—]\s*(?:that\s+)?|\s+-+\s+|\s+that,?\s+|\s+)",
    re.IGNORECASE,
)
_NOTE = late(
    r"(?:(?:please|pls|kindly|also)\s+)*(?:note|be\s+aware|be\s+advised)\s*,?\s+that\s+|please\s+note:\s+",
    re.IGNORECASE,
)
_REFERENCE = late(
    r"(?:just\s+)?(?:for\s+(?:(?:your\s+)?(?:future|later)\s+reference|the\s+record|next\s+time|the"
    r"\s+future)|note\s+(?:to\s+self|for\s+(?:later|the\s+future))"
    r"|(?:just\s+)?(?:a\s+)?(?:quick\s+|friendly\s+)?reminder\s+that"
    r"|(?:just\s+)?(?:a\s+)?(?:quick\s+|friendly\s+)?reminder(?=\s*:))\s*[,:—-]*\s*",
    re.IGNORECASE,
)
_PASSING = late(  # "note that the test fails": how things go just now is nothing for later
    r"\b(?:still|again|yet|failing|fails?|failed|broken|errors?|bug|crash\w*|now|today|tonight)\b",
    re.IGNORECASE,
)
_NEEDS_LINK = late(
    r"(?:save|store|record|write\s+down|add|note\s+down|jot\s+down)\b", re.IGNORECASE
)
_NO_FACT = late(
    r"(?:me|when|how|what|why|where|who|which|if|whether|to|the\s+(?:time|days?|last\s+time|first\s+time"
    r"|alamo|good)|back|about|again|seeing|reading|doing|having|it|them|him|her|all\s+of|everything"
    r"|anything|something|nothing|as|from|in|on|at|for|with|and|or|correctly|right|well)\b",
    re.IGNORECASE,
)
_NOUN = late(r"\w+\s+(?:i|we|you|he|she|they)\b", re.IGNORECASE)  # that bug we fixed
_CAN_YOU = late(r"(?:please\s+)?(?:can|could|would|will)\s+you\b", re.IGNORECASE)
_AFTERWARDS = late(
    r",?\s+(?:so\s+|and\s+)?(?:please\s+|pls\s+|do\s+)?(?:remember|note|(?:don't|do\s+not)\s+forget|save"
    r"|memori[sz]e|keep)\s+(?:that|this|it)"
    r"(?:\s+(?:in\s+mind|please|for\s+(?:later|next\s+time|the\s+future|(?:my\s+|our\s+)?\w+)))?[.!\s]*$"
    r"|,\s+please\s+(?:remember|note|keep\s+in\s+mind)[.!\s]*$",
    re.IGNORECASE,
)
_HABIT = late(
    r"\b(?:always|never|every|each|whenever|any\s*time|from now on|going forward|in (?:the )?future"
    r"|next time|before (?:every|each|any)|after (?:every|each|any)|by default|all)\b",
    re.IGNORECASE,
)
_SUBJECT = late(
    r"(?:the|my|our|we|we're|i|i'm|i've|all|every|each|no|any|there|your|[A-Z\ue000]\S*|for"
    r"|when|in|on|not\s+to)\b",
)
_DOES = late(
    r"\b(?:is|are|was|were|has|have|had|must|should|can|cannot|will|won't|needs?|uses?|runs?|lives?"
    r"|goes|go|takes?|wants?|likes?|prefers?|works?|comes?|means?|does|do|don't|doesn't|isn't"
    r"|aren't|can't|never|always|expires?|starts?|ends?|happens?|requires?|depends?|belongs?"
    r"|points?|stores?|keeps?|holds?|supports?|handles?|ships?|deploys?|meets?|moved|changed|owns?"
    r"|returns?|expects?|accepts?|contains?|reads?|writes?|sends?|listens?|opens?|closes?|costs?"
    r"|calls?|gets?|sits?|speaks?|allergic)\b|\w'(?:m|s|re|ve)\b",
    re.IGNORECASE,
)


def find(shown: str) -> Piece | None:
    """Return what a sentence asks to be remembered, without the asking, or None."""
    start = opening(shown)
    if found := _REFERENCE.match(shown, start):
        return _rest(shown, found.end(), is_explicit=True)
    if found := _NOTE.match(shown, start):
        is_passing = _PASSING.search(shown, found.end()) is not None
        return None if is_passing else _rest(shown, found.end(), is_explicit=True)
    if (found := _AFTERWARDS.search(shown, start)) and has_verb(shown[start : found.start()]):
        return Piece(start, found.start())
    found = _SAVE.match(shown, start)
    if found is None:
        return None
    link = found["link"].strip()
    said = found[0]
    is_told = "that" in link or found["where"] or found["later"]
    if _NEEDS_LINK.search(said) and not (link and is_told):
        return None
    is_asked = shown.endswith("?") and until_request(shown, found.end()) == len(shown)
    if is_asked and not _CAN_YOU.match(shown, start):
        return None
    return _rest(shown, found.end(), is_explicit=bool(link))


def _rest(shown: str, start: int, *, is_explicit: bool) -> Piece | None:
    """Return the fact after the asking, if it is one."""
    start = opening(shown, start)
    end = until_request(shown, start)
    rest = shown[start:end]
    if rest[:3].lower() == "to ":
        return Piece(start + 3, end) if _HABIT.search(rest) else None
    if _NO_FACT.match(rest) and not re.match(
        r"(?:when(?:ever)?|if|in|on|for)\b.*,", rest, re.IGNORECASE
    ):
        return None
    is_fact = _DOES.search(rest) is not None
    if _NOUN.match(rest) and not is_fact:
        return None
    if is_explicit or (_SUBJECT.match(rest) and is_fact):
        return Piece(start, end)
    return None


def has_verb(shown: str) -> bool:
    """Whether words say something of their subject, and are no mere noun."""
    return _DOES.search(shown) is not None


_LEAD = late(
    r"\b(?:remember|keep\s+in\s+mind|bear\s+in\s+mind|(?:don't|do\s+not)\s+forget|memori[sz]e"
    r"|for\s+(?:future|later)\s+reference|(?:to|in)\s+(?:your\s+)?memory|note\s+(?:that|the\s+following"
    r"|down|these|this)|from\s+now\s+on|going\s+forward|moving\s+forward"
    r"|(?:my|our|some|the)\s+(?:\w+\s+)?(?:preferences|rules|conventions|guidelines|standards)"
    r"|(?:preferences|conventions|ground\s+rules|project\s+rules|rules|guidelines))\b",
    re.IGNORECASE,
)
_NO_LEAD = late(
    r"\?|\b(?:never|don't(?!\s+forget)|do\s+not(?!\s+forget)|avoid|stop|can't|not|if|was|were|add"
    r"|following\s+(?:error|output|plan)|wrote|said|says|docs?)\b",
    re.IGNORECASE,
)


def is_lead(lead: str) -> bool:
    """Whether a line that ends in a colon asks to remember what stands below it."""
    return len(lead) <= 160 and _LEAD.search(lead) is not None and not _NO_LEAD.search(lead)
