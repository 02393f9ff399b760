"""Where in a note a new line goes: the end of a list, under the heading that speaks of it."""

from __future__ import annotations

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from dreamd.engine.rules import days
from dreamd.engine.rules.listing import firsts
from dreamd.engine.rules.orient import Note
from dreamd.engine.rules.vocabulary import FINISHED, OVER, words
from dreamd.text.late import late
from dreamd.text.markdown.markdown import Block, BlockKind, is_closed
from dreamd.text.stems import content

_BULLET = late(r"[ \t]*[-*+][ \t]+(?!\[[ xX]\][ \t])")
_ROOM = {BlockKind.BLANK, BlockKind.RULE}


@dataclass(frozen=True, slots=True)
class Spot:
    """Before line `at`: `lead` and `tail` around the new lines, each with this bullet.

    In a loose list a blank line stands before each.
    """

    at: int
    bullet: str = "- "
    is_loose: bool = False
    lead: tuple[str, ...] = ()
    tail: tuple[str, ...] = ()


@dataclass(frozen=True, slots=True)
class _Section:
    """A heading, None for what stands above the first, with what stands right below it."""

    heading: Block | None
    own: tuple[Block, ...]

    @property
    def is_open(self) -> bool:
        """Whether it takes new lines: it is no log of a day, nor of what is over."""
        if self.heading is None:
            return True
        said = " ".join((self.heading.title, *self.heading.headings[1:]))
        return not (words(said) & (OVER | FINISHED) or days.find(said))


def spot(note: Note, wanted: Collection[str]) -> Spot | None:
    """Return where a line with these folded words goes, None where the note has no place for it.

    The section that has most of the words, else the last that is a list, else the last.
    """
    if note.parts and not is_closed(note.rows, note.parts[-1]):
        return None
    sections = [section for section in _sections(note) if section.is_open]
    if not sections:
        return None
    best = max(sections, key=lambda section: _shared(note, section, wanted))
    if not _shared(note, best, wanted):
        best = next((each for each in reversed(sections) if _list(note, each)), sections[-1])
    return _within(note, best)


def _sections(note: Note) -> Iterator[_Section]:
    heading: Block | None = None
    own: list[Block] = []
    for part in note.parts:
        if part.kind is BlockKind.HEADING:
            if heading or any(each.kind is not BlockKind.FRONTMATTER for each in own):
                yield _Section(heading, tuple(own))
            elif own:
                own = []
            heading, own = part, []
        elif part.kind is not BlockKind.BLANK:
            own.append(part)
    yield _Section(heading, tuple(own))


def _shared(note: Note, section: _Section, wanted: Collection[str]) -> int:
    if not wanted:
        return 0
    if section.heading is not None and section.heading.level == 1:
        parts: tuple[Block, ...] = section.own  # the title speaks for the whole note
    else:
        parts = (*([section.heading] if section.heading else []), *section.own)
    texts = (row for part in parts for row in note.body(part))
    found = {word for row in texts for word in content(row)}
    return len(found.intersection(wanted))


def _list(note: Note, section: _Section) -> Block | None:
    """Return the last item of the last plain list: no steps, no tasks, no pointers."""
    pointing = firsts(note)
    for part in reversed(section.own):
        is_plain = part.kind is BlockKind.ITEM and _BULLET.match(note.rows[part.start])
        if is_plain and part.start not in pointing:
            return part
    return None


def _within(note: Note, section: _Section) -> Spot:
    last = _list(note, section)
    if last is not None:
        marker = _BULLET.match(note.rows[last.start])
        before = note.rows[last.start - 1] if last.start else ""
        items = [part for part in section.own if part.kind is BlockKind.ITEM]
        is_loose = last is not items[0] and not before.strip()
        tail = _tail(note, last.end)
        return Spot(last.end, marker[0] if marker else "- ", is_loose, (), tail)
    written = [part for part in section.own if part.kind not in _ROOM]
    after = written[-1] if written else section.heading
    if after is None:
        return Spot(0)
    return Spot(after.end, lead=("",), tail=_tail(note, after.end))


def _tail(note: Note, at: int) -> tuple[str, ...]:
    """Return a blank line where something else follows directly."""
    if at >= len(note.rows) or not note.rows[at].strip() or _BULLET.match(note.rows[at]):
        return ()
    return ("",)
