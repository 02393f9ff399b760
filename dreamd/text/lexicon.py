"""The word classes and patterns of the package: tables of data, each row with an example."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import NamedTuple

from dreamd.text.late import late


class Cue(NamedTuple):
    """A row: what it asks for, its pattern, and sentences that it must and must not match.

    `how` says where the request stands (behind the cue, the whole sentence; a fixed cue names
    nothing) and what it must be: ordered, with a noun of the work, with its reason, lasting.
    No sentence matches without one of the `words`.

    `hits` and `right` are counted on real messages: how often it matched, and how often what it
    found was worth keeping.
    """

    name: str
    asks: str  # save, order, correction, preference, stated, change
    how: frozenset[str]
    words: tuple[str, ...]
    pattern: re.Pattern[str]
    example: str
    counterexample: str
    hits: int
    right: int


@cache
def cues() -> tuple[Cue, ...]:
    """Return all rows, in the order in which they are tried."""
    found = []
    for name, asks, how, words, pattern, example, counter, hits, right in table("cues"):
        known = tuple(word.replace("_", " ") for word in words.split())
        counts, read = (int(hits), int(right)), frozenset(how.split())
        found.append(Cue(name, asks, read, known, late(pattern), example, counter, *counts))
    return tuple(found)


def find(low: str) -> Iterator[tuple[Cue, re.Match[str]]]:
    """Yield the cues in a sentence in lower case, each at its first place, in their order."""
    possible = _possible(low, is_change=False)
    starts = [0, *(found.end() for found in _STARTS.finditer(low))] if possible else []
    for cue in possible:
        for start in starts:
            if match := cue.pattern.match(low, start):
                yield cue, match
                break


def changes(low: str) -> Iterator[tuple[Cue, re.Match[str]]]:
    """Yield the cues by which a sentence in lower case says that something changed."""
    for cue in _possible(low, is_change=True):
        if match := cue.pattern.search(low):
            yield cue, match


def _possible(low: str, *, is_change: bool) -> list[Cue]:
    """Return the cues of which a word stands in a sentence: of most sentences none does."""
    said = {word for word in _words(is_change) if word in low}
    return [cue for cue in _of(is_change) if not said.isdisjoint(cue.words)] if said else []


@cache
def _of(is_change: bool) -> list[Cue]:
    return [cue for cue in cues() if (cue.asks == "change") is is_change]


@cache
def _words(is_change: bool) -> frozenset[str]:
    return frozenset(word for cue in _of(is_change) for word in cue.words)


_FORMS = {"form", "unit", "order-verb", "dimension"}  # their rows begin with what the rest means


class Row(NamedTuple):
    """A row: a class, its words, and a sentence in which one of them is used so."""

    name: str
    words: tuple[str, ...]
    example: str


def table(name: str) -> Iterator[list[str]]:
    """Yield the rows of a table of data, each cut into its cells."""
    text = resources.files("dreamd.text").joinpath(f"data/{name}.tsv").read_text("utf-8")
    return (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))


@cache
def rows() -> tuple[Row, ...]:
    """Return all rows of the table."""
    return tuple(Row(name, tuple(words.split()), said) for name, words, said in table("lexicon"))


@cache
def _classes() -> dict[str, frozenset[str]]:
    found: dict[str, set[str]] = {}
    for row in rows():
        if row.name not in _FORMS:
            found.setdefault(row.name, set()).update(w.replace("_", " ") for w in row.words)
    return {name: frozenset(words) for name, words in found.items()}


@cache
def forms(name: str) -> dict[str, str]:
    """Return the words of a class of forms, each with the one that its row begins with."""
    return {word: row.words[0] for row in rows() if row.name == name for word in row.words}


def base(word: str) -> str:
    """Return the base of an irregular form, any other word as it is."""
    return forms("form").get(word, word)


def of(name: str) -> frozenset[str]:
    """Return the words of a class; `_` within a word of the table is a blank."""
    return _classes()[name]


def listed(name: str) -> tuple[str, ...]:
    """Return the words of a class in their order."""
    return tuple(word for row in rows() if row.name == name for word in row.words)


@cache
def _patterns() -> dict[str, str]:
    return {name: pattern for name, pattern, *_ in table("patterns")}


def pattern(name: str) -> re.Pattern[str]:
    """Return a pattern of the table `data/patterns.tsv`, most of them for text in lower case."""
    return late(_patterns()[name])


STOP = of("stop")
# Where a cue may begin, but for the start: behind a break, or a word that only leads to it. It
# begins with a blank, which is found faster than a place without width.
_STARTS = pattern("cue-start")
