"""What a rule of the review says: hold this out, or mend it like that."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from pathlib import PurePosixPath

from msgspec import Struct

from dreamd.domain.tree import Entry
from dreamd.memory.review.case import Case
from dreamd.memory.review.hold import Objection


class Mend(Struct, frozen=True):
    """A mechanical fault of the dream's own lines, and the file with it put right.

    `line` counts from 1, 0 means the whole file. Of several for one file the last stands.
    """

    path: PurePosixPath
    line: int
    message: str
    entry: Entry


class Rule(Struct, frozen=True):
    """One claim about what a dream may do to notes; `judge` is pure."""

    name: str
    claim: str
    judge: Callable[[Case], Iterable[Objection | Mend]]
