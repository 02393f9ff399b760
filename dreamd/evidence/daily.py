"""Daily notes: the notes that tell of one day, as their paths say."""

from __future__ import annotations

from datetime import date
from pathlib import PurePosixPath
from typing import NamedTuple

from dreamd.domain.tree import Tree
from dreamd.text.markdown.note import day_of, value

_LARGEST = 1024 * 1024  # bytes; what is larger is no note that someone keeps
_TYPES = {"", "daily", "diary", "journal", "log"}


class Daily(NamedTuple):
    """A daily note as it stood, and its day."""

    day: date
    path: PurePosixPath
    text: str


def dailies(tree: Tree) -> list[Daily]:
    """Return the daily notes of a tree, by day and path.

    A path says the day. A note whose frontmatter says another, that has a type of its own, or in
    which dreamd gathers lines is none, nor is one that is no text.
    """
    found = []
    for path, entry in tree.files.items():
        day = day_of(path)
        if day is None or len(entry.data) > _LARGEST or b"\0" in entry.data:
            continue
        try:
            str(path).encode()
            text = entry.data.decode()
        except UnicodeError:
            continue
        is_its_own = (value(text, "date") or day.isoformat()).startswith(day.isoformat())
        is_daily = (value(text, "type") or "").casefold() in _TYPES
        if is_its_own and is_daily and value(text, "gathered") is None:
            found.append(Daily(day, path, text))
    return sorted(found)
