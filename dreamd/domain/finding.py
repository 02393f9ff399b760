"""One fault found in a memory directory or in what a dream made of it."""

from __future__ import annotations

from enum import StrEnum
from pathlib import PurePosixPath

from msgspec import Struct


class Severity(StrEnum):
    """What a finding means for what is being judged."""

    WARNING = "warning"  # said, nothing more
    MENDED = "mended"  # was a mechanical fault of the dream's own lines, and is put right
    HELD_OUT = "held out"  # breaks a rule; kept as a proposal, not applied
    FAULT = "fault"  # stands in the user's own text; reported, not touched


class Finding(Struct, frozen=True):
    """A rule's verdict on one place; `line` counts from 1, 0 means the whole file."""

    rule: str
    path: PurePosixPath
    line: int
    message: str
    severity: Severity = Severity.FAULT

    def __str__(self) -> str:
        """Read as a compiler's message does: path, line, rule, sentence."""
        place = f"{self.path}:{self.line}" if self.line else f"{self.path}"
        return f"{place}: {self.message} ({self.rule})"
