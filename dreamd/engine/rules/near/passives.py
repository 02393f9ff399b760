"""What is done by somebody as what somebody does, in other languages than English.

"Die Fenster werden von Ida geputzt" is read as "Ida putzt die Fenster", "a été signé par Ida" as
"Ida signé". A present stays one, and a past one; only sentences that begin with what something is
done to are read so, and of these only the first clause.
"""

from __future__ import annotations

import re
from collections.abc import Callable

from dreamd.text.late import late
from dreamd.text.values.value import listed

_VON = {"von", "vom"}
_IS_DONE = late(  # so that "von" may tell by whom
    r"\b(?:wird|werden|wurden?|worden)\b"
    r"|\bvo[nm]\b.*\b(?:ge|be|ver|er|über|unter|zer|ent)\w+(?:t|en)\b",
    re.IGNORECASE,
)
_IS = late(r"\b(?:heißt|heißen|ist|sind)\b", re.IGNORECASE)
_DONE = "wurde"  # before what was done, so that it is not what is done
_PREFIX = "ab|an|auf|aus|bei|ein|her|hin|los|mit|nach|vor|weg|weiter|wieder|zu|zurück|zusammen"
_STRONG = {  # what is done, and what one does
    pair.partition("/")[0]: pair.partition("/")[2]
    for pair in listed(
        "geschrieben/schreibt gegossen/gießt getrunken/trinkt gegeben/gibt genommen/nimmt"
        " gelesen/liest gesprochen/spricht getroffen/trifft gefunden/findet gehalten/hält"
        " gefahren/fährt getragen/trägt geladen/lädt geschlossen/schließt gezogen/zieht"
        " gebrochen/bricht gerufen/ruft gelassen/lässt gewaschen/wäscht gebacken/backt "
        "gegessen/isst"
        " gestrichen/streicht geschnitten/schneidet gebracht/bringt gesehen/sieht gesungen/singt"
        " gestohlen/stiehlt gebunden/bindet geworfen/wirft geliehen/leiht geholfen/hilft"
        " gemessen/misst gewogen/wiegt gegangen/geht getan/tut gehoben/hebt gestellt/stellt"
        " unterschrieben/unterschreibt beschrieben/beschreibt verschrieben/verschreibt"
        " übernommen/übernimmt vertreten/vertritt betrieben/betreibt vergeben/vergibt"
        " gewonnen/gewinnt empfangen/empfängt erhalten/erhält verloren/verliert"
    )
}
_IN = r"(?:[^,;.]|(?<=\d)\.)"  # of one clause; "am 2. Juni", "8.900"
_PARTICIPLE = late(rf"^({_PREFIX})?ge(\w{{2,}}t)$")
_STRONG_PART = late(rf"^({_PREFIX})?(ge\w+en)$")
_DETERMINED = (
    r"(?:(?:der|die|das|dem|den|einem|einer|meinem|meiner|unserem|unserer|ihrem|ihrer|seinem|seiner)"
    r" )?(?:[a-zäöüß]+(?:en|er|e) )?(?:(?:Frau|Herrn?|Dr) )?[A-ZÄÖÜ][\w-]*(?: [A-ZÄÖÜ][\w-]+)?"
)
_GERMAN = late(
    rf"^(?P<what>(?!(?:Wenn|Falls|Weil|Bevor|Nachdem)\b){_IN}+?) (?:wird"
    rf"|werden)\b(?P<first>{_IN}*?)"
    rf" (?:von|vom|durch) (?P<who>{_DETERMINED})(?! (?:und|nach|in|zu|zum|zur)\b)(?P<then> "
    rf"{_IN}*?)? (?P<deed>[a-zäöüß]+(?:t|en))"
    r"(?P<rest>[,;.].*)?$"
)
_WAS = late(
    rf"^(?P<what>{_IN}+?) (?:wurde|wurden)\b(?P<first>{_IN}*?)"
    rf" (?:von|vom|durch) (?P<who>{_DETERMINED})(?! (?:und|nach|in|zu|zum|zur)\b)(?P<then> "
    rf"{_IN}*?)? (?P<deed>[a-zäöüß]+(?:t|en))"
    r"(?: worden)?(?P<rest>[,;.].*)?$"
)
_FRONTED = late(  # "In den Ferien werden die Tomaten von Ida gegossen"
    rf"^(?P<front>(?:In|Im|Am|An|Ab|Um|Vor|Nach|Seit|Bis|Jeden|Jede|[A-ZÄÖÜ][a-zäöü]+s\b){_IN}*?)"
    rf" (?P<aux>wird|werden|wurde|wurden) (?P<what>(?:die|der|das|unsere?|meine?|alle|den) {_IN}+?)"
    r"(?= (?:von|vom|durch)\b)"
)
_PERFECT = late(
    rf"^(?P<who>{_IN}+?) (?:hat|haben) (?!(?:wir|ich|er|sie|es|man|du|ihr)\b)(?P<what>{_IN}+?) "
    rf"(?P<deed>(?:(?:[a-zäöüß]*ge|be|ver|er|ent|zer|unter|über)"
    r"[a-zäöüß]+(?:t|en)|[a-zäöüß]+iert))(?P<rest>[,;.].*)?$"
)
_APART = late(
    rf"^(?P<who>{_IN}+?) (?P<deed>[a-zäöüß]{{2,}}t) (?P<rest>{_IN}+) (?P<part>{_PREFIX})(?=[,;.]|$)"
)
_DENIED = late(r"\b(?:nicht|nie|niemals|kein\w*|nur|auch)\b")
_FRENCH = late(
    rf"^(?P<what>{_IN}+?) (?P<aux>est|sont|a été|ont été) (?P<deed>\w+?(?:é|i|u|it|is|rt))"
    rf"(?:e|s|es)?\b(?P<first>{_IN}*?) par (?P<who>(?:(?:le|la|les|mon|ma|notre|son|sa) "
    rf"|l')?[\w'-]+"
    r"(?: (?-i:[A-ZÉ])[\w-]+)*)(?P<rest>.*)$",
    re.IGNORECASE,
)
_SPANISH = late(
    rf"^(?P<what>{_IN}+?) (?:fue|fueron|ha sido|han sido) (?P<deed>\w+?)(?P<end>ad|id)[oa]s?"
    rf"\b(?P<first>{_IN}*?) por (?P<who>(?:(?:el|la|los|las|mi|nuestro|nuestra|su) )?[\w-]+"
    r"(?: (?-i:[A-ZÁÉÍÓÚ])[\w-]+)*)(?P<rest>.*)$",
    re.IGNORECASE,
)


