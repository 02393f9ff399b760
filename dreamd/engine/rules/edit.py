"""Edits as values: lines to remove and to add, with reasons; and the resulting texts."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import PurePosixPath
from typing import Any

from msgspec import Struct, field
from msgspec.structs import asdict

from dreamd.domain.change import Declined, Why
from dreamd.engine.rules.orient import Memory, changed
from dreamd.text.late import late
from dreamd.text.markdown.markdown import bare, ending, lines

Texts = Mapping[PurePosixPath, str]
Place = tuple[PurePosixPath, int]  # a line of a note
_Lines = Mapping[tuple[PurePosixPath, str], str]
OWN_HEADING = "## Topics"  # over a list of pointers in an index with sections but no such list
_SAYS_SOMETHING = late(r"[^\W_]")


class Removal(Struct, frozen=True):
    """Line `line` (from 0) of a file goes; `moved_to` is the file that has it now.

    `says` is the line there that says it, where that has other words.
    """

    path: PurePosixPath
    line: int
    moved_to: PurePosixPath | None = None
    says: str = ""


class Insertion(Struct, frozen=True):
    """Lines (without ends) that come before line `at` of a file; at 0 of a new file, all of it."""

    path: PurePosixPath
    at: int
    rows: tuple[str, ...]


class Source(Struct, frozen=True):
    """The source of a line: the words, the message, the day and the speaker."""

    quote: str
    session: str
    message: str
    day: str  # ISO 8601
    speaker: str = "person"


class Edit(Struct, frozen=True):
    """A change that makes sense only as a whole; line numbers are those before any edit.

    `step` says what was done, with the counted noun in braces, and `count` how often. `source`
    stands behind every line that comes.
    """

    rule: str
    step: str
    removals: tuple[Removal, ...] = ()
    insertions: tuple[Insertion, ...] = ()
    count: int = 1
    source: Source | None = None


class Refusals(Struct, frozen=True):
    """What the user took back or rejected once, asked line by line.

    A line without a letter or digit (blank, a fence, a rule) is like any other and never counts,
    nor does our own heading over a list of pointers. `cited` gathers the dreams whose undoing or
    rejection was heeded.
    """

    declined: Declined = field(default_factory=Declined)
    cited: set[str] = field(default_factory=set)

    @property
    def paths(self) -> frozenset[PurePosixPath]:
        """The files in which something that was added was refused."""
        return frozenset(path for path, _ in self.declined.added)

    def of_removing(self, path: PurePosixPath, rows: Iterable[str]) -> bool:
        """Whether removing any of these lines was refused."""
        return self._met(self.declined.removed, path, rows)

    def of_adding(self, path: PurePosixPath, rows: Iterable[str]) -> bool:
        """Whether adding any of these lines was refused."""
        return self._met(self.declined.added, path, rows)

    def _met(self, declined: _Lines, path: PurePosixPath, rows: Iterable[str]) -> bool:
        met = {(path, row) for row in rows} & declined.keys() if declined else ()
        speaks = [at for at in met if at[1] != OWN_HEADING and _SAYS_SOMETHING.search(at[1])]
        self.cited.update(declined[at] for at in speaks)
        return bool(speaks)

    def swap(
        self, at: Place, old: str, new: str, reason: tuple[str, str], says: str = "", **more: Any
    ) -> Iterator[Edit]:
        """Yield the edit that puts a row in place of another; none where the user refused it.

        `reason` are the rule and the step, `more` further fields of the edit.
        """
        path, line = at
        if new == old or self.of_removing(path, (old,)) or self.of_adding(path, (new,)):
            return
        gone, came = Removal(path, line, says=says or new), Insertion(path, line, (new,))
        yield Edit(*reason, (gone,), (came,), **more)


def edited(memory: Memory, edits: Sequence[Edit]) -> tuple[Memory, tuple[Why, ...]]:
    """Return the memory with all edits made, and why each line came or went."""
    texts, whys = apply({path: note.text for path, note in memory.notes.items()}, edits)
    return changed(memory, texts), whys


def apply(texts: Texts, edits: Sequence[Edit]) -> tuple[dict[PurePosixPath, str], tuple[Why, ...]]:
    """Return the texts with all edits made; blank lines that a removal leaves double go too.

    With them, why each line came or went. A line keeps its own line end, a new one takes that of
    its file. Where the last line of a file had no end, the last of its own lines still has none;
    a new one after it has.
    """
    going = {(gone.path, gone.line): (edit, gone) for edit in edits for gone in edit.removals}
    coming: dict[Place, list[tuple[Edit, Insertion]]] = defaultdict(list)
    for edit in edits:
        for came in edit.insertions:
            coming[came.path, came.at].append((edit, came))
    after = dict(texts)
    whys: list[Why] = []
    for path in dict.fromkeys(path for path, _ in (*going, *coming)):
        after[path] = _edited(path, texts.get(path, ""), going, coming, whys)
    return after, tuple(whys)


def _edited(
    path: PurePosixPath,
    text: str,
    going: Mapping[Place, tuple[Edit, Removal]],
    coming: Mapping[Place, Sequence[tuple[Edit, Insertion]]],
    whys: list[Why],
) -> str:
    rows = lines(text)
    end = "\r\n" if rows and ending(rows[0]) == "\r\n" else "\n"
    out: list[str] = []
    gap: Edit | None = None  # the edit that removed what stood right before this place
    is_new = False  # whether the last line so far is one that came
    for number in range(len(rows) + 1):
        for edit, insertion in coming.get((path, number), ()):
            source = asdict(edit.source) if edit.source else {}
            out += [row + end for row in insertion.rows]
            whys += [Why(path, row, "+", edit.rule, **source) for row in insertion.rows]
            gap, is_new = None, True
        if number == len(rows):
            break
        row = rows[number]
        if (path, number) in going:
            gap, removal = going[path, number]
            to, says = removal.moved_to, removal.says
            whys.append(Why(path, bare(row), "-", gap.rule, moved_to=to, quote=says))
        elif gap and not row.strip() and (not out or not out[-1].strip()):
            whys.append(Why(path, bare(row), "-", gap.rule))
        else:
            out.append(row if ending(row) else row + end)
            gap, is_new = None, False
    while gap and out and not out[-1].strip():
        whys.append(Why(path, bare(out.pop()), "-", gap.rule))
    whole = "".join(out)
    return whole if is_new or text.endswith("\n") else bare(whole)
