"""What a line of a note says that somebody has one of at a time: where they live, what they use."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dreamd.domain.prose.cued import cued
from dreamd.engine.rules.updates import clauses
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

_I = rf"(?:\b(?:i|we|(?:the\s)?user)\s{STILL})"
_AM = rf"(?:\b(?:i'm|we're|i\sam|we\sare|(?:the\s)?user\sis)\s{STILL})"
_OURS = r"(?:\b(?:our|my|the|(?:the\s)?user's)\s(?P<own>(?:[\w-]+\s){1,4}?))"
_THE = r"(?:(?:the|our|my|an?|all)\s)*"
_WHAT = (
    rf"(?P<verb>[a-z]{{2,}})\s{_THE}(?P<what>(?:(?!in\b|on\b|at\b|with\b|to\b)[\w-]+\s){{0,4}}?)"
)
_HOME = cued(
    rf"(?:{_I}lives?\s(?:together\s)?in\s|{_AM}(?:living|based)\sin\s"
    r"|\b(?:my|our)\s(?:flat|apartment|house|home|place)\sis\sin\s"
    r"|\bich\swohne\sin\s|\bwir\swohnen\sin\s|\bj['’]habite\s(?:à|au|en)\s|\bnous\shabitons\s(?:à|au|en)\s"  # noqa: RUF001
    rf"|\b(?:vivo|vivimos)\sen\s)(?P<value>{NAME})",
    "live lives living based flat apartment house home place wohne wohnen habite"
    " habitons vivo vivimos",
)
_JOB = cued(
    rf"(?:{_I}works?\s(?:[\w-]+\s){{0,4}}?(?:at|for)\s|{_AM}(?:working|employed|an?\s(?:[\w-]+\s){{1,4}}?)\s?(?:at|for|with|by)\s"
    r"|\bmy\semployer\sis\s|\bich\sarbeite\sbei\s|\bje\stravaille\schez\s|\btrabajo\s(?:en|para)\s)"
    rf"(?:the\s)?(?P<value>{NAME})",
    "work works working employed a an employer arbeite travaille trabajo",
)
_TOOL = cued(
    rf"(?:{_I}uses?\s(?P<used>{NAME})\s(?:for|as)\s{_THE}(?P<for>(?:[\w-]+\s?){{1,3}})"
    rf"|{_I}(?!moved\b|went\b|met\b){_WHAT}(?:with|on|in|using|via|through)\s(?P<with>{NAME})"
    rf"|{_OURS}(?:(?:is|are)\s(?:[a-z]+\s)?|runs?\s|lives?\s|goes\s|go\s)(?:(?:on|in|with|at|to)\s)?(?P<is>{NAME}))",
    "in on with using via through at to for as is are",
)
_PACE = cued(rf"\b(?P<value>{OFTEN})\b", "every a an per each ly*")
_GROUP = r"team|company|startup|start-up|agency|band|crew|group|studio|department|firm|squad|club"
_HEADS = (
    r"people|persons|of\sus|members|employees|staff|folks|colleagues"
    r"|leute|personen|personas|personnes"
)
_PEOPLE = cued(
    rf"(?:\b(?:our|my)\s(?P<group>(?:\w+\s)?(?:{_GROUP}))\s(?:is|has|have|counts|employs|consists\sof)\s(?:now\s)?(?P<a>{COUNT})\s(?:{_HEADS})\b"
    rf"|\bthere\sare\s(?P<b>{COUNT})\sof\sus\b(?:\s(?:in|at)\s(?:the|our|my|this)\s(?P<there>\w+))?"
    rf"|{_AM}(?:a\s(?:team|company|group|band|crew|startup)\sof\s(?P<c>{COUNT})\b|(?P<d>{COUNT})\s(?:{_HEADS})\b)(?:\s(?:in|at)\s(?:the|our|my|this)\s(?P<where>\w+))?"
    rf"|\bwe\shave\sa\s(?:team|crew|staff)\sof\s(?P<e>{COUNT})\b"
    rf"|\bunser\s(?:team)\s(?:hat|besteht\saus)\s(?P<f>{COUNT})\s(?:{_HEADS})|\bwir\ssind\s(?P<g>{COUNT})\s(?:{_HEADS})"
    rf"|\bsomos\s(?P<h>{COUNT})\s(?:{_HEADS})|\bnous\ssommes\s(?P<i>{COUNT})\s(?:{_HEADS}))",
    "our my us we're are we is unser wir somos nous user",
)
_KIN = cued(
    rf"{_I}(?:have|has|got)\s(?P<value>{COUNT})\s(?:(?!and\b|or\b)[a-z-]+\s)?(?P<what>[^\W\d_]+)",
    "have has got",
)
_ROLE = cued(
    rf"\b(?:my|our|the)\s(?P<role>(?:[\w-]+\s){{1,3}}?)is\s(?P<value>(?:(?:Mr|Mrs|Ms|Dr|Prof)\.?\s)?{NAME})(?=[.,;!]|$)",
    "my our the",
)
_YOUNG = late(r"(?:kid|child|children|baby|babie|son|daughter)s?$", re.IGNORECASE)


def held(text: str) -> Iterator[Held]:
    """Yield what a line tells of today that somebody has one of at a time."""
    for each, at in _found(text):
        start, end = clauses.bounds(text, at)
        own = clauses.own(text, start, clauses.since(text, start))
        if clauses.is_past(text, start, end, at):
            continue
        if clauses.is_told(text, own, at, is_named=False):
            yield each


def _found(text: str) -> Iterator[tuple[Held, int]]:
    """Yield each with the column of what it says."""
    for slot, pattern in ((HOME, _HOME), (JOB, _JOB)):
        if match := pattern.search(text):
            yield Held(slot, match["value"].casefold(), match["value"]), match.start("value")
    if match := _TOOL.search(text):
        value = next(each for each in ("used", "with", "is") if match[each])
        of = of_what(" ".join(match[each] or "" for each in ("for", "verb", "what", "own")))
        yield Held(TOOL, match[value].casefold(), match[value], of), match.start(value)
    if match := _ROLE.search(text):
        yield (
            Held(ROLE, match["value"].casefold(), match["value"], of_what(match["role"])),
            match.start("value"),
        )
    if match := _PACE.search(text):
        start, end = clauses.bounds(text, match.start())
        of = of_what(text[start : match.start()] + text[match.end() : end])
        yield Held(PACE, often(match["value"]), match["value"], of), match.start()
    if match := _PEOPLE.search(text):
        value = next(each for each in "abcdefghi" if match[each])
        of = of_group(match["group"] or match["where"] or match["there"])
        said = text[match.start(value) : match.end()]
        yield Held(PEOPLE, count(match[value]), said, of), match.start(value)
    if match := _KIN.search(text):
        of = kin(match["what"])
        yield (
            Held(KIN, count(match["value"]), f"{match['value']} {match['what']}", of),
            match.start("value"),
        )


def of_group(name: str | None) -> frozenset[str]:
    """Return the words of which group people are counted; none of those who speak."""
    return of_what(name or "")


def kin(noun: str) -> frozenset[str]:
    """Return the word of those who are counted: any of a family's children is a child."""
    return frozenset(("child",)) if _YOUNG.match(noun) else of_what(noun)
