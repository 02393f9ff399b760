"""Which files there are below a directory, and whether a name fits a pattern with wildcards."""

from __future__ import annotations

import os
import re
from collections.abc import Iterator
from functools import lru_cache
from pathlib import Path

from msgspec import Struct

from dreamd.engine.model.tools.opening import refuse_denied
from dreamd.engine.model.tools.paths import absolute, inside, note_of
from dreamd.engine.model.tools.place import Place
from dreamd.errors import RefusedError

_PASSED_OVER = frozenset(
    {".git", ".hg", ".svn", "node_modules", "__pycache__", ".venv", ".mypy_cache", ".ruff_cache"}
)
_PIECES = re.compile(r"\*\*/|\*\*|\[[!^]?[^/\]]{1,200}\]|[\s\S]")
_MEANINGS = {"**/": "(?:[^/]*/)*", "**": ".*", "*": "[^/]*", "?": "[^/]", "{": "(?:"}
_KERNEL = {"/proc", "/sys", "/dev"}
_LONGEST = 500  # characters of a pattern of names
_ALTERNATIVES = 64
_DEEPEST = 100  # folders in each other; to judge a path takes longer the longer it is


class Matches(Struct, frozen=True):
    """A note or a file: its name below the directory that was searched, and its path."""

    below: str
    path: Path


def top(said: str | None, place: Place) -> Path:
    """Return the directory or file at which to begin; the memory directory if none was named.

    Raises:
        RefusedError: it is not there, or denied.
    """
    path = absolute(said or str(place.memory), place.memory)
    if (within := inside(path, place.memory)) is not None:
        path = place.memory / within
        if any(each == within or within in each.parents for each in place.notes):
            return path
    refuse_denied(path, place)
    if not path.exists():
        raise RefusedError(f"There is no {said}; name a directory or file that exists.")
    return path


def is_file(start: Path, place: Place) -> bool:
    """Say whether a start is one note or one file."""
    is_note = note_of(start, place) in place.notes
    return is_note or (start.exists() and not start.is_dir())


def files(start: Path, place: Place) -> Iterator[Matches]:
    """Yield the notes below a directory, then the regular files, each sorted by name.

    No link is followed. Left out are folders that are denied (a denied file is refused when it is
    opened), and those that hold no one's words (`.git`, `node_modules` …) unless the search begins
    in one, and what lies more than 100 folders down.
    """
    for note in (place.memory / each for each in place.notes):
        if start in note.parents:
            yield Matches(str(note.relative_to(start)), note)
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
                yield Matches(f"{prefix}{entry.name}", path)
        waiting += reversed(deeper)


@lru_cache(maxsize=64)
def fitting(pattern: str) -> re.Pattern[str]:
    r"""Return what matches the names below a directory that a pattern with wildcards means.

    `*` and `?` stay within a name, `**` crosses folders, `[ab]` `[!ab]` are sets, `{a,b}`
    alternatives. A pattern without `/` is about the last part of a name.

    Raises:
        RefusedError: it is too long, or a bracket is not closed.
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
        return re.compile("".join(parts))
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
