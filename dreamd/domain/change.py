"""What differs between two trees, line by line, and why."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from collections.abc import Set as AbstractSet
from datetime import datetime
from enum import StrEnum
from pathlib import PurePosixPath

from msgspec import Struct, field

from dreamd.text.late import late


class Severity(StrEnum):
    """What a finding means for what is being judged."""

    WARNING = "warning"  # said, nothing more
    MENDED = "mended"  # was a mechanical fault of the dream's own lines, and is put right
    HELD_OUT = "held out"  # breaks a rule; kept as a proposal, not applied
    FAULT = "fault"  # stands in the user's own text; reported, not touched


class Finding(Struct, frozen=True):
    """A rule's verdict on one place; `line` counts from 1, 0 means the whole file."""

    rule: str
    path: PurePosixPath
    line: int
    message: str
    severity: Severity = Severity.FAULT

    def __str__(self) -> str:
        """Read as a compiler's message does: path, line, rule, sentence."""
        place = f"{self.path}:{self.line}" if self.line else f"{self.path}"
        return f"{place}: {self.message} ({self.rule})"


# Rules by which a session changes lines; the last one also the review, or the rules engine.
WRITTEN, EDITED, RETIRED = "written by the model", "edited by the model", "retired: "
WITHIN = "moved within the note"
_SENTENCE_END = late(r"(?<=[.!?。！？])\s*")


class Verb(StrEnum):
    """What became of a file."""

    ADDED = "added"
    CHANGED = "changed"
    REMOVED = "removed"


class Change(Struct, frozen=True):
    """One file that differs; the lines (without line ends) that went and came, in file order."""

    path: PurePosixPath
    verb: Verb
    removed: tuple[str, ...] = ()
    added: tuple[str, ...] = ()


class ChangeSet(Struct, frozen=True):
    """All files that differ between two trees, by path."""

    changes: tuple[Change, ...] = ()

    def __iter__(self) -> Iterator[Change]:
        """Walk the changes by path."""
        return iter(self.changes)

    def __bool__(self) -> bool:
        """Whether anything differs."""
        return bool(self.changes)


class Why(Struct, frozen=True):
    """Why one line came or went, or was heard again: the rule or tool, and where it was heard.

    `sign` is "+", "-", or "=" where a line that stands was said once more. `moved_to` names the
    file in which a removed line now stands. `quote` holds the words as they were said, `message`
    the id of the record, `day` is ISO 8601; of a line that went, `quote` is the line that stays
    and says the same in other words. `held` says why the review held the line back.
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
    held: str = ""

    @property
    def origin(self) -> str:
        """The words, the day and the session that the line came from, for a person."""
        if self.sign == "-":
            label = "source" if self.rule.startswith(RETIRED) else "in its place"
            return f'{label}: "{self.quote}"'
        if self.speaker == "note":
            return f'noted on {self.day} in {self.session}: "{self.quote}"'
        day = f"on {self.day} " if self.day else ""
        session = f" in session {self.session}" if self.session else ""
        return f'said {day}by the {self.speaker}{session}: "{self.quote}"'


class Declined(Struct, frozen=True):
    """What the user took back or rejected, and no later dream repeats.

    (path, line) pairs, each with the id of the dream that had removed or added the line.
    """

    removed: Mapping[tuple[PurePosixPath, str], str] = field(default_factory=dict)
    added: Mapping[tuple[PurePosixPath, str], str] = field(default_factory=dict)


class Heeded(Struct, frozen=True):
    """Messages that past dreams drew on, by id, each with the id of the dream.

    What was drawn on is not taken a second time, even where the user has removed the line since:
    the sentences that `drawn` names of a message in `taken`, or all of one that it does not name.
    What came of `declined` was undone or rejected. `quotes` are the sentences that were drawn on,
    each with its day (ISO 8601): in a copy of a session the same message may have another id.
    `rules` are, by path and line, those by which a dream heard what it wrote there or found there;
    "" is among them where the line stands for one that no dream had heard. `until` is when the
    newest dream began that was undone or rejected: what was said before it has had its turn.
    """

    taken: Mapping[str, str] = field(default_factory=dict)
    declined: Mapping[str, str] = field(default_factory=dict)
    quotes: AbstractSet[tuple[str, str]] = frozenset()
    drawn: Mapping[str, AbstractSet[str]] = field(default_factory=dict)
    rules: Mapping[tuple[PurePosixPath, str], AbstractSet[str]] = field(default_factory=dict)
    until: datetime | None = None

    def drew_on(self, message: str, quote: str) -> str | None:
        """Return the dream that drew on a sentence of a quote from a message; None where none."""
        dream = self.taken.get(message)
        if dream is None or message not in self.drawn:
            return dream
        sentences = [each for each in _SENTENCE_END.split(quote) if each]
        is_drawn = any(
            each in drawn or drawn in quote for drawn in self.drawn[message] for each in sentences
        )
        return dream if is_drawn else None


def explained(whys: Iterable[Why], *changes: ChangeSet) -> tuple[Why, ...]:
    """Return the reasons, with one for every line that came or went without.

    An engine gives reasons for what it did. A line that only stands elsewhere in its note may
    have none, nor one that the review added, as the pointer of a note that nobody pointed to.
    """
    given = tuple(whys)
    known = {(why.path, why.sign, why.line) for why in given}
    found: list[Why] = []
    for change in changes:
        lines = dict.fromkeys(signed(change))
        for path, sign, line in lines:
            if (path, sign, line) not in known and line.strip():
                known.add((path, sign, line))
                moved = (path, "-" if sign == "+" else "+", line) in lines
                rule = WITHIN if moved else "put right by the review"
                found.append(Why(path, line, sign, rule))
    return (*given, *found)


def signed(changes: ChangeSet) -> Iterator[tuple[PurePosixPath, str, str]]:
    """Yield the lines that went and came, each with its note and its sign."""
    for change in changes:
        for line in change.removed:
            yield change.path, "-", line
        for line in change.added:
            yield change.path, "+", line
