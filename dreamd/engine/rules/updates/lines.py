"""The lines of notes that may be brought up to date, each with the day it holds for."""

from __future__ import annotations

from calendar import monthrange
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from datetime import date, datetime
from pathlib import PurePosixPath

from dreamd.domain.superseded import current
from dreamd.domain.tree import INDEX
from dreamd.engine.rules import days
from dreamd.engine.rules.context import contexts
from dreamd.engine.rules.gather.known import MARKER
from dreamd.engine.rules.gather.place_phrase import OWN_DAY
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.updates.labels import is_labelled
from dreamd.text.late import late
from dreamd.text.markdown.markdown import Block, BlockKind
from dreamd.text.markdown.note import title

_SAID = {BlockKind.ITEM, BlockKind.PARAGRAPH}
_LINK = late(r"\[(?P<title>[^\]]*)\]\([^)]*\)\s*(?:[:—–-]+\s*)?")  # noqa: RUF001
_BOX = late(r"\s*>|\s*\|")
_CLOSED = late(r"[.!?:;。！？][\W_]*$|\\$|  $")  # noqa: RUF001
_GOES_ON = late(r"\W*(?:[^\W\d_A-Z]|\d)")
_WIDE = 40  # characters from which on a row without a full stop is rather broken than ended
_UNDERLINE = late(r" {0,3}(?:-+|=+)[ \t]*")
_CODE = late(r"(?: {4}| {0,3}\t)")
_LEADING = late(r"\W*(?P<day>\d{4}-\d\d-\d\d)\b")


@dataclass(frozen=True, slots=True)
class Home:
    """The end of the newest dated section of a log: before line `at`; `day` is that of it."""

    at: int
    day: date


@dataclass(frozen=True, slots=True)
class Line:
    """One line of a note: `prefix` is its list marker and pointer, `text` the rest.

    `day` is the day it names as that of its words, None where neither it nor a heading does;
    `edited` is when its note was last written, as far as that is known. `home` is where an entry
    of a log belongs that is of a later day. `above` is what it stands below: its file, headings,
    what introduces it, the items it is part of, outermost first, and the title of its pointer.
    """

    path: PurePosixPath
    number: int
    prefix: str
    text: str
    day: date | None = None
    edited: datetime | None = None
    home: Home | None = None
    above: tuple[str, ...] = ()

    @property
    def row(self) -> str:
        """The line as it stands."""
        return self.prefix + self.text

    @property
    def is_pointer(self) -> bool:
        """Whether it stands behind a pointer to another note."""
        return "](" in self.prefix

    @property
    def current(self) -> str:
        """What it says of today: without what it calls past."""
        return current(self.text)


def lines(memory: Memory, edited: Mapping[PurePosixPath, datetime]) -> Iterator[Line]:
    """Yield each line that says something in words: items and paragraphs, no tables or code."""
    for path in memory.order():
        note = memory.notes[path]
        home = _home(note)
        crowd = Counter(part.headings for part in note.parts if part.kind is BlockKind.ITEM)
        file = () if path == INDEX else (title(path, note.text),)
        for part, context in contexts(note):
            if part.kind not in _SAID or note.holds_fence(part):
                continue
            is_entry = part.kind is BlockKind.ITEM and part.end == part.start + 1
            may_go = is_entry and crowd[part.headings] > 1
            outer = _outer(note, part)
            for line in _of_part(note, part, edited.get(path), home if may_go else None):
                outside = (*file, *context.above, *outer[line.number])
                yield replace(line, above=(*outside, *line.above))


def _outer(note: Note, part: Block) -> dict[int, tuple[str, ...]]:
    """Return for each row of a part those of the items that it is part of, outermost first."""
    found: dict[int, tuple[str, ...]] = {}
    open_items: list[tuple[int, str]] = []
    for number, row in enumerate(note.body(part), part.start):
        indent = _indent(row)
        while row.strip() and open_items and open_items[-1][0] >= indent:
            open_items.pop()
        found[number] = tuple(item for _, item in open_items)
        if MARKER.match(row):
            open_items.append((indent, row))
    return found


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip())


def _home(note: Note) -> Home | None:
    """Return where a log goes on, None of a note that is none or ends in something else."""
    dated = [
        (day, part.start)
        for part in note.parts
        if part.kind is BlockKind.HEADING and (day := _day(days.first(part.title)))
    ]
    if not dated:
        return None
    day, start = max(dated)
    items = [
        part
        for part in note.parts
        if part.kind is BlockKind.ITEM and part.start > start and _of_headings(part.headings) == day
    ]
    is_plain = items and note.rows[items[-1].start].startswith("- ")
    return Home(items[-1].end, day) if is_plain else None


def _of_part(note: Note, part: Block, edited: datetime | None, home: Home | None) -> Iterator[Line]:
    if part.kind is BlockKind.PARAGRAPH and _is_title_or_code(note, part):
        return
    logged = _of_headings(part.headings)
    around = logged or _day(days.first(note.path.stem))
    for number in range(part.start, part.end):
        row = note.rows[number]
        if not row.strip() or _BOX.match(row):
            continue
        if any(_runs_on(note, part, at) for at in (number - 1, number)):
            continue
        marker = MARKER.match(row)
        at = marker.end() if marker else len(row) - len(row.lstrip())
        above: tuple[str, ...] = ()
        if link := _LINK.match(row, at):
            at, above = link.end(), (link["title"],)
        text = row[at:].rstrip()
        if text:
            day = own_day(text) or around
            is_log = logged and home and row.startswith("- ") and home.day > logged
            entry = home if is_log else None
            yield Line(note.path, number, row[:at], text, day, edited, entry, above)


def _runs_on(note: Note, part: Block, number: int) -> bool:
    """Whether a sentence of one row goes on in the next; neither is then one to grow."""
    if not part.start <= number < part.end - 1:
        return False
    row, after = note.rows[number].rstrip("\r"), note.rows[number + 1]
    if not row.strip() or not after.strip() or MARKER.match(after) or _CLOSED.search(row):
        return False
    if is_labelled(row) and is_labelled(after):
        return False
    return len(row) >= _WIDE or _GOES_ON.match(after) is not None


def _is_title_or_code(note: Note, part: Block) -> bool:
    """Whether a paragraph is a heading that is underlined, or code by its indentation."""
    if _CODE.match(note.rows[part.start]):
        return True
    below = note.rows[part.end] if part.end < len(note.rows) else ""
    if any(map(_UNDERLINE.fullmatch, note.body(part)[1:])):
        return True
    return _UNDERLINE.fullmatch(below) is not None and not _CLOSED.search(note.rows[part.end - 1])


def own_day(text: str) -> date | None:
    """Return the day that stands in brackets behind a line's words, or before them."""
    said = OWN_DAY.findall(current(text))
    if said:
        return date.fromisoformat(said[-1].strip(" ()").removeprefix("said "))
    return _day(days.first(match["day"])) if (match := _LEADING.match(text)) else None


def _of_headings(titles: tuple[str, ...]) -> date | None:
    return next((day for title in reversed(titles) if (day := _day(days.first(title)))), None)


def _day(named: days.Day | None) -> date | None:
    """Return a day of the calendar, the last of a month; None of one that there is not."""
    if named is None:
        return None
    last = monthrange(named.year, named.month)[1]
    return date(named.year, named.month, named.day or last) if named.day <= last else None
