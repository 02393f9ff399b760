"""What differs between two trees, line by line, and why."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from enum import StrEnum
from pathlib import PurePosixPath


class Verb(StrEnum):
    """What became of a file."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


@dataclass(frozen=True, slots=True)
class Change:
    """One file that differs; the lines (without line ends) that went and came, in file order."""

    path: PurePosixPath
    verb: Verb
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class ChangeSet:
    """All files that differ between two trees, by path."""

    changes: tuple[Change, ...] = ()

    def __iter__(self) -> Iterator[Change]:
        """Walk the changes by path."""
        return iter(self.changes)

    def __bool__(self) -> bool:
        """Whether anything differs."""
        return bool(self.changes)


@dataclass(frozen=True, slots=True)
class Why:
    """Why one line came or went: the rule or tool, and where it was heard.

    `sign` is "+" or "-". `moved_to` names the file in which a removed line now stands.
    """

    path: PurePosixPath
    line: str
    sign: str
    rule: str
    moved_to: PurePosixPath | None = None
    quote: str = ""
    session: str = ""
    message: str = ""
    day: str = ""
    speaker: str = ""


@dataclass(frozen=True, slots=True)
class Declined:
    """What the user took back or rejected: (path, line) pairs that no later dream repeats."""

    removed: frozenset[tuple[PurePosixPath, str]] = frozenset()
    added: frozenset[tuple[PurePosixPath, str]] = frozenset()
