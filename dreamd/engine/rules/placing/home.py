"""Choose where a new line goes: to a note about the same thing, else to the file for its kind."""

from __future__ import annotations

from collections.abc import Set as AbstractSet
from dataclasses import dataclass, field
from itertools import count
from pathlib import PurePosixPath
from typing import NamedTuple

from dreamd.domain.heard import PersonSaid
from dreamd.domain.settings import Budget
from dreamd.domain.tree import INDEX
from dreamd.engine.rules import days
from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.grouping import LARGEST
from dreamd.engine.rules.listing import firsts
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.placing.known import Known
from dreamd.engine.rules.topics import took_lines
from dreamd.engine.rules.vocabulary import FINISHED, OVER, words
from dreamd.text.late import late
from dreamd.text.markdown.markdown import Block, BlockKind, is_closed
from dreamd.text.markdown.note import title, value
from dreamd.text.stems import content

PROMOTED = "recurring statement"  # the reason for a line that nobody asked for
KEPT = {  # the file for lines of a kind: its name, its title, and what it holds
    "feedback": ("working-agreements", "Working agreements", "how the user wants work done"),
    "user": ("about-the-user", "About the user", "who the user is and what they prefer"),
    "project": ("project-facts", "Project facts", "facts that the user asked to keep"),
    "reference": ("where-things-are", "Where things are", "links, paths and places"),
}
_SMALL = 4_096  # bytes; in so little, a file of its own with its pointer would be the most of it
_MOST_ITEMS = 100  # of one file for a kind; then another begins
_BULLET = late(r"[ \t]*[-*+][ \t]+(?!\[[ xX]\][ \t])")
_NO_TEXT = {BlockKind.BLANK, BlockKind.FRONTMATTER, BlockKind.RULE}


class NewLine(NamedTuple):
    """A line to write: its text, the words it comes from, the reason, and the kind of note."""

    text: str
    quote: str
    rule: str  # the reason that `dreamd why` shows
    kind: str  # user, feedback, project or reference
    said: PersonSaid


@dataclass(slots=True)
class Home:
    """A place before line `at` of a note, with the new lines that go there."""

    path: PurePosixPath
    at: int = 0
    bullet: str = "- "
    is_loose: bool = False  # a blank line stands before each item of the list
    is_apart: bool = False  # one stands before the first
    title: str = ""  # of a new file
    rows: list[tuple[str, NewLine]] = field(default_factory=list)


