"""Glob: the files whose names fit a pattern, newest first."""

from __future__ import annotations

import os
from collections.abc import Mapping
from pathlib import Path
from typing import Any

from dreamd.engine.model.tools.finding import Matches, files, fitting, is_file, top
from dreamd.engine.model.tools.page import MOST, count_within
from dreamd.engine.model.tools.paths import absolute
from dreamd.engine.model.tools.patience import OutOfTimeError, patience
from dreamd.engine.model.tools.place import Answer, Place
from dreamd.errors import RefusedError
from dreamd.text.words import plural

_SECONDS = 10
_WILD = frozenset("*?[{")


def run(arguments: Mapping[str, Any], place: Place) -> Answer:
    """List files, and say how many were not listed or whether the search was cut short.

    Raises:
        RefusedError: the pattern is none, or there is no such directory.
    """
    folder, pattern = _split(arguments["pattern"], arguments.get("path"), place)
    start = top(folder, place)
    if is_file(start, place):
        raise RefusedError(f"{folder} is a file; give the directory to look in.")
    fits = fitting(pattern)
    found: list[tuple[float, Matches]] = []
    lacking = ""
    try:
        with patience(_SECONDS):
            for file in files(start, place):
                if fits.fullmatch(file.below):
                    found += [(_changed(file.path), file)]
    except OutOfTimeError:
        lacking = f"[stopped after {_SECONDS} s; name a directory further down]"
    found.sort(key=lambda each: (-each[0], each[1].below))
    names = [
        os.fsencode(file.path).decode("utf-8", "replace").replace("\n", "\\n") for _, file in found
    ]
    if not names:
        return Answer("\n".join(filter(None, ["No file fits.", lacking])))
    count = count_within(names, MOST - 300)
    if count < len(names):
        more = plural(len(names) - count, "file")
        lacking += f"[{more} more, older than these; narrow the pattern or the path]"
    return Answer("\n".join(filter(None, [*names[:count], lacking])))


def _split(pattern: str, folder: str | None, place: Place) -> tuple[str, str]:
    """Return where to begin and what is to fit below it; a pattern may be an absolute path."""
    if not pattern.startswith(("/", "~")):
        return folder or str(place.memory), pattern.removeprefix("./")
    parts = absolute(pattern, place.memory).parts
    fixed = next((at for at, part in enumerate(parts) if _WILD & set(part)), len(parts) - 1)
    return str(Path(*parts[:fixed])), "/".join(["", *parts[fixed:]]).removeprefix("/")


def _changed(path: Path) -> float:
    """Return when a file was last changed; a note that is not on disk yet is the newest."""
    try:
        return path.stat().st_mtime_ns
    except OSError:
        return float("inf")
