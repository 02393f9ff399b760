"""The kinds of secrets that are known by how they look: the rows of `data/secrets.tsv`."""

from __future__ import annotations

import re
from functools import cache
from typing import NamedTuple

from dreamd.text import lexicon
from dreamd.text.late import late


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
    found = []
    for name, heads, form, least, example in lexicon.table("secrets"):
        pattern = late(form if heads[0] == "*" else f"[{form}]*")
        found.append(SecretKind(name, tuple(heads.split()), pattern, int(least), example))
    return tuple(found)


@cache
def headed() -> dict[str, list[SecretKind]]:
    """Return the kinds by each of their heads."""
    found: dict[str, list[SecretKind]] = {}
    for kind in kinds():
        for head in kind.heads:
            found.setdefault(head, []).append(kind)
    return found


@cache
def wholes() -> dict[bytes, list[tuple[str, re.Pattern[str]]]]:
    """Return names and forms of the kinds known by the whole of them, by what a text must hold."""
    return {
        head[1:].encode(): [(kind.name, kind.form) for kind in rows]
        for head, rows in headed().items()
        if head[0] == "*"
    }
