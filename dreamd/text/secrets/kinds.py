"""The kinds of secrets that are known by how they look: the rows of `data/secrets.tsv`."""

from __future__ import annotations

import re
from collections.abc import Iterable
from functools import cache
from importlib import resources
from typing import NamedTuple

from dreamd.text.late import late

_CHARACTERS = (
    "hex 0-9a-fA-F|uuid 0-9a-fA-F-|upper A-Z0-9|updash A-Z0-9-|base36 a-z0-9|base62 A-Za-z0-9"
    "|word A-Za-z0-9_|url A-Za-z0-9_-|dotted A-Za-z0-9_.-|base64 A-Za-z0-9+/=_-"
    "|any A-Za-z0-9._~+/=%:@!$?&-"
)
_ALPHABETS = {
    name: (late(rf"[{characters}]{{1,512}}"), late(rf"[{characters}]*"))
    for name, characters in (each.split() for each in _CHARACTERS.split("|"))
}


class Kind(NamedTuple):
    """A row: what it is called, how it begins, the alphabet and least length of the rest.

    A head that begins with `@` is the name of an issuer whose keys begin with nothing special. With
    `*` it is what the key holds, and a pattern of the whole stands in the place of the alphabet.
    """

    name: str
    heads: tuple[str, ...]
    alphabet: str
    least: int
    example: str

    def body(self, text: str, at: int) -> str:
        """Return up to 512 characters of what may follow a head; empty if it is no such secret."""
        found = _ALPHABETS[self.alphabet][0].match(text, at)
        if not found or (len(found[0]) < 512 and text[found.end() : found.end() + 1].isalnum()):
            return ""
        body = found[0].rstrip(".:!?&")
        return body if len(body) >= self.least else ""

    def end(self, text: str, at: int) -> int:
        """Return where characters of its alphabet end that begin there."""
        found = _ALPHABETS[self.alphabet][1].match(text, at)
        return at + len(found[0].rstrip(".:!?&")) if found else at


@cache
def _rows() -> tuple[list[str], ...]:
    table = resources.files("dreamd.text").joinpath("data/secrets.tsv").read_text("utf-8")
    return tuple(line.split("\t") for line in table.splitlines() if line and line[0] != "#")


@cache
def kinds() -> tuple[Kind, ...]:
    """Return all kinds of the table."""
    rows = [row for row in _rows() if row[0][0] != "="]
    return tuple(Kind(row[0], tuple(row[1].split()), row[2], int(row[3]), row[4]) for row in rows)


@cache
def words(name: str) -> frozenset[str]:
    """Return the words of a class of the table."""
    return frozenset(word for row in _rows() if row[0] == f"={name}" for word in row[1].split())


@cache
def headed() -> dict[str, list[tuple[str, Kind]]]:
    """Return heads and rows, the longest first, by the first three characters (or all two)."""
    found: dict[str, list[tuple[str, Kind]]] = {}
    for kind in kinds():
        for head in kind.heads:
            if head[0] not in "@*":
                found.setdefault(head[:3], []).append((head, kind))
    return {key: sorted(heads, key=lambda each: -len(each[0])) for key, heads in found.items()}


def starts(heads: Iterable[str]) -> str:
    """Return a pattern of any of these heads, in which no letter is tried twice."""
    rests: dict[str, list[str]] = {}
    for head in heads:
        rests.setdefault(head[:1], []).append(head[1:])
    if "" in rests:
        return ""
    pieces = [re.escape(first) + starts(rest) for first, rest in rests.items()]
    return pieces[0] if len(pieces) == 1 else f"(?:{'|'.join(pieces)})"


@cache
def issuers() -> frozenset[str]:
    """Return the names of issuers whose keys are known by the name beside them only."""
    return frozenset(h[1:] for kind in kinds() for h in kind.heads if h[0] == "@")


@cache
def wholes() -> tuple[tuple[str, str, re.Pattern[str]], ...]:
    """Return the kinds that are known by the whole of them: name, what they hold, pattern."""
    rows = [kind for kind in kinds() if kind.heads[0][0] == "*"]
    return tuple((kind.name, kind.heads[0][1:], late(kind.alphabet)) for kind in rows)