def is_of(word: str, text: str) -> bool:
    """Whether a German "von" tells whose something is: the text only tells what it is or its name.

    Who gets or tells something has it from somebody.
    """
    return word in _VON and bool(_IS.search(text)) and not _IS_DONE.search(text)


def told_actively(text: str, spoken: str) -> str:
    """Return a text with what somebody has something done by as what somebody does."""
    tell = _TELLING.get(spoken)
    return tell(text) if tell else text


def _german(text: str) -> str:
    text = _FRONTED.sub(
        lambda match: (
            f"{match['what'][:1].upper()}{match['what'][1:]} {match['aux']} "
            f"{match['front'][:1].lower()}{match['front'][1:]}"
        ),
        text,
    )
    if _DENIED.search(text):
        return text
    match = _GERMAN.match(text)
    if match and (deed := _does(match["deed"])):
        return _joined(match, deed)
    match = _WAS.match(text)
    if match:
        return _joined(match, f"{_DONE} {match['deed']}")
    match = _PERFECT.match(text)
    if match:
        return f"{match['who']} {_DONE} {match['deed']} {match['what']}{match['rest'] or ''}"
    match = _APART.match(text)
    if match:
        return f"{match['who']} {match['part']}{match['deed']} {match['rest']}{text[match.end() :]}"
    return text


def _joined(match: re.Match[str], deed: str) -> str:
    said = [
        match["who"],
        deed,
        match["what"],
        (match["first"] or "").strip(),
        (match["then"] or "").strip(),
    ]
    return " ".join(filter(None, said)) + (match["rest"] or "")


def _does(deed: str) -> str:
    """Return what one does where it is done: `putzt` of `geputzt`, nothing if unknown."""
    if strong := _STRONG_PART.match(deed):
        return (strong[1] or "") + _STRONG.get(strong[2], "") if strong[2] in _STRONG else ""
    if deed in _STRONG:
        return _STRONG[deed]
    weak = _PARTICIPLE.match(deed)
    if weak:
        return f"{weak[1] or ''}{weak[2]}"
    return deed if deed.endswith("t") else ""


def _french(text: str) -> str:
    match = _FRENCH.match(text)
    if not match:
        return text
    is_now = match["aux"].casefold() in {"est", "sont"}
    deed = match["deed"]
    if is_now and not deed.endswith("é"):
        return text  # "est vendue" and "a vendu" are of one form
    deed = deed.removesuffix("é") + "e" if is_now else f"a {deed}"
    said = [match["who"], deed, match["what"], match["first"].strip()]
    return " ".join(filter(None, said)) + match["rest"]


def _spanish(text: str) -> str:
    match = _SPANISH.match(text)
    if not match:
        return text
    deed = match["deed"] + ("ó" if match["end"] == "ad" else "ió")
    said = [match["who"], deed, match["what"], match["first"].strip()]
    return " ".join(filter(None, said)) + match["rest"]


_TELLING: dict[str, Callable[[str], str]] = {"de": _german, "fr": _french, "es": _spanish}
