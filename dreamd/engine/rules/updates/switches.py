"""What people said they use no longer: "we switched from Figma to Penpot", "stopped using npm"."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator
from dataclasses import dataclass

from dreamd.domain.heard import PersonSaid
from dreamd.domain.prose.hearsay import is_secondhand
from dreamd.domain.prose.sentences import Sentence
from dreamd.domain.prose.words import words
from dreamd.engine.rules.updates import clauses, scope
from dreamd.engine.rules.updates.ended import is_limited
from dreamd.engine.rules.updates.given import telling
from dreamd.engine.rules.updates.spoken import News, numbered
from dreamd.engine.rules.updates.statements import as_sentence
from dreamd.text.late import late
from dreamd.text.secrets import secrets

_WORD = r"[\w][\w.+#/-]*[\w+#]|\w"
_NAME = rf"[`'\"]?(?:{_WORD})(?:\s[A-Z0-9](?:[\w.+#/-]*[\w+#])?){{0,2}}[`'\"]?"
_PLAIN = r"(?:[a-z][\w.+#/-]*\s){0,2}?[a-z][\w.+#/-]*"  # no name: "few-shot learning"
_THE = r"(?:(?:the|our|my|a|an)\s)?"
_DONE = r"(?:switch|mov|migrat|chang|transition|convert|upgrad|pivot)(?:ed|ing|e)?|went"
_REPLACED = late(
    rf"\b(?:{_DONE})\s(?:[\w-]+\s){{0,6}}?from\s{_THE}(?P<from>{_NAME}|{_PLAIN})\s(?:over\s)?to\s{_THE}(?P<to>{_NAME})"
    rf"|\breplac(?:ed|ing|e)\s{_THE}(?P<replaced>{_NAME})\s(?:with|by)\s{_THE}(?P<by>{_NAME})"
    rf"|\b(?:use|uses|using|on|with)\s{_THE}(?P<now>{_NAME})(?:\s[\w-]+){{0,4}}?\s"
    rf"(?:instead\sof|in\splace\sof|rather\sthan)\s{_THE}(?P<instead>{_NAME})"
    rf"|\b(?:ditched|abandoned|scrapped|retired|swapped(?:\sout)?|traded|exchanged)\s{_THE}(?P<left>{_NAME})\s"
    rf"(?:for|in\sfavou?r\sof)\s{_THE}(?P<taken>{_NAME})"
    r"|\b(?i:cambiamos|pasamos|migramos|cambié|pasé|migré|(?:hemos|he)\s(?:cambiado|pasado|migrado))\s(?:[\w-]+\s){0,6}?"
    rf"de\s(?P<desde>{_NAME})\sa\s(?P<a>{_NAME})"
    rf"|\bvon\s(?P<von>{_NAME})\s(?:auf|zu|nach)\s(?P<auf>{_NAME})\s(?:umgestellt|gewechselt|umgestiegen|migriert|umgezogen)"
    r"|\b(?:passés?|migré|basculé|changé)\s(?:[\w-]+\s){0,6}?"
    rf"de\s(?P<depuis>{_NAME})\s(?:à|vers)\s(?P<vers>{_NAME})"
    rf"|\bmoved\s(?:off|away\sfrom)\s{_THE}(?P<off>{_NAME})"
    rf"|\b(?:no\slonger\s(?:use|on|with|need)|stopped\susing|don['’]t\suse|not\susing|drop(?:ped|ping)?)\s"  # noqa: RUF001
    rf"(?P<dropped>{_NAME})(?=\s*(?:any\s?more|[.,;!]|$|for\b|at\sall))"
)
_OLD = ("from", "desde", "von", "depuis", "replaced", "instead", "left", "off", "dropped")
_HINTS = (
    "from",
    "replac",
    "instead of",
    "in place of",
    "no longer",
    "stopped",
    "n't use",
    "n\u2019t use",
    "not using",
    "drop",
    "rather than",
    "ditched",
    "abandoned",
    "scrapped",
    "retired",
    "swapped",
    "traded",
    "exchanged",
    "moved off",
    "cambia",
    "cambié",
    "pasamos",
    "pasé",
    "pasado de",
    "migramos",
    "migrado",
    "migré",
    "umgest",
    "umgezogen",
    "gewechselt",
    "passé",
    "basculé",
    "changé",
)
_NO_NAMES = words(
    "it this that these those them one ones scratch there here now then old new first last other "
    "another something anything everything nothing home work school time day week month year "
    "weak strong finite infinite synchronous asynchronous manual"
)
_USED = (
    r"(?:\b(?:us(?:e|es|ed|ing)|runs?|running|deploy\w*|host\w*|built|builds?|building|written|chose"
    r"|choose|chosen|picked|went|rel(?:y|ies)|works?|working|switch\w*|mov\w*|migrat\w*|stick\w*|usa\w*|utili[sz]\w*|nutz\w*|verwend\w*|läuft)\b"
    r"(?:\s[\w'.+#-]+,?){0,8}?\s|:\s*|\b(?:is|are|on|with|via)\s(?:\w+\s){0,2}?)[`'\"*]*"
)
_GONE = r"\b(?:from|of|not|than|over|against|no\slonger\s\w+|stopped\s\w+|vs\.?|like)\s[`'\"*]*$"
_WHERE = late(
    r"\b(?:in|on)\s(?:the|my|our|a|another)\s(\w[\w\s-]{1,40}?)\s(?:project|app|repo|repository|package)\b"
)
_THEY = "|".join((*scope.RELATIVES.split(), *scope.OTHERS.split()))
_WHO = late(
    r"\W*(?:(?:and|but|so|because|since)\s)?(?:(?i:my|our|his|her|a)\s(?:[\w-]+\s)?"
    rf"(?P<whose>{_THEY})\b|(?P<who>(?!\w+ly\b)[A-Z][^\W\d_]+))"
    r"(?:\s[A-Z]\w+)?\s(?:(?:has|have|just|recently|now|also)\s)*"
    r"(?:switched|moved|migrated|changed|transitioned|converted|went|replaced|stopped|dropped)\b"
)
_I = late(r"\b(?:I|[Mm]y)\b")
_NO_ONE = words(
    "we they you who team everybody everyone have just recently finally today yesterday"
)
MOST = 5  # lines that one switch brings up to date


@dataclass(frozen=True, slots=True)
class Switch(News):
    """A name that nobody uses any more, as `old`, in a sentence of which `text` is what tells it.

    `number` is as in `Statement`; `clause` is where it is said. `is_sure`: it has happened, and
    is not only what somebody is going to do.
    """

    text: str
    quote: str
    clause: str
    old: str
    said: PersonSaid
    number: int
    is_sure: bool = True


def switches(said: Iterable[PersonSaid]) -> Iterator[Switch]:
    """Return what people told that they left for something else, in the order of what they said."""
    return numbered(said, _hints, _of_sentence)


def _hints(text: str) -> bool:
    lowered = text.lower()
    return any(hint in lowered for hint in _HINTS)


def _of_sentence(sentence: Sentence, message: PersonSaid, number: int) -> Iterator[Switch]:
    text, shown = sentence.text, sentence.shown
    if not _hints(text):
        return
    for match in _REPLACED.finditer(text):
        old = next(match[each] for each in _OLD if match[each])
        start, end = clauses.bounds(text, match.start())
        begin = clauses.since(text, start)
        if shown[match.start() : match.end()] != text[match.start() : match.end()].translate(
            _SIGNS
        ):
            continue  # in code or a quotation
        if is_secondhand(shown, match.start()):
            continue
        if match["dropped"] and is_limited(text, match.end()):
            continue
        own = clauses.own(text, start, begin)
        is_sure = clauses.is_told(text, own, match.start(), is_named=False)
        is_going = match["instead"] and _GOING.search(text, own, match.start())
        if not is_sure and not is_going:
            continue
        name = old.strip("`'\"")
        is_name = any(map(str.isupper, name)) or not match["replaced"]
        if (
            name.endswith("ly")
            or not any(map(str.isalpha, name))
            or not is_name
            or name.casefold() in _NO_NAMES
            or len(name) < 2
        ):
            continue
        piece = as_sentence(text, begin, max(end, match.end()))
        if piece and not secrets.find(piece):
            yield Switch(piece, text, text[begin:end], name, message, number, is_sure)


_GOING = late(
    r"(?<!\bif\s)\b(?:i'm|we're|i\sam|we\sare)\s(?:now\s)?going\sto\s(?:\w+\s){0,2}$|\b(?:i'll|we'll|i\swill|we\swill)\s(?:now\s)?(?:\w+\s){0,2}$",
    re.IGNORECASE,
)
_SIGNS = str.maketrans("‘’–：，；", "''—:,;")  # noqa: RUF001


def uses(text: str, switch: Switch) -> bool:
    """Whether the words of a line say that what was left is used, for nothing else and by us."""
    name = re.escape(switch.old)
    pattern = re.compile(rf"{_USED}(?P<name>{name})(?![\w-])", re.IGNORECASE | re.MULTILINE)
    match = pattern.search(text)
    if match is None or re.search(_GONE, text[: match.start("name")], re.IGNORECASE):
        return False
    start, end = clauses.bounds(text, match.start("name"))
    at = match.start("name")
    if clauses.is_past(text, start, end, at):
        return False
    if not clauses.is_told(text, start, at, is_named=True):
        return False
    if scope.differs(switch.clause, text[start:end]) or _is_of_another(switch.clause, text):
        return False
    mine, theirs = _purpose(switch.clause), _purpose(text[match.end("name") : end])
    return not (mine - theirs and theirs - mine)  # each for something of its own


def _is_of_another(said: str, text: str) -> bool:
    """Whether somebody else left something, of whom a line does not tell."""
    found = _WHO.match(said)
    if found is None or (found["who"] and not _I.search(text)):
        return False
    who = (found["whose"] or found["who"]).casefold()
    return who not in text.casefold() and who not in _NO_ONE


def _purpose(text: str) -> frozenset[str]:
    """Return the words that say what something is used for."""
    found = re.findall(r"\b(?:for|as)\s(?:the\s|our\s|my\s|all\s|a\s)*([^,.;]{2,60})", text)
    return telling(" ".join((*found, *_WHERE.findall(text))))
