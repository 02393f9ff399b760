"""Look up whether a line of the notes says what a new line says."""

from __future__ import annotations

import re
from collections import defaultdict
from collections.abc import Iterable
from functools import lru_cache
from pathlib import PurePosixPath
from typing import NamedTuple

from dreamd.domain.tree import INDEX
from dreamd.engine.rules.orient import Memory
from dreamd.text import lexicon
from dreamd.text.late import late
from dreamd.text.markdown.markdown import BlockKind
from dreamd.text.stems import ordered
from dreamd.text.tokens import words

PAST = "Previously"  # "The port is 9090. (2026-05-11) Previously: the port is 8080 (2026-04-02)"
OPEN = "Perhaps no longer"  # the same where it could not be decided
DENIED = "But also said"  # "I use Redis. (2026-04-02) But also said: I never used it. (2026-05-11)"
# Compiled when they are first asked for: a short command never does.
_PAST = rf"(?:^|(?<=\s))(?:(?:{PAST}|{OPEN})(?: [^:]{{1,40}})?|{DENIED}): "


def current(text: str) -> str:
    """Return what a line says of today: the words before those it calls past or that deny it."""
    found = re.search(_PAST, text) if ": " in text else None
    return text[: found.start()] if found else text


_HIDDEN = {BlockKind.FRONTMATTER, BlockKind.COMMENT, BlockKind.FENCE, BlockKind.BLANK}
_MARKER = late(r"^[ \t]*(?:(?:[-*+]|\d{1,9}[.)])[ \t]+(?:\[[ xX]\][ \t]+)?|#{1,6}[ \t]+|>[ \t]?)")
_ESCAPED = late(r"\\([!-/:-@\[-`{-~])")
_DAYS = late(r"\s\((?:said )?\d{4}(?:-\d\d){0,2}(?: to \d{4}(?:-\d\d){0,2})?\)")
_NEGATION = lexicon.of("negation")


@lru_cache(maxsize=1 << 16)  # all lines of 3,000 notes: a dream asks for them several times
def meaning(text: str) -> tuple[tuple[str, ...], int]:
    """Return the stems and values of a line in order, but for days in brackets; its negations."""
    bare = _DAYS.sub("", text)
    return ordered(bare), sum(w in _NEGATION or w.endswith("n't") for w in words(bare))


def statement(row: str) -> str:
    """Return the words of a line: no list marker, no backslashes, nothing that it calls past."""
    return _ESCAPED.sub(r"\1", current(_MARKER.sub("", row, count=1)))


class Row(NamedTuple):
    """A line of a note as it stands there."""

    path: PurePosixPath
    row: str


class Known:
    """Lines by what they say; `paths` are the notes that have a stem."""

    def __init__(self, rows: Iterable[Row] = ()) -> None:
        self._rows: dict[object, list[Row]] = defaultdict(list)
        self.paths: dict[str, set[PurePosixPath]] = defaultdict(set)
        for row in rows:
            self.add(row)

    def add(self, row: Row) -> None:
        """Let a line be found from now on."""
        said = meaning(statement(row.row))
        self._rows[said].append(row)
        for stem in said[0]:
            self.paths[stem].add(row.path)

    def find(self, text: str, beside: str = "") -> Row | None:
        """Return a line that says what a text says and holds the words `beside`, else None."""
        found = self._rows.get(meaning(text), ())
        return next((each for each in found if beside in each.row), None)


def known(memory: Memory) -> Known:
    """Return the lines of all notes but for code and comments; the index only repeats."""
    notes = [*memory.notes.values(), *memory.others.values()]
    return Known(
        Row(note.path, row)
        for note in sorted(notes, key=lambda note: note.path == INDEX)
        for part in note.parts
        if part.kind not in _HIDDEN and not note.holds_fence(part)
        for row in note.body(part)
        if row.strip()
    )
