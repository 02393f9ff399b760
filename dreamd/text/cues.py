"""The cues by which a person plainly asks for something to be kept: a table, `data/cues.tsv`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from typing import NamedTuple

from dreamd.text import lexicon
from dreamd.text.late import late

# Where a cue may begin, but for the start: behind a break, or a word that only leads to it. It
# begins with a blank, which is found faster than a place without width.
_STARTS = late(
    r" (?:(?<=[,;:(–—.!?-] )|(?<=\band )|(?<=\bbut )|(?<=\bso )"
    r"|(?<=\balso )|(?<=\bplease )|(?<=\bthen )|(?<=\boh )|(?<=\bstill ))"
)


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
    for name, asks, how, words, pattern, example, counter, hits, right in lexicon.table("cues"):
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
