"""What a person sets right: "no, the port is …", "we use X, not Y", "stop …ing"."""

from __future__ import annotations

import re

from dreamd.domain.prose.clauses import Piece, after_please, opening, until_request
from dreamd.engine.rules.gather.saves import has_verb
from dreamd.engine.rules.vocabulary import words
from dreamd.text.late import late

_WRONG = late(
    r"(?:(?:no+|nope|nah|wrong|incorrect|not\s+quite|not\s+true|actually|correction|sorry|wait|hold\s+on|uh"
    r"|i\s+meant|i\s+mean|to\s+be\s+(?:clear|precise)|i\s+(?:already\s+)?(?:said|told\s+you)(?:\s+that)?"
    r"|(?:that|this|it)(?:'s|\s+is|\s+was)(?:\s+not|n't)?\s+(?:quite\s+|actually\s+)?(?:right|wrong|correct|true"
    r"|incorrect|false|outdated)|(?:the|your)\s+[\w -]{1,40}?"
    r"\s+(?:is|was)(?:\s+not|n't)?\s+(?:right|wrong"
    r"|correct|incorrect|outdated)|you(?:'re|\s+are)\s+(?:wrong|mistaken)|not\s+anymore)"
    r"(?:\s*[,.:;!—-]+\s*|\s+(?=\w)))+",
    re.IGNORECASE,
)
_FACT = late(
    r"(?:the|our|my|all|we|i|[A-Z\ue000][\w.\ue000/-]*|for\s+[\w -]{2,40},?)\b[^?!]*?\s"
    r"(?:is|are|was|were|should\s+be|must\s+be|uses?|use|runs?|lives?|goes|has|have|needs?|starts?"
    r"|ends?|works?|speaks?|called|named|means|deploys?|comes?)\b|(?:we|i|the\s+\w+)'(?:s|re|m)\b",
)
_VALUE = late(
    r"\d|\ue000|\bnot\b|n't\b|\binstead\b|\brather\s+than\b|\bwe\s+(?:use|run|have|deploy)\b"
    r"|\bcalled\b|(?<=[\w,] )[A-Z][\w.+#-]+"
)
_MOMENT = late(
    r"\b(?:still|again|yet|failing|fails?|failed|broken|errors?|bug|crash\w*|same|keeps?|just|didn't"
    r"|doesn't\s+work|not\s+(?:working|showing|there|sure|what|needed|necessary|yet)|now\s+(?:it|the|i)"
    r"|problem|issue|goal|idea|point|question|reason|answer|first\s+(?:one|option)|second\s+(?:one|option)"
    r"|option|think|guess|maybe|perhaps|wondering|let'?s|looks?|seems?|done|fine|good|great|nice|bad|ugly|ok|missing|today|tonight"
    r"|empty|wrong)\b",
    re.IGNORECASE,
)
_NOT = late(
    r"(?:(?:the|our|my|all)\s+)?(?!(?:it|this|that|he|she|they|there|i|you|what|which|the|if|when|since|because|while|although|as|where|unless|how|why|who)\b)"
    r"[\w\ue000][\w\ue000'./+#-]*(?:\s+[\w\ue000'./+#-]+){0,8}?\s+"
    r"(?:(?:is|are|uses?|runs?|lives?)\s+[^,;?!]{1,80},\s+not\s+|(?:is|are)\s+not\s+[^,;?!]{1,60}"
    r"(?:,?\s+but|,\s+it's|,\s+it\s+is)\s+(?!(?:i|we|it|the|so|can|how|also|still)\s))(?=[\w\ue000])",
    re.IGNORECASE,
)
_OURS = late(  # "the port is 5433, not …", "our …": else it may be any truth of the world
    r"\s(?:is|are)\b.{0,200}?(?:\d|\ue000|[\w,] [A-Z][\w.+#-]+)"
    r"|^\W*(?:our|my)\b|\b(?:runs?|lives?|uses?)\b"
)
_WE_USE = late(
    r"we\s+(?:(?:don't|do\s+not|no\s+longer|stopped|won't)\s+(?:us(?:e|ing)|run(?:ning)?|deploy(?:ing)?"
    r"|support(?:ing)?|have|do)\s+(?!(?:the|this|that|it|them|any\s+more|anymore)\b)(?=[\w\ue000])"
    r"|(?:moved|switched|migrated)\s+from\s+[^,;?!]{1,60}\s+to\s+(?=[\w\ue000])"
    r"|(?:use|run|deploy|moved|switched|migrated)\s+[^,;?!]{1,80}?(?:,?\s+not\s+|,?\s+instead\s+of\s+|,?\s+rather\s+than"
    r"\s+|\s+from\s+[^,;?!]{1,60}\s+to\s+)(?=[\w\ue000]))",
    re.IGNORECASE,
)
_USE = late(
    r"use\s+(?!(?:the|this|that|a|an|my|your|it|these|those|them|option|only|just)\b)[\w\ue000./+#@-]+"
    r"(?:\s+(?!not\b|instead\b|rather\b|never\b)[\w\ue000./+#@-]+){0,3}(?:,?\s+(?:and\s+)?not\s+|,?\s+instead\s+of\s+"
    r"|,?\s+rather\s+than\s+|,?\s+never\s+)(?!(?:the|this|that|it|them|your|my|a)\b)(?=[\w\ue000])",
    re.IGNORECASE,
)
_PARTICULAR = late(r"\b(?:for|in|on)\s+(?:the|this|that)\b", re.IGNORECASE)
_STOP = late(
    r"(?:you\s+(?:need\s+to|should|have\s+to|must|can)\s+)?(?:stop|quit)\s+(?P<what>[\w-]+ing)\s+"
    r"(?!(?:the|this|that|these|those|it|them|there|here|so|now|me|us|on|at|and|when|after|for|your|until)\b)"
    r"(?=[\w\ue000])",
    re.IGNORECASE,
)
_IS_VALUE = late(
    r"(?:it|that|they|this)(?:'s|\s+is|'re|\s+are)\s+(?=[^?!]*(?:\d|\ue000|(?-i:[A-Z])))",
    re.IGNORECASE,
)
_IS_NAME = late(
    r"(?:the|our|my|for)\b[^?!]{2,80}?(?:,\s*(?:i\s+mean|that\s+is))[.!]?", re.IGNORECASE
)
_FILE = late(r"\w\.[a-z]{1,5}\b(?!\.)")
_HALT = words("worrying trying working running doing being having going")