class Homes:
    """The places for the lines of one dream; `used` are in the order in which they were chosen."""

    def __init__(self, memory: Memory, known: Known, budget: Budget, refusals: Refusals) -> None:
        self.used: dict[tuple[PurePosixPath, int], Home] = {}
        self._notes, self._names, self._paths = memory.notes, memory.names, known.paths
        self._is_small = budget.memory_bytes <= _SMALL
        self._room = budget.memory_bytes - sum(len(t.encode()) for t in memory.texts.values())
        self._rare = max(2, len(memory.texts) // 10)  # notes that may have a rare stem
        self._taken = {str(path).casefold() for path in memory.names | refusals.paths}
        self._about = {path: _about(note) for path, note in memory.notes.items()}

    def of(self, new: NewLine) -> Home | None:
        """Return the place for a line, None where there is none.

        Where notes are more than a reader sees, a line in a topic note would push another out:
        what was asked for goes to the file of its kind then, and what was not has no place.
        """
        size = len(new.text.encode()) + 1
        if size > self._room and new.rule == PROMOTED:
            return None
        found = self._topical(new) if size <= self._room else None
        found = found or self._kept(*KEPT[new.kind][:2])
        self._room -= size
        return self.used.setdefault((found.path, found.at), found) if found else None

    def _topical(self, new: NewLine) -> Home | None:
        """Return the place in the note that shares most rare stems, two at least, with a line."""
        notes = {stem: self._paths.get(stem, set()) for stem in content(new.text)}
        rare = {stem for stem, paths in notes.items() if 0 < len(paths) <= self._rare}
        best, most = None, (0, 0)
        for path, about in self._about.items():
            score = (len(rare & about), sum(s in about or path in notes[s] for s in rare))
            is_near = score[0] > 0 and score[1] >= 2 and score > most
            if is_near and value(self._notes[path].text, "type") == new.kind:
                best, most = self._notes[path], score
        return _home(best, rare) if best else None

    def _kept(self, name: str, title: str) -> Home | None:
        """Return the place in the file for a kind, or in a small index; a full file has a next."""
        index = self._notes.get(INDEX)
        if self._is_small and index:
            return _home(index, content(title))
        for number in count(1):
            path = PurePosixPath(f"{name}-{number}.md" if number > 1 else f"{name}.md")
            note = self._notes.get(path)
            home = _home(note) if note else None
            if note is None and str(path).casefold() not in self._taken:
                if index is None and INDEX in self._names:
                    break  # no pointer could lead to a new file
                home = Home(path, title=f"{title}, part {number}" if number > 1 else title)
            there = sum(part.kind is BlockKind.ITEM for part in note.parts) if note else 0
            if home and there + len(self.used.get((path, home.at), home).rows) < _MOST_ITEMS:
                return home
        return None


def _about(note: Note) -> frozenset[str]:
    """Return the stems of title, description and headings; none where no line may go."""
    code = sum(part.end - part.start for part in note.parts if note.holds_fence(part))
    is_log = note.path == INDEX or days.first(note.path.stem.replace("_", "-")) is not None
    if is_log or took_lines(note) or len(note.text) >= 2 * LARGEST or code * 2 > len(note.rows):
        return frozenset()
    heads = (part.title for part in note.parts if part.kind is BlockKind.HEADING)
    about = (title(note.path, note.text), value(note.text, "description") or "", *heads)
    return content(" ".join(about))


def _home(note: Note, wanted: AbstractSet[str] = frozenset()) -> Home | None:
    """Return where a line with these stems goes, None where the note has no place for it.

    That is the section with most of the stems; of several the last, if possible with a list.
    Nothing goes into a log of a day, below what is over, or behind an open fence or comment.
    """
    found = _sections(note)
    if not found or (note.parts and not is_closed(note.rows, note.parts[-1])):
        return None
    section = max(reversed(found), key=lambda s: (_shared(note, s, wanted), bool(_items(note, s))))
    items = _items(note, section)
    at = (items or section)[-1].end if section else len(note.rows)
    bullet = _BULLET.match(note.rows[items[-1].start]) if items else None
    if bullet is None:
        return Home(note.path, at, is_apart=at > 0)
    is_loose = len(items) > 1 and not note.rows[items[-1].start - 1].strip()
    return Home(note.path, at, bullet[0], is_loose, is_loose)


def _sections(note: Note) -> list[list[Block]]:
    """Return the blocks of each section that takes lines, each with its heading first."""
    found: list[list[Block]] = [[]]
    for part in note.parts:
        if part.kind is BlockKind.HEADING:
            found.append([part])
        elif part.kind not in _NO_TEXT:
            found[-1].append(part)
    found = [each for each in found if each] or [[]]
    said = [" ".join((part.title, *part.headings[1:])) for each in found for part in each[:1]]
    is_over = [words(each) & (OVER | FINISHED) or days.find(each) for each in said or [""]]
    return [each for each, over in zip(found, is_over, strict=True) if not over]


def _shared(note: Note, section: list[Block], wanted: AbstractSet[str]) -> int:
    """Return how many stems stand in a section; a title is of the whole note."""
    rows = (row for part in section if part.level != 1 for row in note.body(part))
    return len(content("\n".join(rows)) & wanted)


def _items(note: Note, section: list[Block]) -> list[Block]:
    """Return the items of plain lists: no steps, no tasks, no pointers."""
    items = (part for part in section if part.kind is BlockKind.ITEM)
    pointing = firsts(note)
    return [p for p in items if _BULLET.match(note.rows[p.start]) and p.start not in pointing]
