"""The rules of the review, in the order in which they judge.

Most are those of `check`: what a dream may not add is what was not wrong before.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Collection, Iterable, Iterator, Mapping
from functools import partial

from msgspec.structs import replace

from dreamd.domain.budget import index_sizes, is_note, limits
from dreamd.domain.tree import INDEX
from dreamd.memory import faults
from dreamd.memory.check import closed, written
from dreamd.memory.faults import LARGEST, Fault, frontmatter_fault
from dreamd.memory.lines import said
from dreamd.memory.review.case import Case, Edit, Mend, Objection
from dreamd.memory.review.gone import little_is_gone, nothing_vanishes
from dreamd.memory.review.pointer_rules import notes_are_reached, pointers_resolve
from dreamd.text.markdown.markdown import lines
from dreamd.text.markdown.note import frontmatter, is_pinned, quoted
from dreamd.text.markdown.pointers import pointers, unreachable
from dreamd.text.secrets.secrets import find

_MARK = "\ufeff".encode()
_CHECKED = {rule.name: rule for rule in faults.RULES}

Judge = Callable[[Case], Iterable[Objection | Mend]]


def _new(case: Case, rule: str) -> list[Fault]:
    """Return the faults of changed notes that no note had before."""
    judge = _CHECKED[rule].judge
    found = [*judge(case.after, [path for path in case.edits if path in case.after.tree.files])]
    known = {each.about for each in judge(case.before, case.before.tree.files)} if found else ()
    return [each for each in found if each.about not in known]


def nothing_worse(case: Case, rule: str) -> Iterator[Objection]:
    """No fault comes that no note had: the lines it is in are held out, else the note."""
    for each in _new(case, rule):
        edit = case.edits.get(each.path)
        rows = range(each.line - 1, max(each.last, each.line))
        added = [n for n in edit.added if n in rows] if edit and each.line else ()
        yield Objection(each.path, each.message.partition("; ")[0], added)


def only_text(case: Case) -> Iterator[Objection]:
    """What is no text, or no note, stays as it is."""
    for path, edit in case.edits.items():
        entries = [entry for entry in (edit.was, edit.now) if entry]
        if not is_note(path) or any(len(e.data) > LARGEST or b"\0" in e.data for e in entries):
            yield Objection(path, "is no Markdown text of at most 1 MiB, so it stays as it is")
    yield from (each for each in nothing_worse(case, "text") if each.added)


def no_new_secret(case: Case) -> Iterator[Objection]:
    """No secret comes that was in no note before, nor in the name of a new note."""
    for path in case.after.texts.keys() - case.before.texts.keys():
        if found := find(str(path)):
            yield Objection(path, f"has a secret in its name ({found[0].kind})")
    yield from nothing_worse(case, "secret")


def pinned_stay(case: Case) -> Iterator[Objection]:
    """Pinned notes and `team/` stay as they are."""
    for path in case.edits:
        if path.parts[0] == "team":
            yield Objection(path, "is shared with the team, so a dream leaves it as it is")
        elif is_pinned(case.before.texts.get(path, "")):
            yield Objection(path, "is pinned (`pinned: true`), so a dream leaves it as it is")


def lines_end_as_before(case: Case) -> Iterator[Mend]:
    """Lines end as they did, new ones like the others, and the last one has an end."""
    for edit, _ in case.come():
        rows = b"".join(map(b"".join, zip(edit.new.texts, _ends(edit), strict=True)))
        if edit.was and edit.was.data.startswith(_MARK) and rows and not rows.startswith(_MARK):
            rows = _MARK + rows
        if edit.now and rows != edit.now.data:
            what = "had other line ends, or another byte order mark, than the note"
            yield Mend(edit.path, 0, what, replace(edit.now, data=rows))


def _ends(edit: Edit) -> list[bytes]:
    """Return the line ends a note should have: those of before, new lines in the same style."""
    styles = {*(edit.old if edit.was else edit.new).ends} - {b""}
    style = styles.pop() if len(styles) == 1 else b""
    before = {new: edit.old.ends[old] for old, new in edit.place.items()}
    ends = [before.get(n) or (end and style) or end for n, end in enumerate(edit.new.ends)]
    last = edit.place.get(len(edit.old.ends) - 1)
    if ends and not ends[-1] and (last != len(ends) - 1 or edit.old.ends[-1]):
        ends[-1] = style or b"\n"
    return ends


def frontmatter_is_valid(case: Case) -> Iterator[Objection | Mend]:
    """A dream leaves no frontmatter that is open or no YAML, and a model takes none away."""
    broken = {each.path: each for each in _new(case, "frontmatter")}
    for edit, text in case.come():
        old = frontmatter(case.before.texts.get(edit.path, ""))
        head, fault = frontmatter(text), broken.get(edit.path)
        if case.grounding and old and not head:
            what = "would lose its frontmatter, by which it is found"
        elif fault is None or edit.now is None:
            continue
        elif (whole := closed(text)) is not None:
            what = f"{fault.message}; it has one now"
            yield Mend(edit.path, fault.line, what, written(edit.now, whole))
            continue
        elif frontmatter_fault(whole := quoted(text)) is None:
            what = "a value of the frontmatter was no YAML; it is quoted now"
            yield Mend(edit.path, fault.line, what, written(edit.now, whole))
            continue
        else:
            what = fault.message
        if edit.was is None:
            yield Objection(edit.path, what)
            continue
        keys = {"---", *(field.key for field in (old.fields if old else ()))}
        is_of = [row.partition(":")[0].strip() in keys for row in lines(text)]
        came = [n for n in edit.added if (n < head.end if head else is_of[n])]
        yield Objection(edit.path, what, came, [n for n in edit.removed if old and n < old.end])


def index_fits(case: Case) -> Iterator[Objection]:
    """The index is within its limits; one that was over them before does not grow.

    Held out are its newest lines, pointers last, and with a note's only pointer the note.
    """
    text, edit = case.after.texts.get(INDEX), case.edits.get(INDEX)
    budget = case.after.settings.budget
    was = limits(index_sizes(case.before.texts.get(INDEX, ""), budget), budget)

    def excess(index: str) -> str:
        for now, before in zip(limits(index_sizes(index, budget), budget), was, strict=True):
            if now.path == INDEX and now.value > max(now.most, before.value):
                return f"the index would have {now.value:,} {now.unit}, {now.most:,} are seen"
        return ""

    def without(text: str, numbers: Collection[int]) -> str:
        return "\n".join(row for n, row in enumerate(text.split("\n")) if n not in numbers)

    if text is None or edit is None or not (over := excess(text)):
        return
    known = {said(line) for each in case.edits.values() for line in each.old.texts}
    pointing = {pointer.line for pointer in pointers(text)}
    order = sorted(edit.added, key=lambda n: (n in pointing, said(edit.new.texts[n]) in known, -n))
    counts = range(len(order))
    count = bisect_left(counts, True, key=lambda n: not excess(without(text, {*order[:n]})))
    yield from (Objection(INDEX, over, (number,)) for number in order[:count])
    left = {**case.after.texts, INDEX: without(text, {*order[:count]})}
    for path in unreachable(left):
        if path not in case.before.tree.files:
            yield Objection(path, f"its pointer is held out: {over}")


RULES: Mapping[str, Judge] = {
    "file": partial(nothing_worse, rule="file"),
    "text": only_text,
    "pinned": pinned_stay,
    "line-end": lines_end_as_before,
    "secret": no_new_secret,
    "frontmatter": frontmatter_is_valid,
    "relative-date": partial(nothing_worse, rule="relative-date"),
    "grounded": lambda case: case.grounding.ungrounded(case) if case.grounding else (),
    "tainted": lambda case: case.grounding.tainted(case) if case.grounding else (),
    "vanished": nothing_vanishes,
    "gone": little_is_gone,
    "pointer": pointers_resolve,
    "reachable": notes_are_reached,
    "budget": index_fits,
}
MENDING = ("line-end", "frontmatter", "pointer", "reachable")  # those that mend, not only object
