"""Words that begin something of which there is one at a time: "we moved to Porto"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass, replace

from dreamd.domain.prose.cued import cued, vocabulary
from dreamd.engine.rules.updates import clauses
from dreamd.engine.rules.updates.held import kin, of_group
from dreamd.engine.rules.updates.slots import (
    COUNT,
    HOME,
    JOB,
    KIN,
    NAME,
    OFTEN,
    PACE,
    PEOPLE,
    ROLE,
    STILL,
    TOOL,
    Held,
    count,
    of_what,
    often,
)
from dreamd.text.late import late

_I = rf"\b(?:i|we)(?:['’](?:ve|re|m)|\s(?:have|are|am))?\s{STILL}"  # noqa: RUF001
_THE = r"(?:(?:the|our|my|all|all\sof)\s)*"
_ENDS = (
    r"(?=\s*(?:[.,;!?)–—]|$)|\s(?:last|this|yesterday|today|now|on|in|over|two|three|a"  # noqa: RUF001
    r"|because|since|and|so|with|for|\d)\b)"
)
_NOW = r"(?:\s[\w'-]+){0,3}?\s(?:now|these\sdays|from\snow\son|instead)\b"
_LIVES = cued(  # so, whatever else it may be
    rf"(?:{_I}live\sin\s(?P<lives>{NAME}){_NOW}|\b(?:i|we)\snow\slive\sin\s(?P<now>{NAME}){_ENDS}"
    rf"|{_I}living\sin\s(?P<living>{NAME}){_NOW}"
    rf"|\b(?:bin|sind)\s(?:[\w.]+\s){{0,4}}?nach\s(?P<nach>{NAME})\s(?:um)?gezogen"
    rf"|\b(?:j['’]ai|nous\savons|on\sa)\s(?:dé|em)ménagé\s(?:à|au|en)\s(?P<fr>{NAME})"  # noqa: RUF001
    rf"|\b(?:me\smud[eé]|nos\smudamos|me\she\smudado)\sa\s(?P<es>{NAME}))",
    "live living gezogen déménagé emménagé mudé mude mudamos mudado",
)
_MOVED = cued(
    rf"{_I}moved\s(?:(?:back|over|away|out|house)\s)?(?:from\s(?P<was>{NAME})\s)?to\s(?P<to>{NAME})(?!\sfor\b){_ENDS}",
    "moved",
)
_STARTS = cued(
    rf"(?:{_I}start(?:ed|ing)\s(?:at|(?:my|a|the)\s(?:[\w-]+\s){{0,2}}?(?:job|role|position)\s(?:at|with|for)"
    rf"|work(?:ing)?\s(?:at|for|with)|as\s(?:an?\s)?(?:[\w-]+\s){{1,3}}(?:at|with|for))\s(?:the\s)?(?P<started>{NAME}){_ENDS}"
    rf"|\bmy\sfirst\s(?:day|week)\s(?:at|with)\s(?:the\s)?(?P<first>{NAME})\s(?:was|is)\b"
    rf"|{_I}joined\s(?:the\s)?(?P<joined>{NAME})\sas\s"
    rf"|{_I}left\s(?P<was>{NAME})\s(?:for|to\sjoin)\s(?P<left>{NAME}){_ENDS}"
    rf"|\b(?:i\snow\swork\s(?:at|for)\s(?P<works>{NAME}){_ENDS}|i\swork\s(?:at|for)\s(?P<work>{NAME}){_NOW})"
    rf"|\bmy\snew\s(?:job|employer|company)\sis\s(?:(?:at|with)\s)?(?P<new>{NAME}){_ENDS})",
    "start* first joined left work new",
)
_TAKES = cued(
    rf"(?:{_I}(?:moved|migrated|switched|ported|transferred|shifted)\s(?P<all>{_THE})(?P<what>(?:(?!to\b|from\b|over\b)[\w'-]+\s){{1,4}}?)"
    rf"(?:over\s|across\s)?(?:from\s(?P<was>{NAME})\s(?:over\s)?)?to\s(?P<to>{NAME}){_ENDS}"
    rf"|{_I}(?:moved|migrated|switched)\s(?:over\s)?to\s(?P<taken>{NAME})\sfor\s{_THE}(?P<for>(?:[\w-]+\s?){{1,3}}?)(?=[.,;!]|$|\s(?:last|this|now)\b)"
    rf"|\b(?:i|we)\snow\suse\s(?P<used>{NAME})\s(?:for|as)\s{_THE}(?P<as>(?:[\w-]+\s?){{1,3}}?)(?=[.,;!]|$)"
    rf"|\b(?:i|we)\suse\s(?P<use>{NAME})\s(?:for|as)\s{_THE}(?P<use_for>(?:(?!now\b)[\w-]+\s){{1,3}}?)now\b"
    rf"|\b(?:our|my)\s(?P<own>(?:[\w-]+\s){{1,3}}?)(?:is|are|runs?|lives?|goes)\snow\s(?:on|in|with|to)\s(?P<is>{NAME}){_ENDS}"
    rf"|\b(?:our|my)\s(?P<mine>(?:[\w-]+\s){{1,3}}?)(?:is|are|runs?|lives?|goes)\s(?:on|in|with|to)\s(?P<runs>{NAME})\snow\b)",
    "moved migrated switched ported transferred shifted now",
)
_PACED = cued(
    rf"(?:\b(?P<a>{OFTEN}){_NOW[:-2]}|\bnow\s(?P<now>(?:[\w-]+\s){{0,4}}?)(?P<b>{OFTEN})\b"
    rf"|\b(?:switched|moved|changed|went)\s(?P<of>(?:(?!to\b)[\w'-]+\s){{0,4}}?)(?:over\s|from\s{OFTEN}\s)?to\s(?:an?\s)?(?P<c>{OFTEN})(?P<rest>(?:\s[\w-]+)?)(?=[.,;!]|$|\s(?:last|this|now|because|since|so|for)\b))",
    "now switched moved changed went",
    "every a an per each ly*",
)
_HEADS = (
    r"people|persons|of\sus|members|employees|staff|folks|colleagues|strong|leute"
    r"|personen|personas|personnes"
)
_AT = r"(?:now|already|finally|currently|up\sto|down\sto|at|jetzt|ahora|maintenant)\s"
_PEOPLED = cued(
    rf"(?:\b(?:we['’]re|we\sare|wir\ssind|nous\ssommes|(?P<es>ahora\s)?somos|(?:our|my|the)\s(?P<group>(?:\w+\s)?(?:team|company|startup|agency|band|crew|studio|firm))\s(?:is|has\sgrown|grew|has))\s"  # noqa: RUF001
    rf"(?P<at>(?:{_AT})*)(?:a\steam\sof\s|to\s)?(?P<value>{COUNT})(?P<heads>\s(?:{_HEADS})\b)?(?P<now>\s(?:now|in\stotal|altogether|jetzt)\b)?)(?=\s*(?P<end>[.,;!]|$|\s(?:now|that|since|because|after)\b))",
    "re are sind sommes somos our my the",
)
_ORDINALS = {
    "second": "2", "third": "3", "fourth": "4", "fifth": "5", "sixth": "6", "seventh": "7"
}  # fmt: skip
_NTH = rf"(?P<{{}}>{'|'.join(_ORDINALS)})\s(?P<{{}}>[^\W\d_]+)"
_BORN = cued(
    rf"(?:\b(?:our|my)\s{_NTH.format('nth', 'who')},?\s(?:{NAME},?\s)?(?:(?:was|is"
    r"|has\sbeen|got)\s(?:\w+\s)?(?:born|here)|arrived|came\sinto)"
    rf"|{_I}(?:had|adopted|welcomed|got)\s(?:an?|our"
    rf"|my)\s{_NTH.format('n', 'what')}(?=\s*(?:[.,;!]|$)|\s(?:last|this|yesterday|today"
    r"|two|three)\b))",
    " ".join(_ORDINALS),
)
_ROLED = cued(
    rf"\b(?P<value>(?:(?:Mr|Mrs|Ms|Dr|Prof)\.?\s)?{NAME})\sis\s(?:(?P<now>now\s)(?:my|our)|(?:my|our)\s(?P<new>new\s)|(?:my|our))\s?(?P<role>(?:(?!now\b)[\w-]+\s?){{1,3}}?)(?P<then>\snow)?(?=[.,;!]|$)",
    "is",
    "now new",
)
_TITLED = cued(
    rf"\b(?:my|our|the)\s(?P<role>(?:[\w-]+\s){{0,2}}?[\w-]+),\s(?P<value>(?:Mr|Mrs|Ms|Dr|Prof)\.?\s{NAME})",
    "mr mrs ms dr prof",
)
_WORDS = vocabulary(
    "moved migrated switched ported transferred shifted changed started starting first joined left"
    " now new live living second third fourth fifth sixth seventh work gezogen jetzt"
    " déménagé emménagé"
    " mudé mudamos mudado ahora maintenant re are team company mr mrs ms dr prof"
)
_HOUSE = late(
    r"\b(?:flat|apartment|house|home|city|neighbou?rhood|boxes|landlord|boyfriend|girlfriend|wife|husband|family|new\splace|from\s(?-i:[A-Z]))\b",
    re.IGNORECASE,
)
_WORK = late(
    r"\b(?:job|role|position|work|company|colleagues|office|boss|manager|engineer|developer|nurse|teacher|designer"
    r"|analyst|onboarding|salary|shift|employer|hired)\b",
    re.IGNORECASE,
)
_NO_PLACE = late(r"\w[A-Z]|[\d.+#]|^[A-Z]{2,}$")  # GitHub, AWS, Fly.io


@dataclass(frozen=True, slots=True)
class Begun:
    """What begins with the words at a column, and in `was` what they say there was before.

    `is_sure`: they can hardly mean anything else.
    """

    held: Held
    at: int
    was: str = ""
    is_sure: bool = True


def hints(text: str) -> bool:
    """Whether a text may begin something; cheap."""
    return not vocabulary(text).isdisjoint(_WORDS)


def begun(text: str) -> Iterator[Begun]:
    """Yield what the words of a sentence begin, whether or not it tells that it is so."""
    for rule in _RULES:
        yield from rule(text)


def _homes(text: str) -> Iterator[Begun]:
    if match := _LIVES.search(text):
        yield _named(HOME, match, "lives now living nach fr es")
    if (match := _MOVED.search(text)) and not _NO_PLACE.search(match["to"]):
        is_sure = bool(match["was"] or _HOUSE.search(text))
        yield replace(_named(HOME, match, "to"), was=match["was"] or "", is_sure=is_sure)


def _jobs(text: str) -> Iterator[Begun]:
    if match := _STARTS.search(text):
        found = _named(JOB, match, "started first joined left works work new")
        is_told = any(match[each] for each in ("left", "works", "work", "new"))
        is_sure = is_told or bool(_WORK.search(text))
        yield replace(found, was=match["was"] or "", is_sure=is_sure)


def _tools(text: str) -> Iterator[Begun]:
    if match := _TAKES.search(text):
        of = next(match[each] for each in _OF_TOOL if match[each])
        found = _named(TOOL, match, "to taken used use is runs", of_what(of))
        yield replace(found, was=match["was"] or "")


def _paces(text: str) -> Iterator[Begun]:
    if match := _PACED.search(text):
        at, to = match.span(next(each for each in "abc" if match[each]))
        start, end = clauses.bounds(text, at)
        of = of_what(f"{text[start:at]} {text[to:end]}")
        yield Begun(Held(PACE, often(text[at:to]), text[at:to], of), at)


def _roles(text: str) -> Iterator[Begun]:
    if (match := _ROLED.search(text)) and (match["now"] or match["new"] or match["then"]):
        yield _named(ROLE, match, "value", of_what(match["role"]))
    if match := _TITLED.search(text):
        found = _named(ROLE, match, "value", of_what(match["role"]))
        yield replace(found, at=match.start(), is_sure=False)


def _people(text: str) -> Iterator[Begun]:
    at = 0
    while match := _PEOPLED.search(text, at):
        at = match.end()
        is_now = match["now"] or "now" in match["at"]
        if is_now or (match["heads"] and (match["at"] or match["es"])):
            said = Held(PEOPLE, count(match["value"]), match["value"], of_group(match["group"]))
            yield Begun(said, match.start("value"), is_sure=bool(match["heads"]))


def _kin(text: str) -> Iterator[Begun]:
    if match := _BORN.search(text):
        nth, who = ("nth", "who") if match["nth"] else ("n", "what")
        said = Held(KIN, _ORDINALS[match[nth].casefold()], match[nth], kin(match[who]))
        yield Begun(said, match.start(nth))


def _named(slot: str, match: re.Match[str], groups: str, of: frozenset[str] = frozenset()) -> Begun:
    """Return what begins with the name in the first group that has one."""
    name = next(each for each in groups.split(" ") if match[each])
    return Begun(Held(slot, match[name].casefold(), match[name], of), match.start(name))


_OF_TOOL = ("what", "for", "as", "use_for", "own", "mine")
_RULES = (_homes, _jobs, _tools, _paces, _roles, _people, _kin)
