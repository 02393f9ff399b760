"""The case a review judges: what a dream did to notes, in changes that can be taken back singly."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Collection, Iterable, Iterator, Mapping
from functools import cache
from pathlib import PurePosixPath

from msgspec import Struct
from msgspec.structs import replace

from dreamd.domain.budget import notes
from dreamd.domain.dream import Report
from dreamd.domain.tree import Entry, Tree
from dreamd.memory.diff import differing
from dreamd.memory.faults import Reading, read
from dreamd.memory.lines import Hunk, Lines, Row, edits, matches, said, shown, split
from dreamd.memory.review.standing import LineSupport, entries
from dreamd.text.tokens import word_set

TYPE_CHECKING = False
if TYPE_CHECKING:
    from dreamd.domain.evidence import Sources
    from dreamd.memory.review.grounding import Grounding

_MUCH = 0.1  # share of a note's lines that may be there again of a rewrite
_FEW_BACK = 2  # lines, of a small note
_AKIN = 0.5  # share of a gone line's words in one that is left out, which may have replaced it


class Objection(Struct, frozen=True):
    """What breaks a rule: a whole file, or lines of it (from 0) that came or that went."""

    path: PurePosixPath
    message: str
    added: Collection[int] = ()
    removed: Collection[int] = ()


class Mend(Struct, frozen=True):
    """A mechanical fault of the dream's own lines, and the file with it put right.

    `line` counts from 1, 0 means the whole file. Of several for one file the last stands.
    """

    path: PurePosixPath
    line: int
    message: str
    entry: Entry


class Edit(Struct, frozen=True):
    """A file that differs; of an added or removed one, one side has no lines.

    `hunks` are in order and as small as can be taken back alone: one line rewritten, added or
    removed, a removed heading, a block rewritten as one, a removed file.
    """

    path: PurePosixPath
    was: Entry | None
    now: Entry | None
    old: Lines
    new: Lines
    hunks: tuple[Hunk, ...]
    place: Mapping[int, int]  # of each old line that stays: where it is now

    @property
    def added(self) -> Iterator[int]:
        """The lines (from 0) that came, in `new`."""
        return (n for hunk in self.hunks for n in range(hunk.first, hunk.last))

    @property
    def removed(self) -> Iterator[int]:
        """The lines (from 0) that went, in `old`."""
        return (n for hunk in self.hunks for n in range(hunk.start, hunk.stop))

    def rows(self, held: Collection[Hunk]) -> list[Row]:
        """Return the lines with their ends, those of `held` as they were."""
        old, new = ([*zip(each.texts, each.ends, strict=True)] for each in (self.old, self.new))
        rows: list[Row] = []
        at = 0
        for hunk in self.hunks:
            rows += new[at : hunk.first]
            rows += old[hunk.start : hunk.stop] if hunk in held else new[hunk.first : hunk.last]
            at = hunk.last
        return rows + new[at:]

    def without(self, held: Collection[Hunk]) -> Entry | None:
        """Return the file with `held` taken back."""
        if self.now is None or len(held) == len(self.hunks):
            return self.was
        rows = self.rows(held)
        if self.was is None and not entries(shown(b"\n".join(text for text, _ in rows))):
            return None  # of a new note nothing is left
        end = next(filter(None, (*self.old.ends, *self.new.ends)), b"\n")
        rows[:-1] = [(text, one or end) for text, one in rows[:-1]]
        return replace(self.now, data=b"".join(map(b"".join, rows)))


class Case(Struct, frozen=True):
    """Two trees with their notes read; `dreamt` is all the dream wanted, also what is held out.

    `stern` asks to hold out whole files, where lines did not settle it. `grounding` is what lines
    are held against, of an engine that must show where it has them from.
    """

    before: Reading
    after: Reading
    dreamt: Tree
    report: Report
    edits: Mapping[PurePosixPath, Edit]
    grounding: Grounding | None = None
    stern: bool = False

    def moved_on(self, after: Tree) -> Case:
        """Return the case with another tree after the dream; what is the same is not read again."""
        reading = read(after, self.after.settings, known=self.after)
        return replace(self, after=reading, edits=_edits(self.before.tree, after, self.edits))

    def come(self) -> Iterator[tuple[Edit, str]]:
        """Yield the edits of notes that are there after the dream, with their text."""
        texts = self.after.texts
        return ((edit, texts[path]) for path, edit in self.edits.items() if path in texts)


def grounded(before: Reading, sources: Sources | None) -> Grounding | None:
    """Return what lines are held against; kept for the next case, it looks at no line again."""
    if sources is None:
        return None
    from dreamd.memory.review.grounding import Grounding  # noqa: PLC0415 - 20 ms of patterns

    return Grounding(before, sources)


def open_case(
    before: Reading, after: Tree, report: Report, grounding: Grounding | None = None
) -> Case:
    """Read the tree after a dream and compare it with the one before."""
    reading = read(after, before.settings, known=before)
    grounding = grounding or grounded(before, report.grounds)
    return Case(before, reading, after, report, _edits(before.tree, after, {}), grounding)


def held_out(case: Case, objections: Iterable[Objection]) -> Tree:
    """Return the tree without the changes that are objected to.

    What they replaced is there again. So is what a change that is held out had carried here or
    merged, wherever it went from, and the heading above a line that is there again.
    """
    held: dict[PurePosixPath, set[Hunk]] = {path: set() for path in case.edits}
    lines = defaultdict[PurePosixPath, tuple[set[int], set[int]]](lambda: (set(), set()))
    for each in objections:
        if each.added or each.removed:
            lines[each.path][0].update(each.added)
            lines[each.path][1].update(each.removed)
        else:
            held[each.path].update(case.edits[each.path].hunks)
    for path, (added, removed) in lines.items():
        held[path].update(
            hunk
            for hunk in case.edits[path].hunks
            if not added.isdisjoint(range(hunk.first, hunk.last))
            or not removed.isdisjoint(range(hunk.start, hunk.stop))
        )
    while more := [*_torn(case, held), *_carried(case, held), *_halved(case, held)]:
        for path, hunk in more:
            held[path].add(hunk)
    return _left(case, held)


_Held = Mapping[PurePosixPath, Collection[Hunk]]
_More = Iterator[tuple[PurePosixPath, Hunk]]


def _left(case: Case, held: _Held) -> Tree:
    files = dict(case.after.tree.files)
    for path in filter(held.get, held):
        files.pop(path, None)
        if entry := case.edits[path].without(held[path]):
            files[path] = entry
    return Tree(dict(sorted(files.items())), case.before.tree.unread)


def _torn(case: Case, held: _Held) -> _More:
    """Yield what belongs to changes that are held out: headings, the rest of a block or a note."""
    for path, edit in case.edits.items():
        if not held[path] or len(held[path]) == len(edit.hunks):
            continue
        rows = [text for text, _ in edit.rows(held[path])]
        was_open, is_open, splits = map(_is_open, (edit.old.texts, edit.new.texts, rows))
        if edit.was and splits and not (was_open and is_open):
            yield from ((path, hunk) for hunk in edit.hunks if hunk not in held[path])
            continue
        of = {n: hunk for hunk in edit.hunks for n in range(hunk.start, hunk.stop)}
        heading = None
        for n, text in enumerate(edit.old.texts):
            if text.startswith(b"#"):
                heading = of.get(n)
            elif heading and heading not in held[path] and of.get(n) in held[path] and said(text):
                yield path, heading


def _halved(case: Case, held: _Held) -> _More:
    """Yield the rest of a replacement, or of a rewrite, of which a part is held out.

    What is like a line that is there again took its place. Where more than a tenth of a note is
    there again, all that was done to it is held out.
    """
    back = {
        path: [row for each in hunks for row in edit.old.texts[each.start : each.stop] if said(row)]
        for path, edit in case.edits.items()
        if (hunks := held[path])
    }
    gone = [words for rows in back.values() for row in rows if (words := word_set(shown(row)))]
    for path, edit in case.edits.items():
        rest = [hunk for hunk in edit.hunks if hunk not in held[path]]
        is_much = edit.was is not None and len(back.get(path, ())) > max(
            _FEW_BACK, _MUCH * sum(map(bool, map(said, edit.old.texts)))
        )
        for hunk in rest:
            came = [word_set(shown(text)) for text in edit.new.texts[hunk.first : hunk.last]]
            is_like = any(
                2 * len(one & other) >= max(len(one), len(other)) for one in came for other in gone
            )
            if is_much or is_like:
                yield path, hunk


def _is_open(texts: Collection[bytes]) -> bool:
    return bool(sum(text.lstrip().startswith((b"```", b"~~~")) for text in texts) % 2)


def _carried(case: Case, held: _Held) -> _More:
    """Yield the removals of lines that nothing says once what is held out is taken back."""
    dropped = [
        line
        for path, hunks in held.items()
        for hunk in hunks
        for line in case.edits[path].new.texts[hunk.first : hunk.last]
        if said(line)
    ]
    if not dropped:
        return
    left = _left(case, held)
    count = Counter(said(row) for path in case.edits for row in split(left.data(path) or b"").texts)
    wanted = Counter(said(line) for edit in case.edits.values() for line in edit.old.texts)
    wanted[b""] = 0
    was_carried, akin = {*map(said, dropped)}, LineSupport(map(shown, dropped))
    rest: LineSupport | None = None
    stating = cache(lambda path: set(entries(case.before.texts.get(path, ""))))
    for path, edit in case.edits.items():
        for hunk in edit.hunks:
            lost = range(hunk.start, hunk.stop if hunk not in held[path] else hunk.start)
            for n in lost:
                line = edit.old.texts[n]
                if count[said(line)] >= wanted[said(line)]:
                    continue
                if said(line) not in was_carried:
                    if n not in stating(path) or not akin.resembles(shown(line), _AKIN):
                        continue
                    rest = rest or LineSupport("\n".join(notes(left).values()).split("\n"))
                    if rest.holds(shown(line), case.after.settings.review.words_kept):
                        continue
                count.update(said(edit.old.texts[each]) for each in lost)
                yield path, hunk
                break


def _edits(
    before: Tree, after: Tree, known: Mapping[PurePosixPath, Edit]
) -> dict[PurePosixPath, Edit]:
    found = {}
    for path, was, now in differing(before, after):
        edit = known.get(path)
        found[path] = edit if edit and edit.now is now else _compare(path, was, now)
    return found


def _compare(path: PurePosixPath, was: Entry | None, now: Entry | None) -> Edit:
    old, new = (split(b"" if entry is None else entry.data) for entry in (was, now))
    place = dict(matches(old.texts, new.texts))
    hunks = [Hunk(0, len(old.texts), 0, 0)]  # of a removed file, or an empty one
    if now is not None and (old.texts or new.texts):
        found = edits(old.texts, new.texts, place.items())
        hunks = [each for hunk in found for each in _apart(hunk, old.texts)]
    return Edit(path, was, now, old, new, tuple(hunks), place)


def _apart(hunk: Hunk, old: tuple[bytes, ...]) -> Iterator[Hunk]:
    """Yield a hunk in parts that can be taken back alone, of a rewritten block the whole.

    A line without words goes with the next one, behind a heading or at the end with the last.
    """
    went, came = range(hunk.start, hunk.stop), range(hunk.first, hunk.last)
    if len(went) == len(came):
        yield from (Hunk(i, i + 1, j, j + 1) for i, j in zip(went, came, strict=True))
    elif not went:
        yield from (Hunk(hunk.start, hunk.start, j, j + 1) for j in came)
    elif came:
        yield hunk
    else:
        start, last = hunk.start, -1
        for n in went:
            if not said(old[n]):
                continue
            if last >= 0:
                cut = n if old[last].startswith(b"#") else last + 1
                yield Hunk(start, cut, hunk.first, hunk.first)
                start = cut
            last = n
        yield Hunk(start, hunk.stop, hunk.first, hunk.first)
