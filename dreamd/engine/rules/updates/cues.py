"""How a sentence says that a value is new: it rose to it, it is the new one, it was another."""

from __future__ import annotations

import re
from dataclasses import dataclass

from dreamd.engine.rules.updates.quantities import DAYS, Quantity, quantities
from dreamd.text.late import late
from dreamd.text.time.calendar_words import MONTHS, WEEKDAYS

TURNS = (
    "increas(?:ed|es|ing)? rais(?:ed|es|ing) adjust(?:ed|s|ing)? extend(?:ed|s|ing)?"
    " chang(?:ed|es|ing) updat(?:ed|es|ing) reduc(?:ed|es|ing) lower(?:ed|s|ing)?"
    r" decreas(?:ed|es|ing)? mov(?:ed|es|ing) push(?:ed|es|ing)?(?:\sback|\sout)?"
    " shift(?:ed|s|ing)? postpon(?:ed|es|ing) reschedul(?:ed|es|ing) delay(?:ed|s|ing)?"
    r" bump(?:ed|s|ing)?(?:\sup)? cut(?:ting)?(?:\sdown)? drop(?:ped|s|ping)? fell fallen"
    r" r[io]se(?:n|s)? gr[eo]w(?:n|s)? w[e]nt(?:\sup|\sdown)? gone(?:\sup|\sdown)? climb(?:ed|s)"
    " improv(?:ed|es|ing) revis(?:ed|es|ing) expand(?:ed|s|ing)? upgrad(?:ed|es|ing)"
    r" downgrad(?:ed|es|ing) boost(?:ed|s|ing)? set\sback brought(?:\sforward|\sup|\sdown)?"
    " jump(?:ed|s) renegotiat(?:ed|es) switch(?:ed|es|ing)? migrat(?:ed|es|ing) tighten(?:ed)?"
    r" relax(?:ed)? trim(?:med)? scaled(?:\sup|\sdown)? shorten(?:ed)? lengthen(?:ed)? slipped"
    " doubl(?:ed|es|ing) tripl(?:ed|es|ing) halv(?:ed|es|ing) optimi[sz](?:ed|es|ing)"
    " enhanc(?:ed|es|ing) refin(?:ed|es|ing) refactor(?:ed|s|ing) accelerat(?:ed|es|ing)"
    " slow(?:ed|s|ing)"
    r" crept(?:\sup|\sdown)? shr[au]nk(?:en)? swelled swollen soared plummeted ballooned dipped"
    r" slid surged hiked slashed narrowed inched edged rolled\sback backed\sup got upgrade"
    " downgrade hike bump up(?:ped|s|ping) raise extension"
    " strengthen(?:ed|s|ing) correct(?:ed|s|ing) rais(?:ed|es) came come"
    " growth rise drop reduction jump change boost improvement extension increase decrease update"
    r" adjustment (?:was|is|been|have|has|i|we|re)\s?set"
)
TURN = late(rf"\b(?:{'|'.join(TURNS.split(' '))})\b", re.IGNORECASE)  # a word of change
_TURN = (
    rf"(?:{'|'.join(TURNS.split(' '))}"
    r"|(?:managed|decided|agreed|chose|chosen|had|(?:was|were|been)\sable)\sto\s(?!have\b|be\b)\w+)"
)
ABOUT = (
    r"(?:(?:about|around|roughly|approximately|over|nearly|almost|just|only|exactly|version|port|the|v"
    r"|(?:an?|the)\s(?:\w+\s){0,2}(?:of|for)|an?\s(?:daily|weekly|monthly|yearly|full|total|whole|max\w*)"
    rf"|(?:{'|'.join(WEEKDAYS)}),?)\s)*"
)
_NEW = (
    r"(?:new|updated|revised|increased|reduced|adjusted|extended|raised|lowered|latest|improved"
    r"|rescheduled|postponed|expanded)"
)
_WITHIN = (  # a word of the noun phrase, and of no other
    r"(?!(?:and|but|or|to|with|using|that|which|is|was|of|for|i|we|so|in|on"
    r"|reached)\s)[\w'’/-]+\s"  # noqa: RUF001
)
_OF_IT = rf"(?:(?:of|for|in|on)\s(?:the|my|our|his|her|their)\s(?:{_WITHIN}){{1,4}}?)?"
_TO = late(
    rf"\b{_TURN}\b[^.;!?]{{0,90}}?\s(?:(?:up|down|back|out)\s)?(?:to|until"
    rf"|till)\s(?:(?:be|include|cover|have|reach|total|handle|support|allow)\s)?{ABOUT}$"
    rf"|\b(?:rescheduled|postponed|moved|pushed(?:\sback)?|set|rebooked)\s(?:\w+\s){{0,3}}?for\s{ABOUT}$",
    re.IGNORECASE,
)
_FROM = late(
    rf"\b{_TURN}\b[^.;!?]{{0,90}}?\bfrom\s(?P<was>\S.{{0,40}}?)\s(?:(?:up|down)\s)?to\s{ABOUT}$",
    re.IGNORECASE,
)
_REACHED = late(
    r"\b(?:(?:has|have|had|is|are|was|were|we're|i'm|it's|they're)\s(?:\w+ly\s)?(?:now\s"
    r"|already\s)?(?:at|up\sto|down\sto)"
    r"|now\s(?:has|have|holds?|seats?)\s(?:\w+\s){1,2}for"
    r"|(?:now|currently)(?:\s(?:is|are|have|has|at|we|i|use[sd]?|using|takes?|costs?|runs?|on"
    r"|for|sits?|stands?|got|we're|i'm|reached|listens?|set|to|up|down|expires?|lasts?))*"
    r"|(?:is|are|'s|'re|has|have|use[sd]?|costs?|takes?|runs?(?:\son)?)\snow(?:\s(?:at|on|to"
    r"|up\sto|down\sto|set\sto|a))*"
    r"|(?:now|currently)\s\w+(?:\s\w+)?|(?:stands?|sits?|settled|stabili[sz]ed|ended\sup|remains?)\s(?:at|with)"
    r"|(?:got|gotten|get)\s[\w\s'-]{1,40}\s(?:up|down)\sto|(?:settled|landed)\son"
    r"|(?:went|ended\sup|came\sout)\s(?:with|at)|(?:ended|wound)\sup\s\w+ing|down\sto|c[ao]me(?:s|\sout)?\sto"
    r"|(?:gr[eo]wn?|rose|risen|climbed|went|gone|jumped|soared)\s(?:past|over|above)|mak(?:ing|es)\s(?:it|that|us)|(?:that|which|this)\smakes|crossed|surpassed|passed|topped|exceeded|achieved|attained"
    r"|reache[ds]|hit|grown\sto|(?:put|got|brought|moved)\s(?:me|us|it|him|her|them)\s(?:up|down)\sto|a\stotal\sof|bringing\s[\w\s]{1,30}\sto|brings\s[\w\s]{1,30}\sto)"
    rf"\s{ABOUT}$",
    re.IGNORECASE,
)
_AS_OF = late(  # at the head of a clause
    r"(?:^|[,;:—–]\s*|\b(?:and|but|so)\s+)(?:these\sdays|nowadays|lately|at\sthe\smoment|right\snow"  # noqa: RUF001
    r"|from\snow\son|as\sof\s(?:today|now|yesterday|this\s\w+|last\s\w+|(?-i:[A-Z])\w+)),?\s"
    r"[^.,;:]{2,60}\s$",
    re.IGNORECASE,
)
_NAMED = late(
    rf"\b(?i:my|our|the|his|her|their|its|a"
    rf"|to)\s(?:(?!have\b|be\b)\w+\s)?{_NEW}\s(?:{_WITHIN}){{0,5}}?(?:{_OF_IT}(?:is|:)\s|of\s)?{ABOUT}$"
)
_OWN = r"(?:my|our|his|her|their|the|[^\W\d_]+['’]s)"  # noqa: RUF001
_RECENT = late(  # there is one at a time
    rf"\b{_OWN}\s(?:\w+\s)?(?:most\s)?(?:recent|latest|current)\s(?:{_WITHIN}){{0,4}}?(?:{_OF_IT}is\s|of\s)?$",
    re.IGNORECASE,
)
_ON_RECENT = late(
    rf"(?:\s[\w-]+){{0,3}}?\s(?:on|in|for|of)\s{_OWN}\s(?:most\s)?(?:recent|latest|current)\b",
    re.IGNORECASE,
)
_BEFORE = late(  # what it was, told behind it
    r"(?:[\s,][\w'’-]+){0,4}?[\s,]+\(?(?:instead\sof|rather\sthan|(?:up|down)\sfrom|and\snot"  # noqa: RUF001
    r"|not"
    r"|(?<=\()(?:previously|it\swas|was|formerly))\s(?P<was>(?:the\s)?\S.{0,30})",
    re.IGNORECASE,
)
_BEHIND = late(
    r"(?:\s[\w'’-]+){0,5}?,?\s(?:now|in\stotal|so\sfar|altogether|these\sdays|nowadays"  # noqa: RUF001
    r"|at\sthe\smoment|as\sof\s(?:today|now|this)|from\snow\son|going\sforward"
    rf"|(?<!,\s)since\s(?:yesterday|today|last|this|the|we|i|my|our|{'|'.join(MONTHS)})|by\snow|to\sdate"
    r"|at\s(?:this\spoint|present)|instead)\b(?!\sof)",
    re.IGNORECASE,
)
_STEP = late(
    r"\b(?:by|another|additional|extra|first|last|next|per|within|after|under|between"
    r"|than|top|(?<!grew\s)(?<!grown\s)(?<!rose\s)(?<!went\s)(?<!gone\s)(?<!climbed\s)(?<!jumped\s)past|over\sthe|for\sthe)\s(?:about\s|around\s)?$",
    re.IGNORECASE,
)


