"""Words of which one may stand for another, and the stem that is written for all of them."""

from __future__ import annotations

import re
from collections.abc import Iterator

from dreamd.engine.rules.near.stems import IRREGULAR, derived, stem

_ENGLISH = (
    *("configuration config", "repository repo", "database db", "production prod"),
    *("environment env", "development dev", "documentation docs", "application app"),
    *("kubernetes k8s", "postgresql postgres psql", "javascript js", "typescript ts"),
    *("maximum max", "minimum min", "administrator admin", "specification spec"),
    *("directory folder dir", "authentication auth", "information info"),
    *("continuous-integration ci", "email mail", "picture pic", "photograph photo"),
    *("parameter param", "argument arg", "temporary tmp", "reference ref", "manager mgr"),
    *("colour color", "centre center", "behaviour behavior", "licence license", "grey gray"),
    *("catalogue catalog", "organise organize", "programme program"),
    *("cancelled canceled", "labelled labeled", "favourite favorite"),
    # verbs that tell the same of a thing
    *("use utilise utilize employ", "need require", "begin start commence", "buy purchase"),
    *(
        "prefer favour favor",
        "keep retain store save retention",
        "remove delete erase",
        "allow permit",
    ),
    *("choose select", "show display", "reply answer", "fix repair", "move migrate"),
    *("check verify", "finish end", "enable activate", "disable deactivate", "limit cap"),
    # a deed and what it is called
    *("approve approval", "remove removal", "renew renewal", "arrive arrival"),
    *("decide decision", "fail failure", "allergy allergic", "pay payment", "price cost"),
)
_OTHERS = {
    "es": (
        *("usa utiliza emplea", "usan utilizan emplean", "usar utilizar emplear"),
        *("guarda almacena conserva", "guardan almacenan conservan", "necesita requiere"),
        *("guardado almacenado", "necesitan requieren", "empieza comienza", "termina acaba"),
        *("configuración config", "producción prod", "repositorio repo", "coche carro"),
    ),
    "fr": (
        *("utilise emploie", "utilisent emploient", "conservé gardé stocké", "commence débute"),
        *("conserve garde stocke", "conservent gardent stockent", "termine finit"),
        *("configuration config", "production prod", "dépôt repo", "voiture auto"),
    ),
}

_CAPITAL = re.compile(r"\b[A-ZÄÖÜ]\w{3,}")
_LINKS = ("", "s", "es", "n", "en")


def _stemmed(row: str, spoken: str) -> Iterator[tuple[str, str]]:
    first, *rest = row.split()
    for word in rest:
        yield stem(word, spoken, is_passive=False), first


_SPELT = {
    name: dict(pair for row in rows for pair in _stemmed(row, name))
    for name, rows in {"en": _ENGLISH, "": _ENGLISH, **_OTHERS}.items()
}
# by how a word begins, the beginning of the word it stands for
BEGINNINGS = {
    word[:5]: row.split()[0][:5]
    for rows in (_ENGLISH, *_OTHERS.values())
    for row in rows
    for word in row.split()[1:]
} | {deed[:5]: base[:5] for deed, base in IRREGULAR.items()}


def spelt(word: str, spoken: str, *, is_passive: bool) -> tuple[str, str]:
    """Return the stem of a folded word, or of the word it may stand for, and that word if so."""
    found = stem(word, spoken, is_passive=is_passive)
    bare = found.removesuffix("+ed")
    tense = found[len(bare) :]
    known = _SPELT.get(spoken, {})
    if bare in known:
        word = known[bare]
        found = stem(word, spoken, is_passive=False) + tense
    return (derived(found) if spoken in {"en", ""} else found), word


def uncompounded(line: str, other: str) -> str:
    """Return a German line with each compound cut in two whose parts stand in another one."""
    parts = {word.casefold(): word for word in _CAPITAL.findall(other)}

    def cut(match: re.Match[str]) -> str:
        word = match[0].casefold()
        for last, noun in parts.items():
            first = word.removesuffix(last)
            if first == word or not first:
                continue
            for link in _LINKS:
                if (stem := first.removesuffix(link)) in parts and (first != stem or not link):
                    return f"{parts[stem]} {noun}"
        return match[0]

    return _CAPITAL.sub(cut, line)
