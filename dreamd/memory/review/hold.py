"""What is held out of a dream, and what must stay with it so that nothing is lost on the way."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterable, Iterator
from pathlib import PurePosixPath

from msgspec import Struct, field

from dreamd.domain.tree import Entry, Tree
from dreamd.memory.lines import said, shown, split
from dreamd.memory.review.case import Case, Edit
from dreamd.memory.review.rebuilt import entry_without, is_line_for_line, woven
from dreamd.memory.review.standing import LineSupport, entries

_AKIN = 0.5  # share of a gone line's words in one that is left out, which may have replaced it
_FENCES = (b"```", b"~~~")


class Objection(Struct, frozen=True):
    """What breaks a rule: a whole file, or lines of it (from 0) that came or that went."""

    path: PurePosixPath
    message: str
    added: tuple[int, ...] = ()
    removed: tuple[int, ...] = ()

    @property
    def is_whole(self) -> bool:
        """Whether the file itself is objected to."""
        return not self.added and not self.removed


class Mend(Struct, frozen=True):
    """A mechanical fault of the dream's own lines, and the file with it put right.

    `line` counts from 1, 0 means the whole file. Of several for one file the last stands.
    """

    path: PurePosixPath
    line: int
    message: str
    entry: Entry


class Held(Struct):
    """The lines that are left out and put back, and the files that stand as they stood."""

    whole: set[PurePosixPath] = field(default_factory=set)
    out: dict[PurePosixPath, set[int]] = field(default_factory=lambda: defaultdict(set))
    back: dict[PurePosixPath, set[int]] = field(default_factory=lambda: defaultdict(set))


def held_out(case: Case, objections: Iterable[Objection]) -> Tree:
    """Return the tree without what is objected to.

    An added line is left out, a removed one stands at its place again, a whole file is as it
    was. What a line that is left out had carried here, merged or replaced stays where it was.
    """
    held = Held()
    for objection in objections:
        if objection.is_whole or objection.path not in case.edits:
            held.whole.add(objection.path)
        held.out[objection.path].update(objection.added)
        held.back[objection.path].update(objection.removed)
    for path, edit in case.edits.items():
        held.out[path].intersection_update(edit.added)
        held.back[path].intersection_update(edit.removed)
    while True:
        _spread(case, held)
        more = set(_to_restore(case, held))
        if not more:
            return _tree(case, held)
        held.whole |= more


def _to_restore(case: Case, held: Held) -> Iterator[PurePosixPath]:
    """Yield the files of which a part cannot be had: all or nothing of them is held out."""
    for path, edit in case.edits.items():
        if path in held.whole or not (held.out[path] or held.back[path]):
            continue
        kept = [n for n in edit.added if n not in held.out[path] and said(edit.new.texts[n])]
        if (
            edit.now is None
            or (edit.was is None and not kept)
            or (edit.was is not None and _splits_a_fence(edit, held))
        ):
            yield path


def _splits_a_fence(edit: Edit, held: Held) -> bool:
    """Whether a code block that was whole on both sides would lose one of its ends."""
    result = [text for text, _ in woven(edit, held.out[edit.path], held.back[edit.path])]
    is_odd = [
        sum(text.lstrip().startswith(_FENCES) for text in texts) % 2
        for texts in (edit.old.texts, edit.new.texts, result)
    ]
    return bool(is_odd[2]) and not (is_odd[0] and is_odd[1])


def _spread(case: Case, held: Held) -> None:
    """Put back what was carried, merged or replaced by a line that is left out."""
    out = {
        path: set(edit.added) if path in held.whole else held.out[path]
        for path, edit in case.edits.items()
    }
    dropped = [case.edits[path].new.texts[n] for path, numbers in out.items() for n in numbers]
    dropped += [line for path in held.whole & case.opaque for line in _lines_come(case, path)]
    if not any(map(said, dropped)):
        return
    standing = Counter(said(line) for line in _lines_after(case, held, out))
    wanted = Counter(
        said(line) for edit in case.edits.values() for line in edit.old.texts if said(line)
    )
    was_carried = Counter(map(said, dropped))
    replaced = LineSupport(shown(line) for line in dropped if said(line))
    rest: LineSupport | None = None
    for path, edit in case.edits.items():
        if path in held.whole:
            continue
        beside = _replaced_in_place(edit, out[path])
        stating = set(entries(_text(edit)))
        for n in edit.removed:
            line = edit.old.texts[n]
            if n in held.back[path] or standing[said(line)] >= wanted[said(line)]:
                continue
            if not was_carried[said(line)]:
                if n not in beside and not (
                    n in stating and replaced.resembles(shown(line), _AKIN)
                ):
                    continue
                rest = rest or LineSupport(map(shown, _every_line_after(case, held, out)))
                if rest.holds(shown(line), case.settings.review.words_kept):
                    continue
            held.back[path].add(n)
            standing[said(line)] += 1
        _with_structure(edit, held.back[path])


def _lines_come(case: Case, path: PurePosixPath) -> Iterator[bytes]:
    """Yield the lines that a file has more than before, if it is text at all."""
    now, was = case.after.tree.files.get(path), case.before.tree.files.get(path)
    if now is not None and b"\0" not in now.data:
        yield from (Counter(split(now.data).texts) - Counter(split(was.data if was else b"").texts))


def _replaced_in_place(edit: Edit, out: set[int]) -> set[int]:
    """Return the lines that went where a line came that is left out; one for one if as many."""
    found: set[int] = set()
    for hunk in edit.hunks:
        touched = out.intersection(range(hunk.first, hunk.last))
        if touched and is_line_for_line(hunk):
            found.update(n - hunk.first + hunk.start for n in touched)
        elif touched:
            found.update(range(hunk.start, hunk.stop))
    return found


def _lines_after(case: Case, held: Held, out: dict[PurePosixPath, set[int]]) -> Iterator[bytes]:
    """Yield the lines that the edited notes hold once these are left out and put back."""
    for path, edit in case.edits.items():
        if path in held.whole:
            yield from edit.old.texts
            continue
        yield from (text for n, text in enumerate(edit.new.texts) if n not in out[path])
        yield from (edit.old.texts[n] for n in held.back[path])


def _every_line_after(
    case: Case, held: Held, out: dict[PurePosixPath, set[int]]
) -> Iterator[bytes]:
    yield from _lines_after(case, held, out)
    for path, text in case.before.texts.items():
        if path not in case.edits:
            yield from text.encode("utf-8", "surrogateescape").split(b"\n")


def _text(edit: Edit) -> str:
    rows = zip(edit.old.texts, edit.old.ends, strict=True)
    return b"".join(map(b"".join, rows)).decode("utf-8", "surrogateescape")


def _with_structure(edit: Edit, back: set[int]) -> None:
    """Put back the headings, labels and blank lines that belong to the lines put back."""
    if not back:
        return
    stating = set(entries(_text(edit)))
    removed = set(edit.removed)
    loose = removed - stating
    for n in sorted(back):
        at = n - 1
        while at in loose and at not in back:
            back.add(at)
            at -= 1
        at = n + 1
        while at in loose and at not in back:
            at += 1
        if at not in removed:  # the last of its kind takes what follows it along
            back.update(range(n + 1, at))
    heading = -1
    for n, text in enumerate(edit.old.texts):
        if n in back and n in stating and heading in removed:
            back.add(heading)
            blank = {n for n in (heading - 1, heading + 1) if not edit.old.texts[n].strip()}
            back.update(blank & loose)
        if text.startswith(b"#"):
            heading = n


def _tree(case: Case, held: Held) -> Tree:
    before, after = case.before.tree, case.after.tree
    files = dict(after.files)
    for path in held.whole - case.edits.keys():
        files.pop(path, None)
        if path in before.files:
            files[path] = before.files[path]
    for path, edit in case.edits.items():
        whole = path in held.whole
        entry = edit.was if whole else entry_without(edit, held.out[path], held.back[path])
        files.pop(path, None)
        if entry is not None:
            files[path] = entry
    return Tree(dict(sorted(files.items())), before.unread)