@dataclass(frozen=True, slots=True)
class Cue:
    """What says that a value is new; `is_named` where it is called so, `was` what it was before.

    `is_known`: the words take it for granted, "his recent score of 72 %", even in a question.
    `is_plain`: nothing says that it is new; it may only be the same said again with another value.
    `is_asked`: it stands in a question.
    """

    is_named: bool = False
    is_known: bool = False
    was: Quantity | None = None
    is_plain: bool = False
    is_asked: bool = False


def cue(text: str, value: Quantity, since: int) -> Cue:
    """Return what says that a value of a sentence is new.

    `since` is the column from which its clause can be understood. By how much something changed
    ("raised by 20 %") is no value of it.
    """
    before = text[since : value.start]
    if value.kind == "version" or (value.kind == "number" and not value.unit):
        before = _NAME.sub(" ", before)
    if is_step(text, value, since):
        return _PLAIN
    plain = _GRANTED if _MINE.search(before) else _PLAIN
    lowered = before.casefold()
    if "from" in lowered and (found := _FROM.search(before)) and (was := _first(found["was"])):
        return Cue(was=was)
    after = text[value.end : value.end + 80]
    if _RECENT.search(before) or _ON_RECENT.match(after):
        return Cue(is_named=True, is_known=True)
    if found := _NAMED.search(before):
        return Cue(is_named=True, is_known=found[0].partition(" ")[0].lower() not in {"a", "to"})
    told = _BEFORE.match(after)
    was = _first(told["was"]) if told else None
    if (any(each in lowered for each in _TOS) and _TO.search(before)) or was:
        behind = _FROM_BEHIND.match(after)
        return Cue(was=was or (_first(behind["was"]) if behind else None))
    if _BEHIND.match(after) or _AS_OF.search(before):
        return Cue()
    if corrects(text) and not _ENDED.search(text, 0, value.start):
        return Cue()
    if value.kind in {"date", "weekday"}:
        return Cue() if _NOW.search(before) or _AGREED.search(before) else plain
    return Cue() if _REACHED.search(before) else plain


