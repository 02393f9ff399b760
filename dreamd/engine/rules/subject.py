"""Whether a sentence names what it is about, or leaves that to the heading above it."""

from __future__ import annotations

from functools import lru_cache

from dreamd.domain.late import late
from dreamd.domain.markdown import plain
from dreamd.domain.prose.verbs import COMMANDS
from dreamd.domain.prose.words import words
from dreamd.engine.rules.near.languages import language
from dreamd.engine.rules.near.verbs import VERBS

_MARKER = late(r"^\s*(?:[-*+]|\d{1,9}[.)])?\s*(?:\[[ xX]\]\s*)?(?:[Nn]ote:\s*)?")
_WORD = late(r"[^\W_]+(?:['’.-][^\W_]+)*")  # noqa: RUF001  (the apostrophe people type)
# stand before a subject, or a phrase that comes before it
_OPENING = {
    "en": words(
        "the a an all any both each either every few half many most much neither nobody none "
        "several some two three my our i we you about after against as at because before behind "
        "below between by during except for from if in inside into near of on once outside over "
        "per since through to towards under unless until upon when whenever where while with "
        "without "
    ),
    "de": words(
        "der die das den dem des ein eine einen einem einer kein keine keinen alle jeder jede "
        "jedes jeden beide mein meine unser unsere wir ich man ab am an auf aus bei beim bevor "
        "bis durch falls für gegen im in ins mit nach ohne seit über um unter von vom vor während "
        "weil wenn wegen zu zum zur zwischen immer nie niemals nur "
    ),
    "fr": words(
        "le la les l un une des du mon ma mes notre nos chaque tout tous toute toutes aucun "
        "aucune on nous je à après au aux avant avec chez contre dans de depuis en entre jusqu "
        "lors par pendant pour quand sans selon si sous sur vers ne jamais toujours "
    ),
    "es": words(
        "el la los las un una unos unas mi mis nuestro nuestra cada todo toda todos todas ningún "
        "ninguna hay a al ante antes con contra cuando de del desde durante en entre hasta para "
        "por según si sin sobre tras no nunca siempre "
    ),
    "it": words(
        "il lo la i gli le l un uno una ogni tutti tutte nessun nessuna mio mia nostro nostra a al "
        "alla con contro da dal dalla di dopo durante fino in nel nella per prima quando se senza "
        "su sul sulla tra fra non mai sempre "
    ),
    "pt": words(
        "o a os as um uma cada todo toda todos todas nenhum nenhuma meu minha nosso nossa à ao com "
        "contra de do da depois desde durante em no na entre para por quando se sem sob sobre não "
        "nunca sempre "
    ),
    "nl": words(
        "de het een elke elk alle geen mijn onze ons aan bij door in met na naar om op over per "
        "sinds tegen tot uit van voor voordat wanneer als zonder nooit altijd "
    ),
}
_VERBS = {  # stand behind it, and never alone before what they are said of
    "en": words(
        "is are was were has have had must should can cannot may might will would need needs isn't "
        "aren't wasn't hasn't haven't mustn't shouldn't can't won't "
    ),
    "de": words(
        "ist sind war waren hat haben muss müssen soll sollen sollte sollten darf dürfen kann "
        "können wird werden wurde wurden möchte will beginnt braucht brauchen dauert endet geht "
        "gehen gilt gelten heißt kommt kommen kostet kosten läuft laufen liegt liegen steht stehen "
        "wohnt zahlt "
    ),
    "fr": words(
        "est sont était étaient a ont doit doivent peut peuvent sera seront coûte dure habite "
        "préfère travaille utilise va veut vont "
    ),
    "es": words(
        "es son está están era fue fueron ha han debe deben puede pueden será serán cuesta dura "
        "prefiere quiere tiene tienen trabaja usa va van vive "
    ),
    "it": words("è sono era ha hanno deve devono può possono va vanno vive"),
    "pt": words("é são está estão foi tem têm deve devem pode podem vai vive"),
    "nl": words(
        "is zijn was heeft hebben moet moeten mag mogen kan kunnen wordt worden gaat woont "
    ),
}
_USUAL = words(
    "want lie live take go come get make work mean know see think like need drink eat pay cost "
    "expire own belong depend differ exist fail happen hate love matter prefer reside sit sleep "
    "sound stay study sing swim teach visit wear win wish lead handle review support contain"
)
_POINTING = words(
    "that this these those there here one his her hers its their theirs he him she it they them "
    "es er sie ihr ihre sein seine dieser diese dieses dort hier il elle ils elles son sa ses leur "
    "leurs ce cette ces ici su sus este esta estos estas eso esto él ella ellos ellas aquí zijn "
    "haar"
)
_HOW_OFTEN = words(
    "always never usually often sometimes rarely currently only also no not longer once now still "
    "mostly already please do don't"
)
_MANY = words("i we you they who people and")
_GOING_ON = words("which who and")
_OWNING = ("'s", "’s", "s'")  # noqa: RUF001
_FEWEST = 3  # words of a sentence
_NEAR = 5  # words within which the verb follows a subject without an article
_DONE = ("ed", "es", "s")  # English words of one that does or has something, if they stand first


def names_subject(text: str) -> bool:
    """Whether a sentence surely says what it is about: "The backup runs at 2", not "Runs at 2".

    It has a verb that is known, and begins with an article, a preposition, a word of time or
    denial, with a subject before that verb or, in English, with a command, and with no pronoun
    that may be of the heading: "It runs at 2".
    """
    said = [word.casefold() for word in _WORD.findall(_MARKER.sub("", plain(text)))]
    if len(said) < _FEWEST or said[0] in _POINTING:
        return False
    if _is_english(said):
        return True
    spoken = language(text)
    verbs = _VERBS.get(spoken, frozenset())
    is_led = spoken != "en" and said[0] in _OPENING.get(spoken, ())
    return is_led or (said[0] not in verbs and not verbs.isdisjoint(said[1:_NEAR]))


def _is_english(said: list[str]) -> bool:
    while said and said[0] in _HOW_OFTEN:  # "Never eats fish", "Never push to main"
        said = said[1:]
    if len(said) < _FEWEST - 1 or said[0] in COMMANDS:
        return bool(said and said[0] in COMMANDS)
    first = said[0]
    behind = range(1, _NEAR)
    if first in _OPENING["en"]:
        if not COMMANDS.isdisjoint(said):
            return True  # "If unsure, ask first"
        behind = range(1, len(said))
    elif first.endswith(_DONE) and not first.endswith(_OWNING):  # "Runs at 2", "Backups are kept"
        behind = range(1, 2) if said[1] not in _GOING_ON else range(2, _NEAR)
    return any(_is_verb(said[n], said[n - 1]) for n in behind if n < len(said))


def _is_verb(word: str, before: str) -> bool:
    """Whether a word may be the verb of a sentence: "keeps", and "keep" behind more than one."""
    if word in _VERBS["en"]:
        return True
    base = next((word.removesuffix(end) for end in ("es", "s") if word.endswith(end)), word)
    known = _deeds()
    if word.endswith("s") and not known.isdisjoint({base, f"{base}e"}):
        return True
    return word in known and (before.endswith("s") or before in _MANY)


@lru_cache(maxsize=1)
def _deeds() -> frozenset[str]:
    rows = (each.strip() for row in VERBS.splitlines() for each in row.split(","))
    return frozenset(each for each in rows if each and " " not in each) | COMMANDS | _USUAL
