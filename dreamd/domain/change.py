"""What differs between two trees, line by line, and why."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
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
    """Why one line came or went, or was heard again: the rule or tool, and where it was heard.

    `sign` is "+", "-", or "=" where a line that stands was said once more. `moved_to` names the
    file in which a removed line now stands. `quote` holds the words as they were said, `message`
    the id of the record, `day` is ISO 8601.
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
    """What the user took back or rejected, and no later dream repeats.

    (path, line) pairs, each with the id of the dream that had removed or added the line.
    """

    removed: Mapping[tuple[PurePosixPath, str], str] = field(default_factory=dict)
    added: Mapping[tuple[PurePosixPath, str], str] = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Heeded:
    """Messages that past dreams drew on, by id, each with the id of the dream.

    From `taken` nothing is taken a second time, even where the user has removed the line since;
    what came of `declined` was undone or rejected. `quotes` are the sentences that were drawn on,
    each with its day (ISO 8601): in a copy of a session the same message may have another id.
    """

    taken: Mapping[str, str] = field(default_factory=dict)
    declined: Mapping[str, str] = field(default_factory=dict)
    quotes: AbstractSet[tuple[str, str]] = frozenset()
