"""What a helper may touch, as a value that fits into one argument."""

from __future__ import annotations

import json
from dataclasses import dataclass
from enum import StrEnum
from pathlib import Path


class Role(StrEnum):
    """Which helper it is."""

    READER = "reader"  # reads anything that is not denied, runs commands, writes nothing
    WRITER = "writer"  # reads and writes the stage, starts nothing
    CLIENT = "client"  # another program: as the reader, but writes the stage, and has the network


class Level(StrEnum):
    """What enforces a policy, strongest first."""

    LANDLOCK = "landlock"  # Landlock and a filter of system calls
    BUBBLEWRAP = "bubblewrap"  # read-only mounts in namespaces and the same filter
    PATHS = "paths"  # the safe path walk alone; no command is ever run

    @property
    def has_commands(self) -> bool:
        """Whether a shell command may be run behind these walls."""
        return self is not Level.PATHS


@dataclass(frozen=True, slots=True)
class Policy:
    """What one helper may touch.

    `denied` may be read by nobody, whether they exist or not. `parent` is the PID that started
    the helper, 0 where nobody asks: a helper whose parent is another one by now ends at once.
    A client may also write below `scratch`, and connect by TCP to `ports`, on any machine.
    """

    role: Role
    stage: Path
    denied: tuple[Path, ...]
    level: Level
    parent: int = 0
    scratch: Path | None = None
    ports: tuple[int, ...] = ()

    @property
    def may_spawn(self) -> bool:
        """Whether this helper may start another process."""
        return self.role is not Role.WRITER and self.level.has_commands

    def to_json(self) -> str:
        """Return it as one argument of a command line."""
        return json.dumps(
            {
                "role": self.role,
                "stage": str(self.stage),
                "denied": [str(each) for each in self.denied],
                "level": self.level,
                "parent": self.parent,
                "scratch": None if self.scratch is None else str(self.scratch),
                "ports": list(self.ports),
            }
        )

    @classmethod
    def from_json(cls, text: str) -> Policy:
        """Return the policy that `to_json` wrote.

        Raises:
            KeyError, TypeError, ValueError: it is no policy.
        """
        value = json.loads(text)
        return cls(
            role=Role(value["role"]),
            stage=Path(value["stage"]),
            denied=tuple(Path(each) for each in value["denied"]),
            level=Level(value["level"]),
            parent=int(value["parent"]),
            scratch=None if value["scratch"] is None else Path(value["scratch"]),
            ports=tuple(map(int, value["ports"])),
        )
