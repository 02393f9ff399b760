"""How firmly a statement holds: what was decided against what is tried or troubles."""

from __future__ import annotations

import re

from dreamd.domain.evidence import ClaimKind
from dreamd.domain.prose.cued import cued
from dreamd.domain.prose.hearsay import is_rumour
from dreamd.domain.prose.labelled import LABEL
from dreamd.domain.prose.reported import is_hearsay
from dreamd.evidence.troubles import is_trouble
from dreamd.text.late import late

_AIMS = cued(
    r"\b(?:i'm|i\s+am|we're|we\s+are)\s+(?:(?:also|just|currently|now|still|kinda|really)\s+)*(?:trying|looking|planning|thinking"
    r"|considering|hoping|aiming|interested|curious|excited|worried|concerned|exploring|working\s+on|learning|studying|wondering)\b"
    r"|\b(?:i|we)(?:'d|\s+would)?\s+(?:(?:also|just|really)\s+)*(?:want|need|like|love|hope|think|guess)\b|\bi'd\b|\bmaybe\b",
    "trying looking planning thinking considering hoping aiming interested curious excited worried"
    " concerned exploring working learning studying wondering want need like love hope think guess"
    " d maybe",
    "i we maybe",
)
_DECIDED = cued(
    r"\b(?:decided|chose|chosen|opted|lean(?:ing)?\s+towards?|(?:need|have|had)\s+to\s+(?:shorten"
    r"|cut|reduce|move|push|delay|extend|cancel)(?=.*\d)|reschedul(?:e|ing)|postpon(?:e|ing)|switch(?:ed|ing)"
    r"|adopted|agreed|settled\s+on|going\s+with|go\s+with|postponed|rescheduled|moved|instead\s+of"
    r"|rather\s+than)\b",
    "decided chose chosen opted lean leaning shorten cut reduce move push delay extend cancel"
    " reschedule rescheduling postpone postponing switched switching adopted agreed settled going"
    " go postponed rescheduled moved instead rather",
)
_PREFERS = cued(
    r"\b(?:prefer\w*|prioriti[sz]\w+|favou?rite)\b", "prefer* prioriti* favorite favourite"
)
_CHANGED = cued(
    r"\b(?:increased|decreased|reduced|improved|extended|now|reached|completed|deadline|budget|always|never"
    r"|gr(?:ew|own)|rose|risen|fell|jumped|dropped|hit|finished|launched|approved|hired|closed|joined)\b",
    "increased decreased reduced improved extended now reached completed deadline budget always"
    " never grew grown rose risen fell jumped dropped hit finished launched approved hired closed"
    " joined",
)
_INTRODUCES = late(  # who the person is
    r"(?:(?:hi|hello|hey)\b,?!?\s*)?(?:i['’]m|i\s+am|my\s+name(?:['’]s|\s+is))\s+(?-i:[A-Z])\w+\b(?!['’])",  # noqa: RUF001
    re.IGNORECASE,
)
_FIGURE = late(r"[\d`\"“]")
_NAME = late(r"(?<=[\w,;:)] )[^\W\d_a-z][a-z]|\b\w*[a-z][A-Z]|\b[A-Z]{2,}")
_PASSES = cued(  # talk of the work at hand, which the next session does not know
    r"\b(?:this|these|in\s+main)\s+(?:\w+\s+)?(?:branch|commits?|pr|pull\s+request|diff|files?|functions?"
    r"|methods?|tests?|errors?|messages?|lines?|output|code|changes?|script|steps?|example|solution"
    r"|explanation|breakdown)\b|\b(?:the|that)\s+(?:branch|commit|pr|pull\s+request|diff|lint\w*)\b"
    r"|\b(?:rerun|lint\w*|merged\s+in|merge\s+conflicts?|stash|option\s?\d)\b",
    "branch commit commits pr request diff file files function functions method methods test tests"
    " error errors message messages line lines output code change changes script step steps example"
    " solution explanation breakdown lint* rerun merged merge stash option*",
    "this these main the that lint* rerun merged merge stash option*",
)
_DOES = late(  # all of one sentence: what was done at the work, or is being done
    r"(?:(?:so|and|but|now|also)\s+)*(?:(?:i|we)(?:['’]ve|\s+have)?\s+(?:(?:also|already|just|now|recently|been)\s+)*"  # noqa: RUF001
    r"(?:started\s+(?:with|on|\w+ing)|got\s+(?:[\w'-]+\s+){1,5}?(?:set\s+up|going\s+on|ready|working)"
    r"|practic(?:ed|ing)\s+(?:with|for|my|\w+ing)|looking\s+(?:at|into)|looked\s+(?:at|into)|(?:double-)?checked"
    r"|tested|testing|verified|fixed|updated|added|implemented|installed|refactored|debugged|deployed|configured)"
    r"|(?:i|we)(?:['’](?:m|re)|\s+am|\s+are)\s+(?:(?:also|now|currently|just|still)\s+)*"  # noqa: RUF001
    r"(?:finali[sz]ing|integrating|debugging|fixing|testing|checking|refactoring|reviewing|deploying"
    r"|configuring|implementing))\b(?:(?!,\s+(?:but|and)\b)[^.!?])*[.!?]?$",
    re.IGNORECASE,
)
_GOES_ON = late(  # "I've been practising, and I've been improving"
    r"(?:(?:and\s+)?(?:i|we)['’]ve\s+been\s+\w+ing\b[^,.]*(?:,\s+|[.!]?$)){2,}$",  # noqa: RUF001
    re.IGNORECASE,
)
_HEXADECIMAL = late(r"[0-9a-fA-F](?<!\w.)[0-9a-fA-F]{6,39}\b")
_SIGN = late(r"[=^≤≥]")
_FORMULA = late(r"\\\(|\w\(\w+[+)]")
_TROUBLE, _AIM, _PASSING, _FORMULAIC, _PLAIN = 0.5, 0.8, 0.4, 0.3, 0.6
_IS_DECIDED, _IS_PERSONAL = 1.5, 2.5
_ADVISED = 0.1
_ASKED = 0.6  # what a question gives by the way
_HEARSAY = 0.8
_RUMOURED = 0.1
_MOST = _IS_DECIDED
_BETWEEN_PEOPLE = 1.0


