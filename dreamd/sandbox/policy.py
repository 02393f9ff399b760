"""What a helper may touch, as a value that fits into one argument."""

from __future__ import annotations

from enum import StrEnum
from pathlib import Path

import msgspec


class Level(StrEnum):
    """What enforces a policy, strongest first."""

    LANDLOCK = "landlock"  # Landlock and a filter of system calls
    PATHS = "paths"  # the safe path walk alone; no command is ever run


class Policy(msgspec.Struct, frozen=True):
    """What a reader may touch: it reads what is not denied, runs commands, and writes nothing.

    `denied` may be read by nobody, whether they exist or not. `parent` is the PID that started
    the helper, 0 where nobody asks: a helper whose parent is another one by now ends at once.
    """

    stage: Path
    denied: tuple[Path, ...]
    level: Level
    parent: int = 0

    def to_json(self) -> str:
        """Return it as one argument of a command line."""
        return msgspec.json.encode(self, enc_hook=str).decode()

    @classmethod
    def from_json(cls, text: str) -> Policy:
        """Return the policy that `to_json` wrote; raises ValueError where it is none."""
        return msgspec.json.decode(text, type=cls, dec_hook=lambda kind, value: kind(value))
