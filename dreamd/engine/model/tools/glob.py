"""Glob: the files whose names fit a pattern, newest first; and which files there are at all."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Any

from dreamd.engine.model.page import MOST, count_within
from dreamd.engine.model.tools.dispatch import Answer, OutOfTimeError, patience
from dreamd.engine.model.tools.open import ReadingPlace, absolute, inside, note_of, refuse_denied
from dreamd.errors import RefusedError
from dreamd.text.words import plural

_SECONDS = 10
_WILD = frozenset("*?[{")
_PASSED_OVER = frozenset(
    {".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", ".mypy_cache", ".ruff_cache"}
)
_PIECES = re.compile(r"\*\*/|\*\*|\[[!^]?[^/\]]{1,200}\]|[\s\S]")
_MEANINGS = {"**/": "(?:[^/]*/)*", "**": ".*", "*": "[^/]*", "?": "[^/]", "{": "(?:"}
_KERNEL = {"/proc", "/sys", "/dev"}
_LONGEST = 500  # characters of a pattern of names
_ALTERNATIVES = 64
_DEEPEST = 100  # folders in each other; to judge a path takes longer the longer it is


def glob(arguments: Mapping[str, Any], place: ReadingPlace) -> Answer:
    """List files, and say how many were not listed or whether the search was cut short."""
    folder, pattern = _split(arguments["pattern"], arguments.get("path"), place)
    start = top(folder, place)
    if is_file(start, place):
        raise RefusedError(f"{folder} is a file; give the directory to look in.")
    fits = fitting(pattern)
    found: list[tuple[float, str, Path]] = []
    lacking = ""
    try:
        with patience(_SECONDS):
            for below, path in files(start, place):
                if fits.fullmatch(below):
                    found.append((-_changed(path), below, path))
    except OutOfTimeError:
        lacking = f"[stopped after {_SECONDS} s; name a directory further down]"
    paths = [os.fsencode(path).decode("utf-8", "replace") for *_, path in sorted(found)]
    names = [path.replace("\n", "\\n") for path in paths] or ["No file fits."]
    count = count_within(names, MOST - 300)
    if count < len(names):
        more = plural(len(names) - count, "file")
        lacking += f"[{more} more, older than these; narrow the pattern or the path]"
    return Answer("\n".join(filter(None, [*names[:count], lacking])))


def _split(pattern: str, folder: str | None, place: ReadingPlace) -> tuple[str, str]:
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


def top(said: str | None, place: ReadingPlace) -> Path:
    """Return the directory or file at which to begin; the memory directory if none was named."""
    path = absolute(said or str(place.memory), place.memory)
    if (within := inside(path, place.memory)) is not None:
        path = place.memory / within
        if any(each == within or within in each.parents for each in place.notes):
            return path
    refuse_denied(path, place)
    if not path.exists():
        raise RefusedError(f"There is no {said}; name a directory or file that exists.")
    return path


def is_file(start: Path, place: ReadingPlace) -> bool:
    """Say whether a start is one note or one file."""
    is_note = note_of(start, place) in place.notes
    return is_note or (start.exists() and not start.is_dir())


def files(start: Path, place: ReadingPlace) -> Iterator[tuple[str, Path]]:
    """Yield the notes below a directory, then the regular files: name below it, and path.

    No link is followed. Left out are folders that are denied (a denied file is refused when it is
    opened), and those that hold no one's words (`.git`, `node_modules` …) unless the search begins
    in one, and what lies more than 100 folders down.
    """
    for note in (place.memory / each for each in sorted(place.notes)):
        if start in note.parents:
            yield str(note.relative_to(start)), note
    waiting = [("", start)]
    while waiting:
        prefix, folder = waiting.pop()
        try:
            with os.scandir(folder) as listing:
                entries = sorted(listing, key=lambda each: each.name)
        except OSError:
            continue
        is_memory = folder.is_relative_to(place.memory)
        deeper = []
        for entry in entries:
            path = folder / entry.name
            if entry.is_dir(follow_symlinks=False):
                is_passed = entry.name in _PASSED_OVER or str(path) in _KERNEL
                is_passed |= prefix.count("/") >= _DEEPEST
                if not is_passed and not place.denied.holds(path):
                    deeper.append((f"{prefix}{entry.name}/", path))
            elif entry.is_file(follow_symlinks=False) and not (is_memory and note_of(path, place)):
                yield f"{prefix}{entry.name}", path
        waiting += reversed(deeper)


@lru_cache(maxsize=64)
def fitting(pattern: str) -> re.Pattern[str]:
    r"""Return what matches the names below a directory that a pattern with wildcards means.

    `*` and `?` stay within a name, `**` crosses folders, `[ab]` `[!ab]` are sets, `{a,b}`
    alternatives. A pattern without `/` is about the last part of a name.
    """
    if len(pattern) > _LONGEST or pattern.count(",") > _ALTERNATIVES:
        raise RefusedError(f"The pattern is too long; {_LONGEST} characters are enough.")
    said = pattern if "/" in pattern else f"**/{pattern}"
    parts: list[str] = []
    depth = 0
    for piece in _PIECES.findall(said):
        parts.append(_meant(piece, is_inside=depth > 0))
        depth += {"{": 1, "}": -1 if depth else 0}.get(piece, 0)
    try:
        return re.compile("".join(parts), re.DOTALL)
    except re.error as error:
        raise RefusedError(
            f"{pattern!r} is no pattern of names ({error.msg}); use *, ?, [ab], {{a,b}}, **."
        ) from error


def _meant(piece: str, *, is_inside: bool) -> str:
    """Return the regular expression of one piece of a pattern, inside braces or not."""
    if piece in _MEANINGS:
        return _MEANINGS[piece]
    if is_inside and piece in {"}", ","}:
        return ")" if piece == "}" else "|"
    if len(piece) > 1:
        is_negated = piece[1] in "!^"
        body = piece[2 if is_negated else 1 : -1].replace("\\", "\\\\").replace("[", "\\[")
        return f"[{'^/' if is_negated else ''}{body}]"
    return re.escape(piece)
