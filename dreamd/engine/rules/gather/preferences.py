"""What a person would rather have: "I prefer …", "I like … better", "my favourite …"."""

from __future__ import annotations

import re

from dreamd.domain.prose.clauses import Piece, opening, until_request
from dreamd.text.late import late

_HOW = (
    r"(?:(?:really|strongly|much|generally|usually|also|personally|always|definitely|still|kinda|do"
    r"|typically|mostly|absolutely|tend\s+to|highly|greatly|actually|just|honestly|normally)\s+)*"
)
_PREFER = late(
    rf"\b(?:(?:i|we)\s+{_HOW}(?:prefer|favou?r)\s+(?!(?:it|this|that|these|those|them|the"
    r"(?![^?.!;]{0,160}\b(?:over|to|than|instead|rather)\b|[^?.!;]{0,160}\s(?-i:[A-Z]))|the\s+(?:first|second|third|last|latter|former"
    r"|other|one|same|option|idea)|option|yours?|one|both"
    r"|neither|either|him|her|some|such|not\s+to\s+(?:say|answer|tell|share))\b)(?=[\w\ue000]))",
    re.IGNORECASE,
)
_WOULD = late(
    r"\b(?:(?:i'd|i\s+would|we'd|we\s+would)\s+(?:much\s+|really\s+|strongly\s+|always"
    r"\s+)*(?:rather|prefer)\s+(?=[^?.!;]{0,200}\b(?:than|over|instead|not\s+to\s+\w+)\b))",
    re.IGNORECASE,
)
_IF_YOU = late(  # "I'd appreciate it if you could …" is a request of the moment
    r"\b(?:(?:i'd|i\s+would|we'd|we\s+would)\s+(?:much\s+|really\s+|strongly\s+)*(?:prefer\s+(?:it\s+)?if\s+you"
    r"\s+(?:(?:always|never|would|wouldn't|didn't|did\s+not)\s+){0,2}"
    r"|appreciate\s+(?:it\s+)?if\s+you\s+(?:would\s+)?(?:always|never|didn't|did\s+not|wouldn't)\s+)(?!could\b)[\w-]+\s+"
    r"(?!(?:the|this|that|these|those|it|them|my|a|an|me|him|her|out|up|on|at|to|in|with)\b)(?=\w))",
    re.IGNORECASE,
)
_LIKE = late(
    rf"\b(?:(?:i|we)\s+{_HOW}(?:(?:like|enjoy|love)\s+(?!(?:the|this|that|it|your)\b)(?=[^?.!;,]{{2,120}}\b(?:better|best|more\s+than"
    r"|over)\b)|(?:don't|do\s+not|never|dis)\s?like\s+(?:it\s+)?when\s+(?=\w)"
    r"|(?:don't|do\s+not|dis)\s?like\s+(?!(?:the|this|that|these|those|it|how|what|to|your|my|a|an"
    r"|him|her|them|any|having|being)\b)(?=\w)"
    r"|(?:like|love|appreciate|want)\s+it\s+when\s+you\s+|(?:hate|dislike|can't\s+stand|despise)\s+it"
    r"\s+when\s+(?:you|code|answers|people|tests|functions|commits)\b"
    r"|(?:hate|dislike|can't\s+stand|despise)\s+(?!(?:the|this|that|these|those|it|to|how|when|my|your"
    r"|a|an|him|her|them|having|being|myself)\b)(?=\w)"
    r"|like\s+(?:short|concise|brief|detailed|simple|small|plain|terse|direct|explicit|functional)\s+(?=\w)"
    r"|like\s+(?:my|your)\s+(?=\w+[^?.!;,]*\b(?:to\s+be|short|brief|concise|long|detailed|simple|with|in"
    r"|without|plain|formatted|written|as)\b)))",
    re.IGNORECASE,
)
_MINE = late(
    r"\b(?:(?:my|our)\s+(?:(?:preferred|favou?rite|go-to|default)\s+(?!(?:parts?|bits?|moments?|scenes?|things?|lines?|one)\b)(?:[\w\ue000.+#/-]+\s+){1,6}?(?:is|are)"
    r"|(?:\w+\s+){0,2}preference\s+(?:is|would\s+be|for\s+[\w\ue000 ./+#-]{2,60}?\s+is))\s+)",
    re.IGNORECASE,
)
_EASE = late(
    r"\b(?:(?:i'm|i\s+am|we're|we\s+are)\s+(?:much\s+|far\s+)?more\s+comfortable\s+(?:with|in|using)\s+)",
    re.IGNORECASE,
)
_BARE = late(
    r"(?:(?:strongly\s+)?prefer\s+(?=[^?.!;]{2,160}\b(?:over|to|rather\s+than|instead\s+of)\b))",
    re.IGNORECASE,
)
_BEGINS = late(  # what stands before a clause of its own
    r"(?:[,;:(—]\s*|\s-+\s+"
    r"|\b(?:since|because|as|considering|given|and|so|but|although|though|fact)\s+(?:that\s+)?(?:\w+ly\s+)?)$",
    re.IGNORECASE,
)
_OPEN = late(
    r"\b(?:if|whether|when|unless|suppose|or|than|like|such)\s*[,(]?\s*(?:that\s+)?$", re.IGNORECASE
)
_BUT = late(
    r"(?:\s*[,;]|\s+[—-]+)\s+(?:but(?!\s+(?:i|we)\s+also\b)|so(?!\s+(?:i|we|that)\s)|however|though|although|yet)\b"
    r"|\s+but\s+(?:(?:i|we)\b(?!\s+also\b)|it|my)\b|\s+and\s+(?:i'\w+|i\s+(?:am|was|want|need|have)|this|that|it)\b|\s*,\s+(?:and\s+)?(?:it|this|that)'s\b|\)",
    re.IGNORECASE,
)
_ASIDE = late(
    r"(?:^|[.,]\s+)(?:and\s+|but\s+|so\s+)?(?:since|because|as|given|considering)\s+(?:that\s+)?$",
    re.IGNORECASE,
)
_MAIN = late(
    r",\s+(?:the|a|an|it|its|this|that|i|we|my|our|he|she|they|you|these|those|maybe|perhaps|there"
    r"|what|how|which|(?-i:[A-Z])\w*\s+(?:is|are|sounds|seems|looks|would|might))\b",
    re.IGNORECASE,
)
_PASSING = late(
    r"\b(?:for\s+now|right\s+now|today|tonight|this\s+time|at\s+the\s+moment|in\s+this\s+case|here"
    r"|just\s+now|option\s*\d|edited)\b",
    re.IGNORECASE,
)
_FAN = late(
    r"\b(?:i'm|i\s+am|we're)\s+(?:really\s+)?not\s+(?:a\s+(?:big\s+|huge\s+)?fan\s+of|fond\s+of)\s+"
    r"(?!(?:the|this|that|these|those|it|how|what|your|my)\b)(?=\w)",
    re.IGNORECASE,
)
_ALL = (_PREFER, _WOULD, _IF_YOU, _LIKE, _MINE, _EASE, _FAN)


def find(shown: str) -> Piece | None:
    """Return the clause that states a preference, up to the question that follows it, or None."""
    start = opening(shown)
    if (bare := _BARE.match(shown, start)) and not shown.endswith("?"):
        return _piece(shown, start, bare.end())
    for pattern in _ALL:
        for found in pattern.finditer(shown):
            before = shown[: found.start()]
            begins = found.start() <= start or _BEGINS.search(before[-40:])
            is_asked = begins is True and shown.endswith("?")
            if not begins or _OPEN.search(before[-20:]):
                continue
            is_aside = _ASIDE.search(before) is not None
            piece = _piece(shown, found.start(), found.end(), is_aside=is_aside)
            if piece and not (is_asked and piece.end == len(shown)):
                return piece
    return None


def _piece(shown: str, start: int, past: int, *, is_aside: bool = False) -> Piece | None:
    """Return a preference from its first word; `past` is where its object begins.

    `is_aside`: it is the reason for what the sentence goes on to say after a comma.
    """
    end = until_request(shown, past)
    if cut := _BUT.search(shown, past, end):
        end = cut.start()
    if is_aside and (main := _MAIN.search(shown, past, end)):
        end = main.start()
    return None if _PASSING.search(shown, start, end) else Piece(start, end)