def corrects(text: str) -> bool:
    """Whether a sentence begins by correcting what was said before."""
    return _CORRECTS.match(text) is not None


_CORRECTS = late(  # what was said before
    r"\W*(?:no,?\s|sorry,?\s|oh,?\s|wait,?\s|well,?\s|but\s)*(?:actually|correction\b|turns\sout|it\sturns\sout|i\swas\swrong|my\smistake"
    r"|i\smisread|not\squite)\b",
    re.IGNORECASE,
)
_ENDED = late(r"[.!?]\s")
_FROM_BEHIND = late(r"(?:\s[\w'-]+){0,3}?\sfrom\s(?P<was>\S.{0,30})", re.IGNORECASE)
_NAME = late(r"(?<=\bto)\s[`'\"]?[\w+#.-]+[`'\"]?\s$")  # upgraded to Postgres 16.1.0
_AGREED = late(
    rf"\b(?:settled|landed)\son\s{ABOUT}$|\bgave\s\w+\suntil\s{ABOUT}$",
    re.IGNORECASE,
)
_NOW = late(r"\bnow\s(?:\w+\s){0,3}?$", re.IGNORECASE)
_TOS = ("to", "til", "for")  # of which one stands in what `_TO` matches
_PLAIN = Cue(is_plain=True)
_GRANTED = Cue(is_plain=True, is_known=True)
_MINE = late(  # my weekly limit of 20, our 30-day trial, Scott's 95% rate
    r"\b(?:my|our|his|her|their|[A-Z][^\W\d_]+['’]s)\s(?:(?!(?:to|and|or|for|with|in|on)\s)[\w-]+\s){0,4}?(?:of\s)?$"  # noqa: RUF001
)


def lately(text: str) -> str:
    """Return a text in which no word says that something is of yesterday, column by column.

    What changed then is news.
    """
    return _LATELY.sub(lambda match: "-" * len(match[0]), text)


_LATELY = late(r"\b(?:yesterday|last\s(?:night|week|weekend)|over\sthe\sweekend)\b", re.IGNORECASE)


def _first(text: str) -> Quantity | None:
    """Return the value with which some words begin, after an article at most."""
    found = next(iter(quantities(text)), None)
    return found if found and found.start <= len("about the ") else None


def is_step(text: str, value: Quantity, since: int) -> bool:
    """Whether a value says by how much something changes, and not what it is."""
    if value.kind in DAYS:
        return False
    return bool(_STEP.search(text[since : value.start]) or _OVER.match(text, value.end))


_OVER = late(
    r"(?:\s(?!(?:after|for|with|of|in|than|the|and|an?)\b)[\w-]+){0,2}?\s(?:over|short|late|behind|ahead|left\sover|too\s(?:many|much|long|late|few)|more|less|fewer"
    r"|extra|faster|slower|later|earlier|longer|shorter|higher|lower|cheaper)\b(?!\sthe\b)",
    re.IGNORECASE,
)


def is_start(text: str, at: int, since: int) -> bool:
    """Whether the value at a column is that from which something changed."""
    return _STARTS.search(text[since:at]) is not None


_STARTS = late(r"\bfrom\s(?:the\s|about\s)?$", re.IGNORECASE)
