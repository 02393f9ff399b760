"""Find paths, file names, hosts and URLs in text."""

from __future__ import annotations

import re
from collections.abc import Iterable, Iterator

from dreamd.text.late import late
from dreamd.text.values.value import Kind, Value, listed

_ENDINGS = frozenset(
    listed(
        "bash c cc cfg conf cpp cs css csv db dockerfile env gif go gz h hpp html ini ipynb"
        " java jpeg jpg js json jsonl jsx kt lock log lua md mjs mp3 mp4 parquet pdf php pl"
        " png proto ps1 py pyi pyproject r rb rs rst scala scss sh service socket sql sqlite"
        " svg swift tar tex tf timer toml ts tsv tsx txt vue wasm wav xlsx xml yaml yml zip"
        " zsh"
    )
)
_HOSTS = frozenset(
    listed(
        "com org net io dev ai co edu gov app cloud local internal lan localhost de uk fr ch"
        " at nl eu us info sh xyz tech site online me tv biz ly gg"
    )
)
_URL = late(r"[a-z][a-z0-9+.-]{1,20}://[^\s<>\"'`|]+|(?:mailto:)?[\w.+-]+@[\w-]+(?:\.[\w-]+)+")
_PATH = late(
    r"(?<![\w/.~:-])(?:(?:~|\.{1,2})/|/|[a-z]:[\\/])?[\w.@+-]+(?:[\\/][\w.@+-]+)*/?(?![\w\\])"
)
_DOTTED = late(r"(?<![\w./@-])[\w@+-]*(?:\.[\w-]+)+(?![\w/])")
_ENDS = ".,;:!?)]}>'\"`*_"
_EDGE = "\"'`()[]{}<>,;:|*=!?"
_LETTER = late(r"[^\W\d_]")
_ODD = late(r"[._\d@+]")
_LINE = late(r":\d+(?::\d+)?$")


def addresses(low: str) -> Iterator[Value]:
    """Yield the URLs, hosts, paths and file names of a text in lower case, by place of each kind.

    A word with a slash (`and/or`, `ci/cd`) is no path: one begins with `/`, `~` or `.`, ends in
    a slash, or has a dot, an underscore or a digit in its names.
    """
    masked = low
    for match in _URL.finditer(low):
        said = match[0].rstrip(_ENDS)
        start, end = match.start(), match.start() + len(said)
        masked = masked[:start] + "\0" * (end - start) + masked[end:]
        yield Value(Kind.ADDRESS, (normal(said),), start, end)
    for match in _PATH.finditer(masked):
        said = match[0].rstrip(".")
        kind = _kind(said)
        if kind:
            yield Value(kind, (normal(said),), match.start(), match.start() + len(said))


def _kind(said: str) -> Kind | None:
    last = re.split(r"[\\/]", said)[-1]
    stem, dot, ending = last.rpartition(".")
    if "/" in said or "\\" in said:
        parts = [each for each in re.split(r"[\\/]", said) if each.strip(".~")]
        if not any(map(_LETTER.search, parts)):
            return None  # 24/7, 1/2
        begins = said.startswith(("/", "~/", "./", "../")) and len(parts[0]) > 1
        is_plain = not any(_ODD.search(each) and _LETTER.search(each) for each in parts)
        if begins or said.endswith("/") or not is_plain:
            is_host = re.fullmatch(r"[\w-]+(?:\.[\w-]+)+", parts[0])
            return Kind.ADDRESS if is_host and parts[0].split(".")[-1] in _HOSTS else Kind.PATH
        return None
    if not dot or not _LETTER.search(ending):
        return None
    if ending in _ENDINGS and (stem or len(ending) > 2):
        return Kind.PATH
    return Kind.ADDRESS if stem and ending in _HOSTS and not stem.endswith(".") else None


def normal(said: str) -> str:
    """Return an address without its scheme and what closes it; a path without `./`."""
    said = said.removeprefix("mailto:").partition("://")[2] or said.removeprefix("mailto:")
    said = said.replace("\\", "/").strip("/")
    while said.startswith(("./", "../", "~/")):
        said = said.partition("/")[2]
    return said


def dotted(low: str) -> Iterable[str]:
    """Return all words with a dot in them, of a text in lower case."""
    return _DOTTED.findall(low)


def rows(tokens: Iterable[str]) -> Iterator[str]:
    """Yield each token that holds a slash as `/its/normal/form/`, so that a part can be found."""
    for token in tokens:
        if "/" not in token and "\\" not in token and "@" not in token:
            continue
        said = _LINE.sub("", token.strip(_EDGE).rstrip("."))
        for part in re.split(r"[\"'`()\[\]{}<>,;|=]+", said):
            if "/" in part or "\\" in part or "@" in part:
                form = normal(_LINE.sub("", part.strip(_EDGE)))
                yield f"/{form}/"
                short = re.split(r"[?#]", form, maxsplit=1)[0].strip("/")
                if short != form:
                    yield f"/{short}/"
