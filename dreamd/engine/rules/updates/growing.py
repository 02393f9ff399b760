"""Lines of notes that grow: newer words before the older ones, each line once in a dream."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace
from datetime import datetime
from pathlib import PurePosixPath

from dreamd.domain.change import Why
from dreamd.domain.heard import PersonSaid
from dreamd.domain.superseded import DENIED, OPEN, PAST, current, is_open
from dreamd.engine.rules.edit import Edit, Insertion, Refusals, Removal, Source
from dreamd.engine.rules.gather.place_kind import gathers
from dreamd.engine.rules.gather.place_line import written
from dreamd.engine.rules.gather.place_phrase import OWN_DAY
from dreamd.engine.rules.gather.place_pointer import retold_as
from dreamd.engine.rules.noticing import New
from dreamd.engine.rules.orient import Memory, Note
from dreamd.engine.rules.updates.alike import Weights
from dreamd.engine.rules.updates.denials import Denial
from dreamd.engine.rules.updates.given import telling
from dreamd.engine.rules.updates.grown import Grown, Old
from dreamd.engine.rules.updates.lines import Line, lines
from dreamd.engine.rules.updates.mark import joined, marked, unsure
from dreamd.engine.rules.updates.spoken import SPAN
from dreamd.engine.rules.updates.standing import Standing
from dreamd.text.markdown.markdown import BlockKind

RULE = "update"
UPDATED = "brought {line} up to date"
UNDECIDED = "left open what holds in {line}"
_LONGEST = 2_000  # characters of a line that was long before it grew
_ENOUGH = 450  # of one that older words stand on; more of them stand on the line behind it
_Place = tuple[PurePosixPath, int]


class Growing:
    """The lines of notes, to be asked for older values and to be grown by newer words.

    `placed` are those that this dream placed, each with the reason; where given, `only_placed`
    is set, and the others are not for growing.
    """

    def __init__(
        self,
        memory: Memory,
        told: Sequence[New],
        refusals: Refusals,
        edited: Mapping[PurePosixPath, datetime],
    ) -> None:
        self._memory = memory
        self._refusals = refusals
        self._lines = list(lines(memory, edited))
        self._known = [_squeezed(line.text) for line in self._lines]
        self._everything = "\n".join(self._known)
        self.standing = Standing(
            Weights([line.text for line in self._lines] + [each.quote for each in told])
        )
        self.only_placed = False
        self._grown: dict[_Place, Grown] = {}
        self._joined: dict[_Place, _Place] = {}  # a line that stands on another one now

    def undecided(self) -> int:
        """Return how many lines left open what holds when the dream found them."""
        return sum(is_open(line.text) for line in self._lines)

    def know(
        self,
        messages: Sequence[PersonSaid],
        placed: Mapping[tuple[PurePosixPath, str], Why] | None,
    ) -> None:
        """Let the values of all lines be found; of those placed, with when they were said."""
        self.only_placed = placed is not None
        said = {message.message: number for number, message in enumerate(messages)}
        for line in self._lines:
            why = (placed or {}).get((line.path, line.row))
            number = said.get(why.message) if why else None
            if why is None or number is None:
                self.standing.add(line)
            else:
                self.standing.add(line, (number + 1) * SPAN - 1, telling(why.quote))

    def line_of(self, new: New) -> int | None:
        """Return the number of the line that says what a statement says, None where none does."""
        text = _squeezed(new.text).rstrip(".!")
        if text in self._everything:
            return next((n for n, known in enumerate(self._known) if text in known), None)
        return None

    def mark(self, new: New, old: Old, *, is_first: bool, is_sure: bool = True) -> bool:
        """Let the newer words stand before those of an older line, or nothing before a copy.

        Returns whether it grew: it does not where the user took that back, or it would be too
        long.
        """
        line = self.standing.line(old.line)
        head = written(new.text, new.said.day, line.path, self._memory) if is_first else ""
        found = None if head is None else marked(head, old.said, line, old.sentence, _word(is_sure))
        if head is None or found is None:
            return False
        grown = self._grown.get((line.path, line.number))
        if grown and is_first and len(found.text) > _ENOUGH:
            # What a dream replaced in its own lines never stood in the notes: it needs no place.
            text = marked(head, "", grown.first, "", _word(is_sure))
            return text is not None and self._grow(new, line, text.text, (old.line,))
        if head and len(found.text) > _ENOUGH:
            past = marked("", old.said, line, "", _word(is_sure))
            return past is not None and self._grow(new, line, head, (old.line,), past.text)
        return self._grow(new, line, found.text, (old.line,), found.rest)

    def join(self, new: New, old: Old, stands: int, *, is_sure: bool = True) -> bool:
        """Let an older line stand behind the newer one placed in the same note, what changed."""
        line, older = self._as_it_reads(stands), self.standing.line(old.line)
        place, grown = (older.path, older.number), self._grown.get((older.path, older.number))
        if line.path != older.path or (grown and grown.behind) or line.number == older.number:
            return False
        first = grown.first if grown else older
        if self._refusals.of_removing(older.path, (first.row,)):
            return False
        past = marked("", old.said, older, old.sentence, _word(is_sure))
        if past is None or self._refusals.of_adding(older.path, (older.prefix + past.rest,)):
            return False
        text, behind = joined(line.text, past.text), ""
        if old.said.casefold() in current(line.text).casefold():
            text, behind = line.text, past.text  # it tells itself what was before
        if len(text) > _ENOUGH or not self._grow(new, line, text, (stands, old.line), behind):
            return False
        if past.rest:
            after = grown or self._grown[line.path, line.number]
            self._grown[place] = Grown(first, past.rest, after.source, grown.day if grown else None)
            self._stands(replace(older, text=past.rest), self.standing.since(old.line))
        else:
            self._grown.pop(place, None)
            moved = {each for each, to in self._joined.items() if to == place} | {place}
            self._joined |= dict.fromkeys(moved, (line.path, line.number))
        return True

    def _stands(self, line: Line, since: int) -> None:
        self.standing.add(line, since)
        self._known.append(_squeezed(line.text))
        self._everything += f"\n{self._known[-1]}"

    def deny(self, new: Denial, number: int, stands: int | None) -> bool:
        """Let a denial stand behind the claim it denies, unless the user took that back.

        Where it has a line of its own that says nothing else, that one goes.
        """
        line = self.standing.line(number)
        own = None if stands is None else self.standing.line(stands)
        if own is not None and (own.path != line.path or not _is_of(own.current, new.quote)):
            return False
        if own is not None and self._refusals.of_removing(own.path, (own.row,)):
            return False
        said = written(new.text, new.said.day, line.path, self._memory)
        text = None if said is None else unsure(line, f"{DENIED}: {said}")
        if text is None or len(text) > _ENOUGH or not self._grow(new, line, text, (number,)):
            return False
        if own is not None:
            self._joined[own.path, own.number] = line.path, line.number
        return True

    def is_open(self, number: int) -> bool:
        """Whether a line leaves open what holds."""
        return is_open(self.standing.line(number).text)

    def has_grown(self, number: int) -> bool:
        """Whether a line was brought up to date in this dream."""
        line = self.standing.line(number)
        return (line.path, line.number) in self._grown

    def _as_it_reads(self, number: int) -> Line:
        """Return a line as this dream has made it read so far."""
        line = self.standing.line(number)
        grown = self._grown.get((line.path, line.number))
        return replace(line, text=grown.text) if grown else line

    def _grow(
        self, new: New, line: Line, text: str, gone: tuple[int, ...], behind: str = ""
    ) -> bool:
        place = line.path, line.number
        before = self._grown.get(place)
        first, left = (before.first, before.behind) if before else (line, "")
        if left and behind not in {"", left}:
            return False  # there is room for one line behind
        behind = behind or left
        rows = (line.prefix + text, *((line.prefix + behind,) if behind else ()))
        if len(text) > _LONGEST or self._refusals.of_adding(line.path, rows):
            return False
        if self._refusals.of_removing(line.path, (first.row,)):
            return False
        quote = new.quote.encode("utf-8", "replace").decode()
        source = Source(quote, new.said.session, new.said.message, new.day)
        stays = isinstance(new, Denial)
        day = new.said.day if current(text) and not stays else None
        self._grown[place] = Grown(first, text, source, day, behind)
        for each in gone:
            self.standing.remove(each)
        last = line.day if stays else new.said.day or line.day
        after = Line(line.path, line.number, line.prefix, text, last, above=line.above)
        self._stands(after, new.number)
        return True

    def edits(self) -> Iterator[Edit]:
        """Yield what makes the lines read as they have grown, and pointers tell of them."""
        for place, grown in sorted(self._grown.items(), key=lambda each: each[0]):
            path, number = place
            home = grown.first.home
            at = home.at if home and grown.day and home.day <= grown.day else number
            going = [Removal(path, number)]
            going += [Removal(*each, path) for each, to in self._joined.items() if to == place]
            coming = (Insertion(path, at, grown.rows),)
            step = UNDECIDED if grown.is_open else UPDATED
            yield Edit(RULE, step, tuple(going), coming, source=grown.source)
        for path in sorted({path for path, _ in self._grown}):
            if gathers(note := self._memory.notes[path]):
                yield from retold_as(self._memory, note, self._items(note), self._refusals)

    def heard(self, placed: Mapping[tuple[PurePosixPath, str], Why]) -> Iterator[Why]:
        """Yield again the reasons of placed lines that stand within others now."""
        rows = {(line.path, line.number): line.row for line in self._lines}
        for at in (*self._grown, *self._joined):
            if why := placed.get((at[0], rows[at])):
                grown = self._grown[self._joined.get(at, at)]
                yield replace(why, line=grown.rows[0], sign="=")

    def _items(self, note: Note) -> list[str]:
        """Return the entries of a note as they will stand."""
        starts = [part.start for part in note.parts if part.kind is BlockKind.ITEM]
        left = [at for at in starts if (note.path, at) not in self._joined]
        return [
            grown.rows[0] if (grown := self._grown.get((note.path, at))) else note.rows[at]
            for at in left
        ]


def _is_of(text: str, quote: str) -> bool:
    """Whether a line says nothing but what was said in a sentence."""
    said = _squeezed(OWN_DAY.sub("", text)).rstrip(".!?")
    return bool(said) and said in _squeezed(quote)


def _word(is_sure: bool) -> str:
    return PAST if is_sure else OPEN


def _squeezed(text: str) -> str:
    return " ".join(text.casefold().split())
