"""Where a tool works and what it answers: the two values that every tool shares."""

from __future__ import annotations

import dataclasses
import json
import os
from collections.abc import Mapping, Sequence
from pathlib import Path, PurePosixPath
from typing import Any

from msgspec import Struct, field

from dreamd.host.folder import Folder
from dreamd.sandbox.denied import DenyList


class Answer(Struct, frozen=True):
    """What the model is told of one call, and `facts` for the process that asked, as JSON has them.

    Facts of Edit, Write, Retire: `changed` (bool) and `paths`; of Retire also `retired`, a list
    of objects with `path`, `line`, `reason`, `source`.
    """

    text: str
    is_error: bool = False
    facts: Mapping[str, Any] = field(default_factory=dict)


class Place(Struct, frozen=True):
    """The memory directory as the model knows it, and the private copy that stands for it.

    `stage` is held open as `descriptor`. `denied` may be read by nobody. `base` are the notes as
    they were when the session began, `retired` the lines taken out by Retire since; both only
    where notes are written.
    """

    stage: Path
    memory: Path
    descriptor: int
    sessions: tuple[Path, ...] = ()
    denied: DenyList = field(default_factory=lambda: DenyList.of(()))
    level: str = "paths"
    base: Mapping[PurePosixPath, str] = field(default_factory=dict)
    retired: list[tuple[PurePosixPath, str]] = field(default_factory=list)

    @property
    def folder(self) -> Folder:
        """The stage, in which names are looked up without following a link."""
        return Folder(self.descriptor, self.memory)


def described(memory: str, sessions: Sequence[str]) -> str:
    """Return what a helper is told of its place beside its policy, for its command line."""
    return json.dumps({"memory": memory, "sessions": list(sessions)})


def opened(stage: str, denied: Sequence[Path], level: str, description: str) -> Place:
    """Return the place of a helper, by its policy and by what `described` says; the stage is open.

    Raises:
        OSError: there is no such stage.
        ValueError, KeyError: the description is not one of `described`.
    """
    said = json.loads(description)
    denied_now = DenyList.of(denied)
    if level == "bubblewrap":
        # Behind these mounts a denied store cannot be looked into for its second hard links, so
        # that every file with one is left unread.
        denied_now = dataclasses.replace(denied_now, is_sure=False)
    descriptor = os.open(stage, os.O_RDONLY | os.O_DIRECTORY | os.O_NOFOLLOW | os.O_CLOEXEC)
    return Place(
        stage=Path(stage),
        memory=Path(os.path.abspath(said["memory"])),  # noqa: PTH100 - without following links
        descriptor=descriptor,
        sessions=tuple(Path(each) for each in said["sessions"]),
        denied=denied_now,
        level=level,
    )
