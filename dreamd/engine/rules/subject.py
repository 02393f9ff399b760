"""Whether a sentence names what it is about, or leaves that to the heading above it."""

from __future__ import annotations

from functools import lru_cache
from itertools import pairwise

from dreamd.domain.prose.verbs import COMMANDS
from dreamd.domain.prose.words import words
from dreamd.engine.rules.near.languages import language
from dreamd.engine.rules.near.stems import IRREGULAR
from dreamd.engine.rules.near.verbs import VERBS
from dreamd.text.late import late
from dreamd.text.markdown.markdown import plain
from dreamd.text.values.names import names

_MARKER = late(r"^\s*(?:[-*+]|\d{1,9}[.)])?\s*(?:\[[ xX]\]\s*)?(?:[Nn]ote:\s*)?")
_MAY = late(r"(?<=\s)May\b")
_CLAUSE = late(r"[,;:(–—]|\s-\s|\.\s")  # noqa: RUF001
_WORD = late(r"[^\W_]+(?:['’.-][^\W_]+)*")  # noqa: RUF001  (the apostrophe people type)
_VERBS = {  # stand behind it, and never alone before what they are said of
    "en": words(
        "is are was were has have had must should can cannot may might will would need needs "
        "isn't aren't wasn't hasn't haven't mustn't shouldn't can't won't "
    ),
    "de": words(
        "ist sind war waren hat haben muss müssen soll sollen sollte sollten darf dürfen kann "
        "können wird werden wurde wurden möchte will beginnt braucht brauchen dauert endet geht "
        "gehen gilt gelten heißt kommt kommen kostet kosten läuft laufen liegt liegen steht "
        "stehen wohnt zahlt "
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
    "stay study sing swim teach visit wear win wish lead handle review support contain "
)
# commands, and no other sort of word
_ORDERS = words(
    "add ask avoid buy choose commit convert create define delete deploy describe edit ensure "
    "execute explain generate ignore include insert install keep make merge mock prefer provide "
    "push remove rename replace respond restart return run say send skip split store summarise "
    "summarize tell treat use verify write "
)
_DEFINITE = words(
    "the our my your this these that those der die das dem den unser unsere mein meine le la les "
    "notre mon ma el los las nuestro nuestra mi il lo gli nosso nossa meu minha de het onze mijn "
)
_SOME_OTHER = late(  # "the designs", but no "the Platform team" nor "the `e2e` job"
    r"\b(?:the|our|my|your|his|her|its|their|der|die|das|den|dem|le|la|les|el|los|las|il|lo)\b"
    r"(?! (?:[A-Z`]|\d))"
)
_MANY_THE = words("les los las gli")  # of all, too
_OF_MANY = words(  # verbs
    "are were have aren't weren't haven't sind waren haben müssen sollen sollten dürfen können "
    "werden wurden sont étaient ont doivent peuvent seront vont son están fueron han deben pueden "
    "serán tienen van devono hanno possono vanno são estão têm devem podem hebben moeten mogen "
    "worden "
)
_MODALS = words("must should can cannot may might will would")
_ADVERBS = words("always never also only usually often still mostly not")
_NOT_MANY = ("ss", "us", "is", "'s", "’s")  # noqa: RUF001
_SETTING = words(  # stand before a phrase, behind which the subject comes
    "about after against as at because before behind below between by during except for from if "
    "in inside into near of on once outside over per since through to towards under unless until "
    "upon when whenever where while with without "
)
_POINTING = words(
    "that this these those there here one his her hers its their theirs he him she it they them "
    "we i you us our my your es er sie wir ich ihr ihre sein seine dieser diese dieses dort hier "
    "il elle ils elles nous je on son sa ses leur leurs ce cette ces ici su sus este esta estos "
    "estas eso esto él ella ellos ellas aquí zijn haar "
)
_BACK = words("it they he she this that these those er sie il elle ils elles él ella ellos ellas")
_HIM = words("him her his he she us its their")
_IT = words("it them they")
_HOW_OFTEN = words("always never please only don't")
_JOINS = words("and or but und oder aber et ou mais y o pero e ma mas en")
_EVERY = words("all any both each every either")
_AMOUNT = words("a an the all any both each every either few half many most much several some no")
_NEAR = 8  # words within which the verb follows a subject
_FEWEST = 3  # words of a sentence
_LONGEST = 600  # characters of a line that are read


@lru_cache(maxsize=1 << 12)
def points_back(text: str) -> bool:
    """Whether a sentence is of what the one above it names: "It runs Debian 12"."""
    said = _WORD.findall(_MARKER.sub("", plain(text)))
    return bool(said) and said[0].casefold() in _BACK


@lru_cache(maxsize=1 << 12)
def names_subject(text: str) -> bool:
    """Whether a sentence surely says what it is about: "The backup runs at 2", not "Runs at 2".

    Its first clause has a verb that is known of, behind a subject that is no pronoun; or it is, in
    English, a command that speaks of nobody by a pronoun ("Never call him").
    """
    text = _MAY.sub("5", _MARKER.sub("", plain(text[:_LONGEST])))
    said = [word.casefold() for word in _WORD.findall(text)]
    if len(said) < _FEWEST or said[0] in _POINTING:
        return False
    first, *rest = _CLAUSE.split(text, maxsplit=1)
    clause = [word.casefold() for word in _WORD.findall(first)]
    if _is_order(said):
        return True
    if clause and clause[0] in _SETTING:
        if any(word in _VERBS["en"] for word in clause[_FEWEST:]):
            return True
        behind = [word.casefold() for word in _WORD.findall(" ".join(rest))]
        return _is_order(behind) or _has_subject(behind, "en")  # "For Norway, VAT is rounded"
    spoken = language(text) or "en"
    return _has_subject(clause, spoken) or (spoken != "en" and _has_subject(clause, "en"))


@lru_cache(maxsize=1 << 12)
def is_named(text: str) -> bool:
    """Whether a sentence begins with a name, and speaks of no "the" or "our" something.

    So it says the same wherever it stands: "Zoe prefers rye".
    """
    text = _MARKER.sub("", text[:_LONGEST])
    is_name = any(
        not each.start and text[: each.end].isalpha() and text[: each.end].istitle()
        for each in names(text)
    )
    return is_name and not _SOME_OTHER.search(text)


@lru_cache(maxsize=1 << 12)
def is_general(text: str) -> bool:
    """Whether a sentence speaks of all of a kind, or commands: "Receipts are kept for 10 years".

    So it says below one heading what it says below another; "the rent", "our dog" and "timeout"
    are each of something.
    """
    for first in _CLAUSE.split(_MARKER.sub("", plain(text[:_LONGEST]))):
        clause = [word.casefold() for word in _WORD.findall(first)]
        if clause and clause[0] not in _SETTING:  # but "In May, …"
            break
    else:
        return False
    if _is_order(clause):
        return True
    if clause[0] in _DEFINITE - _MANY_THE:
        return False
    if clause[0] in _AMOUNT:
        return clause[0] in _EVERY
    return any(
        word in _OF_MANY or (before.endswith("s") and not before.endswith(_NOT_MANY))
        for before, word in pairwise(each for each in clause[:_NEAR] if each not in _ADVERBS)
        if word in _OF_MANY or word in _MODALS or _is_verb(word, before)
    )


def _is_order(said: list[str]) -> bool:
    while said and said[0] in _HOW_OFTEN:
        said = said[1:]
    if len(said) < _FEWEST - 1 or not _HIM.isdisjoint(said) or said[1] in _IT:
        return False
    is_of_some = said[0] in COMMANDS and said[1] in _AMOUNT | _DEFINITE  # "Log every run"
    return said[0] in _ORDERS or is_of_some


def _has_subject(clause: list[str], spoken: str) -> bool:
    """Whether the words of a clause begin with a subject, and a verb follows."""
    verbs = _VERBS.get(spoken, frozenset())
    if not clause or clause[0] in verbs or clause[0] in _POINTING - _DEFINITE:
        return False
    for place, word in enumerate(clause[:_NEAR]):
        if not place or word in _AMOUNT:
            continue
        if word in _JOINS:
            return False  # "Allergic to nuts and needs a pen"
        if word in verbs:
            return True
        if spoken == "en" and _is_verb(word, clause[place - 1]):
            return place > 1 or not _is_deed(clause[0])  # "Wants answers in German"
    return False


def _is_verb(word: str, before: str) -> bool:
    """Whether a word may be the verb of a sentence: "keeps", and "keep" behind more than one."""
    return _is_deed(word) if word.endswith("s") else word in _deeds() and before.endswith("s")


def _is_deed(word: str) -> bool:
    """Whether a word is what somebody does or what is done: "keeps", "kept", "wanted"."""
    bases = {word.removesuffix(end) for end in ("es", "s", "ed", "d") if word.endswith(end)}
    return word in IRREGULAR or not _deeds().isdisjoint(bases)


@lru_cache(maxsize=1)
def _deeds() -> frozenset[str]:
    rows = (each.strip() for row in VERBS.splitlines() for each in row.split(","))
    return frozenset(each for each in rows if each and " " not in each) | _ORDERS | _USUAL
