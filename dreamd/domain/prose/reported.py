"""Sentences that hand on somebody else's words, or words to be written."""

from __future__ import annotations

import re

from dreamd.domain.prose.cued import cued
from dreamd.text.late import late

_SAYS = (
    r"(?:says?|said|saying|tells?|told|wrote|writes?|reads?|states?|claims?|mentions?|warns?|recommends?"
    r"|suggests?|shows?|prints?|displays?|returns?|insists?|complains?|copied|pasted|with|text|label|title|message|caption)"
)
_OWN = (
    r"(?:remember|correction|rules?|conventions?|preferences?|keep\s+in\s+mind|don't\s+forget|from\s+now\s+on|memory"
    r"|your\s+notes)"
)
_HANDS_ON = cued(
    rf"(?!(?:\w+\s+){{0,4}}{_OWN}\b)(?:[^:]{{0,200}}\b{_SAYS}\b[^:]{{0,80}}"
    r"|(?:my|our|the|this|his|her|their)\s+(?:essay|answer|draft|text|sentence|poem|letter|paragraph|bio"
    r"|translation|caption|slogan)\b[^:]{0,40}|(?:here(?:'s|\s+is|\s+are)|make(?!\s+sure)|shorten|simplify|improve|polish|edit|convert|turn|explain|add|put|insert|append|place|title|caption"
    r"|(?:is|are|does|do|what|how|which)\b)[^:]{0,160}):\s+[\w\ue000]"
    r"|\s*(?:please\s+|can\s+you\s+|could\s+you\s+|now\s+)*(?:translate|rephrase|rewrite|proofread|paraphrase"
    r"|write|draft|compose|reply|respond|answer|review|summari[sz]e|correct|echo|output|print|display|show|quote|fix)\b[^:]{0,160}:\s+[\w\ue000]",
)
_FOLLOWING = cued(
    r"\bthe\s+following(?:\s+\w+)?\s*[.?!]$"
    r"|^(?:is|are)\s+(?:my|this|the)\s+(?:sentences?|text|grammar|translation|answers?|paragraph)\b[^.?!]*\?$",
    "following sentence sentences text grammar translation answer answers paragraph",
)
_OWNS = late(rf"\b{_OWN}\b", re.IGNORECASE)
_HEARSAY = cued(
    r"\b(?:(?:my|the|our|his|her|a)\s+(?:boss|manager|teacher|professor|friend|colleague|coworker|doctor"
    r"|wife|husband|mom|mother|dad|father|tutor|lecturer|docs?|documentation|article|book|tutorial|blog"
    r"|readme|linter|compiler|error|message|page|guide)\s+(?:always\s+)?"
    r"(?:said|says|told|tells|wrote|writes|claims|suggests|recommends|states)"
    r"|(?:he|she|they|people|someone|everyone|everybody)\s+(?:always\s+)?(?:says?|said|told|tells?|claims?)"
    r"|that(?:'s|\s+is)\s+what\s+\w+|according\s+to|i\s+(?:heard|read)\s+that|i've\s+(?:been\s+told|heard|(?<!articles\si've\s)(?<!books\si've\s)(?<!pages\si've\s)(?<!chapters\si've\s)(?<!papers\si've\s)read(?!\s+(?:about\s+|over\s+|around\s+|only\s+)?(?:\d|two\b|three\b|four\b|five\b|six\b|seven\b|eight\b|nine\b|ten\b|half\b)))|they\s+say)\b",
    "said says say told tells tell wrote writes claims claim suggests recommends states what"
    " according heard read been",
)


def is_reported(shown: str) -> bool:
    """Whether a sentence goes over into others' words: `my boss said: always …`."""
    if _FOLLOWING.search(shown) and not _OWNS.search(shown):
        return True
    return ":" in shown and _HANDS_ON.match(shown) is not None


def is_hearsay(shown: str) -> bool:
    """Whether words name somebody else who holds it so: `my boss says …`, `I read that …`."""
    return _HEARSAY.search(shown) is not None
