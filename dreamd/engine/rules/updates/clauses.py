"""Clauses of a sentence, and whether one tells how things are or asks, plans or supposes."""

from __future__ import annotations

import re
from bisect import bisect_right
from functools import lru_cache

from dreamd.domain.prose.cued import cued
from dreamd.engine.rules.updates import moods
from dreamd.text.late import late
from dreamd.text.time.calendar_words import WEEKDAYS

_SUBJECT = (
    r"(?:i|i'm|i've|i'd|i'll|we|we're|we've|we'll|it|it's|he|she|they|they're|the|my|our|his"
    r"|her|their|your|this|that|now|there|these"
    r"|can|could|how|what|is|are|do|does|should|would)\b"
)
_NO_DAY = "".join(f"(?<!{day})" for day in WEEKDAYS)  # Monday, May 4
_CUT = late(
    rf"{_NO_DAY}[,;]\s+(?=which\b|who\b|where\b|averaging\b|bringing\b|exceeding\b|[^\W\d_])|:\s+"
    rf"|\s[—–-]+\s+|[.!?]\s+|\s\((?=[^\W\d_])"  # noqa: RUF001
    rf"|\s(?:and|but|so|because|since|while|though|although|whereas)\s+(?={_SUBJECT})"
    rf"|\s(?:considering|especially|given)\s+(?=(?:since|that|as|when|{_SUBJECT}))"
    r"|\b(?:stress|mention|highlight|emphasi[sz]e|point\sout|(?:to|can't)\s(?:say|believe)|show(?:s|ed)|found(?:\sout)?|noticed|reali[sz]ed|learned)"
    rf"\sthat\s+(?={_SUBJECT})",
    re.IGNORECASE,
)
_LINK = late(
    r"(?:[\s,;:—–-]|(?:and|but|so|because(?!\sof\b)|since(?!\s(?:the|last|this)\s[\w-]+\s(?:my|our|the|i|we)\b)|while|though|although|whereas|considering"  # noqa: RUF001
    r"|especially|given|also|that(?!\s(?:makes|brings|gives|leaves|puts)\b)|as|now\sthat|well|ok|okay|yes|yeah|no|actually|it\s+turns\s+out|turns\s+out|correction|sorry|finally|btw|fyi|hey"
    r"|hi|just|oh)(?=[\s,]))+",
    re.IGNORECASE,
)
_LEANS = late(  # what it is about stands before it
    r"(?:[\w']+\s){0,6}?(?:it|it's|its|(?:this|these)(?!\s+(?:weeks?|weekend|months?|year|term|semester|season|summer|spring|autumn|fall|winter|morning|afternoon|evening|days|point|time)\b)"
    r"|that|that's|they|they're|them|those|which|who|he|she|one|ones)\b(?!\s+(?:was|is|took|takes)\s+(?:\w+\s)?(?:clear|obvious|that"
    r"|to)\b)"
    r"|(?:averaging|bringing|exceeding|including|making|reaching|increasing|reducing|raising"
    r"|lowering|up|down|to|at|from|instead|by|starting|with|down|not|is|are|was|has|have|had"
    r"|gets|takes|costs|pays|runs|earns|weighs|needs|uses|holds|sits|stands"
    r"|reached|went|rose|dropped|increased|decreased|moved|and)\b"
    r"|(?-i:[A-Z][\w'-]+(?:\s[A-Z][\w'-]+)?),\s",  # my neighbour, Ann, has
    re.IGNORECASE,
)
_PHRASE = late(  # no clause: "with Ann | and the two others we have"
    r"(?:with|without|between)\s(?:(?:the|my|our|his|her|their|an?|two|three)\s)?[\w'-]+(?:\s[\w'-]+)?",
    re.IGNORECASE,
)
_OWN = late(
    r"(?:i|i'm|i've|we|we're|we've|it|it's|he|she|they|they're|the|my|our|his|her|their|there"
    r"|which|who|this|that|these|(?-i:[A-Z])\w*)\b(?!\s*$)",
    re.IGNORECASE,
)
_DOES_SO = late(r"\b(?:i|we|he|she|they)(?:'\w+)?\s+\w", re.IGNORECASE)
_ASKS = late(
    r"(?:^|[,;:—–-]\s*|[.!?]\s+|\b(?:so|and|but|or|then|now)\s+|\bwondering\s+|\bcurious\s+"  # noqa: RUF001
    r"|\bnot\s+sure\s+)"
    r"(?:(?:can|could|would|will|should|shall|do|does|did|is|are|am|was|were|has|have|may"
    r"|might|isn't|aren't|don't|doesn't)\s+(?:you|we|i|it|there|this|that|these|those|the|my"
    r"|our|his|her|their|a|an|they|he|she|someone|anyone|(?-i:[A-Z])\w+)\b"
    r"|(?:how|what|why|(?:(?<!,\s)|(?<=['’]s,\s))(?:where|which|who|when|whose))\b(?:'s|'re|\s+(?:can|could|do|does|did|is"  # noqa: RUF001
    r"|are|was|were|should|would|will|might|to|if|about|else|kind|sort|other|many|much|long"
    r"|often|happens?|steps|specific|some|[a-z]+\s+(?:can|should|would|do|does|is|are"
    r"|will)))\b"
    r"|(?:please|pls)\b|let's\b|let\s+(?:me|us)\b|(?:help|show|tell|give|explain"
    r"|remind)\s+me\b|any\s+(?:tips|ideas|advice|suggestions|thoughts|chance|way)\b|if\b|whether\b)",
    re.IGNORECASE,
)
_GROUNDS = late(
    r"\b(?:since|because|considering|given|seeing|knowing|as|now\s+that|after"
    r"|especially)\s+(?:that\s+|since\s+|the\s+fact\s+that\s+)?(?:i|i'm|i've|we|we've|we're"
    r"|it's|it|my|our|the)\b|(?<!['’]s),\s(?:which|who)\s",  # noqa: RUF001
    re.IGNORECASE,
)
_PLANS = late(
    r"\b(?:want(?:s|ed)?|wanna|plan(?:s|ned)?\s+(?:to|on)\s+[^\W\d]\w*|planning|hop(?:e|es|ing)|tr(?:y|ying|ies)"
    r"|think(?:ing)?\s+(?:of|about)|thought\s+(?:of|about)|(?:is|are|am|been|i'm|we're)\s+considering|consider(?:ing\s+\w+ing"
    r"|ed\s+\w+ing)?(?!ing)|like\s+to|love\s+to|need(?:s|ed)?|aim(?:s|ing|ed)?|looking"
    r"|going\s+to|gonna"
    r"|will(?!\s+now\b)|won't|might|(?<!\d\s)may(?!\s\d)|could|couldn't|should|shouldn't|would|wouldn't|wish|dream"
    r"|goal\s+is\s+to|intend(?:s|ing)?|hesitat\w+|debat\w+|decid(?:e|ing)\s+(?:if|whether"
    r"|between|on|to)|maybe|perhaps|possibly|propos(?:e|ed|ing)|suggest(?:s|ed|ing)?|ask(?:s"
    r"|ed|ing)?|recommend\w*|be\s+able\s+to|being\s+able|expect(?:s|ing|ed)?(?!\s+(?:about\s+|around\s+)?$)|can(?!\s+now\b)|let's"
    r"|ready\s+to|in\s+order\s+to|ways?\s+to|help\s+\w+\s+to|trouble|struggl\w+|afford|tempted"
    r"|supposed\s+to|must|ha(?:s|ve)\s+to\s+(?:be|reach|hit|get|have|grow|rise|become|go)|prefer|rather|idea|i'll|we'll|he'll|she'll|they'll)\b|'d\b",
    re.IGNORECASE,
)
_DECREES = late(  # so as soon as somebody says it
    r"\b(?:try|trying)\s+to\s+(?=(?:adjust|move|push|extend|change|update|shift|postpone|reschedule)"
    r"\b[^,;]*\b(?:deadline|date|meeting|appointment|call|launch|release|budget)\b)",
    re.IGNORECASE,
)
_SUPPOSES = cued(
    r"\b(?:if|whether|unless|suppose|supposing|imagine|(?<!to\s)say|assum(?:e|ing)|in\s+case|what\s+if"
    r"|hypothetical\w*|otherwise|(?:nearly|almost|about\s+to|c[ao]me\s+close\s+to)\s+(?=[^\W\d])"
    r"|wenn|falls|sobald|quand|lorsque|cuando|once\s+(?:the|it|i|we|my|our)\b|as\s+soon\s+as"
    r"|(?:was|were|is|are)\s+(?:nearly|almost)|e\.g|for\s+(?:example|instance)|such\s+as|as\s+if"
    r"|when(?:ever)?\s+(?:the|it|i|we|my|our)\b(?=[^,]*\b(?:reach|hit|get)))\b",
    "if whether unless suppose supposing imagine say assume assuming case hypothetical* otherwise"
    " nearly almost about close wenn falls sobald quand lorsque cuando once soon e example instance"
    " such when whenever",
)
_DENIES = late(
    r"\b(?:not|never|no|cannot|without(?!.*\b(?:i|we)\b)|nor)\b(?!\s+(?:only|just)\b)|n't\b",
    re.IGNORECASE,
)
_PAST = cued(
    r"\b(?:previously|formerly|originally|initially|used\s+to|back\s+then|at\s+first"
    r"|at\s+the\s+time|before\s+that|back\s+in|(?:in|during)\s+(?:19|20)\d\d,?\s+(?:we|i|it|there|the|they)"
    r"|damals|früher|hatten?|autrefois|antiguamente|last\s+(?:year|month|week|quarter|time|season)|(?:years?"
    r"|months?|weeks?|days?)\s+ago|no\s+longer|superseded|outdated|obsolete|was\s+(?:once"
    r"|first)|until\s+(?:recently|last)|earlier|had\s+been|(?<!as\sof\s)(?<!since\s)yesterday)\b|~~|→|\(was\b|\buntil\s+\d",
    "previously formerly originally initially used back first time before damals früher"
    " hatte hatten"
    " autrefois antiguamente last ago longer superseded outdated obsolete once until earlier been"
    " yesterday 19* 20* ~~* →* (was*",
)
_HELD = late(  # my weekly limit of 20
    r"\b(?:my|our|the|his|her|their|this|that|its|[^\W\d_]+['’]s)\s(?:(?!(?:to|and|or|for|with|in|on|at)\s)"  # noqa: RUF001
    r"[\w-]+\s){0,4}?(?:of\s|at\s|to\s)?$",
    re.IGNORECASE,
)
_TAG = late(
    r",\s*(?:right|correct|no|yes|true|ok|isn't\sit|wasn't\sit|aren't\sthey|or\snot|or\swas\sit|oder|nicht\swahr|verdad"
    r"|n'est-ce\spas|non)\s*\?$",
    re.IGNORECASE,
)
_RECENT = 256  # sentences; of one the clauses are asked for many times in a row
_NEAR = 7  # words
_DOES = late(  # what is planned or asked is the change itself
    r"\S+\s+(?:[\w'-]+\s+){0,5}?"
    r"(?:rais|increas|chang|set|mov|extend|reduc|lower|cut|push|bump|shift|postpon|reschedul|adjust|updat|upgrad|switch"
    r"|drop|grow|reach|hit|get\s+to|make\s+it)\w*\b",
    re.IGNORECASE,
)


