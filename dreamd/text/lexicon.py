"""The word classes and patterns of the package: tables of data, each row with an example."""

from __future__ import annotations

import re
from collections.abc import Iterator
from functools import cache
from importlib import resources
from typing import NamedTuple

from dreamd.text.late import late

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