def find(shown: str) -> Piece | None:
    """Return what a sentence says is so, in place of what was thought or done, or None."""
    start = opening(shown)
    end = until_request(shown, start)
    if shown[:end].endswith("?"):
        return None
    at = after_please(shown, start)
    if (
        (stop := _STOP.match(shown, at, end))
        and stop["what"].lower() not in _HALT
        and not _FILE.search(shown, at, end)
    ):
        return Piece(at, end)
    if found := _WRONG.match(shown, start, end):
        at = opening(shown, found.end())
        return Piece(at, end) if is_fact(shown[at:end]) else None
    if _USE.match(shown, at, end) and end == len(shown) and not _PARTICULAR.search(shown, at):
        return Piece(at, end)
    for pattern in (_WE_USE, _NOT):
        if pattern.match(shown, start, end) and not _MOMENT.search(shown, start, end):
            is_told = pattern is _NOT and not _OURS.search(shown, start, end)
            return None if is_told else Piece(start, end)
    return None


def is_fact(shown: str) -> bool:
    """Whether a clause says that something known by name is so, and not how things go just now."""
    return (
        _FACT.match(shown) is not None
        and has_verb(shown)
        and _VALUE.search(shown) is not None
        and _MOMENT.search(shown) is None
    )


def is_denial(shown: str) -> bool:
    """Whether a sentence says no more than that something is wrong: "That's not correct."."""
    found = _WRONG.match(f"{shown} ", opening(shown))
    return found is not None and found.end() >= len(shown)


def names_again(shown: str, after: str) -> bool:
    """Whether the next words tell what "it" is, as in "No, it's 5433. The port, I mean."."""
    said = _WRONG.match(shown, opening(shown))
    return bool(said and _IS_VALUE.match(shown, said.end()) and _IS_NAME.fullmatch(after))