@lru_cache(_RECENT)
def cuts(text: str) -> tuple[int, ...]:
    """Return the columns at which clauses of a text begin, 0 first; its length comes last."""
    found = [0]
    for match in _CUT.finditer(text):
        if not _PHRASE.fullmatch(text, first(text, found[-1]), match.start()):
            found.append(match.end())
    return (*found, len(text))


def bounds(text: str, at: int) -> tuple[int, int]:
    """Return where the clause that holds a column begins and ends (half-open)."""
    found = cuts(text)
    number = max(bisect_right(found, at) - 1, 0)
    if number + 1 >= len(found):
        number = len(found) - 2
    return found[number], found[number + 1]


def since(text: str, start: int) -> int:
    """Return where the words begin by which the clause at a column can be understood.

    That is its own beginning, or that of a clause before where it says "it" or "which".
    """
    while start > 0 and leans(text, start):
        start = bounds(text, start - 1)[0]
    return start


def leans(text: str, start: int) -> bool:
    """Whether the clause that begins at a column needs the one before it to be understood."""
    return _LEANS.match(text, first(text, start)) is not None


def first(text: str, start: int) -> int:
    """Return the column of the first word of a clause that is no conjunction or filler."""
    match = _LINK.match(text, start)
    return match.end() if match else start


