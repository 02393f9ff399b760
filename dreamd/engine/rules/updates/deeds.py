"""Deeds and things by their words, without inflection, so that a denial finds what it denies."""

from __future__ import annotations

from functools import lru_cache

from dreamd.engine.rules.near.languages import prepositions
from dreamd.engine.rules.near.stems import stem
from dreamd.engine.rules.near.wording import SILENT
from dreamd.text.late import late
from dreamd.text.values.value import listed

HAS = "have"
SPOKEN = ("en", "de", "es", "fr")
_WORD = late(r"[^\W_]+(?:[.+#/-][^\W_]+)*")
_ONE = {  # deeds that are one, as far as somebody who denies the one denies the other
    word: row[0]
    for row in (
        (HAS, "has", "had", "use", "used", "using", "uses", "own", "there"),
        ("visit", "been", "went", "gone", "travel", "go", "going"),
        ("do", "did", "done", "doing"),
        ("attend", "join", "participat"),
        ("write", "writ", "wrote", "written"),
    )
    for word in row
}
_VAGUE = frozenset(
    listed(
        "any a an the single one ever project app application code codebase time case life work"
        " this that it its them my our me us we i way some kind sort yet before here there"
    )
)


@lru_cache(maxsize=1 << 14)
def deed(word: str, spoken: str) -> str:
    """Return a verb without inflection, and one word for those like `use` and `have`."""
    folded = word.casefold()
    if folded in _ONE:
        return _ONE[folded]
    found = stem(folded, spoken, is_passive=True) if spoken == "en" else folded
    return _ONE.get(found, found)


def things(text: str, spoken: str) -> frozenset[str]:
    """Return the words of a text that name things, each without its inflection."""
    small = SILENT.get(spoken, frozenset())
    led = prepositions(spoken)
    return frozenset(
        _thing(word, spoken)
        for word in _WORD.findall(text.casefold())
        if word not in small and word not in led and word not in _VAGUE
    )


@lru_cache(maxsize=1 << 14)
def _thing(word: str, spoken: str) -> str:
    return stem(word, spoken, is_passive=True)


def words_of(text: str) -> frozenset[str]:
    """Return every word of a text in each form in which a denial may name it."""
    found = _WORD.findall(text.casefold())
    return frozenset(_thing(word, spoken) for word in found for spoken in SPOKEN)
