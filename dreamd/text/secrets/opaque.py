"""Find secrets that no head gives away: random characters, and the words that stand beside them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from dreamd.text import lexicon
from dreamd.text.late import late
from dreamd.text.secrets.credentials import WORD, Span, is_mixed, is_placeholder, is_readable


class SecretKind(NamedTuple):
    """A row: what it is called, how it begins, the form and least length of the rest.

    A head that begins with `@` is the name of an issuer whose keys begin with nothing special. With
    `*` it is what a text with the key holds, in lower case, and the form is that of the whole; a
    group in it is the key, and what is around it stays.
    """

    name: str
    heads: tuple[str, ...]
    form: re.Pattern[str]
    least: int
    example: str

    def end(self, text: str, at: int, most: int) -> int:
        """Return where the rest of such a key ends that begins there, `most` characters on."""
        found = self.form.match(text, at, at + most)
        return at + len(found[0].rstrip(".:!?&")) if found else at


@cache
def kinds() -> tuple[SecretKind, ...]:
    """Return all kinds of the table."""
    return tuple(
        SecretKind(name, tuple(heads.split()), late(form), int(least), example)
        for name, heads, chars, least, example in lexicon.table("secrets")
        for form in (chars if heads[0] == "*" else f"[{chars}]*",)
    )


@cache
def headed() -> dict[str, list[SecretKind]]:
    """Return the kinds by each of their heads."""
    found: dict[str, list[SecretKind]] = {}
    for kind in kinds():
        for head in kind.heads:
            found.setdefault(head, []).append(kind)
    return found


@cache
def wholes() -> dict[bytes, list[SecretKind]]:
    """Return the kinds that are known by the whole of them, by what a text must hold."""
    return {head[1:].encode(): rows for head, rows in headed().items() if head[0] == "*"}


SHORT_TEXT = 400  # characters; a text no longer is looked at more closely
_DIGITS = late(rb"[0-9][a-z_-]+[0-9]")  # in nearly everything random, in few words
_REACH = 96  # characters before or after in which a word is beside it
_MARK = late(r"\[redacted: [^\]\n]{1,40}\]")
_LINK = lexicon.pattern("key-link")
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
_KEYS, _PARTS = lexicon.of("key-beside"), lexicon.of("key-part")
_OTHER = lexicon.of("hash-beside") | lexicon.of("no-key-beside")
_IDS = _OTHER | lexicon.of("id-part")


def opaque(text: str, lowered: bytes, runs: list[tuple[int, int]]) -> Iterator[Span]:
    """Yield each run that is a secret by its parts or by the words beside it."""
    is_short = len(lowered) <= SHORT_TEXT
    for start, end in runs:
        # A value has digits on both sides of letters; in a short text it may just end in both.
        is_near = is_short and lowered[max(start, end - 16) : end].isalnum()
        if end - start > 2 * _REACH or not (is_near or _DIGITS.search(lowered, start, end)):
            continue
        first = max(start - 14, 0)
        for kind in wholes()[b""]:
            if whole := kind.form.search(text, first, end):
                yield *whole.span(), kind.name
        value = text[start:end].lstrip("./+~-")
        at, value = end - len(value), value.rstrip(".-/+~")
        while text.startswith("=", at + len(value)):
            value += "="
        if _is_key(text, at, value):
            rest = _REST.match(text, at + len(value))
            yield at, rest.end() if rest else at + len(value), "key"


def _is_key(text: str, start: int, value: str) -> bool:
    """Whether a value, which stands there, or the words beside it say that it is a secret."""
    bare = value.rstrip("=")
    prefixed = _PREFIXED.fullmatch(bare)
    if start and text[start - 1] not in _BEFORE and ("/" in bare or not prefixed):
        return False
    line = text[max(start - _REACH, 0) : start].rpartition("\n")[2].lower()
    link = _LINK.search(line)
    body = prefixed["body"] if prefixed else bare
    if not (link or prefixed) or not _is_random(bare, body):
        return False
    before = WORD.findall(_MARK.sub("", line))
    heads = WORD.findall(prefixed["head"].lower()) if prefixed else []
    nearest = next((word for word in before[:-7:-1] if word in _OTHER | _KEYS), "")
    is_hash = nearest in _OTHER or (_SHA.fullmatch(body) and not _OTHER.isdisjoint(before[-6:]))
    if is_hash or not _IDS.isdisjoint(heads):
        return False
    mixed, is_uuid = _is_mixed(body), _UUID.fullmatch(bare) is not None
    if not _PARTS.isdisjoint(heads) and (mixed or sum(map(str.isdigit, bare)) > 3):
        return True
    if not link:
        return False
    beside = set(before[-4:])  # of a sign; a verb may stand far from what it is about
    if link[1]:
        after = text[start + len(value) : start + len(value) + _REACH].partition("\n")[0].lower()
        beside = {*before, *WORD.findall(_MARK.sub("", after))}
    is_beside_key = not _KEYS.isdisjoint(beside) and (link[1] or not is_uuid)
    if is_beside_key or any(f"@{word}" in headed() for word in beside):  # an issuer
        return True
    longest = max(map(len, _SIGNS.split(body)))  # of what dots, dashes and such part
    if len(body) < 20 or longest < 12 or is_uuid or ("/" in bare and _WORD.search(bare)):
        return False
    return mixed or (link[1] in {"use", "uses", "used", "using"} and not _SHA.fullmatch(body))


def _is_random(bare: str, body: str) -> bool:
    """Whether a value is made of random characters, and is no path, placeholder or name."""
    count = sum(map(str.isdigit, bare))
    if not count or len(set(bare)) < 9 or (count < 2 and not _is_mixed(body)):
        return False
    if not any(len(piece) > 6 and not is_readable(piece) for piece in _SIGNS.split(bare)):
        return False
    if "/" in bare and not _is_mixed(bare if _BASE64.fullmatch(bare) else bare.rpartition("/")[2]):
        return False
    return bool(_UUID.fullmatch(bare)) or not is_placeholder(bare)


def _is_mixed(body: str) -> bool:
    return is_mixed(body) and any(map(str.isupper, body)) and any(map(str.islower, body))