def own(text: str, start: int, begin: int) -> int:
    """Return where a clause of its own begins: at `start` with a subject, else before it."""
    while start > begin and not _has_subject(text, start):
        start = bounds(text, start - 1)[0]
    return start


def _has_subject(text: str, start: int) -> bool:
    """Whether the clause at a column says who does what: "with Ann on board we've got 9"."""
    at = first(text, start)
    return bool(_OWN.match(text, at) or _DOES_SO.search(text, at, bounds(text, at)[1]))


def is_told(text: str, start: int, at: int, *, is_named: bool) -> bool:
    """Whether the value at a column is told as something that is so.

    `start` is where its clause begins. A question, a plan, a supposition, a denial or an old
    story tells nothing; `is_named`: "the new April 25 deadline" does in a plan or denial, too.
    """
    if is_gone(text, start, at):
        return False
    asked = [match.start() for match in _ASKS.finditer(text, 0, at)]
    if asked and not _GROUNDS.search(text, asked[-1], at):
        return False
    if not asked and is_in_question(text, at):
        return False
    said = _DECREES.sub("", text[start:at])
    return is_named or not (_PLANS.search(said) or _DENIES.search(said))


def is_asked(text: str, start: int, at: int) -> bool:
    """Whether a value stands in a question or request, and is not merely supposed or past."""
    if is_gone(text, start, at):
        return False
    return _ASKS.search(text, 0, at) is not None


