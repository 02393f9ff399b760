"""Whether one of two sentences names a scope of which the other knows nothing: "on macOS"."""

from __future__ import annotations

import re

from dreamd.domain.prose.words import words
from dreamd.engine.rules.updates import clauses, scope, scoped
from dreamd.engine.rules.updates.cues import TURN, TURNS
from dreamd.engine.rules.updates.given import Given, is_known, telling
from dreamd.engine.rules.updates.quantities import DAYS
from dreamd.engine.rules.updates.scoped import Phrase
from dreamd.engine.rules.updates.sorts import is_within
from dreamd.text.late import late

_BY = late(
    r"\b(?:by|mit\sdem|en|à|in)\s(?:bike|bicycle|car|train|bus|tram|foot|boat|ferry|plane|scooter"
    r"|metro|subway|fahrrad|auto|zug|vélo|voiture|bici|bicicleta|coche|tren)\b"
    r"|\bon\sfoot\b|\bzu\sfuß\b|\bà\spied\b|\ba\spie\b",
    re.IGNORECASE,
)
_OFTEN = late(  # a time that comes again and again
    r"\b(?:on|in|at|during|an|am|im|en|le|les|los|por|pendant|durante)\s"
    r"(?:the\s|my\s|our\s|la\s|las\s)?"
    r"(?:(?:mon|tues|wednes|thurs|fri|satur|sun)days|weekdays|weekends|nights?|workdays|school\sdays"
    r"|(?:public\s|bank\s|school\s)?holidays|winter|summer|mornings|evenings|afternoons"
    r"|(?:peak|off-peak|rush|opening|business|office)\shours?|(?:exam|high|low|peak|off)[\s-]season"
    r"|wochenenden|(?:mon|diens|donners|frei|sams|sonn)tags|winter|sommer|nachts?|feiertagen"
    r"|week-ends?|hiver|été|invierno|verano|noches?|nuit)\b(?!\s?(?:of|\d|19|20))"
    r"|\b(?:over|during|for)\s(?:the\s)?(?:christmas|easter|summer|winter|ramadan|new\syear|exams?)\b"
    r"(?!\sof)|\bafter\s(?:dark|hours|midnight|school|\d[\d:.]*\s?(?:am|pm|a\.m|p\.m|o['’]clock))\b"  # noqa: RUF001
    r"|\b(?:les?|los)\s(?:lundi|mardi|mercredi|jeudi|vendredi|samedi|dimanche|lunes|martes"
    r"|miércoles|jueves|viernes|sábado|domingo)s?\b"
    r"|\b(?:nachts|werktags|(?:mon|diens|donners|frei|sams|sonn)tags)\b",
    re.IGNORECASE,
)
_WHEN = late(
    r"\b(?:when(?:ever)?|unless|if|wenn|falls|quand|lorsque|si|cuando)\s(?:(?:the|it|i|we|you|my"
    r"|our|there|die|der|das|es|le|la|el|on|il)\s)?(?:[\w'’-]+\s){0,2}?"  # noqa: RUF001
    r"(?:is|are|has|have|runs?|uses?|do|does|skip|cached|needed|empty|full|ist|sind|est|sont|está)\b",
    re.IGNORECASE,
)
_IN_THE_DAY = late(
    r"\b(?:in\sthe|am|le|por\sla)\s(?:morning|evening|afternoon|abend|soir|noche)\b", re.IGNORECASE
)
_TODAY = late(  # a time of one day
    r"(?<!of\s)(?<!from\s)(?<!since\s)(?<!ab\s)(?<!starting\s)(?<!desde\s)\b(?:today|tonight|tomorrow|this\s(?:morning|evening|afternoon)"
    r"|heute|morgen|aujourd['’]hui|ce\s(?:soir|matin)|demain|hoy|mañana|esta\snoche)\b",  # noqa: RUF001
    re.IGNORECASE,
)
_CLOSES = late(r"\b(?:ouvr|ferm|abr|cierr|cerr)\w{1,4}\s(?:à|a)\s(?:las\s)?\d", re.IGNORECASE)
_FOR_SOME = late(  # "(premium only)", "but only above", "Internally", "While debugging"
    r"\b[\w-]+\sonly\)|,\s(?:[\w-]+\s){1,3}only\b|\b(?:but\s)?only\s(?:for|on|in|at|above|below|under|over|with|if|when|during)\b"
    r"|^\W*(?:internally|externally|locally|remotely|temporarily|abroad|offline|(?:un)?authenticated)\b"
    r"|^\W*(?:while|when|coming|if)\s(?:from\b|[a-z]+ing\b)",
    re.IGNORECASE,
)
_BY_WHOM = late(  # "the course taught by Hannes"
    r"(?<!was\s)(?<!were\s)(?<!been\s)(?<!got\s)(?<!is\s)(?<!are\s)\b(?:[a-z]{3,}ed|taught|led|made|built|written|run)\sby\s"
    r"(?:(?:the|my|our|an?)\s)?(?P<what>[^\W\d_]+)"
)
_HEADED = late(r"\W*(?P<what>[^\W\d_][\w-]*(?:\s[\w-]+)?):\s")
_REMARKS = words(
    "update updates correction fyi note notes btw psa reminder quick one question hi hey heads news"
    " small change also so ok okay well good bad edit nb ps one more thing context remember"
)
_FORMER = late(r"^\W*(?:my|our|the)\s(?:old|former|previous)\s[^\W\d_]+", re.IGNORECASE)
_ALL = late(  # of more than one
    r"\b(?:together|combined)(?=,|\s(?:now\s)?(?:ha(?:ve|s)|are|is|makes?|costs?|takes?)\b)"
    r"|(?:^\W*|[,;]\s|\b(?:and|but|across)\s)(?:both|all)\s(?:of\s)?"
    r"(?:the|our|my|two|three|four|five)\b(?!\stime\b)"
    r"|\b(?:zusammen|ensemble|juntos|juntas)\b",
    re.IGNORECASE,
)
_VERB = (
    r"(?:is|are|was|were|has|have|had|takes?|costs?|weighs?|runs?|lasts?|needs?|uses?|used|holds?"
    r"|pays?|paid|earns?|gets?|got|owns?|keeps?|charges?|employs?|ha[tn]|ist|nutzt|est|utilise|usa"
    rf"|{'|'.join(TURNS.split(' '))})"
)
_SUBJECT = late(
    r"\W*(?:(?:and|but|so|because|since|also|well|ok|okay|hey|hi|btw|by\sthe\sway|now\sthat|fyi)\W+)*"
    rf"(?P<who>(?:[\w'’&.-]+\s){{1,5}}?)(?:(?:now|just|recently|also|finally|already|[a-z]+ly)\s)*{_VERB}\b",  # noqa: RUF001
    re.IGNORECASE,
)
_I = late(
    r"\W*(?:[a-z]+ly\s|now\s|currently\s)?(?:i|we|i'm|we're|i've|we've|ich|wir)\b", re.IGNORECASE
)
_WE = words(
    "i we it this that there which who everyone everybody team company group crew staff family"
    " household ours mine me us they he she you i'm we're it's what one both"
)
_WITH_US = late(r"\b(?:i|we|i'm|we're|i['’]ve|we['’]ve|me|us|my|our|it|mine|ours)\s", re.IGNORECASE)  # noqa: RUF001
_DOES_TO = late(
    rf"(?:[\w'’]+\s)*?(?:{_VERB})\s(?:the|this|that|these)\s(?P<what>.*)",  # noqa: RUF001
    re.IGNORECASE,
)
_PAYS = late(
    r"\W*(?:[\w'’-]+\s){1,3}?(?:(?:now|only|just|still)\s)*(?:pay|pays|paid|zahlen|zahlt|paient|paie|pagan|paga)\b",  # noqa: RUF001
    re.IGNORECASE,
)
_TAIL = 40  # characters behind a value: "per hour now, but only above"
_LEAD = 25  # characters before a clause that say of what it is: "Together, the four teams"
_OWN = {"my", "our"}
_PEOPLE = words(
    f"{scope.RELATIVES} {scope.OTHERS} trainer teacher tutor coach mentor doctor landlord landlady"
)


