"""Secrets that no head gives away: random characters, and the words that stand beside them."""

from __future__ import annotations

from collections.abc import Iterator

from dreamd.text.late import late
from dreamd.text.secrets.credentials import is_mixed, is_placeholder, is_readable
from dreamd.text.secrets.kinds import issuers, wholes, words

_REACH = 96  # characters before or after in which a word is beside it
_WORDS = late(r"[a-z0-9]+")
_MARK = late(r"\[redacted: [^\]\n]{1,40}\]")
_LINK = late(
    r"\b(use[sd]?|using|with|is|was|are|to|as|by|via|has|have|needs?|takes?|gets?|got|says|bearer|token|key|secret|base)"
    r"[ \t\"'`*(_]{1,4}\Z|(?:[:=>\u2192\u2014]|(?<= )-)[ \t\"'`*(_]{0,4}\Z",
)
_BEFORE = " \t\"'`*(_:=>\u2192\u2014-"  # what such a link may end with
_PREFIXED = late(
    r"(?P<head>[A-Za-z][A-Za-z0-9]{0,15}(?:[_-][A-Za-z0-9]{1,12}){0,3})[_-]"
    r"(?P<body>[A-Za-z0-9]{20,120})"
)
_UUID = late(r"(?!123e)[0-9a-fA-F]{8}(?:-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}")
_BASE64 = late(r"(?:[a-z0-9]{1,12}_)?[A-Za-z0-9+/]{20,190}={0,2}")
_WORD = late(r"(?:^|[/+])[A-Za-z]?[a-z]{5,}(?:$|[/+_-])")
_REST = late(r":[A-Za-z0-9+/=_-]{16,}")  # of two keys that a colon joins
_SIGNS = late(r"[-_.+/~]")
_SHA = late(r"(?:[0-9a-f]{7,12}|[0-9a-f]{40}|[0-9a-f]{64})")
_USE = frozenset({"use", "uses", "used", "using"})


def opaque(text: str, runs: list[tuple[int, int]]) -> Iterator[tuple[int, int, str]]:
    """Yield start, end and kind of each opaque value that words or its own parts give away.

    `runs` are the places of long runs of letters, digits and a few signs.
    """
    known = wholes()
    for start, end in runs:
        if end - start <= 2 * _REACH:
            for name, holds, pattern in known:
                if text.find(holds, start - 14 if start > 14 else 0, end) >= 0:
                    whole = pattern.search(text, max(start - 14, 0), end)
                    if whole:
                        yield whole.start(), whole.end(), name
            value = text[start:end].lstrip("./+~-")
            at = end - len(value)
            value = value.rstrip(".-/+~")
            while text.startswith("=", at + len(value)):
                value += "="
            if kind := _kind(text, at, value):
                rest = _REST.match(text, at + len(value))
                yield at, rest.end() if rest else at + len(value), kind


def _kind(text: str, start: int, value: str) -> str | None:
    """Return what a value is, which stands there; None if nothing says that it is a secret."""
    bare = value.rstrip("=")
    if start and text[start - 1] not in _BEFORE and ("/" in bare or not _PREFIXED.fullmatch(bare)):
        return None
    line = text[max(start - _REACH, 0) : start].rpartition("\n")[2].lower()
    link = _LINK.search(line)
    prefixed = _PREFIXED.fullmatch(bare)
    body = prefixed["body"] if prefixed else bare
    if not (link or prefixed) or not _is_random(bare, body):
        return None
    before = _WORDS.findall(_MARK.sub("", line))
    heads = _WORDS.findall(prefixed["head"].lower()) if prefixed else []
    other, keys = words("other"), words("key")
    last = before[-6:]
    nearest = next((word for word in reversed(last) if word in other | keys), "")
    is_hash = nearest in other or (_SHA.fullmatch(body) and not other.isdisjoint(last))
    if is_hash or not (other | words("id")).isdisjoint(heads):
        return None
    mixed = _is_mixed(body)
    if not words("telling").isdisjoint(heads) and (mixed or sum(map(str.isdigit, bare)) > 3):
        return "key"
    if not link:
        return None
    is_uuid = bool(_UUID.fullmatch(bare))
    beside = set(before[-4:])  # of a sign; a verb may stand far from what it is about
    if link[1]:
        after = text[start + len(value) : start + len(value) + _REACH].partition("\n")[0].lower()
        beside = {*before, *_WORDS.findall(_MARK.sub("", after))}
    if not issuers().isdisjoint(beside):
        return "key"
    if not keys.isdisjoint(beside) and (link[1] or not is_uuid):
        return "key"
    longest = max(map(len, _SIGNS.split(body)))  # of what dots, dashes and such part
    if len(body) < 20 or longest < 12 or is_uuid or ("/" in bare and _WORD.search(bare)):
        return None
    return "key" if mixed or (link[1] in _USE and not _SHA.fullmatch(body)) else None


def _is_random(bare: str, body: str) -> bool:
    """Whether a value is made of random characters, and is no path, placeholder or name."""
    digits = sum(map(str.isdigit, bare))
    if not digits or len(set(bare)) < 9:
        return False
    if not any(len(piece) > 6 and not is_readable(piece) for piece in _SIGNS.split(bare)):
        return False
    if "/" in bare and not _is_mixed(bare if _BASE64.fullmatch(bare) else bare.rpartition("/")[2]):
        return False
    if digits < 2 and not _is_mixed(body):
        return False
    return bool(_UUID.fullmatch(bare)) or not is_placeholder(bare)


def _is_mixed(body: str) -> bool:
    return is_mixed(body) and any(map(str.isupper, body)) and any(map(str.islower, body))
