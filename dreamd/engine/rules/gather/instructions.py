"""What a person tells the assistant, or says of the project, to hold from now on."""

from __future__ import annotations

import re

from dreamd.domain.prose.clauses import (
    Piece,
    after_condition,
    after_please,
    opening,
    until_request,
)
from dreamd.domain.prose.verbs import COMMAND, is_command
from dreamd.engine.rules.gather import policies
from dreamd.text.late import late

_WORD = late(r"[^\W_][\w'-]*")
_ALWAYS = late(r"(?:always|never)(?:\s*,?\s+ever)?,?\s+(?:please\s+)?", re.IGNORECASE)
_ASKING = late(
    r"(?:(?:when(?:ever)?|if|every\s?time|each\s+time|any\s?time)\s+(?:i(?:'m|\s+am)?\s+(?:ask(?:ing)?|say"
    r"|mention|request|paste|refer\s+to|talk\s+about|(?:tell|give|show|send|want|need)\s+you)"
    r"|you(?:'re|\s+are)?\s+(?:writ|generat|suggest|propos|review|explain|commit|answer|respond|repl|refactor"
    r"|finish|summari[sz]|describ|nam|translat)(?:e|y|ing|ying)?)\b"
    r"|(?:whenever|every\s?time|each\s+time|any\s?time)\s+you\s+(?:change|add|edit|touch|create|make|run"
    r"|use|open|push|deploy|delete|update|modify)\b"
    r"|when(?:ever)?\s+(?:writing|asking|answering|generating|reviewing|committing|coding|explaining"
    r"|responding|replying|refactoring|deploying|discussing|naming|documenting|summari[sz]ing|translating)\b)"
    r"[^,;?!]{0,160},\s+(?:then\s+)?",
    re.IGNORECASE,
)
_FROM_NOW = late(
    r"(?:and\s+)?(?:starting\s+)?(?:from\s+(?:now|here|this\s+point|today)\s+(?:on(?:wards?|\s+out)?|forward)"
    r"|(?:going|moving)\s+forwards?|hence\s?forth|(?:in|for)\s+(?:the\s+|all\s+)?future(?:\s+\w+)?"
    r"|from\s+now|next\s+time)(?:\s*,\s*|\s+)",
    re.IGNORECASE,
)
_HOLDS = (
    r"from\s+(?:now|here|this\s+point)\s+on(?:wards?|\s+out)?|(?:going|moving)\s+forward|in\s+(?:the\s+)?future"
    r"|henceforth|at\s+all\s+times|(?:every|each|any)\s?time\s+(?:you|i|we)|whenever\s+(?:you(?!\s+(?:can|get|are"
    r"|have|want|like))|i|we)|(?:when|if)\s+i\s+(?:ask|request|mention|say)|(?:before|after)\s+(?:each|every|any)"
    r"|unless\s+i\s+(?:ask|say|tell|request)|for\s+the\s+rest\s+of\s+(?:this|the)|throughout"
)
_HOLDING = late(rf"\b(?:{_HOLDS})\b", re.IGNORECASE)
_IN_ALL = late(
    r"\b(?:in|at\s+the\s+(?:end|start|beginning|top)\s+of)\s+(?:your|all|any|every)\s+(?:answers?|responses?"
    r"|repl(?:y|ies)|messages?)\b",
    re.IGNORECASE,
)
_BANNING = late(
    rf"\b(?:{_HOLDS}|any\s?more|ever\s+again|ever|again|in\s+(?:this|the)\s+(?:project|repo|repository|code\s?base)"
    r"|in\s+(?:your|my|all|any)\s+(?:answers?|responses?|replies|messages?|output|code|commits?|comments"
    r"|commit\s+messages|examples|drafts)|in\s+(?:anything|everything|whatever)\s+you)\b",
    re.IGNORECASE,
)
_YOU = late(
    rf"(?:you\s+(?:should|must|need\s+to|have\s+to|are\s+to|can)\s+(?:always|never)\s+(?={COMMAND})"
    r"|(?:i|we)(?:'d)?\s+(?:always\s+)?(?:want|need|expect|would\s+like|like|prefer)\s+you\s+to\s+"
    rf"(?:(?:please\s+)?(?:always|never)\s+|(?=not\s+)|(?={COMMAND}))"
    r"|(?P<ban>(?:i|we)\s+(?:don't|do\s+not)\s+want\s+you\s+to\s+)"
    r"|(?:i|we)\s+(?:always|never)\s+(?:want|need|expect|like)\s+(?:you\s+)?(?:to\s+)?(?=\w))",
    re.IGNORECASE,
)
_CAN_YOU = late(
    rf"(?:(?:can|could|would|will)\s+you\s+(?:please\s+)?)(?P<piece>(?:always|never)\s+{COMMAND})",
    re.IGNORECASE,
)
_SPEAKS = late(
    r"(?:by\s+default,?\s+)?(?:please\s+)?(?:answer|reply|respond|speak|talk)\b(?=[^?]*\bby\s+default\b)"
    r"|by\s+default,?\s+(?:please\s+)?(?:answer|reply|respond|speak|talk)\b",
    re.IGNORECASE,
)
_NO_NEED = late(
    r"(?:you\s+(?:don't|do\s+not)\s+(?:need|have)\s+to|(?:there's\s+|there\s+is\s+)?no\s+need\s+to)\s+(?:explain"
    r"|summari[sz]e|apologi[sz]e|repeat|remind|praise|thank|greet|restate|introduce)\b(?:\s+(?P<what>[\w'\ue000-]+))?",
    re.IGNORECASE,
)
_DONT = late(
    r"(?:don'?t|do\s+not)\s+(?P<ever>ever\s+)?(?P<verb>[\w-]+)\s+(?P<what>[\w'\ue000-]+)",
    re.IGNORECASE,
)
_SURE = late(
    r"(?:make|be)\s+sure\s+(?:(?:to|that|you)\s+){0,3}(?P<always>(?:always|never)\s+)?",
    re.IGNORECASE,
)
_COMMANDS = late(rf"{COMMAND}|avoid\b", re.IGNORECASE)
_NO = late(r"(?:(?:no|nope|actually|wrong|sorry|wait)\s*[,:.!—-]+\s*)+", re.IGNORECASE)
_BAN = late(
    r"(?:use|include|mention|suggest|recommend|assume|add|write|put|give|mock|commit|push|deploy|show)$",
    re.IGNORECASE,
)
_PARTICULAR = late(
    r"(?:the|this|that|these|those|it|them|my|your|his|her|their|our|me|us|any|anything|a|an|all|both"
    r"|so|here|there|yet|too|more|everything|how|why|what|again|further|code|tests?|in|on|at|to|about|for|up|out)$",
    re.IGNORECASE,
)
_PASSING = late(
    r"\b(?:for\s+now|right\s+now|just\s+(?:this\s+)?once|this\s+time|yet|today|tonight|tomorrow|at\s+the"
    r"\s+moment|just\s+now|for\s+the\s+moment|so\s+far|until\s+(?:i|we)\s+(?:say|fix|merge|finish|are)|until"
    r"\s+(?:then|tomorrow)|in\s+(?:this|the\s+current)\s+(?:pr|pull\s+request|change|commit|file|case|message"
    r"|task|session|step|function|test|branch|example|round|ticket|diff|patch|conversation|chat|answer"
    r"|response|essay|exercise|class|method|section|question))\b",
    re.IGNORECASE,
)
_REQUIRES = late(  # how a program treats who uses it, not how to work on it
    r"(?:when(?:ever)?|if|once|after|before|while|as\s+soon\s+as|every\s+time|each\s+time)\s+"
    r"(?:(?:a|an|the|some)\s+(?:\w+\s+)?(?:users?|visitors?|customers?|players?|button|link|form|modal|checkbox)"
    r"|(?:users|visitors|customers|players)|[^,]{1,60}\s(?:is|are|gets?)\s+(?:clicked|tapped|hovered|submitted))\b",
    re.IGNORECASE,
)
_HOPES = late(
    r"(?:i'll|i\s+will|i'm|i\s+am|i\s+hope|we'll|we\s+will|let|it|this|that|there|maybe|i\s+plan"
    r"|we\s+(?:hope|plan|want|may|might|could)|you(?:'re|\s+are)(?!\s+(?:not|to|allowed|only|never))"
    r"|act\s+as|pretend)\b",
    re.IGNORECASE,
)
_WISHES = late(
    r"(?:i\s+(?:always\s+|really\s+)?(?:want|need|expect|prefer|like)|i'd\s+(?:like|prefer)"
    r"|you\s+(?:should|must|can|need\s+to|have\s+to))\b",
    re.IGNORECASE,
)
_COMMANDING = late(rf"{COMMAND}|(?:don'?t|do\s+not|always|never|stop|avoid)\b", re.IGNORECASE)


