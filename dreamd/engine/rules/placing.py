"""Write new lines: each into the topic file that it fits, else into the file for its kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from datetime import UTC, date, datetime
from pathlib import PurePosixPath
from typing import NamedTuple

from msgspec.structs import asdict

from dreamd.domain.change import Heeded, Why
from dreamd.domain.evidence import Candidate, PersonSaid
from dreamd.domain.settings import Settings
from dreamd.domain.tree import INDEX
from dreamd.engine.rules import days, listing
from dreamd.engine.rules.dating import relative, resolved
from dreamd.engine.rules.edit import Edit, Insertion, Refusals, Source, edited
from dreamd.engine.rules.known import Known, Row, known
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.requests import kind_of
from dreamd.engine.rules.topics import FINISHED, OVER, frontmatter_rows, took_lines, words
from dreamd.text.late import late
from dreamd.text.markdown.markdown import Block, BlockKind, is_closed
from dreamd.text.markdown.note import day_of, value
from dreamd.text.markdown.pointers import pointers
from dreamd.text.secrets.secrets import redact
from dreamd.text.stems import content
from dreamd.text.time.relative import relative_phrases

PROMOTED = "recurring statement"  # the reason for a line that nobody asked for


def chosen(
    candidates: Sequence[Candidate], memory: Memory, settings: Settings
) -> Iterator[NewLine]:
    """Yield the lines of the best candidates that pass, within the budget of the notes.

    What a full budget leaves out stays a candidate.
    """
    room = settings.budget.memory_bytes - sum(len(text.encode()) for text in memory.texts.values())
    left = settings.evidence.lines
    for each in candidates:
        text, quote, found = each.snippet.statement, each.snippet.quote, each.snippet
        needs = len(text.encode()) + len("- \n (2026-01-01)")
        if each.passes and left > 0 and needs <= room:
            left, room = left - 1, room - needs
            said = PersonSaid(quote, found.session, found.message, found.at, found.day)
            yield NewLine(text, quote, PROMOTED, kind_of(text), said)


MOST = 200  # new lines of one dream: as many as a person reads through
WRITTEN = "remembered {thing} you said"
AGAIN = "found {known thing} said again"
LEFT = "left {more thing} for the next dream: no room"
KEPT = {  # the file for lines of a kind: its name, its title, and what it holds
    "feedback": ("working-agreements", "Working agreements", "how the user wants work done"),
    "user": ("about-the-user", "About the user", "who the user is and what they prefer"),
    "project": ("project-facts", "Project facts", "facts that the user asked to keep"),
    "reference": ("where-things-are", "Where things are", "links, paths and places"),
}
_RULE = "gathering"  # the reason for what stands around new lines
_LAST = datetime.max.replace(tzinfo=UTC)
_LARGEST = 24_000  # bytes of a note that a reader opens at ease
_NO_TEXT = {BlockKind.BLANK, BlockKind.FRONTMATTER, BlockKind.RULE}
_BULLET = late(r"[ \t]*[-*+][ \t]+(?!\[[ xX]\][ \t])")
# What opens a block, a nested list, a checkbox or a link definition at the start of an item; the
# backslash that keeps it from doing so goes behind the digits of a number, else before all.
_OPENS = late(
    r"\A(?:(\d{1,9})(?=[.)](?:\s|$))"
    r"|(?=(?:#{1,6}|[-*+])(?:\s|$)|[>|]|`{3}|~{3}|\[[^\]]?\]\s|\[[^\]]*\]:))"
)
_COMMENT = late(r"(?<!\\)<(?=!--)")


class NewLine(NamedTuple):
    """A line to write: its text, the words it comes from, the reason, and the kind of note."""

    text: str
    quote: str
    rule: str  # the reason that `dreamd why` shows
    kind: str  # user, feedback, project or reference
    said: PersonSaid

    @property
    def source(self) -> Source:
        """Return who said it and when."""
        said, quote = self.said, self.quote.encode("utf-8", "replace").decode()
        day = said.day.isoformat() if said.day else ""
        return Source(quote, said.session, said.message, day)


class Placed(NamedTuple):
    """The notes with the new lines, how often what was done, and where each line comes from."""

    memory: Memory
    counts: Mapping[str, int] = {}  # by step
    whys: tuple[Why, ...] = ()


class _Home(NamedTuple):
    """A place before line `at` of a note, or in a new file with a title."""

    path: PurePosixPath
    at: int = 0
    bullet: str = "- "
    is_apart: bool = False  # a blank line comes first
    title: str = ""


def place(memory: Memory, lines: Iterable[NewLine], heeded: Heeded, refusals: Refusals) -> Placed:
    """Return the notes with every new line in its place, oldest first; nothing is read or written.

    What a line says already is not written again: that line gets more evidence. What a past dream
    drew on is left out, and so is what the user took back, in whatever file it stood.
    """
    wanted = []
    for each in sorted(lines, key=lambda each: each.said.at or _LAST):
        message, source = each.said.message, each.source
        is_used = heeded.drew_on(message, each.quote) is not None
        if message in heeded.declined:
            refusals.cited.add(heeded.declined[message])
        elif not is_used and (source.quote, source.day) not in heeded.quotes:
            wanted.append(each)
    if not wanted:
        return Placed(memory)  # reading what is known takes a while
    work = _Placing(memory, refusals)
    for each in wanted:
        work.put(each)
    return Placed(work.memory, work.done, (*work.whys, *work.again.values()))


class _Placing:
    """The notes with the lines placed so far."""

    def __init__(self, memory: Memory, refusals: Refusals) -> None:
        self.memory, self._refusals, self._known = memory, refusals, known(memory)
        self._refused = Known(Row(path, row) for path, row in sorted(refusals.declined.added))
        self.again: dict[tuple[Row, str], Why] = {}
        self.done: Counter[str] = Counter()
        self.whys: list[Why] = []

    def put(self, new: NewLine) -> None:
        """Place one line, unless the notes say it, the user refused it, or no file takes it."""
        day = new.said.day  # "next Friday" is another day in another week
        dated = day.isoformat() if day and relative(new.text, day) else ""
        if row := self._known.find(new.text, dated):
            why = Why(row.path, row.row, "=", new.rule, **asdict(new.source))
            self.again.setdefault((row, new.said.message), why)
            self.done[AGAIN] = len(self.again)
        elif refused := self._refused.find(new.text, dated):
            self._refusals.cited.add(self._refusals.declined.added[refused])
        elif self.done[WRITTEN] >= MOST or not (home := self._topical(new) or self._kept(new.kind)):
            self.done[LEFT] += 1
        elif said := line(new.text, day, home.path, self.memory):
            row = Row(home.path, f"{home.bullet}{said}")
            if not self._refusals.of_adding(row.path, (row.row,)):
                self._write(home, row, new)

    def _write(self, home: _Home, row: Row, new: NewLine) -> None:
        around = [Insertion(home.path, home.at, ("",))] if home.is_apart else []
        if home.title:
            about = KEPT[new.kind][2]
            head = frontmatter_rows(home.path, about, new.kind, self.memory)
            where = listing.place(self.memory.notes.get(INDEX) or Note(INDEX, ""), self._refusals)
            pointer = where.rows([listing.ListEntry(home.path, home.title, about)])
            around = [Insertion(home.path, 0, (*head, f"# {home.title}", ""))]
            if not self._refusals.of_adding(INDEX, pointer):
                around.append(Insertion(INDEX, where.at, where.framed(pointer)))
        came = Insertion(home.path, home.at, (row.row,))
        edits = (
            Edit(_RULE, _RULE, (), tuple(around)),
            Edit(new.rule, WRITTEN, (), (came,), source=new.source),
        )
        self.memory, whys = edited(self.memory, edits)
        self.whys += whys
        self.done[WRITTEN] += 1
        self._known.add(row)

    def _topical(self, new: NewLine) -> _Home | None:
        """Return the place in the note of its kind that shares most rare stems, two at least."""
        most = max(2, len(self.memory.texts) // 10)  # notes that may have a rare stem
        paths = {stem: self._known.paths.get(stem, ()) for stem in content(new.text)}
        rare = frozenset(stem for stem, at in paths.items() if len(at) <= most)
        shared = Counter(path for stem in rare for path in paths[stem])
        for path, count in sorted(shared.items(), key=lambda each: (-each[1], each[0])):
            note = self.memory.notes.get(path)
            if note is None or count < 2 or value(note.text, "type") != new.kind:
                continue
            is_other = path == INDEX or day_of(path) is not None or took_lines(note)
            if not is_other and len(note.text) < _LARGEST:
                return _in_note(note, rare)
        return None

    def _kept(self, kind: str) -> _Home | None:
        """Return the place in the file for a kind; a file that takes no lines has a next one."""
        name, heading, _ = KEPT[kind]
        taken = {str(path).casefold() for path in self.memory.names | self._refusals.paths}
        can_point = INDEX in self.memory.notes or INDEX not in self.memory.names
        for number in range(1, len(taken) + 2):
            part, behind = (f"-{number}", f", part {number}") if number > 1 else ("", "")
            path = PurePosixPath(f"{name}{part}.md")
            note = self.memory.notes.get(path)
            if note and (home := _in_note(note)):
                return home
            if can_point and str(path).casefold() not in taken:
                return _Home(path, title=heading + behind)
        return None


def _in_note(note: Note, wanted: frozenset[str] = frozenset()) -> _Home | None:
    """Return the end of the list with the item and headings that share most stems, else the end.

    A list has no steps, tasks or pointers. None where all is over or of a day, or a fence is open.
    """
    parts = [part for part in note.parts if part.kind not in _NO_TEXT]
    if parts and not is_closed(note.rows, note.parts[-1]):
        return None
    pointing = listing.firsts(note)
    items = [part for part in parts if part.kind is BlockKind.ITEM and part.start not in pointing]
    items = [part for part in items if _BULLET.match(note.rows[part.start]) and not _is_over(part)]
    if not items:
        at = parts[-1].end if parts else len(note.rows)
        return None if parts and _is_over(parts[-1]) else _Home(note.path, at, is_apart=at > 0)

    def shared(part: Block) -> int:
        return len(content("\n".join((*part.headings, *note.body(part)))) & wanted)

    best = max(reversed(items), key=shared)
    *before, last = (part for part in items if part.headings == best.headings)
    bullet = _BULLET.match(note.rows[last.start])
    is_loose = bool(before) and not note.rows[last.start - 1].strip()
    return _Home(note.path, last.end, bullet[0] if bullet else "- ", is_loose)


def _is_over(part: Block) -> bool:
    above = " ".join((part.title, *part.headings))
    return bool(words(above) & (OVER | FINISHED)) or days.first(above) is not None


def line(text: str, day: date | None, path: PurePosixPath, memory: Memory) -> str | None:
    """Return the words of a new line for the note `path`, without a list marker.

    The day comes last in brackets, unless the line names it. A relative date gets what it means
    beside it ("yesterday (2026-05-10)"), or where nobody can say, the day on which it was said
    ("next Friday (said 2026-05-11)"); without a day such a line is None, for it would mislead.
    Secrets are redacted, links to no note become plain text, all other words stay.
    """
    shown = (letter if letter.isprintable() or letter > "\x9f" else " " for letter in redact(text))
    said = " ".join("".join(shown).encode("utf-8", "replace").decode().split())
    said = _unlinked(_OPENS.sub(r"\1\\", _COMMENT.sub(r"\\<", said)), path, memory)
    if day is None or not said:
        return said if said and not relative_phrases(said) else None
    said = resolved(said, day)
    is_named = day.isoformat() in {str(each.day) for each in days.find(said)}
    said = said if is_named else f"{said} ({day.isoformat()})"
    return None if relative(said, day) else said


def _unlinked(said: str, path: PurePosixPath, memory: Memory) -> str:
    """Return the words with a backslash before each link that leads to no note."""
    for each in reversed(pointers(f"- {said}", path)):
        if memory.destination(each, path) is None:
            at = each.start - 2
            said = f"{said[:at]}\\{said[at:]}"
    return said
