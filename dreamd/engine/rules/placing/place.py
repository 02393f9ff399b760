"""Place new lines in the notes: a known one adds evidence to a line, another one is written."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from dataclasses import asdict
from datetime import UTC, datetime
from pathlib import PurePosixPath
from typing import NamedTuple

from dreamd.domain.change import Heeded, Why
from dreamd.domain.ending import Phase, Step
from dreamd.domain.settings import Budget
from dreamd.domain.tree import INDEX
from dreamd.engine.rules import listing
from dreamd.engine.rules.edit import Edit, Insertion, Refusals, Source, apply
from dreamd.engine.rules.orient import Memory, Note, changed
from dreamd.engine.rules.placing.home import KEPT, Homes, NewLine
from dreamd.engine.rules.placing.known import Known, Row, known, meaning
from dreamd.engine.rules.placing.line import line
from dreamd.engine.rules.topics import Style, frontmatter_rows
from dreamd.text.time.relative import dated_phrases

__all__ = ["NewLine", "Placed", "place"]

MOST = 200  # new lines of one dream: as many as a person reads through
WRITTEN = "remembered {thing} you said"
AGAIN = "found {known thing} said again"
LEFT = "left {more thing} for the next dream: no room"
RULE = "gathering"  # the reason for what stands around new lines
_LAST = datetime.max.replace(tzinfo=UTC)


class Placed(NamedTuple):
    """The notes with the new lines, what was done, and the words that each line comes from."""

    memory: Memory
    steps: tuple[Step, ...] = ()
    whys: tuple[Why, ...] = ()


def place(
    memory: Memory, lines: Iterable[NewLine], heeded: Heeded, budget: Budget, refusals: Refusals
) -> Placed:
    """Return the notes with every new line in its place, oldest first; nothing is read or written.

    What a line says already is not written again: that line gets more evidence. What a past dream
    drew on is left out, and so is what the user took back, in whatever file it stood.
    """
    wanted = []
    for each in sorted(lines, key=lambda each: each.said.at or _LAST):
        message, said = each.said.message, _source(each)
        if message in heeded.declined:
            refusals.cited.add(heeded.declined[message])
        elif not (heeded.drew_on(message, each.quote) or (said.quote, said.day) in heeded.quotes):
            wanted += [each] if meaning(each.text)[0] else []
    return _Placing(memory, budget, refusals).placed(wanted) if wanted else Placed(memory)


class _Placing:
    """One pass over the new lines of a dream."""

    def __init__(self, memory: Memory, budget: Budget, refusals: Refusals) -> None:
        self._memory, self._refusals, self._known = memory, refusals, known(memory)
        self._refused = Known(Row(path, row) for path, row in sorted(refusals.declined.added))
        self._homes = Homes(memory, self._known, budget, refusals)
        self._again: dict[tuple[Row, str], Why] = {}
        self._written = self._left = 0

    def placed(self, lines: Iterable[NewLine]) -> Placed:
        """Return the notes with these lines."""
        for new in lines:
            self._put(new)
        texts = {path: note.text for path, note in self._memory.notes.items()}
        applied = apply(texts, list(self._edits()))
        steps = ((WRITTEN, self._written), (AGAIN, len(self._again)), (LEFT, self._left))
        return Placed(
            changed(self._memory, applied.texts) if self._written else self._memory,
            tuple(Step(Phase.GATHER, text, count) for text, count in steps if count),
            (*applied.whys, *self._again.values()),
        )

    def _put(self, new: NewLine) -> None:
        """Place one line, unless the notes say it, the user refused it, or there is no room."""
        day = new.said.day  # "next Friday" is another day in another week
        beside = day.isoformat() if day and dated_phrases(new.text, day) else ""
        if row := self._known.find(new.text, beside):
            why = Why(row.path, row.row, "=", new.rule, **asdict(_source(new)))
            self._again.setdefault((row, new.said.message), why)
        elif refused := self._refused.find(new.text, beside):
            self._refusals.cited.add(self._refusals.declined.added[refused])
        elif self._written >= MOST or (home := self._homes.of(new)) is None:
            self._left += 1
        elif words := line(new.text, day, home.path, self._memory):
            text = f"{home.bullet}{words}"
            if not self._refusals.of_adding(home.path, (text,)):
                home.rows.append((text, new))
                self._known.add(Row(home.path, text))
                self._written += 1

    def _edits(self) -> Iterator[Edit]:
        entries = []
        for home in filter(lambda each: each.rows, self._homes.used.values()):
            path, kind = home.path, home.rows[0][1].kind
            if path not in self._memory.notes:
                entries.append(listing.Entry(path, home.title, KEPT[kind][2]))
                head = frontmatter_rows(path, KEPT[kind][2], kind, Style.of(self._memory))
                yield _around(path, 0, (*head, f"# {home.title}", ""))
            for number, (row, new) in enumerate(home.rows):
                if home.is_loose or (home.is_apart and not number):
                    yield _around(path, home.at, ("",))
                came = Insertion(path, home.at, (row,))
                yield Edit(new.rule, WRITTEN, (), (came,), source=_source(new))
        where = listing.place(self._memory.notes.get(INDEX) or Note(INDEX, ""), self._refusals)
        rows = [row for row in where.rows(entries) if not self._refusals.of_adding(INDEX, (row,))]
        if rows:  # last in the list: a reader meets old notes first
            yield _around(INDEX, where.at, where.framed(rows))


def _around(path: PurePosixPath, at: int, rows: tuple[str, ...]) -> Edit:
    return Edit(RULE, RULE, (), (Insertion(path, at, rows),))


def _source(new: NewLine) -> Source:
    said = new.said
    quote = new.quote.encode("utf-8", "replace").decode()
    return Source(quote, said.session, said.message, said.day.isoformat() if said.day else "")