def is_confined(new: Given, old: Given, known: frozenset[str] = frozenset()) -> bool:
    """Whether a newer value is of less or of others than an older one: its sentence says of what.

    A place, part, person, time of day or condition of which neither the older sentence knows
    anything nor `known`, the words of the headings above it. When and why something changed is
    no scope ("in March", "with the new contract"), nor is what is meant anyway ("of our house").
    """
    around = old.every | telling(old.text) | known
    if _is_of_another(new, old) or any(_tells(each, around) for each in scoped.before(new)):
        return True
    if any(_is_unknown(each.words, around) for each in scoped.behind(new)):
        return True
    if any(_has_alone(each, new, old) for each in (_OFTEN, _WHEN, _BY, _ALL, _FOR_SOME)):
        return True
    return _is_of_a_time(new, old) or _is_headed(new, around)


def _is_of_a_time(new: Given, old: Given) -> bool:
    """Whether a newer time of day is that of one day, or another value that of a time of day."""
    if new.quantity.kind == "time" or new.quantity.unit == "uhr" or _CLOSES.search(new.text):
        return _has_alone(_TODAY, new, old)
    return new.quantity.kind not in DAYS and _has_alone(_IN_THE_DAY, new, old)


def _is_headed(new: Given, around: frozenset[str]) -> bool:
    """Whether a newer sentence names in front of all, or as its doer, of what else it tells."""
    head = _HEADED.match(new.text, 0, new.quantity.start)
    is_remark = head is None or not _REMARKS.isdisjoint(head["what"].casefold().split())
    if head and not is_remark and _is_unknown(telling(head["what"]), around):
        return True
    whom = _BY_WHOM.search(new.text, new.start, new.quantity.start)
    return whom is not None and _is_unknown(telling(whom["what"]), around)


