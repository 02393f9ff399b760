"""Daily notes: the notes that tell of one day, as their paths say."""

from __future__ import annotations

from datetime import date
from pathlib import PurePosixPath

from msgspec import Struct

from dreamd.domain.tree import Tree
from dreamd.text.late import late
from dreamd.text.markdown.note import value

_LARGEST = 1024 * 1024  # bytes; what is larger is no note that someone keeps
_SHARED = "team"  # what others wrote
_WHOLE = late(r"((?:19|20)\d\d)-(\d\d)-(\d\d)(?:[-_ ].*)?\.md")
_SHORT = late(r"(\d\d)(?:[-_ ].*)?\.md")
_MONTH = late(r"(?:.*/)?logs/((?:19|20)\d\d)/(\d\d)")
_TYPES = {"", "daily", "diary", "journal", "log"}
_OURS = "gathered"  # a file in which dreamd keeps what it heard


class Daily(Struct, frozen=True):
    """A daily note as it stood, and its day."""

    path: PurePosixPath
    day: date
    text: str


def day_of(path: PurePosixPath) -> date | None:
    """Return the day that a path says its note tells of; None where it says none, or none there is.

    `2026-05-11.md` in any folder and `logs/2026/05/11.md`, each also with words behind the day;
    of shared notes none.
    """
    if path.suffix != ".md" or path.parts[0] == _SHARED:
        return None
    whole, month = _WHOLE.fullmatch(path.name), _MONTH.fullmatch(str(path.parent))
    short = _SHORT.fullmatch(path.name) if month and not whole else None
    said = whole.groups() if whole else (*month.groups(), short[1]) if month and short else None
    if said is None or (whole and month and whole.groups()[:2] != month.groups()):
        return None
    try:
        return date(*map(int, said))
    except ValueError:
        return None


def daily(path: PurePosixPath, text: str) -> Daily | None:
    """Return a note as a daily one; None where its path says no day, or its frontmatter another.

    So a note of a type of its own is none, nor one that dreamd gathers lines in.
    """
    day = day_of(path)
    if day is None or value(text, _OURS) is not None:
        return None
    told = value(text, "date") or ""
    is_other = bool(told) and not told.startswith(day.isoformat())
    is_typed = (value(text, "type") or "").casefold() not in _TYPES
    return None if is_other or is_typed else Daily(path, day, text)


def dailies(tree: Tree) -> tuple[Daily, ...]:
    """Return the daily notes of a tree, by day and path; what is no text, or a link, is none."""
    found = []
    for path, entry in tree.files.items():
        if day_of(path) is None or len(entry.data) > _LARGEST:
            continue
        try:
            str(path).encode()
            text = entry.data.decode()
        except UnicodeError:
            continue
        if (note := daily(path, text)) and "\0" not in text:
            found.append(note)
    return tuple(sorted(found, key=lambda each: (each.day, each.path)))
