"""What a person says to hold in their project: its rules and conventions."""

from __future__ import annotations

import re

from dreamd.domain.prose.clauses import after_condition
from dreamd.domain.prose.verbs import COMMAND, is_command
from dreamd.text.late import late

_WE = late(
    r"(?:^|(?<=[,;:—]\s)|(?<=\s-\s)|(?<=\band\s)|(?<=\bbut\s)|(?<=\bsince\s)|(?<=\bbecause\s))"
    r"(?:(?:in|for|on|at)\s+(?:this|our|the)\s+[\w-]+(?:\s+(?!we\b)[\w-]+)?,?\s+)?we\s+(?:must\s+|should\s+)?(?:always|never|don't\s+ever|do\s+not\s+ever)\s+(?P<verb>[\w-]+)",
    re.IGNORECASE,
)
_THING = (
    r"(?!(?:it|this|that|these|those|he|she|they|i|you|there|what|which|who|why|how|if|so|such"
    r"|when|since|because|while|although|as|where|unless)\b)"
)
_MUST = late(
    rf"(?!{COMMAND}|(?:build|design|develop|implement|make)\b){_THING}(?:(?:the|our|my|all|every|each|any|your)\s+)?[\w\ue000][\w\ue000'./+#-]*"
    r"(?:\s+(?!(?:must|should|always|never|why|that|how|whether|if|but|i|we|you|where|which|who)\b)[\w\ue000'./+#-]+){0,7}?\s+"
    r"(?:(?:must|should|shall|need\s+to|needs\s+to|ha(?:ve|s)\s+to)\s+(?:always|never)|(?:must|shall)\s+not|mustn't"
    r"|may\s+(?:not|never)|can(?:not|'t)\s+ever|(?:always|never)\s+(?:goes?\s+(?:in|into|to|through|under)"
    r"|lives?\s+(?:in|under)|(?:starts?|ends?|begins?)\s+with)"
    r"|(?:is|are|get|gets)\s+(?:always|never)\s+(?:to\s+be\s+)?(?:written|done|made|reviewed|generated|run|deployed"
    r"|released|merged|squashed|rebased|committed|signed|named|stored|kept|formatted|used|approved"
    r"|tested|versioned|tagged|documented|created|edited|pinned|mocked|pushed|in\s+\w+))\s+(?=[\w\ue000])",
    re.IGNORECASE,
)
_REGRETS = late(
    r"\b(?:should|must)\s+(?:always|never)\s+have\s+(?:\w+ed|been|done|made|had|got|gone|written|sent|let"
    r"|left|built|taken|given|chosen|known|said|told|put)\b",
    re.IGNORECASE,
)
_YET = late(r"\bbut\s+(?:it|they|he|she|now|is|that|this|the)\b", re.IGNORECASE)
_LASTING = late(
    r"(?:commits|branch\s+names|commit\s+messages|prs|pull\s+requests|migrations|branches|releases|deploy(?:ment)?s)"
    r"\s+(?:must|have\s+to|need\s+to)\s+(?=\w)",
    re.IGNORECASE,
)
_EVERY = late(
    r"(?:all|every|each|any|no|new)\s+(?:(?:of\s+)?(?:our|the|my)\s+)?(?:[\w\ue000-]+\s+){0,3}?"
    r"(?:commits?|commit\s+messages?|prs?|pull\s+requests?|merge\s+requests?|migrations?|endpoints?"
    r"|branch(?:es)?|releases?|deploy(?:ment)?s?|functions?|class(?:es)?|modules?|files?|dates?|time(?:stamp)?s"
    r"|amounts?|prices|reports?|answers?|repl(?:y|ies)|responses?|components?|quer(?:y|ies)|services?"
    r"|variables?|docstrings?|comments?|packages?|dependenc(?:y|ies)|code|apis?|routes?|features?)\s+"
    r"(?:must|have\s+to|has\s+to|need\s+to|needs\s+to|should|may|can|goes|go)\s+"
    r"(?!(?:pass|compile|work|build|load|render)\b)(?=\w)",
    re.IGNORECASE,
)
_POLICY = late(
    r"(?:our|the|my)\s+(?:\w+\s+)?(?:rule|convention|policy|standard|house\s+style|style\s+guide)"
    r"(?:\s+(?:here|for\s+[\w -]{2,40}?))?\s+(?:is|says|requires)"
    r"\s+(?!that\s*$|(?:wrong|broken|unclear|not)\b)(?=\w)",
    re.IGNORECASE,
)


def find(shown: str, start: int, end: int) -> int | None:
    """Return where a rule begins: `we never deploy on Fridays`, `every PR must have a test`."""
    if any(each.search(shown, start, end) for each in (_YET, _REGRETS)) or shown.endswith("?"):
        return None
    for pattern in (_POLICY, _EVERY, _LASTING, _MUST):
        if pattern.match(shown, start, end):
            return start
    for found in _WE.finditer(shown, start, end):
        if is_command(found["verb"]) or found["verb"].lower() in {"want", "need", "have"}:
            return start if found.start() == after_condition(shown, start) else found.start()
    return None