def kind(statement: str) -> ClaimKind:
    """Return what a person's statement is, by its words."""
    if _PREFERS.search(statement):
        return ClaimKind.PREFERENCE
    if _DECIDED.search(statement):
        return ClaimKind.DECISION
    return ClaimKind.FACT


def firmness(statement: str, what: ClaimKind) -> float:
    """Return how firmly a statement holds, from 0 to 1.

    A decision or a change counts more than a state, a preference and who the person is most; what
    is aimed at, how things go just now with nothing that holds beside it, what was only tried,
    heard or given in a question, talk of the work at hand, formulas, and what names and counts
    nothing less; a rumour least. All these are cues of talk about work: what two people tell each
    other in a chat holds alike.
    """
    if what is not ClaimKind.ADVICE and LABEL.match(statement):
        return _BETWEEN_PEOPLE / _MOST
    firm = 1.0
    firm *= _TROUBLE if is_trouble(statement) else 1.0
    firm *= _ASKED if statement.endswith("?") else 1.0
    firm *= _HEARSAY if is_hearsay(statement) else 1.0
    firm *= _RUMOURED if is_rumour(statement) else 1.0
    firm *= _AIM if _AIMS.search(statement) else 1.0
    firm *= _PASSING if _passes(statement) else 1.0
    names = _names(statement)
    firm *= 1.0 if names else _PLAIN
    is_work = _DOES.match(statement) or _GOES_ON.match(statement)
    firm *= _PASSING if not names and is_work else 1.0
    firm *= _FORMULAIC if _is_formula(statement) else 1.0
    is_decided = what is ClaimKind.DECISION or _CHANGED.search(statement)
    is_personal = what is ClaimKind.PREFERENCE or _INTRODUCES.match(statement)
    firm *= _IS_PERSONAL if is_personal else _IS_DECIDED if is_decided else 1.0
    firm *= _ADVISED if what is ClaimKind.ADVICE else 1.0
    return min(firm / _MOST, 1.0)


def _passes(statement: str) -> bool:
    return _PASSES.search(statement) is not None or any(
        not (each.isdigit() or each.isalpha()) for each in _HEXADECIMAL.findall(statement)
    )


def _names(statement: str) -> bool:
    """Whether a statement names or counts something."""
    return _FIGURE.search(statement) is not None or _NAME.search(statement) is not None


def _is_formula(statement: str) -> bool:
    if _SIGN.search(statement):
        return True
    return "(" in statement and _FORMULA.search(statement) is not None
