"""What a path means that the model names: one of the notes in memory, or a file on disk."""

from __future__ import annotations

import os
import re
from functools import lru_cache
from pathlib import Path, PurePosixPath

from dreamd.domain.budget import is_note
from dreamd.engine.model.tools.place import Place
from dreamd.errors import RefusedError

_ODD = re.compile("[\x00-\x1f\x7f\ud800-\udfff]")
_LONGEST = 4_096  # bytes: PATH_MAX


def absolute(said: str, memory: Path) -> Path:
    """Return the path that is meant: absolute, beginning with `~/`, or relative to memory.

    Raises:
        RefusedError: it can be no path.
    """
    if not said.strip() or _ODD.search(said) or len(said.encode()) > _LONGEST:
        raise RefusedError(
            f"{said[:60]!r} is no path: give an absolute one, or one relative to {memory}."
        )
    whole = os.path.expanduser(said) if said.startswith("~") else said  # noqa: PTH111
    return Path(os.path.normpath(memory / whole))


def inside(path: Path, memory: Path) -> PurePosixPath | None:
    """Return a path relative to memory if it leads into it, also by a link; else None."""
    for each in (path, Path(os.path.realpath(path))):
        for home in (memory, _real(memory)):
            if each.is_relative_to(home):
                return PurePosixPath(each.relative_to(home))
    return None


def note_of(path: Path, place: Place) -> PurePosixPath | None:
    """Return which note a path names, whether there is one or not; None for a file on disk."""
    within = inside(path, place.memory)
    return within if within is not None and is_note(within) else None


def known(text: str, place: Place) -> str:
    """Return a text in which memory has the path that the model knows."""
    return text.replace(str(_real(place.memory)), str(place.memory))


@lru_cache(maxsize=16)
def _real(path: Path) -> Path:
    return Path(os.path.realpath(path))
