"""A dream as a value: what an engine is given, what it says it did, how it ended."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum
from pathlib import Path, PurePosixPath

from dreamd.domain.change import Declined, Why
from dreamd.domain.settings import Settings
from dreamd.domain.tree import Tree


class Kind(StrEnum):
    """What kind of transaction changed the notes."""

    CONSOLIDATION = "consolidation"
    UNDO = "undo"
    REDO = "redo"
    ACCEPT = "accept"
    REJECT = "reject"
    RESTORE = "restore"
    PIN = "pin"
    FIX = "fix"
    FORGET = "forget"


class Outcome(StrEnum):
    """How a transaction ended."""

    DREAMT = "dreamt"
    PROPOSED = "proposed"
    SKIPPED = "skipped"
    BUSY = "busy"
    REFUSED = "refused"
    FAILED = "failed"


class Phase(StrEnum):
    """The four parts of a consolidation, in order."""

    ORIENT = "orient"
    GATHER = "gather"
    CONSOLIDATE = "consolidate"
    PRUNE = "prune"


@dataclass(frozen=True, slots=True)
class Usage:
    """What a dream cost; all zero for the rules engine."""

    input_tokens: int = 0
    output_tokens: int = 0
    cache_read_tokens: int = 0
    cache_write_tokens: int = 0
    dollars: float = 0.0


@dataclass(frozen=True, slots=True)
class Step:
    """One thing an engine says it did, in a phase: a verb phrase, and how many times.

    `text` holds the counted noun in braces, in the singular: "moved {line} out of the index".
    """

    phase: Phase
    text: str
    count: int = 1


@dataclass(frozen=True, slots=True)
class Brief:
    """What an engine may know: a private copy to work on, and where to look.

    `stage` is a directory that holds a copy of `base`; the engine changes files there and
    nowhere else.
    """

    stage: Path
    base: Tree
    settings: Settings
    sessions: Sequence[Path] = ()
    declined: Declined = field(default_factory=Declined)


@dataclass(frozen=True, slots=True)
class Report:
    """What an engine says it did; the scan of the stage says what it really did."""

    steps: tuple[Step, ...] = ()
    whys: tuple[Why, ...] = ()
    usage: Usage = Usage()
    superseded: tuple[tuple[PurePosixPath, str], ...] = ()  # removed lines with a quoted source