def find(shown: str) -> Piece | None:
    """Return what a sentence says to do or to hold at all times, or None."""
    start = opening(shown)
    if _REQUIRES.match(shown, start):
        return None
    if said_no := _NO.match(shown, start):
        start = opening(shown, said_no.end())
    asking = _ASKING.match(shown, start)
    end = until_request(shown, asking.end() if asking else start)
    is_question = shown[:end].endswith("?")
    if found := _CAN_YOU.match(shown, after_please(shown, start)):
        return _piece(shown, found.start("piece"), end)
    if is_question:
        return None
    for judge in (_from_now, _always, _conditional, _told, _speech, _after, policies.find):
        at = judge(shown, start, end)
        if at is not None:
            return _piece(shown, at, end)
    return None


def is_commanding(shown: str, at: int) -> bool:
    """Whether a command begins at a column: a known verb, or "don't", "never", "always", "stop"."""
    at = after_please(shown, at)
    return _COMMANDING.match(shown, at) is not None


def _piece(shown: str, start: int, end: int) -> Piece | None:
    return None if _PASSING.search(shown, start, end) else Piece(start, end)


def _from_now(shown: str, start: int, end: int) -> int | None:
    """`From now on, …`: what follows holds, whatever it is, unless it tells of hopes or fears."""
    at = after_please(shown, start)
    found = _FROM_NOW.match(shown, at, end)
    if found is None:
        return None
    rest = shown[found.end() : end]
    if _HOPES.match(rest):
        return None
    if found[0].lower().startswith(("next time", "in ", "for ", "from today")):
        return at if is_commanding(shown, found.end()) or _YOU.match(rest) else None
    return at


