"""In which language a line is written, as far as its small words tell."""

from __future__ import annotations

import re
from collections import Counter
from functools import lru_cache

from dreamd.engine.rules.near.wording import (
    DENYING_ELSEWHERE,
    JOINS,
    PERSONS,
    PREPOSITIONS,
    SILENT,
    USER_DOES,
)
from dreamd.text.late import late

_TILDES = frozenset("ñíóúá¿¡")
_DOES = late(  # "the user sings alto", but not "user accounts are archived"
    r"\s+[a-z]+[^s\W]s\s+(?!(?:is|are|was|were|have|had|must|can|may|should|will|do|of|and|or)\b)"
)
_NO_SUCH_DENIAL = {"en", "de", "fr", "es", "nl"}
_MORE = late(r"\s+\w")
_KANA, _HAN, _HANGUL = (late(f"[{each}]") for each in ("぀-ヿ", "㐀-鿿", "가-힣"))


def language(text: str) -> str:
    """Return the language whose small words a text has most of, nothing where it has none."""
    if _KANA.search(text):
        return "ja"
    if _HANGUL.search(text):
        return "ko"
    if _HAN.search(text):
        return "zh"
    said = re.findall(r"[^\W\d_]+", text.casefold())
    known = _known()
    counts = Counter(name for word in said if word != "a" for name in known.get(word, ()))
    has_tilde = not _TILDES.isdisjoint(text)
    best = max(SILENT, key=lambda name: (counts[name], name == "es" and has_tilde))
    return best if counts[best] else ""


@lru_cache(maxsize=1)
def _known() -> dict[str, list[str]]:
    """Return the small words of all languages with the languages of each."""
    found: dict[str, list[str]] = {}
    for name, silent in SILENT.items():
        persons = PERSONS if name == "en" else ()
        for word in {*silent, *persons, *JOINS.get(name, ()), *prepositions(name)}:
            found.setdefault(word, []).append(name)
    return found


@lru_cache(maxsize=8)
def prepositions(name: str) -> dict[str, str]:
    """Return the prepositions of a language with the class of each."""
    return {word: kind for kind, row in PREPOSITIONS.get(name, {}).items() for word in row}


def is_elsewhere(word: str, spoken: str) -> bool:
    """Whether a word denies in other languages only: "am 5. Mai"."""
    return word in DENYING_ELSEWHERE and spoken in _NO_SUCH_DENIAL


def silence(word: str, spoken: str, rest: str, persons: set[str], *, is_named: bool) -> str | None:
    """Return the class of a preposition, nothing for another silent word, None for a term.

    A person that a word speaks of goes to `persons`, in brackets where the line has named one.
    """
    if kind := prepositions(spoken or "en").get(word):
        return kind
    if word in SILENT.get(spoken or "en", ()):
        return ""
    if word == "too" and spoken in {"en", ""} and not _MORE.match(rest):
        return ""  # behind all else, and not "too high"
    if spoken not in {"en", ""}:
        return None
    if word in PERSONS:
        persons.add(f"({PERSONS[word]})" if is_named else PERSONS[word])
        return ""
    if word == "user":
        does = re.match(r"['’]s\b|\s+([a-z]+)", rest)  # noqa: RUF001
        if does and (does[1] is None or does[1] in USER_DOES):
            return ""
        if _DOES.match(rest):
            return ""
    return None
