"""Where the reader works, and what every tool answers."""

from __future__ import annotations

import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import TYPE_CHECKING, Any

from msgspec import Struct, field

from dreamd.sandbox.denied import DenyList

if TYPE_CHECKING:
    from dreamd.engine.model.tools.notes import Notes


class Answer(Struct, frozen=True):
    """What the model is told of one call; `notes` are those that a change made.

    `facts`, as JSON has them, are for us: `fault`, the place of a fault of our own.
    """

    text: str
    is_error: bool = False
    facts: Mapping[str, Any] = field(default_factory=dict)
    notes: Notes | None = None


class Place(Struct, frozen=True):
    """What the reader may read: sessions, notes, and files that are not denied.

    `notes` are the session's own, in memory; they stand for the `.md` files of `memory`.
    """

    memory: Path
    sessions: tuple[Path, ...] = ()
    denied: DenyList = field(default_factory=lambda: DenyList.of(()))
    level: str = "paths"
    notes: dict[PurePosixPath, str] = field(default_factory=dict)

    @property
    def stage(self) -> Path:
        """The folder that commands start in: the memory directory, as it is on disk."""
        return next(each for each in (self.memory, *self.memory.parents) if each.is_dir())


def described(memory: str, sessions: Sequence[str]) -> str:
    """Return what a reader is told of its place beside its policy, for its command line."""
    return json.dumps({"memory": memory, "sessions": list(sessions)})


def opened(denied: Sequence[Path], level: str, description: str) -> Place:
    """Return the place of a reader, by its policy and by what `described` says.

    Raises:
        ValueError, KeyError: the description is not one of `described`.
    """
    said = json.loads(description)
    return Place(
        memory=Path(os.path.abspath(said["memory"])),  # noqa: PTH100 - without following links
        sessions=tuple(Path(each) for each in said["sessions"]),
        denied=DenyList.of(denied),
        level=level,
    )