def _always(shown: str, start: int, end: int) -> int | None:
    """`Always …`, `never …`, `for SQL, always …`, `please never …`."""
    at = after_please(shown, start)
    for begin in _beginnings(shown, at, end):
        found = _ALWAYS.match(shown, after_please(shown, begin), end)
        if found and (word := _WORD.match(shown, found.end(), end)) and _is_told(word[0]):
            return at if begin == at or begin == after_condition(shown, at) else begin
    return None


def _is_told(word: str) -> bool:
    """Whether it is a command, and neither "never mind" nor the title "Never Let Me Go"."""
    return is_command(word) and not word.istitle() and word.casefold() != "mind"


def _beginnings(shown: str, at: int, end: int) -> tuple[int, ...]:
    """Return where a command may begin: the sentence, after its condition, after a semicolon."""
    later = re.finditer(
        r"[;—]\s+|\s-\s+|,\s+(?:and|so|but)\s+(?=please\s|always\s|never\s)", shown[:end]
    )
    return (at, after_condition(shown, at), *(found.end() for found in later if found.end() > at))


def _conditional(shown: str, start: int, end: int) -> int | None:
    """`When I ask about X, …`, `whenever you write SQL, …`: a command or a wish comes after."""
    found = _ASKING.match(shown, start, end)
    if found is None:
        return None
    rest = shown[found.end() : end]
    if is_commanding(shown, found.end()):
        return start
    if _WISHES.match(rest):
        is_if = found[0].lower().startswith("if")
        return None if is_if and not _HOLDING.search(rest) else start
    return None


def _told(shown: str, start: int, end: int) -> int | None:
    """`I want you to always …`, `you must never …`, `when asking X, I always want …`."""
    found = _YOU.match(shown, start, end)
    if found is None:
        return None
    said = found[0].lower()
    if "always" in said or "never" in said:
        return start
    holds = (_BANNING if found["ban"] else _HOLDING).search(shown, start, end)
    return start if holds else None


def _speech(shown: str, start: int, end: int) -> int | None:
    """`Answer in Spanish by default`, `you don't need to explain Python`: how to speak at all."""
    at = after_please(shown, start)
    if _SPEAKS.match(shown, at, end):
        return at
    found = _NO_NEED.match(shown, at, end)
    if found is None:
        return None
    if found["what"] and not _PARTICULAR.match(found["what"]):
        return at
    return at if _HOLDING.search(shown, at, end) or _IN_ALL.search(shown, at, end) else None


def _after(shown: str, start: int, end: int) -> int | None:
    """`Include the path whenever I ask for code`, `don't ever …`, `make sure to … every time`."""
    at = after_please(shown, start)
    if found := _DONT.match(shown, at, end):
        if found["verb"].lower() in {"worry", "forget", "think", "know", "mind", "want", "need"}:
            return None
        if found["ever"] or _BANNING.search(shown, found.end(), end):
            return at
        is_ban = _BAN.match(found["verb"]) and not _PARTICULAR.match(found["what"])
        return at if is_ban and end == len(shown) else None
    sure = _SURE.match(shown, at, end)
    if sure and sure["always"]:
        return at
    begin = sure.end() if sure else after_condition(shown, at)
    commands = _COMMANDS.match(shown, begin, end)
    return at if commands and _HOLDING.search(shown, at, end) else None
