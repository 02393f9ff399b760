"""The rule that the index stays within its limits, or at least grows no further over them."""

from __future__ import annotations

from collections.abc import Iterator, Sequence

from dreamd.domain.budget import Sizes, index_sizes
from dreamd.domain.settings import Budget
from dreamd.domain.tree import INDEX
from dreamd.memory.lines import said
from dreamd.memory.review.case import Case, Edit
from dreamd.memory.review.hold import Objection
from dreamd.text.markdown.pointers import pointers, unreachable


def index_fits(case: Case) -> Iterator[Objection]:
    """The index is within its limits; one that was over them before does not grow.

    Held out are its newest lines, pointers last, and with a note's only pointer the note.
    """
    text = case.after.texts.get(INDEX)
    edit = case.edits.get(INDEX)
    if text is None or edit is None:
        return
    budget = case.settings.budget
    was = index_sizes(case.before.texts.get(INDEX, ""), budget)
    over = _excess(index_sizes(text, budget), was, budget)
    if over is None:
        return
    rows = text.split("\n")
    left = dict(enumerate(rows))
    for number in _order(case, edit):
        del left[number]
        yield from _without(case, number, over)
        if _excess(index_sizes("\n".join(left.values()), budget), was, budget) is None:
            return
    if case.stern:
        yield Objection(INDEX, over)


def _excess(sizes: Sizes, was: Sizes, budget: Budget) -> str | None:
    """Return what an index would have too many of, None where it fits or did not grow."""
    for value, before, most, unit in (
        (sizes.index_lines, was.index_lines, budget.index_lines, "lines"),
        (sizes.index_units, was.index_units, budget.index_units, "UTF-16 units"),
        (sizes.index_bytes, was.index_bytes, budget.index_bytes, "bytes"),
    ):
        if value > max(most, before):
            return f"the index would have {value:,} {unit}, {most:,} are seen"
    return None


def _order(case: Case, edit: Edit) -> Sequence[int]:
    """Return the lines that came, in the order in which they go again.

    New lines first, from the last; then lines that stood elsewhere; pointers at the very end.
    """
    known = {said(line) for each in case.edits.values() for line in each.old.texts}
    pointing = {pointer.line for pointer in pointers(case.after.texts[INDEX])}
    return sorted(
        edit.added,
        key=lambda n: (n in pointing, said(edit.new.texts[n]) in known, -n),
    )


def _without(case: Case, number: int, over: str) -> Iterator[Objection]:
    """Object to a line, and to the new notes that nothing else points to."""
    yield Objection(INDEX, over, added=(number,))
    aims = {
        case.after.goal(pointer, INDEX)
        for pointer in pointers(case.after.texts[INDEX])
        if pointer.line == number
    }
    new = {path for path in aims if path is not None and path not in case.before.tree.files}
    if not new:
        return
    rows = case.after.texts[INDEX].split("\n")
    rows[number] = ""
    texts = {**case.after.texts, INDEX: "\n".join(rows)}
    for path in sorted(new & set(unreachable(texts))):
        yield Objection(path, f"its pointer is held out: {over}")
