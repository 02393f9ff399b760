"""Edits as values: lines to remove and to add, with reasons; and the resulting texts."""

from __future__ import annotations

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import PurePosixPath

from dreamd.domain.change import Declined, Why
from dreamd.text.late import late
from dreamd.text.markdown.markdown import bare, ending, lines

Texts = Mapping[PurePosixPath, str]
OWN_HEADING = "## Topics"  # over a list of pointers in an index with sections but no such list
_SAYS_SOMETHING = late(r"[^\W_]")


@dataclass(frozen=True, slots=True)
class Removal:
    """Line `line` (from 0) of a file goes; `moved_to` is the file that has it now.

    `says` is the line there that says it, where that has other words.
    """

    path: PurePosixPath
    line: int
    moved_to: PurePosixPath | None = None
    says: str = ""


@dataclass(frozen=True, slots=True)
class Insertion:
    """Lines (without ends) that come before line `at` of a file; at 0 of a new file, all of it."""

    path: PurePosixPath
    at: int
    rows: tuple[str, ...]


@dataclass(frozen=True, slots=True)
class Source:
    """The source of a line: the words, the message, the day and the speaker."""

    quote: str
    session: str
    message: str
    day: str  # ISO 8601
    speaker: str = "person"


@dataclass(frozen=True, slots=True)
class Edit:
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


@dataclass(frozen=True, slots=True)
class Refusals:
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

    def _met(
        self,
        declined: Mapping[tuple[PurePosixPath, str], str],
        path: PurePosixPath,
        rows: Iterable[str],
    ) -> bool:
        if not declined:
            return False
        dreams = {declined[path, row] for row in rows if (path, row) in declined and _speaks(row)}
        self.cited.update(dreams)
        return bool(dreams)


def _speaks(row: str) -> bool:
    return row != OWN_HEADING and _SAYS_SOMETHING.search(row) is not None


@dataclass(frozen=True, slots=True)
class Applied:
    """The texts after some edits, and why each line came or went."""

    texts: dict[PurePosixPath, str]
    whys: tuple[Why, ...]


def apply(texts: Texts, edits: Sequence[Edit]) -> Applied:
    """Return the texts with all edits made; blank lines that a removal leaves double go too.

    A line keeps its own line end, a new one takes that of its file. Where the last line of a
    file had no end, the last of its own lines still has none; a new one after it has. Of edits
    that each write the same pointer anew the last does.
    """
    writers = {_written(edit): edit for edit in edits if _written(edit)}
    edits = [edit for edit in edits if writers.get(_written(edit), edit) is edit]
    going: dict[PurePosixPath, dict[int, tuple[Edit, Removal]]] = {}
    coming: dict[PurePosixPath, dict[int, list[tuple[Edit, Insertion]]]] = {}
    for edit in edits:
        for removal in edit.removals:
            going.setdefault(removal.path, {})[removal.line] = (edit, removal)
        for insertion in edit.insertions:
            at = coming.setdefault(insertion.path, {}).setdefault(insertion.at, [])
            at.append((edit, insertion))
    after = dict(texts)
    whys: list[Why] = []
    for path in dict.fromkeys([*going, *coming]):
        text = texts.get(path, "")
        after[path] = _edited(path, text, going.get(path, {}), coming.get(path, {}), whys)
    return Applied(after, tuple(whys))


def _written(edit: Edit) -> tuple[PurePosixPath, int] | None:
    """Return the line of a pointer that an edit writes anew, None where it does more or less."""
    if len(edit.removals) != 1 or len(edit.insertions) != 1:
        return None
    gone, came = edit.removals[0], edit.insertions[0]
    is_there = (came.path, came.at) == (gone.path, gone.line)
    return (gone.path, gone.line) if is_there and all("](" in row for row in came.rows) else None


def _edited(
    path: PurePosixPath,
    text: str,
    going: Mapping[int, tuple[Edit, Removal]],
    coming: Mapping[int, Sequence[tuple[Edit, Insertion]]],
    whys: list[Why],
) -> str:
    rows = lines(text)
    end = line_end(text)
    out: list[str] = []
    gap: Edit | None = None  # the edit that removed what stood right before this place
    is_new = False  # whether the last line so far is one that came
    for number in range(len(rows) + 1):
        for edit, insertion in coming.get(number, ()):
            out.extend(row + end for row in insertion.rows)
            whys.extend(_why(path, row, edit) for row in insertion.rows)
            gap, is_new = None, True
        if number == len(rows):
            break
        row = rows[number]
        if number in going:
            gap, removal = going[number]
            to, says = removal.moved_to, removal.says
            whys.append(Why(path, bare(row), "-", gap.rule, moved_to=to, quote=says))
        elif gap and not row.strip() and (not out or not out[-1].strip()):
            whys.append(Why(path, bare(row), "-", gap.rule))
        else:
            out.append(row)
            gap, is_new = None, False
    while gap and out and not out[-1].strip():
        whys.append(Why(path, bare(out.pop()), "-", gap.rule))
    return _joined(out, end, has_end=is_new or text.endswith("\n"))


def _why(path: PurePosixPath, row: str, edit: Edit) -> Why:
    said = edit.source
    if said is None:
        return Why(path, row, "+", edit.rule)
    return Why(
        path,
        row,
        "+",
        edit.rule,
        quote=said.quote,
        session=said.session,
        message=said.message,
        day=said.day,
        speaker=said.speaker,
    )


def _joined(out: Sequence[str], end: str, *, has_end: bool) -> str:
    whole = [row if ending(row) else row + end for row in out]
    if whole and not has_end:
        whole[-1] = bare(whole[-1])
    return "".join(whole)


def line_end(text: str) -> str:
    r"""Return the line end that a text uses: that of its first line, `\n` where it has none."""
    first, newline, _ = text.partition("\n")
    return "\r\n" if newline and first.endswith("\r") else "\n"
