"""Find paths, file names, hosts and URLs in text."""

from __future__ import annotations

from collections.abc import Iterator

from dreamd.text import lexicon
from dreamd.text.late import late
from dreamd.text.values.value import Value, ValueKind

_ENDINGS = lexicon.of("file-ending")
_HOSTS = lexicon.of("host-ending")
_URL = lexicon.pattern("url")
_PATH = late(
    r"(?<![\w/.~:\\-])(?:(?:~|\.{1,2})/|/|[a-z]:[\\/])?[\w.@+-]+(?:[\\/][\w.@+-]+)*/?(?![\w\\])"
)
_HOST = late(r"[\w-]+(?:\.[\w-]+)+")
_LETTER = late(r"[^\W\d_]")
_ODD = late(r"[._\d@+]")
_UP = late(r"^(?:(?:\.{1,2}|~)/+)+")


def addresses(low: str) -> Iterator[Value]:
    """Yield the URLs, hosts, paths and file names of a text in lower case, by place of each kind.

    A word with a slash (`and/or`, `ci/cd`) is no path: one begins with `/`, `~` or `.`, ends in
    a slash, or has a dot, an underscore or a digit in its names.
    """
    masked = list(low)
    for match in _URL.finditer(low):
        said = match[0].rstrip(".,;:!?)]}>'\"`*_")
        start, end = match.start(), match.start() + len(said)
        masked[start:end] = "\0" * (end - start)
        yield Value(ValueKind.ADDRESS, (_normal(said),), start, end)
    for match in _PATH.finditer("".join(masked)):
        said = match[0].rstrip(".")
        if kind := _kind(said):
            yield Value(kind, (_normal(said),), match.start(), match.start() + len(said))


def _kind(said: str) -> ValueKind | None:
    parts = said.replace("\\", "/").split("/")
    if len(parts) == 1:
        stem, _, ending = said.rpartition(".")
        if ending in _ENDINGS and (stem or len(ending) > 2) and ending != said:
            return ValueKind.PATH
        return ValueKind.ADDRESS if stem.rstrip(".") == stem != "" and ending in _HOSTS else None
    parts = [each for each in parts if each.strip(".~")]
    if not any(map(_LETTER.search, parts)):
        return None  # 24/7, 1/2
    is_odd = any(_ODD.search(each) and _LETTER.search(each) for each in parts)
    begins = said.startswith(("/", "~/", "./", "../")) and len(parts[0]) > 1
    if not (begins or said.endswith("/") or is_odd):
        return None
    is_host = _HOST.fullmatch(parts[0]) and parts[0].rpartition(".")[2] in _HOSTS
    return ValueKind.ADDRESS if is_host else ValueKind.PATH


def _normal(said: str) -> str:
    """Return an address without its scheme and what closes it; a path without `./`."""
    said = said.removeprefix("mailto:").partition("://")[2] or said.removeprefix("mailto:")
    return _UP.sub("", said.replace("\\", "/").strip("/"))
