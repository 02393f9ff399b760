"""The word classes and patterns of the package: tables of data, each row with an example."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from itertools import chain
from typing import NamedTuple

from dreamd.text.late import late


class Cue(NamedTuple):
    """A row of the cues: what it asks for, how it is read, and its pattern.

    `how` says where the request stands (behind the cue, the whole sentence; a fixed cue names
    nothing) and what it must be: ordered, with a noun of the work, with its reason, lasting.
    No sentence matches without one of the `words`.
    """

    name: str
    asks: str  # save, order, correction, preference, stated, change
    how: frozenset[str]
    words: tuple[str, ...]
    pattern: re.Pattern[str]


@cache
def cues(*, is_change: bool) -> tuple[tuple[Cue, ...], frozenset[str]]:
    """Return the rows for changes, or all others, in the order in which they are tried.

    And all of their words.
    """
    found = tuple(
        Cue(name, asks, frozenset(how.split()), _spaced(words), late(pattern))
        for name, asks, how, words, pattern, *_ in table("cues")
        if (asks == "change") is is_change
    )
    return found, frozenset(word for cue in found for word in cue.words)


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
    every, words = cues(is_change=is_change)
    said = {word for word in words if word in low}
    return [cue for cue in every if not said.isdisjoint(cue.words)] if said else []


def table(name: str) -> Iterator[list[str]]:
    """Yield the rows of a table of data, each cut into its cells."""
    text = resources.files("dreamd.text").joinpath(f"data/{name}.tsv").read_text("utf-8")
    return (line.split("\t") for line in text.splitlines() if line and not line.startswith("#"))


def _spaced(words: str) -> tuple[str, ...]:
    """Return the words of a cell; `_` within a word is a blank."""
    return tuple(word.replace("_", " ") for word in words.split())


@cache
def _classes() -> dict[str, list[tuple[str, ...]]]:
    found: dict[str, list[tuple[str, ...]]] = {}
    for name, words, _ in table("lexicon"):
        found.setdefault(name, []).append(_spaced(words))
    return found


def rows(name: str) -> list[tuple[str, ...]]:
    """Return the rows of a class of words; in some a row begins with what the rest means."""
    return _classes()[name]


@cache
def listed(name: str) -> tuple[str, ...]:
    """Return the words of a class in their order."""
    return tuple(chain.from_iterable(rows(name)))


@cache
def of(name: str) -> frozenset[str]:
    """Return the words of a class."""
    return frozenset(listed(name))


@cache
def forms(name: str) -> dict[str, str]:
    """Return the words of a class of forms, each with the one that its row begins with."""
    return {word: row[0] for row in rows(name) for word in row}


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
