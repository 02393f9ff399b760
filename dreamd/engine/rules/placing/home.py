"""Which note a claim goes to: one that speaks of the same thing, else the file of its type."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field
from pathlib import PurePosixPath
from string import ascii_uppercase

from dreamd.domain.settings import Budget
from dreamd.domain.tree import INDEX
from dreamd.engine.rules import days
from dreamd.engine.rules.edit import Refusals
from dreamd.engine.rules.grouping import LARGEST
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.placing.kept import KEPT, gathers
from dreamd.engine.rules.placing.known import Known
from dreamd.engine.rules.placing.spot import Spot, spot
from dreamd.engine.rules.topics import free_path, took_lines
from dreamd.text.markdown.markdown import BlockKind, sections
from dreamd.text.markdown.note import title, value
from dreamd.text.stems import content

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dreamd.engine.rules.placing.place import NewLine

SMALL = 4_096  # bytes; in so little a file of its own, with its pointer, would be the most of it
_MOST_ITEMS = 100  # of one gathered file; then another begins
_FEWEST_SHARED = 2  # rare words that a note must share with a claim
_FEW_NOTES = 2  # in so many notes a word is rare, however few there are
_RARE = 0.1  # else in this share of them


@dataclass(slots=True)
class Home:
    """A place for claims in one note, with what was put there; `kind` of a new file only.

    `title` is that of a new file, or of the section of the index that it stands in.
    """

    path: PurePosixPath
    spot: Spot
    kind: str = ""
    title: str = ""
    placed: list[tuple[str, NewLine]] = field(default_factory=list)

    @property
    def is_new(self) -> bool:
        """Whether the note is made for this."""
        return bool(self.kind)


@dataclass(frozen=True, slots=True)
class _Topic:
    """A note that takes lines, with the words of its title, description and headings."""

    note: Note
    told: frozenset[str]


class Homes:
    """All places that claims of one dream go to, in the order in which they were first used."""

    def __init__(
        self,
        memory: Memory,
        said: Known,
        budget: Budget,
        refusals: Refusals,
    ) -> None:
        """Look at the notes; where the budget is small, what has no topic goes to the index."""
        self._memory = memory
        self._is_in_index = budget.memory_bytes <= SMALL
        self._said = said
        self._taken = memory.names | refusals.paths
        self._homes: dict[tuple[PurePosixPath, int, str], Home] = {}
        self._candidates: dict[str, list[_Topic]] = {}
        for note in memory.notes.values():
            if _is_topic(note):
                topic = _Topic(note, _told(note))
                self._candidates.setdefault(value(note.text, "type") or "", []).append(topic)
        self._can_point = INDEX in memory.notes or INDEX not in memory.names
        size = sum(len(text.encode()) for text in memory.texts.values())
        # Where notes are more than a reader sees, a line among them would push another out.
        self._room = budget.memory_bytes - size
        many = len(memory.notes) + len(memory.others)
        self._few = max(_FEW_NOTES, int(_RARE * many))

    def __iter__(self) -> Iterator[Home]:
        """Walk the places that something was put to."""
        return (home for home in self._homes.values() if home.placed)

    def of(self, text: str, kind: str, size: int) -> Home | None:
        """Return the home of a claim, None where there can be none; `size` in bytes."""
        if size <= self._room:
            rare = {w for w in content(text) if 0 < len(self._said.paths(w)) <= self._few}
            topics = self._candidates.get(kind, ())
            scored = [(self._score(topic, rare), topic.note) for topic in topics]
            best = max(scored, key=lambda each: each[0], default=None)
            if best is not None and best[0] > 0 and (found := self._in(best[1], rare)):
                return found
        return self._gathered(kind)

    def put(self, home: Home, row: str, line: NewLine) -> None:
        """Put a line where it goes."""
        home.placed.append((row, line))
        self._room -= len(row.encode()) + 1

    def _score(self, topic: _Topic, rare: set[str]) -> float:
        """Return how surely a note speaks of the same thing as the rare words of a claim."""
        note, told = topic.note, topic.told
        shared = {word for word in rare if word in told or note.path in self._said.paths(word)}
        if len(shared) < _FEWEST_SHARED:
            return 0.0
        if not shared & told and not self._in_one_block(note, shared):
            return 0.0
        return sum(
            (2 if word in told else 1) / max(len(self._said.paths(word)), 1)
            for word in sorted(shared)
        )

    def _in_one_block(self, note: Note, shared: set[str]) -> bool:
        return any(
            len(content(" ".join(note.body(part))) & shared) >= _FEWEST_SHARED
            for part in note.parts
            if part.kind is not BlockKind.FRONTMATTER
        )

    def _in(self, note: Note, rare: set[str]) -> Home | None:
        found = spot(note, rare)
        return None if found is None else self._home(Home(note.path, found))

    def _home(self, home: Home) -> Home:
        return self._homes.setdefault((home.path, home.spot.at, home.title), home)

    def _in_index(self, index: Note, name: str) -> Home | None:
        """Return the place in an index; where that has sections, below a heading of this name."""
        place = spot(index, ())
        if place is None or not any(part.level > 1 for part in index.parts):
            return None if place is None else self._home(Home(INDEX, place))
        end = _end_of_list(index, name)
        if end is None:
            end = max(part.end for part in index.parts if part.kind is not BlockKind.BLANK)
            place = Spot(end, lead=("", f"## {name}", ""))
        else:
            place = Spot(end)
        return self._home(Home(INDEX, place, title=name))

    def _gathered(self, kind: str) -> Home | None:
        """Return the place in the file that is kept for a type; a full one is followed by more."""
        if self._is_in_index and (index := self._memory.notes.get(INDEX)):
            return self._in_index(index, KEPT[kind].title)
        mine = [note for note in self._memory.notes.values() if gathers(note) == kind]
        for note in mine:
            place = spot(note, ())
            if place is not None:
                home = self._home(Home(note.path, place))
                if _items(note) + len(home.placed) < _MOST_ITEMS:
                    return home
        new = [home for home in self._homes.values() if home.kind == kind]
        if new and len(new[-1].placed) < _MOST_ITEMS:
            return new[-1]
        if not self._can_point:
            return None
        kept = KEPT[kind]
        number = len(mine) + len(new) + 1
        part = _lettered(number)
        path = free_path(f"{kept.stem}-{part.lower()}" if number > 1 else kept.stem, self._taken)
        self._taken |= {path}
        name = f"{kept.title}, part {part}" if number > 1 else kept.title
        return self._home(Home(path, Spot(0), kind, name))


def _end_of_list(index: Note, name: str) -> int | None:
    """Return where the list below the heading of this name ends, None where there is none."""
    for section in sections(index.parts):
        if section.title == name and section.level > 1:
            inside = [p for p in index.parts if section.start < p.start < section.end]
            items = [p for p in inside if p.kind is BlockKind.ITEM]
            if items and not any(p.kind is BlockKind.HEADING for p in inside):
                return items[-1].end
    return None


def _lettered(number: int) -> str:
    """Return the letters of a part, B for the second: a digit would read as a figure told."""
    letters = ""
    while number:
        number, rest = divmod(number - 1, len(ascii_uppercase))
        letters = ascii_uppercase[rest] + letters
    return letters


def _told(note: Note) -> frozenset[str]:
    told = f"{title(note.path, note.text)} {value(note.text, 'description') or ''}"
    heads = (part.title for part in note.parts if part.kind is BlockKind.HEADING)
    return content(" ".join((told, *heads)))


def _is_topic(note: Note) -> bool:
    """Whether a note takes lines: no index, log of a day, archive, code, or file of ours."""
    if note.path == INDEX or days.first(note.path.stem.replace("_", "-")) or gathers(note):
        return False
    code = sum(part.end - part.start for part in note.parts if note.holds_fence(part))
    return not took_lines(note) and code * 2 <= len(note.rows) and len(note.text) < 2 * LARGEST


def _items(note: Note) -> int:
    return sum(part.kind is BlockKind.ITEM for part in note.parts)