def is_planned(text: str, start: int, at: int) -> bool:
    """Whether a clause asks for, plans or denies that it comes to the value at a column.

    Not where the value is something that one has: "how do I keep to my budget of $350".
    """
    lead = _DECREES.sub("", text[start:at])
    for match in (*_PLANS.finditer(lead), *_DENIES.finditer(lead), *_ASKS.finditer(lead)):
        behind = lead[match.end() :]
        is_held = _HELD.search(behind) is not None or len(behind.split()) >= _NEAR
        if not is_held or _DOES.match(lead, match.start()):
            return True
    return False


def is_gone(text: str, start: int, at: int) -> bool:
    """Whether what leads to a value supposes it, or tells it as one that was."""
    if moods.is_wanted(text, start, at):
        return True
    return bool(_SUPPOSES.search(text, start, at) or _PAST.search(text, start, at))


def is_in_question(text: str, at: int) -> bool:
    """Whether the value at a column stands in the clause in which a sentence asks."""
    said = text.rstrip()
    return said.endswith("?") and (bounds(text, at)[1] >= len(said) or bool(_TAG.search(said)))


def is_past(text: str, start: int, end: int, at: int) -> bool:
    """Whether a clause tells of a value as of one that was."""
    return _PAST.search(text, start, min(end, at + 60)) is not None


def is_supposed(text: str, start: int, at: int) -> bool:
    """Whether what leads to a value is a supposition or an example."""
    return bool(_SUPPOSES.search(text, start, at))
