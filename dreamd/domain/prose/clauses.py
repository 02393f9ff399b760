"""Where, in a sentence, what is asked to be remembered begins and ends."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dreamd.domain.prose.cued import cued, vocabulary
from dreamd.domain.prose.words import words
from dreamd.text.late import late


@dataclass(frozen=True, slots=True)
class Piece:
    """Columns `start` to `end` (half-open) of a sentence."""

    start: int
    end: int


_FILLER = late(
    r"(?:[-—•*+>,;:!\s]+|(?:\d{1,3}[.)]\s+)"
    r"|(?:hey|hi|hello|ok|okay|k|so|also|and|but|oh|btw|by the way|well|yeah|yes|yep|sure|thanks"
    r"|thank you|thx|great|perfect|cool|nice|hm+|um+|uh+|ps|p\.s\.?|fyi|nb|heads up|one more thing"
    r"|one thing|another thing|one last thing|again"
    r"|as i said|like i said|as a reminder|additionally"
    r"|plus|just so you know|just fyi|claude|then|tbh|honestly|to be honest|personally"
    r"|(?:quick note|side note|small note|note|important|rule)(?=\s*[:,—-]))"
    r"(?=[,:;.!\s—-])(?:\s*[,:;.!—-]+)?\s+)+",
    re.IGNORECASE,
)
_CONDITION = late(
    r"(?:when(?:ever)?|if|for|in|on|before|after|with|as|every\s?time|each\s+time|any\s?time|while"
    r"|until|unless|by default|during|inside|at)\b[^,;:?!]{1,160}[,:]\s+(?:then\s+)?",
    re.IGNORECASE,
)
_POLITE = late(r"(?:(?:please|pls|plz|kindly|just)\b,?\s+)+", re.IGNORECASE)
_AUX = r"(?:can|could|would|will|should|do|does|did|is|are|am|was|were|shall|may|might|isn't|don't)"
_ASKS = (
    rf"(?:{_AUX}\s+(?:you|we|i|it|they|he|she|there|someone|anyone|this|that|the|my|our)\b"
    r"|(?:how|what|why|where|who)\s+(?:to|do|does|did|can|could|would|should|is|are|am|might|kind"
    r"|type|sort|role|about|much|many|long|else|if)\b|(?:what|how|where|who)'s\b"
    r"|any\s+(?:tips|ideas?|advice|suggestions?|thoughts|chance|recommendations?|way)\b"
    r"|(?:please\s+)?(?:help|explain|suggest|recommend|guide|let|tell|show|give)\s+(?:me|us)\b"
    r"|please\s+(?:explain|fix|check|help|update|change|add|rewrite|redo)\b|let'?s\b"
    r"|(?:i'm|i am|we're|we are|i was|i have|i've|i had|i'd|i will|i'll)\b"
    r"|i\s+(?:also\s+|just\s+|really\s+)?(?:want|need|wanted|would|wonder|don't|do not|think"
    r"|guess|hope|realized|realised|noticed|know|feel|can|could|might|should|recently|am)\b"
    r"|which\b(?=[^?,.;]{0,120}\?)|considering\b|given\b|especially\s+(?:since|as|when|after|if|because)\b|right\?|ok\?)"
)
_CUT_BEHIND_MARK = late(  # led by all that may begin one, for the search to be quick
    r"[,;—-](?:(?<=,)\s+(?:and\s+)?as\s+(?:stated|mentioned)\b"
    r"|(?:(?<=[,;])|(?<=\s[—-])[—-]*)\s+"
    rf"(?:(?:so|and|but|or|then|also|though|yet|now|since|as|because)\s+)*{_ASKS})",
    re.IGNORECASE,
)
_CUT_BEHIND_SPACE = (
    cued(
        r"\s+(?:so\s+|and\s+|but\s+)?(?:can|could|would)\s+(?:you|someone|anyone)\s+(?:please\s+)?(?:help"
        r"|explain|show|suggest|recommend|guide|give|provide|walk|tell|verify|create|make|write|check)\b",
        "can could would",
        "you someone anyone",
        "help explain show suggest recommend guide give provide walk tell verify create make write"
        " check",
    ),
    cued(rf"\s+(?:so|but)\s+{_ASKS}", "so but"),
)
_TAIL = late(
    r"(?:\s*(?:,|\s[—-])\s*(?:(?:like|as)\s+i(?:'ve)?\s+(?:said|mentioned|told you|stated)"
    r"(?:\s+(?:before|earlier|above|already))?|as (?:said|mentioned|stated|usual)|thanks|thank you"
    r"|thx|please|pls|ok|okay|right|lol|haha|if possible|if you can|btw|by the way|you know|cheers"
    r"|got it|understood|deal|alright)|\s+(?:thanks|thx|please|pls|lol|though))\s*[.!?]*$"
    r"|\s*(?::\)|:-\)|;\)|:D|😊|🙂|🙏|👍|😀)+$",
    re.IGNORECASE,
)
_LAST = words(
    "said mentioned told you stated before earlier above already usual thanks thx please pls ok"
    " okay right lol haha possible can btw way know cheers it understood deal alright though"
)
_SMILES = ")dD😊🙂🙏👍😀"
_LONGEST = 12  # characters; no last word is longer


def opening(shown: str, start: int = 0) -> int:
    """Return the column after greetings, markers and fillers: "ok so, also: always …"."""
    found = _FILLER.match(shown, start)
    return found.end() if found else start


def after_please(shown: str, start: int) -> int:
    """Return the column after "please", "just please" and the like."""
    found = _POLITE.match(shown, start)
    return found.end() if found else start


def after_condition(shown: str, at: int) -> int:
    """Return the column after "when you write SQL," and the like, or `at`."""
    found = _CONDITION.match(shown, at)
    return found.end() if found else at


def until_request(shown: str, start: int) -> int:
    """Return the column where a question, a request or an intention begins, or the end."""
    found = [each.start() for cut in _CUT_BEHIND_SPACE if (each := cut.search(shown, start))]
    if each := _CUT_BEHIND_MARK.search(shown, start):
        found.append(start + len(shown[start : each.start()].rstrip()))
    return min(found, default=len(shown))


def without_tail(shown: str, start: int, end: int) -> int:
    """Return the column where thanks and fillers at the end begin, or `end`."""
    while _may_have_tail(rest := shown[start:end]) and (found := _TAIL.search(rest)):
        end = start + found.start()
    return end


def _may_have_tail(shown: str) -> bool:
    """Whether a sentence ends as one with a tail does: by its end the search is spared."""
    said = shown.rstrip()
    return said[-1:] in _SMILES or not _LAST.isdisjoint(vocabulary(said.rstrip(".!? ")[-_LONGEST:]))
