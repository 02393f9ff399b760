"""Which entries a dream took away without saying where they stand now or what took their place."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from pathlib import PurePosixPath

from dreamd.memory.lines import said, shown
from dreamd.memory.review.case import Case, Edit
from dreamd.memory.review.standing import LineSupport, codes, entries, numbers
from dreamd.text.markdown.pointers import Pointer, pointers


def gone(case: Case) -> tuple[Mapping[PurePosixPath, tuple[int, ...]], int]:
    """Return the removed lines (from 0) that nothing explains, by note, and how many there were.

    A line is explained where it stands elsewhere, where one line has all its values and most of
    its words, where the report gives a quoted source, and where it pointed to a note that has
    another pointer or is gone itself (its lines are judged there).
    """
    missing = missing_entries(case)
    if not missing:
        return {}, 0
    standing = LineSupport(
        row for text in case.after.texts.values() for row in text.split("\n") if row
    )
    superseded = set(case.report.superseded)
    everything = "\n".join(case.after.texts.values())
    known = numbers(everything)
    found: dict[PurePosixPath, tuple[int, ...]] = {}
    for path, numbers_ in missing.items():
        edit = case.edits[path]
        aims = aims_of(case, path)
        left = tuple(
            n
            for n in numbers_
            if (path, shown(edit.old.texts[n])) not in superseded
            and not standing.holds(_text(edit, n), case.settings.review.words_kept)
            and not points_on(_text(edit, n), aims.get(n, ()), everything, known)
        )
        if left:
            found[path] = left
    before = case.before.texts.values() if found else ()
    return found, sum(len(entries(text)) for text in before)


def _text(edit: Edit, line: int) -> str:
    return edit.old.texts[line].decode("utf-8", "surrogateescape")


def missing_entries(case: Case) -> dict[PurePosixPath, list[int]]:
    """Return the removed entries that stand nowhere now as often as they did."""
    balance: Counter[bytes] = Counter()
    for edit in case.edits.values():
        balance.update(said(edit.old.texts[n]) for n in edit.removed)
        balance.subtract(said(edit.new.texts[n]) for n in edit.added)
    found: dict[PurePosixPath, list[int]] = {}
    for path, edit in case.edits.items():
        removed = set(edit.removed)
        if not removed:
            continue
        for n in entries(case.before.texts.get(path, "")):
            line = said(edit.old.texts[n])
            if n in removed and balance[line] > 0:
                balance[line] -= 1
                found.setdefault(path, []).append(n)
    return found


def aims_of(case: Case, path: PurePosixPath) -> dict[int, list[Pointer]]:
    """Return the pointers of a note that led somewhere, by line."""
    aims: dict[int, list[Pointer]] = {}
    for pointer in pointers(case.before.texts.get(path, ""), path):
        if case.before.goal(pointer, path) is not None:
            aims.setdefault(pointer.line, []).append(pointer)
    return aims


def points_on(line: str, aims: Sequence[Pointer], everything: str, known: frozenset[str]) -> bool:
    """Whether a line that pointed to notes may go: no value goes with it.

    That its notes keep another pointer, if they stay, is another rule's to judge.
    """
    text = line
    for pointer in reversed(aims):
        text = text[: pointer.start] + pointer.title + text[pointer.end :]
    return bool(aims) and numbers(text) <= known and all(c in everything for c in codes(text))
