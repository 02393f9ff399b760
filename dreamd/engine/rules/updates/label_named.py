"""Whether a newer sentence names what a label does: all of it, and nothing beside it."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterator

from dreamd.engine.rules.updates import scope
from dreamd.engine.rules.updates.cues import TURN, TURNS
from dreamd.engine.rules.updates.given import HOLDS, SMALL, Given, is_known, telling
from dreamd.engine.rules.updates.labels import Label
from dreamd.engine.rules.updates.likely import is_told_otherwise
from dreamd.engine.rules.updates.stands import Stands
from dreamd.text.late import late
from dreamd.text.time.calendar_words import MONTHS, WEEKDAYS

_NO_NAMES = telling("service app application project system server")
_TURNS = "|".join(TURNS.split(" "))
_FILLERS = telling(  # lead to a value and name nothing
    "service services app application takes take costs cost weighs weigh lasts last runs run"
    " running loads load needs uses use hits expires listens listening starts ends begins happens"
    " finishes arrives pays pay paying serves accepts allows supports releases released latest"
    " instead using today thing everything everybody everyone good while keep kept average moment"
    " end"
)
_SAYS_NOTHING = _FILLERS | HOLDS | SMALL
_BESIDE = late(  # how it came about, before the thing is named
    r"\W*(?:after(?!\s(?:\d|dark|hours|midnight)\b)|since|with(?=\s(?:(?:the|our|my)\s)?(?:new|latest|extra|more|another)\s)"
    r"|thanks\sto|due\sto|because\sof|following)\s"
    r"(?:(?:the|our|my|a|an)\s)?.*?(?:,\s|\b(?=(?:the|our|my|we|i|i've|we've)\s))",
    re.IGNORECASE,
)
_WHO = late(r"\b(?:we|i)(?:['’](?:ve|re|m))?\s", re.IGNORECASE)  # noqa: RUF001
_WHERE = late(
    r"\b(?:of|for|in|on|at|within|inside|under|during|among)\s"
    r"(?:(?:the|my|our|his|her|their|a|an|this|that|all|each|every)\s)?"
    r"(?P<what>[^\W\d_][\w'’-]*(?:\s[^\W\d_][\w'’-]*)?)",  # noqa: RUF001
    re.IGNORECASE,
)
_RELEASED = late(
    r"\b(?:versions?|upgrad\w+|downgrad\w+|updat\w+|bump\w+|migrat\w+|mov\w+|switch\w+)\b"
    r"|\b(?:to|on|with|us(?:e|es|ing)|runs?|is|are|at|now)\s(?:[\w.+#-]+\s){0,2}$",
    re.IGNORECASE,
)
_OTHERS = late(  # who changed something of their own: "Stripe raised the rate limit"
    r"(?<!\w)(?!(?:We|I|They|He|She|It|You|That|This)\s)(?P<who>[A-Z][\w.-]*)\s"
    rf"(?:(?:has|have|had|just|now|also|recently|finally)\s)*(?:{_TURNS})\s"
    r"(?:(?:back|up|down)\s)?(?:the|their|its|his|her)\s"
)
_EACH = late(r"\bdays?\b|\b(?:every|each)\s|days\s*(?:\W|$)", re.IGNORECASE)
_ONCE = late(
    rf"\bfor\s(?:{'|'.join((*MONTHS, *WEEKDAYS))}|this|next|today|tomorrow)\b"
    r"|\b(?:this|next)\s(?:week|month|weekend|time)(?:['’]s|\sonly)|\bthis\sonce\b"  # noqa: RUF001
    r"|\bfor\s(?:\S+\s){1,2}(?:minute|hour|day|night|week|month|while)s?\b|\btemporarily\b",
    re.IGNORECASE,
)
_REST = late(r"(?:\s[\w-]+){0,3}?\s(?:left|remaining|to\sgo)\b", re.IGNORECASE)
_APART = late(  # tells one of several from the others
    r"\b(?:morning|afternoon|evening|night|(?:dai|week|month|year|hour|quarter)ly|second|third"
    r"|other|another|peak|personal|private|old"
    rf"|(?:{'|'.join(scope.RELATIVES.split())})['’]s)\b",  # noqa: RUF001
    re.IGNORECASE,
)


class Labels:
    """The labels of all lines, each with the values that it gives."""

    def __init__(self) -> None:
        self._values: dict[str, set[str]] = defaultdict(set)

    def add(self, stands: Stands) -> None:
        """Let a value be known, if it has a label."""
        if stands.label:
            self._values[stands.label.what.casefold()].add(stands.value.quantity.key)

    def may_mean(self, new: Given, old: Stands) -> bool:
        """Whether a newer sentence names what the label of an older value does, if it has one."""
        if old.label is None:
            return True
        is_only = len(self._values[old.label.what.casefold()]) == 1
        return names(new, old.value, old.label, is_only=is_only)


def names(new: Given, old: Given, label: Label, *, is_only: bool) -> bool:
    """Whether a newer sentence speaks of that to which a label gives the older value.

    It has each word of the label, or the name that stands before the older value ("Database:
    Postgres 14"), and leads to its value by no other thing. A label that may be of many things
    ("Port"), or is not the `is_only` one of its name, takes what stands above it. One that only
    grounds something calls nothing that could be named.
    """
    above = " ".join(label.above)
    if scope.differs(new.clause, f"{above}. {label.what}") or _is_of_then(new, old):
        return False
    asked, said = label.words, telling(new.text[new.start : new.end])
    is_release = bool(label.name) or "version" in label.what.casefold().split()
    if is_release and not _is_release(new):
        return False
    if telling(label.name):
        asked = telling(label.name)
    elif not label.is_ground and (label.is_bare or not is_only):
        named = telling(label.thing)
        if not (named or label.beside):
            return False
        asked = (frozenset() if is_release else asked) | (named - _NO_NAMES or named)
    asked |= label.beside
    if not label.is_ground and not all(is_known(word, said) for word in asked):
        return False
    stands = f"{above} {label.what}".casefold()
    known = telling(f"{stands} {' '.join(label.readings)}")
    leading = (
        word for word in _leading(new) if word not in _SAYS_NOTHING and not word.endswith("ly")
    )
    return not _is_of_another(new, stands) and all(is_known(word, known) for word in leading)


def _is_of_then(new: Given, old: Given) -> bool:
    """Whether a newer value holds for one time only, or is what is left of one."""
    if new.quantity.kind == "weekday" and not _EACH.search(new.clause):
        return True
    is_rest = _REST.match(new.text, new.quantity.end) is not None
    return is_rest or _ONCE.search(new.clause) is not None or is_told_otherwise(new, old)


def _is_release(new: Given) -> bool:
    """Whether a newer value may be a version that somebody has now."""
    lead = new.text[new.since : new.quantity.start]
    return not new.quantity.unit and _RELEASED.search(lead) is not None


def _is_of_another(new: Given, stands: str) -> bool:
    """Whether a newer value is of one of several, or of somebody, of whom a label does not tell."""
    lead = new.text[new.start : new.quantity.start]
    if any(match["who"].casefold() not in stands for match in _OTHERS.finditer(lead)):
        return True
    return any(match[0].casefold() not in stands for match in _APART.finditer(_own(lead)))


def _leading(new: Given) -> Iterator[str]:
    """Yield the words of weight that lead to a newer value, or tell where it holds."""
    lead = _BESIDE.sub("", new.text[new.start : new.quantity.start], count=1)
    yield from new.changed or telling(TURN.sub(" ", _own(lead)))
    for text in (lead, new.text[new.quantity.end : new.core_end]):
        for place in _WHERE.finditer(text):
            yield from telling(place["what"])


def _own(lead: str) -> str:
    """Return what leads to a value from behind who did it on."""
    who = _WHO.search(lead)
    return lead[who.end() :] if who else lead
