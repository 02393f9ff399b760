"""What people said they do not have, use or never did: "I have never set up the mail server"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dreamd.domain.heard import PersonSaid
from dreamd.domain.prose.cued import cued
from dreamd.domain.prose.hearsay import is_secondhand
from dreamd.domain.prose.private import is_private
from dreamd.domain.prose.quoted import BLANK
from dreamd.domain.prose.sentences import Sentence
from dreamd.engine.rules.updates import clauses
from dreamd.engine.rules.updates.deeds import HAS, deed, things
from dreamd.engine.rules.updates.ended import ENDED, is_over
from dreamd.engine.rules.updates.spoken import News, numbered
from dreamd.engine.rules.updates.statements import as_sentence
from dreamd.text.late import late
from dreamd.text.secrets import secrets
from dreamd.text.values.value import listed

_YET = r"(?:(?:actually|ever|even|yet|personally|currently|once|also|still)\s)*"
_WE = r"(?:\b(?:my|our)\s[\w-]+\sand\s)?\b(?:i|we)"
_IT = r"\b(?P<what>(?:the|our|my)\s(?:[\w-]+\s){0,3}?[\w-]+|(?-i:[A-Z])[\w-]+)"
_DONE = r"(?P<verb>[a-z]{2,})\s(?P<rest>.+)"
_NEVER = r"(?:never|not\sever)\s"
_ENGLISH = cued(
    rf"(?:{_WE}(?:(?:'ve|\shave)?\s{_YET}{_NEVER}|\s(?:have\snot|haven't)\s)"
    rf"|{_IT}\s(?:has|have)\s{_YET}(?:{_NEVER}|not\s)"
    rf"|{_IT.replace('what', 'whose')}\s(?:hasn't|haven't)\s)"
    rf"{_YET}{_DONE}"
    rf"|{_WE}\s(?:did\snot|didn't|never)\s{_YET}(?P<did>[a-z]{{2,}})\s(?P<deed>.+)"
    rf"|(?:{_WE}\s(?P<present>do\snot|don't)"
    rf"|{_IT.replace('what', 'it')}\s(?:does\snot|doesn't|do\snot|don't))"
    rf"\s{_YET}(?P<does>[a-z]{{2,}})\s(?P<object>.+)"
    r"|\bthere(?:(?:'s|\sis|\sare|'re)\s(?:still\s|currently\s)?(?:no|not\s(?:any|an?|one))"
    r"|\s(?:isn't|aren't)\s(?:any|an?|one))\s(?P<none>.+)"
    rf"|(?:{_WE}\shave|{_IT.replace('what', 'its')}\s(?:has|have))\sno\s(?P<nothing>.+)",
    "never not no haven hasn didn don doesn isn aren",
    "i we there has have hasn haven does doesn do don",
)
_OTHERS = (
    (
        "de",
        cued(
            r"\b(?:ich|wir)\shaben?\s(?P<rest>.{3,80}?)\s(?:noch\s)?(?:nie|niemals|nicht)\s(?P<more>.{0,60}?)(?P<verb>[^\W\d_]+(?:t|en))(?=[\s,.;!?]*(?:$|,))"
            r"|\b(?:ich|wir)\shaben?\s(?:noch\s)?(?:nie|niemals|kein\w*)\s(?P<before>.{3,80}?)\s(?P<done>[^\W\d_]+(?:t|en))(?=[\s,.;!?]*(?:$|,))"
            r"|\b(?:ich|wir)\s(?P<does>[^\W\d_]+en?)\s(?:(?P<that>.{3,80}?)\snicht(?=[\s,.;!?]*(?:$|,))|(?:noch\s)?kein\w*\s(?P<object>.+))",
            "nie niemals nicht kein keine keinen keinem keiner",
            "ich wir",
        ),
    ),
    (
        "es",
        cued(
            r"\b(?:nunca|jamás|no)\s(?:he|hemos)\s(?:\w+mente\s)?(?P<verb>[^\W\d_]+o)\s(?P<rest>.+)"
            r"|\b(?:(?:nosotros|yo)\s)?no\s(?P<does>[^\W\d_]+(?:mos|o))\s(?P<object>.+)",
            "nunca jamás no",
        ),
    ),
    (
        "fr",
        cued(
            r"\b(?:je|nous|on)\s(?:n'|ne\s)(?:ai|avons|a)\s(?:encore\s)?(?:jamais|pas)\s(?:encore\s)?(?P<verb>[^\W\d_]+)\s(?P<rest>.+)"
            r"|\b(?:je|nous|on)\s(?:n'|ne\s)(?P<does>[^\W\d_]+)\s(?:pas|jamais)\s(?P<object>.+)",
            "jamais pas",
            "je nous on",
        ),
    ),
)
_END = late(
    r"[,;:.!?()]|\s[—–-]+\s|\s(?:and|or|nor|but|so|because|since|although|though|while|which|that|who|until|unless"  # noqa: RUF001
    r"|if|when|even|myself|ourselves|yet|before|ever|despite|including|considering|except|at\sall"
    r"|und|oder|aber|weil|obwohl|y|o|pero|porque|aunque|et|ou|mais|car|alors)(?=\s|[,.;!?]|$)",
    re.IGNORECASE,
)
_NOT_SO = cued(  # of one time only, of a degree, or of a part
    r"\b(?:to(?:day|night)|tomorrow|yesterday|lately|recently|again|any\s?more|any\slonger|since|until|till|ago"
    r"|this\s(?:week|month|year|morning|afternoon|evening|time|season|summer|winter|spring|autumn|fall|quarter|sprint)"
    r"|last\s(?:week|month|year|night|time)|in\s(?:a\swhile|ages|weeks|months|years|days)"
    r"|for\s(?:an?|\d+|some|several|many|two|three)\s?(?:while|days?|weeks?|months?|years?|time|hours?)"
    r"|(?:on|in|during)\s(?:(?:mon|tues|wednes|thurs|fri|satur|sun)day|january|february|march|april|may|june|july|august"
    r"|september|october|november|december)"
    r"|such|than|so\s\w+|as\s\w+\sas|enough|too|better|worse|only|just|(?<!at\s)all|every|everything|both|whole|entire|more|other|another|further|else"
    r"|many|much|fully|heute|gestern|morgen|diese\w*|letzte\w*|mehr|wieder|so|hoy|ayer|esta|este|tan\w*|más|última\w*"
    r"|aujourd'hui|hier|ce|cette|cet|plus|aussi|si|autant)\b"
)
_NO_DEED = frozenset(
    listed(
        "mind know think want mean care feel seem expect understand remember forget need believe"
        " wish hope plan matter fail stop"
    )
)
_PATTERNS = (("en", ENDED), ("en", _ENGLISH), *_OTHERS)
_HINTS = (
    "never",
    "not ",
    "n't",
    "n\u2019t",
    "no ",
    "nie",
    "nicht",
    "kein",
    "nunca",
    "jam",
    " pas ",
    "stopped ",
    "quit ",
    "ceased ",
)
_SUBJECTS = ("what", "whose", "it", "its", "which", "who")
_VERBS = ("verb", "did", "does", "done", "doing")
_RESTS = ("rest", "more", "deed", "before", "that", "object", "none", "nothing")
_OF_TODAY = ("present", "does", "none", "nothing")
_NOBODY = frozenset(listed("it this that he she they you what which who"))
_NAME = late(r"\b(?:[A-Z][\w.+#-]*\w|\w*\d\w*|\w+[._/]\w+)")
_SAYS = late(r"\b(?:know|note|mention|add|admit|say|aware)\s(?:that\s)?$", re.IGNORECASE)
_FEWEST = 2  # words


@dataclass(frozen=True, slots=True)
class Denial(News):
    """A sentence that denies a deed, or that there is something; `text` is the piece that does.

    `deed` is what was not done, `things` are the words of what it was not done to, and of who
    did not, where that is not the speaker (`is_mine`). `is_now`: it speaks of today, not of ever.
    `spoken` is the language, `number` is as in `Statement`. `is_sure`: it tells that it is so no
    longer; any other denial does not say since when.
    """

    text: str
    quote: str
    spoken: str
    deed: str
    things: frozenset[str]
    is_mine: bool
    is_now: bool
    said: PersonSaid
    number: int
    is_sure: bool = False


def denials(said: Iterable[PersonSaid]) -> Iterator[Denial]:
    """Return what people told that they have not or never did, in the order of what they said."""
    return numbered(said, _hints, _of_sentence)


def _hints(text: str) -> bool:
    lowered = text.lower()
    return any(hint in lowered for hint in _HINTS)


def _of_sentence(sentence: Sentence, message: PersonSaid, number: int) -> Iterator[Denial]:
    if found := _denial(sentence, message, number):
        yield found


def _denial(sentence: Sentence, message: PersonSaid, number: int) -> Denial | None:
    text, shown = sentence.text, sentence.shown
    if not _hints(text):
        return None
    found = ((each, match) for each in _PATTERNS if (match := each[1].search(shown)))
    (spoken, pattern), match = next(found, (_PATTERNS[0], None))
    if match is None or is_secondhand(shown, match.start()):
        return None
    is_sure = pattern is ENDED
    groups = match.groupdict()
    subject = next((groups[each] for each in _SUBJECTS if groups.get(each)), "")
    verb = next((groups[each] for each in _VERBS if groups.get(each)), HAS)
    rest = " ".join(groups[each] or "" for each in _RESTS if groups.get(each))
    begin = match.start()
    at = next(match.start(each) for each in _RESTS if groups.get(each))
    start, end = clauses.bounds(text, at)
    told = deed(verb, spoken)
    if told in _NO_DEED or (rest.startswith("to ") and told == HAS):
        return None
    is_part = not is_over(shown, begin) if is_sure else _NOT_SO.search(shown, begin, end)
    if BLANK in shown[begin:end] or is_part:
        return None
    own = clauses.own(text, start, clauses.since(text, start))
    own = begin if _SAYS.search(text, 0, begin) else min(own, begin)
    if not clauses.is_told(text[:end], own, begin, is_named=False) or subject.casefold() in _NOBODY:
        return None
    cut = _END.search(rest)
    named = things(rest[: cut.start()] if cut else rest, spoken)
    if not _is_enough(named, rest):
        return None
    piece = as_sentence(text, begin, end)
    if not piece or secrets.find(piece) or is_private(piece):
        return None
    is_now = is_sure or any(groups.get(each) for each in _OF_TODAY)
    every = named | things(subject, spoken)
    is_mine = not subject and not (groups.get("none") or groups.get("more"))
    return Denial(piece, text, spoken, told, every, is_mine, is_now, message, number, is_sure)


def _is_enough(named: frozenset[str], rest: str) -> bool:
    """Whether a thing is told apart from others: by two words, or by a name."""
    return len(named) >= _FEWEST or bool(named and _NAME.search(rest))
