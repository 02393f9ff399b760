"""Find paths, file names, hosts and URLs in text."""

from __future__ import annotations

from collections.abc import Iterable, Iterator

from dreamd.text import lexicon
from dreamd.text.late import late
from dreamd.text.values.value import Kind, Value

_ENDINGS = lexicon.of("file-ending")
_HOSTS = lexicon.of("host-ending")
_URL = late(
    r"[a-z][a-z0-9+.-]{1,20}://[^\s<>\"'`|]+"
    r"|(?:mailto:|(?<![\w.+-]))[\w.+-]+@[\w-]+(?:\.[\w-]+)+"
)
_PATH = late(
    r"(?<![\w/.~:\\-])(?:(?:~|\.{1,2})/|/|[a-z]:[\\/])?[\w.@+-]+(?:[\\/][\w.@+-]+)*/?(?![\w\\])"
)
_DOTTED = late(r"(?<![\w./@+-])[\w@+-]*(?:\.[\w-]+)+(?![\w/])")
_HOST = late(r"[\w-]+(?:\.[\w-]+)+")
_ENDS = ".,;:!?)]}>'\"`*_"
_EDGE = "\"'`()[]{}<>,;:|*=!?"
_INNER = late(r"[\"'`()\[\]{}<>,;|=]+")
_LETTER = late(r"[^\W\d_]")
_ODD = late(r"[._\d@+]")
_LINE = late(r":\d+(?::\d+)?$")
_UP = late(r"^(?:(?:\.{1,2}|~)/+)+")
_SLASH = late(r"[\\/]")


def addresses(low: str) -> Iterator[Value]:
    """Yield the URLs, hosts, paths and file names of a text in lower case, by place of each kind.

    A word with a slash (`and/or`, `ci/cd`) is no path: one begins with `/`, `~` or `.`, ends in
    a slash, or has a dot, an underscore or a digit in its names.
    """
    masked = list(low)
    for match in _URL.finditer(low):
        said = match[0].rstrip(_ENDS)
        start, end = match.start(), match.start() + len(said)
        masked[start:end] = "\0" * (end - start)
        yield Value(Kind.ADDRESS, (normal(said),), start, end)
    for match in _PATH.finditer("".join(masked)):
        said = match[0].rstrip(".")
        if kind := _kind(said):
            yield Value(kind, (normal(said),), match.start(), match.start() + len(said))


def _kind(said: str) -> Kind | None:
    parts = _SLASH.split(said)
    if len(parts) > 1:
        parts = [each for each in parts if each.strip(".~")]
        if not any(map(_LETTER.search, parts)):
            return None  # 24/7, 1/2
        begins = said.startswith(("/", "~/", "./", "../")) and len(parts[0]) > 1
        if not (begins or said.endswith("/") or any(_is_odd(each) for each in parts)):
            return None
        is_host = _HOST.fullmatch(parts[0]) and parts[0].rpartition(".")[2] in _HOSTS
        return Kind.ADDRESS if is_host else Kind.PATH
    stem, dot, ending = said.rpartition(".")
    if not dot or not _LETTER.search(ending):
        return None
    if ending in _ENDINGS and (stem or len(ending) > 2):
        return Kind.PATH
    return Kind.ADDRESS if stem and ending in _HOSTS and not stem.endswith(".") else None


def _is_odd(part: str) -> bool:
    return _ODD.search(part) is not None and _LETTER.search(part) is not None


def normal(said: str) -> str:
    """Return an address without its scheme and what closes it; a path without `./`."""
    said = said.removeprefix("mailto:").partition("://")[2] or said.removeprefix("mailto:")
    return _UP.sub("", said.replace("\\", "/").strip("/"))


def dotted(low: str) -> Iterable[str]:
    """Return all words with a dot in them, of a text in lower case."""
    return _DOTTED.findall(low)


def rows(tokens: Iterable[str]) -> Iterator[str]:
    """Yield each token that holds a slash as `/its/normal/form/`, so that a part can be found."""
    for token in tokens:
        if "/" not in token and "\\" not in token and "@" not in token:
            continue
        said = _LINE.sub("", token.strip(_EDGE).rstrip("."))
        for part in _INNER.split(said):
            if "/" in part or "\\" in part or "@" in part:
                form = normal(_LINE.sub("", part.strip(_EDGE)))
                yield f"/{form}/"
                short = form.partition("?")[0].partition("#")[0].strip("/")
                if short != form:
                    yield f"/{short}/"
