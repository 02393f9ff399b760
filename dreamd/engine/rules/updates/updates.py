"""Notes brought up to date: where a person gave a newer value, it stands and the older is past."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, datetime
from pathlib import PurePosixPath

from dreamd.domain.change import Heeded, Why
from dreamd.domain.ending import Phase, Step
from dreamd.domain.heard import PersonSaid
from dreamd.domain.markdown import BlockKind
from dreamd.domain.superseded import current
from dreamd.engine.rules.edit import Edit, Insertion, Refusals, Removal, Source, apply
from dreamd.engine.rules.gather.place_kind import gathers
from dreamd.engine.rules.gather.place_line import written
from dreamd.engine.rules.gather.place_pointer import retold_as
from dreamd.engine.rules.orient import Memory, Note, changed
from dreamd.engine.rules.updates.alike import Weights
from dreamd.engine.rules.updates.given import telling
from dreamd.engine.rules.updates.grown import Grown
from dreamd.engine.rules.updates.lines import Line, lines
from dreamd.engine.rules.updates.mark import called, joined, marked
from dreamd.engine.rules.updates.standing import Standing
from dreamd.engine.rules.updates.statements import SPAN, Statement, statements
from dreamd.engine.rules.updates.switches import Switch, switches

RULE = "update"
UPDATED = "brought {line} up to date"
_LONGEST = 2_000  # characters of a line that grew with each change
_ENOUGH = 450  # of one that older lines are joined to
_New = Statement | Switch
_Place = tuple[PurePosixPath, int]
_LAST = datetime.max.replace(tzinfo=UTC)


@dataclass(frozen=True, slots=True)
class Updated:
    """The notes after the updates, what was done, and in whose words."""

    memory: Memory
    steps: tuple[Step, ...] = ()
    whys: tuple[Why, ...] = ()


def updates(
    memory: Memory,
    said: Sequence[PersonSaid],
    heeded: Heeded,
    refusals: Refusals,
    *,
    edited: Mapping[PurePosixPath, datetime] | None = None,
    placed: Mapping[tuple[PurePosixPath, str], Why] | None = None,
) -> Updated:
    """Return the notes with older values marked as past beside the newer ones.

    The words of the older line stay; nothing is read or written. `edited` says when each note was
    written last, by which lines without a day are dated. `placed` are lines (path, row) that this
    dream placed, each with the reason: where given, only they are brought up to date. What a past
    dream drew on, or the user took back, is not drawn on again.
    """
    if placed is not None and not placed:
        return Updated(memory)
    messages = list(_unheeded(said, heeded, refusals))
    every: list[_New] = [*statements(messages), *switches(messages)]
    every.sort(key=lambda each: each.number)
    found = [each for each in every if (each.quote, each.day) not in heeded.quotes]
    if not found:
        return Updated(memory)
    updating = _Updating(memory, found, refusals, edited or {})
    updating.know(messages, placed)
    for one in found:
        updating.take(one)
    return updating.done()


def _unheeded(
    said: Iterable[PersonSaid], heeded: Heeded, refusals: Refusals
) -> Iterator[PersonSaid]:
    for message in sorted(said, key=lambda each: each.at or _LAST):
        if message.message in heeded.declined:
            refusals.cited.add(heeded.declined[message.message])
        elif message.message not in heeded.taken:
            yield message


class _Updating:
    """One pass over what was said, oldest first, so that the last value is the one that stands."""

    def __init__(
        self,
        memory: Memory,
        found: Sequence[_New],
        refusals: Refusals,
        edited: Mapping[PurePosixPath, datetime],
    ) -> None:
        self._memory = memory
        self._refusals = refusals
        self._lines = list(lines(memory, edited))
        self._known = [_squeezed(line.text) for line in self._lines]
        self._everything = "\n".join(self._known)
        self._standing = Standing(
            Weights([line.text for line in self._lines] + [each.quote for each in found])
        )
        self._only_placed = False
        self._grown: dict[_Place, Grown] = {}
        self._joined: dict[_Place, _Place] = {}  # a line that stands on another one now

    def know(
        self,
        messages: Sequence[PersonSaid],
        placed: Mapping[tuple[PurePosixPath, str], Why] | None,
    ) -> None:
        """Let the values of all lines be found; of those placed, with when they were said."""
        self._only_placed = placed is not None
        said = {message.message: number for number, message in enumerate(messages)}
        for line in self._lines:
            why = (placed or {}).get((line.path, line.row))
            number = said.get(why.message) if why else None
            if why is None or number is None:
                self._standing.add(line)
            else:
                self._standing.add(line, (number + 1) * SPAN - 1, telling(why.quote))

    def take(self, new: _New) -> None:
        """Mark what a statement replaces; one that stood in the notes before replaces nothing."""
        stands = self._line_of(new)
        if stands is not None and not self._only_placed:
            return
        is_told = stands is not None
        for number, old in self._replaced(new):
            if number == stands:
                continue
            if not is_told:
                is_told = self._mark(new, number, old, is_first=True)
            elif stands is None or not self._join(new, number, old, stands):
                self._mark(new, number, old, is_first=False)

    def _replaced(self, new: _New) -> Iterator[tuple[int, str]]:
        """Yield the lines with what something replaces, and how they call it."""
        if isinstance(new, Switch):
            for number in self._standing.using(new, only_placed=self._only_placed):
                yield number, new.old
        else:
            for each in self._standing.replaced(new, only_placed=self._only_placed):
                yield each.line, called(each.value)

    def _line_of(self, new: _New) -> int | None:
        """Return the line that says what a statement says, None where none does."""
        text = _squeezed(new.text).rstrip(".!")
        if text in self._everything:
            return next((n for n, known in enumerate(self._known) if text in known), None)
        return None

    def _mark(self, new: _New, number: int, old: str, *, is_first: bool) -> bool:
        """Let the newer words stand before those of an older line, or nothing before a copy."""
        line = self._standing.line(number)
        head = written(new.text, new.said.day, line.path, self._memory) if is_first else ""
        if head is None:
            return False
        text = marked(head, old, line)
        grown = self._grown.get((line.path, line.number))
        if grown and is_first and len(text) > _ENOUGH:
            # What a dream replaced in its own lines never stood in the notes: it needs no place.
            text, behind = marked(head, "", grown.first), grown.behind
            return self._grow(new, line, text, (number,), behind)
        if head and len(text) > _LONGEST:
            return self._grow(new, line, head, (number,), marked("", old, line))
        return self._grow(new, line, text, (number,))

    def _join(self, new: _New, number: int, old: str, stands: int) -> bool:
        """Let an older line stand behind the newer one that was placed in the same note."""
        line, older = self._as_it_reads(stands), self._standing.line(number)
        if line.path != older.path or (older.path, older.number) in self._grown:
            return False
        if self._refusals.of_removing(older.path, (older.row,)):
            return False
        text = joined(line.text, marked("", old, older))
        if len(text) > _ENOUGH or not self._grow(new, line, text, (stands, number)):
            return False
        self._joined[older.path, older.number] = line.path, line.number
        return True

    def _as_it_reads(self, number: int) -> Line:
        """Return a line as this dream has made it read so far."""
        line = self._standing.line(number)
        grown = self._grown.get((line.path, line.number))
        return replace(line, text=grown.text) if grown else line

    def _grow(
        self, new: _New, line: Line, text: str, gone: tuple[int, ...], behind: str = ""
    ) -> bool:
        place = line.path, line.number
        first = self._grown[place].first if place in self._grown else line
        rows = (line.prefix + text, *((line.prefix + behind,) if behind else ()))
        if len(text) > _LONGEST or self._refusals.of_adding(line.path, rows):
            return False
        if self._refusals.of_removing(line.path, (first.row,)):
            return False
        quote = new.quote.encode("utf-8", "replace").decode()
        source = Source(quote, new.said.session, new.said.message, new.day)
        day = new.said.day if current(text) else None
        self._grown[place] = Grown(first, text, source, day, behind)
        for each in gone:
            self._standing.remove(each)
        after = Line(line.path, line.number, line.prefix, text, new.said.day or line.day)
        self._standing.add(after, new.number)
        self._known.append(_squeezed(text))
        self._everything += f"\n{self._known[-1]}"
        return True

    def done(self) -> Updated:
        """Return what came of it."""
        if not self._grown:
            return Updated(self._memory)
        texts = {path: note.text for path, note in self._memory.notes.items()}
        applied = apply(texts, list(self._edits()))
        steps = (Step(Phase.CONSOLIDATE, UPDATED, len(self._grown)),)
        return Updated(changed(self._memory, applied.texts), steps, applied.whys)

    def _edits(self) -> Iterator[Edit]:
        for place, grown in sorted(self._grown.items(), key=lambda each: each[0]):
            path, number = place
            home = grown.first.home
            at = home.at if home and grown.day and home.day <= grown.day else number
            going = [Removal(path, number)]
            going += [Removal(*each, path) for each, to in self._joined.items() if to == place]
            coming = (Insertion(path, at, grown.rows),)
            yield Edit(RULE, UPDATED, tuple(going), coming, source=grown.source)
        for path in sorted({path for path, _ in self._grown}):
            if gathers(note := self._memory.notes[path]):
                yield from retold_as(self._memory, note, self._items(note), self._refusals)

    def _items(self, note: Note) -> list[str]:
        """Return the entries of a note as they will stand."""
        starts = [part.start for part in note.parts if part.kind is BlockKind.ITEM]
        left = [at for at in starts if (note.path, at) not in self._joined]
        return [
            grown.rows[0] if (grown := self._grown.get((note.path, at))) else note.rows[at]
            for at in left
        ]


def _squeezed(text: str) -> str:
    return " ".join(text.casefold().split())
