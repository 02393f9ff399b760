"""What English says in several words, read as the one word that says the same."""

from __future__ import annotations

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from functools import cache, lru_cache

from dreamd.domain.prose.words import words
from dreamd.engine.rules.near.stems import IRREGULAR, PAST
from dreamd.engine.rules.near.tables import sets
from dreamd.engine.rules.near.things import JOINING, SHORT, THINGS
from dreamd.engine.rules.near.verbs import VERBS
from dreamd.text.late import late

_WORD = late(r"[a-z\d≤≥]+")
_ODD = {  # verbs that say nothing by themselves, by the ending another one would have
    "be": {"be": "", "is": "s", "are": "", "am": "", "was": "ed", "were": "ed", "been": "en"},
    "do": {"do": "", "does": "s", "did": "ed"},
    "have": {"have": "", "has": "s", "had": "ed"},
    "can": {"can": ""},
    "would": {"would": ""},
}
_DOUBLED = words("cut get let put run set shut stop swap wrap plan drop quit begin submit jot sum")
_APART = {"off", "on", "up", "out", "down", "back", "away", "over", "in", "know", "together"}
_BETWEEN = (  # "turn the heater off"
    r"((?: (?:it|them|(?-i:[A-Z])\w+)"
    r"|(?: (?:the|an?|our|my|your|his|her|its|their|this|that))(?: [\w-]+){1,3}?)?)"
)
_BEFORE_DONE = late(
    r"\b(?:is|are|was|were|be|been|being|gets?|got|has|have|had)(?: not| \w+ly)?\s$", re.IGNORECASE
)
_DONE = {base: deed for deed, base in IRREGULAR.items()}
_DID = {deed: did for did, deed in PAST.items()}


@dataclass(frozen=True, slots=True)
class _Idiom:
    """A turn of several words: `words` are all in a text that has it; `pattern` is a regex."""

    words: frozenset[str]
    pattern: str
    to: Callable[[re.Match[str]], str]


def in_one_word(text: str) -> str:
    """Return an English text with each turn of several words in the one word that says so."""
    said = frozenset(_WORD.findall(text.casefold()))
    idioms = _idioms()
    for word in sorted(idioms.keys() & said):
        for idiom in idioms[word]:
            if idiom.words <= said:
                text = _compiled(idiom.pattern).sub(idiom.to, text)
    return text


@cache  # as many as there are idioms, of which a memory has few
def _compiled(pattern: str) -> re.Pattern[str]:
    return re.compile(pattern, re.IGNORECASE)


@lru_cache(maxsize=1)
def _idioms() -> dict[str, tuple[_Idiom, ...]]:
    """Return the idioms by a word that a text must have for them, the longer first."""
    found: dict[str, list[_Idiom]] = {}
    rows = [(table, head, each) for table, head, each in _turns()]
    for table, head, turn in sorted(rows, key=lambda row: -len(row[2])):
        made = _deed(head, turn.split()) if table is VERBS else _fixed(head, turn, table)
        for word, idiom in made:
            found.setdefault(word, []).append(idiom)
    return {word: tuple(each) for word, each in found.items()}


def _turns() -> Iterator[tuple[str, str, str]]:
    for table in (VERBS, THINGS, SHORT, JOINING):
        for head, *others in sets(table):
            for each in others:
                if " " in each or table is JOINING:
                    yield table, head, each


def _fixed(head: str, turn: str, table: str) -> Iterator[tuple[str, _Idiom]]:
    """Yield a turn that has no form but one; a thing may be many."""
    *most, last = turn.split()
    many = "()" if table is JOINING else "(s?)"
    spelt = "[ -]".join([*most, last])
    pattern = rf"(?<![\w-]){spelt}{many}(?![\w-])"
    sure = frozenset(most or [last])
    yield max(sure, key=len), _Idiom(sure, pattern, lambda match: head + match[1])


def _deed(head: str, turn: list[str]) -> Iterator[tuple[str, _Idiom]]:
    """Yield a turn by the forms of its verb, from which what it is done to may part the rest."""
    verb, *rest = turn
    forms = _forms(verb)
    between = _BETWEEN if rest[-1] in _APART else "()"
    spelt = f"(?<![\\w-])({'|'.join(forms)}){between} {' '.join(rest)}(?![\\w-]| of\\b)"

    def to(match: re.Match[str]) -> str:
        said = match[1].casefold()
        is_done = said == _done(verb) and _BEFORE_DONE.search(match.string[: match.start()])
        return _inflected(head, "en" if is_done else forms[said]) + match[2]

    idiom = _Idiom(frozenset(rest), spelt, to)
    for word in [max(rest, key=len)] if verb in _ODD else forms:
        yield word, idiom


def _forms(verb: str) -> dict[str, str]:
    """Return the forms of a verb with the ending that each would have of another verb."""
    if verb in _ODD:
        return _ODD[verb]
    return {_inflected(verb, ending): ending for ending in ("en", "ed", "ing", "s", "")}


def _inflected(verb: str, ending: str) -> str:
    if not ending:
        return verb
    if ending == "s":
        return re.sub(r"(?<=[^aeiou])y$", "ie", verb) + ("es" if verb[-1] in "sxzho" else "s")
    if ending == "en":
        return _done(verb)
    if ending == "ed":
        return _DID.get(_done(verb), _done(verb))
    return (verb + verb[-1] if verb in _DOUBLED else verb.removesuffix("e")) + ending


def _done(verb: str) -> str:
    """Return what is done where one does it: `set`, `given`, `tidied`."""
    if verb in _DONE:
        return _DONE[verb]
    bare = re.sub(r"(?<=[^aeiou])y$", "i", verb.removesuffix("e"))
    return f"{bare}{bare[-1] if verb in _DOUBLED else ''}ed"