def was_confined(new: Given, old: Given) -> bool:
    """Whether an older sentence confines what it gives a value: "the build on Linux takes".

    Not so of a day: of an event people say once which it is. What stands behind a value they
    leave out when they speak of it again ("on the practice tests"), and what is theirs ("in my
    class").
    """
    if old.quantity.kind in DAYS or TURN.search(new.text, new.since, new.quantity.start):
        return False
    around = new.every | telling(new.text)
    named = (each for each in scoped.before(old) if not each.is_own)
    if is_within(old, new) or any(_tells(each, around) for each in named):
        return True
    return any(_has_alone(each, old, new) for each in (_BY, _ALL, _FORMER))


def _tells(phrase: Phrase, around: frozenset[str]) -> bool:
    """Whether a phrase tells of what a thing is that other words know, and they do not."""
    head = telling(phrase.head)
    return _is_unknown(phrase.words, around) and not _is_unknown(head, around)


def _is_unknown(named: frozenset[str], known: frozenset[str]) -> bool:
    return bool(named) and not any(is_known(word, known) for word in named)


def _has_alone(pattern: re.Pattern[str], one: Given, other: Given) -> bool:
    start = one.start if one.start > _LEAD else 0
    end = one.quantity.end + _TAIL if pattern is _FOR_SOME else one.end
    found = pattern.search(one.text, start, end)
    return found is not None and pattern.search(other.text) is None


def _is_of_another(new: Given, old: Given) -> bool:
    """Whether somebody or something else does in the newer sentence what "we" do in the older.

    Or pays, and of whom that one knows nothing.
    """
    begin = clauses.first(new.text, new.since)
    if not _I.match(old.text, clauses.first(old.text, old.since)) and not _PAYS.match(
        new.text, begin, new.quantity.start
    ):
        return False
    found = _SUBJECT.match(new.text, begin, new.quantity.start)
    if found is None or _WITH_US.search(new.text, found.end("who"), new.quantity.start):
        return False
    does = _DOES_TO.match(new.text, found.end("who"), new.quantity.start)
    if does and any(is_known(word, old.every) for word in telling(does["what"])):
        return False  # "my manager pushed the deadline to"
    who = found["who"].casefold().replace("’", "'").split()  # noqa: RUF001
    if not _WE.isdisjoint(who) or (who[0] in _OWN and _PEOPLE.isdisjoint(who)):
        return False
    return _is_unknown(telling(" ".join(who)), old.every | telling(old.text))
