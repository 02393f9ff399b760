"""The phrases of a sentence that say of what a value is: "on macOS", "of my parents"."""

from __future__ import annotations

import re
from collections.abc import Iterator
from dataclasses import dataclass

from dreamd.domain.prose.words import words
from dreamd.engine.rules.updates.given import Given, telling
from dreamd.engine.rules.updates.quantities import DAYS
from dreamd.text.late import late
from dreamd.text.time.calendar_words import MONTHS

_DETERMINERS = (
    r"(?:the|my|our|an?|his|her|their|this|these|those|all|some|any|most|each|every|its"
    r"|d(?:er|ie|as|en|em|es)|(?:ein|mein|unser|sein|ihr)e?[mnrs]?|les?|la|mon|ma|mes|nos"
    r"|notre|leurs?|ses|son|sa|el|l[ao]s|una?|mis?|nuestr[ao]s?|sus?)"
)
_LEADS = (
    r"in|on|at|for|inside|within|outside|under|during|near|without|among|across|throughout|via|beyond|through|behind|above|below|from"
    r"|im|auf|a[mn]|für|vo[nm]|bei|beim|während|ohne|unter|innerhalb|außerhalb"
    r"|dans|en|sur|chez|pour|sans|pendant|aux?|para|sin|durante|sobre|por"
)
_OF = r"of|de|du|des|del|d['’]"  # noqa: RUF001
_WORDS = r"(?P<what>[^\W\d_][\w.'’-]*(?:\s(?!(?:is|are|was|were)\b)[^\W\d_][\w.'’-]*)?)"  # noqa: RUF001
_NAMED = late(
    rf"\b(?P<to>{_LEADS}|{_OF})(?:\s|(?<=['’]))(?P<own>(?:{_DETERMINERS}\s|l['’])*){_WORDS}",  # noqa: RUF001
    re.IGNORECASE,
)
_WITH = late(  # who is named joins them: "11 people with Ann"
    rf"(?P<to>with|mit|avec|con)\s(?P<own>(?:{_DETERMINERS}\s)*)(?-i:(?=[a-zà-ÿ])){_WORDS}",
    re.IGNORECASE,
)
_WHOSE = late(  # "die Miete meiner Eltern"
    rf"(?<=[^\W\d_]\s)(?P<own>(?:mein|unser|sein|ihr|ein)e[rs]|des)\s{_WORDS}", re.IGNORECASE
)
_GROUP = late(  # the children's choir, our neighbours' dog
    r"\b(?P<what>(?:children|kids|women|men|people)(?=['’]s\s)|[a-zà-ÿ]{3,}s(?=['’]\s))"  # noqa: RUF001
)
_DOING = late(r"(?:\s[\w'’-]+){0,2}?\s[a-z]+ing\b")  # noqa: RUF001
_LISTED = late(r"\d[^,;]{0,60}(?:[,;]|\band\b)", re.IGNORECASE)  # another value before
_NEXT = late(r"(?:[\s%/-]|(?!(?:and|but|so|because|since|that|which|who|to)\b)[^\W\d_]+){0,6}")
_PER = late(
    r"\s(?:per|an?|each|every|pro|par|por|al|je)\s(?:hour|day|week|month|quarter|year|night|minute"
    r"|second|person|head|stunde|tag|woche|monat|jahr|minute|jour|semaine|mois|an|heure|día|mes|año"
    r"|semana|hora|minuto)\b",
    re.IGNORECASE,
)
_STOPS = words(  # a noun phrase goes no further
    "now has have had takes take took costs cost weighs runs run lasts needs uses use used holds"
    " went goes sits stands gets got to from by at in on for of with and or but that which who"
    " when since so as than up down already only just still currently is are was were be been will"
    " can should we i it they he she you there this these our my the jetzt nun ist sind dauert"
    " kostet hat beträgt liegt wiegt läuft seit est sont passe passé coûte dure a maintenant es"
    " son cuesta tiene ahora subió dura pesa está hay opens opened closes starts begins listens"
    " serves makes pays earns expires allows keeps stores handles processes returns holds carries"
    " seats"
)
_WHY = words(  # no scope: when, why or how it came to be, where one reads it, or all of it
    "average total moment meantime end beginning start fact general practice order addition"
    " return response case spite terms instance example good sure once least most first last time"
    " times while present date sum short full advance place effect force progress row all now"
    " later today tomorrow meeting retro retrospective review standup sync planning appointment"
    " visit checkup interview negotiation negotiations session migration upgrade move switch"
    " change update release refactor refactoring contract agreement renewal reorg lease offer deal"
    " price rate coming year month week day weeks months years days hour hours minutes quarter"
    " half weekend morning evening afternoon noon midnight behalf account top hand board paper"
    " record budget run reason reasons point me us you him them mind everyone everybody everything"
    " free sale hold track schedule peace course whole own opinion reality theory process attempt"
    " try go past future middle exchange shape need scale scales meter dashboard bill invoice"
    " statement spreadsheet log tracker watch calendar receipt chart report letter email notice"
    " quote screen app data tracking system schnitt durchschnitt insgesamt woche monat jahr tag"
    " ende anfang moyenne ce semaine mois année jour instant promedio media semana mes año día"
    " momento ciento"
) | words(" ".join(MONTHS))
_NEWLY = words(
    "new latest last recent current updated revised next previous past following extra additional"
    " more better help neue neuen neuem neuer nouveau nouvelle nuevo nueva letzten letzter letztem"
    " dernier dernière último última"
)
_OURS = words(  # what is meant anyway
    "project app application code codebase repo repository system company firm business team"
    " house home household family flat apartment place site website product service world country"
    " projekt firma team haus wohnung familie projet équipe maison appartement famille entreprise"
    " proyecto equipo casa piso familia empresa"
)
_COUNTED = words(
    "because instead out ahead kind sort type number amount sum maximum minimum most half part"
    " pair couple lot all each one some none any both many few plenty two three rate score average"
    " top total limit speed length duration size course price cost range level version value worth"
    " means top share weight as"
)
_PEOPLE = words(  # of whom any phrase tells who they are: "users in Brazil"
    "users customers clients people students members employees visitors guests readers drivers kids"
    " adults children pensioners subscribers patients parents residents players colleagues nutzer"
    " kunden mitglieder utilisateurs clients membres usuarios clientes miembros"
)
_BEFORE = late(r"(?P<word>[^\W_]+)\W*$")
_FRONT = late(
    rf"\W*(?:(?:and|but|so|also|by\sthe\sway|btw)\W+)*(?:{_LEADS})\s(?:[\w.'’-]+\s?){{1,5}},?\s?",  # noqa: RUF001
    re.IGNORECASE,
)
_MINE = words(
    "my our mein meine meinem meiner unser unsere unserem unserer mon ma mes notre mi mis nuestro"
    " nuestra"
)
_PARTITIVE = {"of", "de", "du", "des", "del", "d'"}


