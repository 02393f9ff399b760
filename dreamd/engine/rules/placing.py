"""Write new lines: each into the topic file that it fits, else into the file for its kind."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable
from dataclasses import asdict
from datetime import UTC, date, datetime
from pathlib import PurePosixPath
from typing import NamedTuple

from dreamd.domain.change import Heeded, Why
from dreamd.domain.daily import day_of
from dreamd.domain.ending import Phase, Step
from dreamd.domain.heard import PersonSaid
from dreamd.domain.settings import Budget
from dreamd.domain.tree import INDEX
from dreamd.engine.rules import days, listing
from dreamd.engine.rules.dating import beside, relative
from dreamd.engine.rules.edit import Edit, Insertion, Refusals, Source, apply
from dreamd.engine.rules.known import Known, Row, known, meaning
from dreamd.engine.rules.orient import Memory, Note, changed
from dreamd.engine.rules.topics import Style, frontmatter_rows, took_lines
from dreamd.engine.rules.vocabulary import FINISHED, OVER, words
from dreamd.text.late import late
from dreamd.text.markdown.markdown import Block, BlockKind, is_closed
from dreamd.text.markdown.note import title, value
from dreamd.text.markdown.pointers import pointers
from dreamd.text.secrets.secrets import redact
from dreamd.text.stems import content
from dreamd.text.time.relative import relative_phrases

MOST = 200  # new lines of one dream: as many as a person reads through
PROMOTED = "recurring statement"  # the reason for a line that nobody asked for
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
    """The notes with the new lines, what was done, and the words that each line comes from."""

    memory: Memory
    steps: tuple[Step, ...] = ()
    whys: tuple[Why, ...] = ()


class _Home(NamedTuple):
    """A place before line `at` of a note, or in a new file with a title."""

    path: PurePosixPath
    at: int = 0
    bullet: str = "- "
    is_loose: bool = False  # a blank line stands before each item of the list
    is_apart: bool = False  # one stands before the first
    title: str = ""


def place(
    memory: Memory, lines: Iterable[NewLine], heeded: Heeded, budget: Budget, refusals: Refusals
) -> Placed:
    """Return the notes with every new line in its place, oldest first; nothing is read or written.

    What a line says already is not written again: that line gets more evidence. What a past dream
    drew on is left out, and so is what the user took back, in whatever file it stood.
    """
    wanted = []
    for each in sorted(lines, key=lambda each: each.said.at or _LAST):
        message, source = each.said.message, each.source
        if message in heeded.declined:
            refusals.cited.add(heeded.declined[message])
        elif heeded.drew_on(message, each.quote) is None and meaning(each.text)[0]:
            wanted += [] if (source.quote, source.day) in heeded.quotes else [each]
    return _Placing(memory, budget, refusals).placed(wanted) if wanted else Placed(memory)


class _Placing:
    """The new lines of a dream."""

    def __init__(self, memory: Memory, budget: Budget, refusals: Refusals) -> None:
        self._memory, self._refusals, self._known = memory, refusals, known(memory)
        self._refused = Known(Row(path, row) for path, row in sorted(refusals.declined.added))
        self._again: dict[tuple[Row, str], Why] = {}
        self._room = budget.memory_bytes - sum(len(t.encode()) for t in memory.texts.values())
        self._about = {path: _about(note) for path, note in memory.notes.items()}
        self._edits: list[Edit] = []
        self._begun: dict[tuple[PurePosixPath, int], listing.Entry] = {}
        self._done: Counter[str] = Counter()

    def placed(self, lines: Iterable[NewLine]) -> Placed:
        for new in lines:
            self._put(new)
        where = listing.place(self._memory.notes.get(INDEX) or Note(INDEX, ""), self._refusals)
        rows = where.rows([each for each in self._begun.values() if each.title])
        rows = tuple(row for row in rows if not self._refusals.of_adding(INDEX, (row,)))
        if rows:  # last in the list: a reader meets old notes first
            self._around(INDEX, where.at, *where.framed(rows))
        applied = apply({path: n.text for path, n in self._memory.notes.items()}, self._edits)
        self._done[AGAIN] = len(self._again)
        return Placed(
            changed(self._memory, applied.texts) if self._edits else self._memory,
            tuple(Step(Phase.GATHER, s, n) for s in (WRITTEN, AGAIN, LEFT) if (n := self._done[s])),
            (*applied.whys, *self._again.values()),
        )

    def _put(self, new: NewLine) -> None:
        """Place one line, unless the notes say it, the user refused it, or there is no room."""
        day = new.said.day  # "next Friday" is another day in another week
        dated = day.isoformat() if day and relative(new.text, day) else ""
        if row := self._known.find(new.text, dated):
            why = Why(row.path, row.row, "=", new.rule, **asdict(new.source))
            self._again.setdefault((row, new.said.message), why)
        elif refused := self._refused.find(new.text, dated):
            self._refusals.cited.add(self._refusals.declined.added[refused])
        elif self._done[WRITTEN] >= MOST or (home := self._home(new)) is None:
            self._done[LEFT] += 1
        elif said := line(new.text, day, home.path, self._memory):
            row = Row(home.path, f"{home.bullet}{said}")
            if not self._refusals.of_adding(row.path, (row.row,)):
                self._write(home, row.row, new)
                self._known.add(row)

    def _write(self, home: _Home, row: str, new: NewLine) -> None:
        about, is_first = KEPT[new.kind][2], home[:2] not in self._begun
        self._begun.setdefault(home[:2], listing.Entry(home.path, home.title, about))
        if is_first and home.title:
            head = frontmatter_rows(home.path, about, new.kind, Style.of(self._memory))
            self._around(home.path, 0, *head, f"# {home.title}")
        if home.is_loose or (home.is_apart and is_first):
            self._around(home.path, home.at, "")
        came = Insertion(home.path, home.at, (row,))
        self._edits.append(Edit(new.rule, WRITTEN, (), (came,), source=new.source))
        self._done[WRITTEN] += 1

    def _around(self, path: PurePosixPath, at: int, *rows: str) -> None:
        self._edits.append(Edit(_RULE, _RULE, (), (Insertion(path, at, rows),)))

    def _home(self, new: NewLine) -> _Home | None:
        size = len(new.text.encode()) + 1
        has_room = size <= self._room  # else a line in a topic note would push another out
        self._room -= size if has_room or new.rule != PROMOTED else 0
        found = self._topical(new) if has_room else None
        return found or (self._kept(new.kind) if has_room or new.rule != PROMOTED else None)

    def _topical(self, new: NewLine) -> _Home | None:
        """Return the place in the note that shares most rare stems, two at least, with a line."""
        most = max(2, len(self._memory.texts) // 10)  # notes that may have a rare stem
        notes = {stem: self._known.paths.get(stem, set()) for stem in content(new.text)}
        rare = {stem for stem, paths in notes.items() if 0 < len(paths) <= most}
        best, score = None, (0, 0)
        for path, (kind, about) in self._about.items():
            there = sum(stem in about or path in notes[stem] for stem in rare)
            if kind == new.kind and there > 1 and (len(rare & about), there) > max(score, (1, 0)):
                best, score = self._memory.notes[path], (len(rare & about), there)
        return _in_note(best, frozenset(rare)) if best else None

    def _kept(self, kind: str) -> _Home | None:
        """Return the place in the file for a kind; a file that takes no lines has a next one."""
        name, heading, _ = KEPT[kind]
        taken = {str(path).casefold() for path in self._memory.names | self._refusals.paths}
        can_point = INDEX in self._memory.notes or INDEX not in self._memory.names
        for number in range(1, len(taken) + 2):
            part, behind = (f"-{number}", f", part {number}") if number > 1 else ("", "")
            path = PurePosixPath(f"{name}{part}.md")
            note = self._memory.notes.get(path)
            if note and (home := _in_note(note)):
                return home
            if can_point and str(path).casefold() not in taken:
                return _Home(path, is_apart=True, title=heading + behind)
        return None


def _about(note: Note) -> tuple[str, frozenset[str]]:
    """Return the kind, and the stems of title, description and headings; none of other notes."""
    is_other = note.path == INDEX or day_of(note.path) is not None or took_lines(note)
    if is_other or len(note.text) >= _LARGEST:
        return "", frozenset()
    about = [title(note.path, note.text), value(note.text, "description") or ""]
    about += (part.title for part in note.parts if part.kind is BlockKind.HEADING)
    return value(note.text, "type") or "", content(" ".join(about))


def _in_note(note: Note, wanted: frozenset[str] = frozenset()) -> _Home | None:
    """Return the end of the list below the headings that share most stems, else of the note.

    A list has no steps, tasks or pointers. None where all is over or of a day, or a fence is open.
    """
    pointing = listing.firsts(note)
    parts = [part for part in note.parts if part.kind not in _NO_TEXT]
    if parts and not is_closed(note.rows, note.parts[-1]):
        return None
    lists: dict[tuple[str, ...], list[Block]] = {}
    for part in parts:
        is_plain = part.kind is BlockKind.ITEM and part.start not in pointing
        if is_plain and _BULLET.match(note.rows[part.start]) and not _is_over(part):
            lists.setdefault(part.headings, []).append(part)
    if not lists:
        at = parts[-1].end if parts else len(note.rows)
        return None if parts and _is_over(parts[-1]) else _Home(note.path, at, is_apart=at > 0)

    def shared(items: list[Block]) -> int:
        rows = (row for part in items for row in note.body(part))
        return len(content("\n".join((*items[0].headings, *rows))) & wanted)

    items = max(reversed(lists.values()), key=shared)
    bullet = _BULLET.match(note.rows[items[-1].start])
    is_loose = len(items) > 1 and not note.rows[items[-1].start - 1].strip()
    return _Home(note.path, items[-1].end, bullet[0] if bullet else "- ", is_loose)


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
    for each in reversed(relative(said, day)):
        means = each.means.words if each.means else f"said {day.isoformat()}"
        said = beside(said, each.phrase, means)
    is_named = day.isoformat() in {str(each.day) for each in days.find(said)}
    said = said if is_named else f"{said} ({day.isoformat()})"
    return None if relative(said, day) else said


def _unlinked(said: str, path: PurePosixPath, memory: Memory) -> str:
    """Return the words with a backslash before each link that leads to no note."""
    for _ in range(len(said)):
        found = pointers(f"- {said}", path)
        loose = [each.start - 2 for each in found if memory.destination(each, path) is None]
        if not loose:
            break
        said = f"{said[: loose[-1]]}\\{said[loose[-1] :]}"
    return said
