"""Clauses of a line that tell somebody what to do, and whether a person said so."""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import Struct

from dreamd.text import lexicon
from dreamd.text.places import Places, denies, stems

_MARKS = " \t>*_#|\"'“”`[]()-–—:,;.!"
_CLAUSE, _OPENING = lexicon.pattern("order-clause"), lexicon.pattern("order-opening")
_BEGIN = (lexicon.pattern("order"), lexicon.pattern("order-deed"))
_HUSH = lexicon.pattern("order-hush")  # what only a person may say, and in these words
_SIGNS = (lexicon.pattern("order-duty"), lexicon.pattern("order-anywhere"), _HUSH)
GRAVE = stems(" ".join(lexicon.listed("grave-deed")))


class Order(Struct, frozen=True):
    """One clause of a line that tells somebody what to do."""

    content: frozenset[str]
    denies: bool
    hush: str = ""

    def is_given(self, heard: Places) -> bool:
        """Whether most of it was said at one place, with a denial if it has one.

        So was the deed itself where it is grave, as `delete` and `send` are. That somebody is not
        to be asked or told was said in these very words.
        """
        if self.hush not in heard.text:
            return False
        return heard.say(self.content, 0.6, self.content & GRAVE, denied=self.denies)


def orders(text: str) -> Iterator[Order]:
    """Yield the clauses of a line that reads like an instruction; none of one that does not."""
    clauses = [clause.lower() for clause in _CLAUSE.split(text)]
    if any(sign.search(text.lower()) for sign in _SIGNS) or any(map(_commands, clauses)):
        for clause in clauses:
            if content := stems(clause):
                hush = _HUSH.search(clause)
                yield Order(content, denies(clause), hush[0] if hush else "")


def _commands(clause: str) -> bool:
    """Whether a clause begins as an order does, after a date and the like."""
    rest = clause.strip(_MARKS)
    for _ in range(4):
        if any(begin.match(rest) for begin in _BEGIN):
            return True
        opening = _OPENING.match(rest)
        if opening is None:
            return False
        rest = rest[opening.end() :].strip(_MARKS)
    return False
