"""The case a review judges: the notes before and after a dream, and line by line what it did."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from dreamd.domain.budget import is_note
from dreamd.domain.dream import Report
from dreamd.domain.settings import Settings
from dreamd.domain.tree import Entry, Tree
from dreamd.memory.faults import LARGEST, Reading, read
from dreamd.memory.lines import Hunk, Lines, edits, matches, split

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dreamd.memory.review.grounding import Grounding


class Edit(Struct, frozen=True):
    """One note of text that differs; of an added or removed one, one side has no lines.

    `hunks` are in order, a rewritten line being one of its own where it can be told from its
    neighbours.
    """

    path: PurePosixPath
    was: Entry | None
    now: Entry | None
    old: Lines
    new: Lines
    hunks: tuple[Hunk, ...]
    place: Mapping[int, int]  # of each old line that stays: where it stands now

    @property
    def added(self) -> Iterator[int]:
        """The lines (from 0) that came, in `new`."""
        for hunk in self.hunks:
            yield from range(hunk.first, hunk.last)

    @property
    def removed(self) -> Iterator[int]:
        """The lines (from 0) that went, in `old`."""
        for hunk in self.hunks:
            yield from range(hunk.start, hunk.stop)


class Case(Struct, frozen=True):
    """Two trees with their notes read; `dreamt` is all the dream wanted, also what is held out.

    `opaque` are the paths that differ and have no lines to compare: links, binary and huge
    files. `stern` asks the rules to hold out whole files, where lines did not settle it.
    `grounding` is what lines are held against, of an engine that must show where it has them from.
    """

    before: Reading
    after: Reading
    dreamt: Tree
    report: Report
    edits: Mapping[PurePosixPath, Edit]
    opaque: frozenset[PurePosixPath]
    stern: bool = False
    grounding: Grounding | None = None

    @property
    def settings(self) -> Settings:
        """What a dream may do to notes."""
        return self.after.settings

    @property
    def changed(self) -> tuple[PurePosixPath, ...]:
        """Every path that differs, by name."""
        return tuple(sorted({*self.edits, *self.opaque}))

    def moved_on(self, after: Tree) -> Case:
        """Return the case with another tree after the dream; what is the same is not read again."""
        case = open_case(self.before, after, self.report, known=self)
        return replace(case, dreamt=self.dreamt, stern=self.stern)

    def come(self) -> Iterator[tuple[Edit, str]]:
        """Yield the edits of notes that stand after the dream, with their text."""
        for path, edit in self.edits.items():
            if path in self.after.texts:
                yield edit, self.after.texts[path]


def is_text(path: PurePosixPath, entry: Entry | None) -> bool:
    """Whether an entry can be compared by lines; where there is none, it can."""
    if entry is None:
        return True
    return is_note(path) and len(entry.data) <= LARGEST and b"\0" not in entry.data


def compare(path: PurePosixPath, was: Entry | None, now: Entry | None) -> Edit:
    """Compare two versions of a note line by line."""
    old, new = (split(b"" if entry is None else entry.data) for entry in (was, now))
    place = dict(matches(old.texts, new.texts))
    hunks = tuple(edits(old.texts, new.texts, place.items()))
    return Edit(path, was, now, old, new, hunks, place)


def open_case(before: Reading, after: Tree, report: Report, *, known: Case | None = None) -> Case:
    """Read the tree after a dream and compare it with the one before."""
    edits: dict[PurePosixPath, Edit] = {}
    opaque: set[PurePosixPath] = set()
    old, new = before.tree.files, after.files
    paths = {*old, *new}
    for path in sorted(path for path in paths if not _same(old.get(path), new.get(path))):
        was, now = old.get(path), new.get(path)
        if is_text(path, was) and is_text(path, now):
            edit = known.edits.get(path) if known else None
            if edit is None or edit.now is not now:
                edit = compare(path, was, now)
            edits[path] = edit
        else:
            opaque.add(path)
    reading = read(after, before.settings, known=known.after if known else before)
    grounding = known.grounding if known else _grounding(before, report)
    return Case(before, reading, after, report, edits, frozenset(opaque), grounding=grounding)


def _grounding(before: Reading, report: Report) -> Grounding | None:
    if report.grounds is None:
        return None
    from dreamd.memory.review.grounding import Grounding  # noqa: PLC0415 - 20 ms of patterns

    return Grounding(before, report.grounds)


def _same(was: Entry | None, now: Entry | None) -> bool:
    if was is None or now is None:
        return False
    return (was.data, was.mode) == (now.data, now.mode)