@dataclass(frozen=True, slots=True)
class Phrase:
    """The telling words of a phrase, and the word of which it is told, "" where of the whole.

    `is_own`: it is of something that the speaker has: "in my class".
    """

    head: str
    words: frozenset[str]
    is_own: bool = False


def before(one: Given) -> Iterator[Phrase]:
    """Yield the phrases of the clause that lead to a value, with one that stands before it."""
    at, start = one.quantity.start, _front(one)
    start = max((match.end() for match in _LISTED.finditer(one.text, start, at)), default=start)
    for pattern in (_NAMED, _WHOSE, _WITH):
        for match in pattern.finditer(one.text, start, at):
            head = _BEFORE.search(one.text, start, match.start())
            said = head["word"].casefold() if head else ""
            is_part = match.groupdict().get("to", "").casefold() in _PARTITIVE
            if pattern is _WITH and not telling(said):
                continue  # in front of all it tells how it came to be
            if match.end("what") <= at and not (is_part and said in _COUNTED):
                is_own = not _MINE.isdisjoint((match["own"] or "").casefold().split())
                yield Phrase("" if said in _PEOPLE else said, _said(match), is_own)
    for match in _GROUP.finditer(one.text, start, at):
        yield Phrase("", telling(match["what"]))


def behind(one: Given) -> Iterator[Phrase]:
    """Yield the phrases right behind a value: "4 minutes on Windows".

    Behind a day they only say where.
    """
    if one.quantity.kind in DAYS:
        return
    per = _PER.match(one.text, one.quantity.end)
    start = per.end() if per else one.quantity.end
    for pattern in (_NAMED, _WITH):
        found = pattern.search(one.text, start, one.end)
        if found is None or found["to"].casefold() in _PARTITIVE:
            continue
        if _NEXT.fullmatch(one.text, start, found.start()):
            yield Phrase("", _said(found))


def _front(one: Given) -> int:
    """Return where what says of a value what it is of begins: at a phrase before its clause."""
    if one.start and (found := _FRONT.match(one.text)) and found.end() >= one.start:
        return 0
    return one.start


def _said(match: re.Match[str]) -> frozenset[str]:
    """Return the telling words of a phrase; none of one that tells a time, a cause or all."""
    found: list[str] = []
    for each in match["what"].casefold().replace("’", "'").split():  # noqa: RUF001
        word = each.strip(".'-")
        if word in _STOPS:
            break
        found.append(word)
    if not found or found[-1] in _WHY or not _NEWLY.isdisjoint(found):
        return frozenset()
    own, to = ((match.groupdict().get(each) or "").casefold() for each in ("own", "to"))
    if own.strip() and found == [found[0]] and found[0] in _OURS and to != "near":
        return frozenset()
    is_doing = found[-1].endswith("ing") or _DOING.match(match.string, match.end("what"))
    if to == "without" and (own.startswith("any") or is_doing):
        return frozenset()
    return telling(" ".join(found))
