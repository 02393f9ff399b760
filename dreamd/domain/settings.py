"""Every default, written once; `dreamd config` prints them with where each value came from."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum


class EngineChoice(StrEnum):
    """Which engine dreams; `auto` is model where one is configured, else rules."""

    AUTO = "auto"
    MODEL = "model"
    RULES = "rules"


@dataclass(frozen=True, slots=True)
class Budget:
    """How much memory a reader may see; sizes in bytes, lines or files."""

    memory_bytes: int = 25_600  # of the notes, index first, then linked files in order
    index_lines: int = 200
    index_bytes: int = 25_000
    index_units: int = 25_000  # UTF-16 code units, what the client counts
    files: int = 200
    warn_at: float = 0.9  # share of a limit from which a warning is given


@dataclass(frozen=True, slots=True)
class Review:
    """What a dream may do to notes before it is held out."""

    most_gone: float = 0.25  # share of entries that may go without a merge or a source
    words_kept: float = 0.8  # share of a merged line's words that must stand in what stays


@dataclass(frozen=True, slots=True)
class Settings:
    """All settings of dreamd."""

    enabled: bool = True  # the kill switch
    engine: EngineChoice = EngineChoice.AUTO
    budget: Budget = field(default_factory=Budget)
    review: Review = field(default_factory=Review)
