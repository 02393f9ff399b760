"""Load the planted sets: changes and look-alikes, pairs of note lines, relative dates."""

from __future__ import annotations

from pathlib import Path
from typing import TypeVar

from msgspec import Struct

DATA = Path(__file__).parent / "data"
T = TypeVar("T")


class Change(Struct, frozen=True):
    """A note line and a later message: a `change` of its value, a `keep` (look-alike), a `denial`.

    `line` may hold the headings above it; its last row is the one that counts. `old` and `new` are
    the values of a change, where they are known.
    """

    kind: str
    group: str
    why: str
    language: str
    line_day: str
    line: str
    said_day: str
    said: str
    old: str
    new: str


class Pair(Struct, frozen=True):
    """Two note lines: the `same` fact in the same words, or two facts that stay `apart`."""

    kind: str
    why: str
    language: str
    one: str
    other: str


class Dated(Struct, frozen=True):
    """A note line of a day: `means` lists the days of its relative dates; a `trap` has none."""

    kind: str
    why: str
    language: str
    day: str
    said: str
    means: str

    @property
    def phrases(self) -> tuple[tuple[str, tuple[str, ...]], ...]:
        """Each relative phrase with every date that it may stand for, as ISO 8601."""
        found = []
        for each in self.means.split(" ; ") if self.means else ():
            phrase, _, dates = each.rpartition(" = ")
            found.append((phrase, tuple(date.strip() for date in dates.split(" | "))))
        return tuple(found)


def changes() -> list[Change]:
    return _rows("changes", Change)


def pairs() -> list[Pair]:
    return _rows("pairs", Pair)


def dated() -> list[Dated]:
    return _rows("days", Dated)


def _rows(name: str, row: type[T]) -> list[T]:
    """Read a table of tab-separated values below its header; `\\n` stands for a line break."""
    _, *lines = (DATA / f"{name}.tsv").read_text("utf-8").splitlines()
    return [row(*line.replace("\\n", "\n").split("\t")) for line in lines]
