"""The cues by which a person plainly asks for something to be kept: a table, `data/cues.tsv`."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import NamedTuple

from dreamd.text.late import late

# Where a cue may begin: at the start, behind a break, or behind a word that only leads to it.
_STARTS = late(
    r"(?:^|(?<=[,;:(–—-] )|(?<=[.!?] )|(?<=\band )|(?<=\bbut )|(?<=\bso )"  # noqa: RUF001
    r"|(?<=\balso )|(?<=\bplease )|(?<=\bthen )|(?<=\boh )|(?<=\bstill ))"
)


class Cue(NamedTuple):
    """A row: what it asks for, its pattern, and sentences that it must and must not match.

    `how` says where the request stands (behind the cue, the whole sentence; a fixed cue names
    nothing) and what it must be: ordered, with a noun of the work, with its reason, lasting.
    A sentence that holds none of the `words`, where there are any, is not searched.

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
    text = resources.files("dreamd.text").joinpath("data/cues.tsv").read_text("utf-8")
    found = []
    for line in text.splitlines():
        if line and not line.startswith("#"):
            name, asks, how, words, pattern, example, counter, hits, right = line.split("\t")
            known = () if words == "-" else tuple(words.replace("_", " ").split("; "))
            counts, read = (int(hits), int(right)), frozenset(how.split())
            found.append(Cue(name, asks, read, known, late(pattern), example, counter, *counts))
    return tuple(found)


def find(low: str) -> Iterator[tuple[Cue, re.Match[str]]]:
    """Yield the cues in a sentence in lower case, each at its first place, in their order."""
    starts = [found.start() for found in _STARTS.finditer(low)]
    for cue in cues():
        if cue.asks == "change" or (cue.words and not any(word in low for word in cue.words)):
            continue
        for start in starts:
            if match := cue.pattern.match(low, start):
                yield cue, match
                break


@cache
def changes() -> tuple[Cue, ...]:
    """Return the rows by which a sentence says that something changed."""
    return tuple(cue for cue in cues() if cue.asks == "change")
