"""The rules of the review, in the order in which they judge.

Most are those of `check`: what a dream may not add is what was not wrong before.
"""

from __future__ import annotations

from bisect import bisect_left
from collections.abc import Callable, Iterable, Iterator
from functools import partial

from msgspec import Struct

from dreamd.domain.budget import Sizes, index_sizes
from dreamd.domain.settings import Budget
from dreamd.domain.tree import INDEX, Entry
from dreamd.memory import faults
from dreamd.memory.check import closed, written
from dreamd.memory.faults import Fault
from dreamd.memory.lines import said
from dreamd.memory.review.case import Case, Edit
from dreamd.memory.review.entries import gone
from dreamd.memory.review.hold import Mend, Objection
from dreamd.memory.review.pointer_rules import notes_are_reached, pointers_resolve
from dreamd.memory.review.trust_rules import grounded, untainted
from dreamd.memory.review.vanished import nothing_vanishes
from dreamd.text.markdown.markdown import lines
from dreamd.text.markdown.note import frontmatter, is_pinned
from dreamd.text.markdown.pointers import pointers, unreachable
from dreamd.text.secrets.secrets import find

_MARK = "\ufeff".encode()
_TABLE = {rule.name: rule for rule in faults.RULES}


class Rule(Struct, frozen=True):
    """One claim about what a dream may do to notes; `judge` is pure."""

    name: str
    claim: str
    judge: Callable[[Case], Iterable[Objection | Mend]]


def _new(case: Case, rule: str) -> Iterator[Fault]:
    """Yield the faults of changed notes that no note had before."""
    changed = [path for path in case.changed if path in case.after.tree.files]
    found = list(_TABLE[rule].judge(case.after, changed))
    before = _TABLE[rule].judge(case.before, case.before.tree.files) if found else ()
    known = {each.about for each in before}
    return (each for each in found if each.about not in known)


def _held(case: Case, rule: str) -> Iterator[Objection]:
    """Yield what is held out for new faults: the lines they are in, else the note."""
    for each in _new(case, rule):
        edit = case.edits.get(each.path)
        rows = range(each.line - 1, max(each.last, each.line))
        added = [n for n in edit.added if n in rows] if edit and each.line else []
        yield Objection(each.path, each.message.partition("; ")[0], tuple(added))


def _checked(name: str, judge: Callable[[Case], Iterable[Objection | Mend]] | None = None) -> Rule:
    """Return a rule of `check` as one of the review."""
    return Rule(name, _TABLE[name].claim, judge or partial(_held, rule=name))


def only_text(case: Case) -> Iterator[Objection]:
    """What is no text, or no note, stays as it is."""
    for path in case.opaque:
        yield Objection(path, "is no Markdown text of at most 1 MiB; a dream leaves it as it is")
    yield from (each for each in _held(case, "text") if each.path in case.edits)


def no_new_secret(case: Case) -> Iterator[Objection]:
    """No secret comes that stood in no note before, nor in the name of a new note."""
    for path in case.after.texts.keys() - case.before.texts.keys():
        if found := find(str(path)):
            yield Objection(path, f"has a secret in its name ({found[0].kind})")
    yield from _held(case, "secret")


def pinned_stay(case: Case) -> Iterator[Objection]:
    """Pinned notes and `team/` stay as they are."""
    for path in case.changed:
        if path.parts[0] == "team":
            yield Objection(path, "is shared with the team, so a dream leaves it as it is")
        elif is_pinned(case.before.texts.get(path, "")):
            yield Objection(path, "is pinned (`pinned: true`), so a dream leaves it as it is")


def lines_end_as_before(case: Case) -> Iterator[Mend]:
    """Lines end as they did, new ones like the others, and the last one has an end."""
    for edit, _ in case.come():
        ends = _ends(edit)
        mark = b""
        if edit.was and edit.was.data.startswith(_MARK) and edit.new.texts:
            mark = b"" if edit.new.texts[0].startswith(_MARK) else _MARK
        differ = [n for n, end in enumerate(ends) if end != edit.new.ends[n]]
        if edit.now and (differ or mark):
            what = "had other line ends than the note"
            if mark:
                what = "had its byte order mark taken away"
            elif differ == [len(ends) - 1]:
                what = "had no end of its last line"
            rows = zip(edit.new.texts, ends, strict=True)
            data = mark + b"".join(map(b"".join, rows))
            entry = Entry(data, edit.now.mode, edit.now.mtime_ns)
            yield Mend(edit.path, (differ or [0])[0] + 1, what, entry)


def _ends(edit: Edit) -> list[bytes]:
    """Return the line ends a note should have: those of before, new lines in the same style."""
    styles = {*(edit.new if edit.was is None else edit.old).ends} - {b""}
    style = styles.pop() if len(styles) == 1 else b""
    before = {new: edit.old.ends[old] for old, new in edit.place.items()}
    ends = [before.get(n) or (end and style) or end for n, end in enumerate(edit.new.ends)]
    was_open = (
        edit.old.ends[-1:] == (b"",) and edit.place.get(len(edit.old.ends) - 1) == len(ends) - 1
    )
    if ends and not ends[-1] and not was_open:
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
        else:
            what = fault.message
        keys = {"---", *(field.key for field in (old.fields if old else ()))}
        is_of = [row.partition(":")[0].strip() in keys for row in lines(text)]
        came = [n for n in edit.added if (n < head.end if head else is_of[n])]
        went = [n for n in edit.removed if old and n < old.end]
        is_whole = case.stern or edit.was is None
        yield Objection(edit.path, what, *(() if is_whole else (tuple(came), tuple(went))))


def little_is_gone(case: Case) -> Iterator[Objection]:
    """At most 25 % of the entries go without being merged, moved or superseded with a source."""
    unexplained, total = gone(case)
    most = case.settings.review.most_gone
    number = sum(map(len, unexplained.values()))
    if not number or number <= most * total:
        return
    for path, removed in unexplained.items():
        what = (
            f"{number} of {total} entries would be gone without standing elsewhere or a source "
            f"({most:.0%} may be); {len(removed)} of them here"
        )
        yield Objection(path, what, removed=removed)


def index_fits(case: Case) -> Iterator[Objection]:
    """The index is within its limits; one that was over them before does not grow.

    Held out are its newest lines, pointers last, and with a note's only pointer the note.
    """
    text, edit, budget = case.after.texts.get(INDEX), case.edits.get(INDEX), case.settings.budget
    was = index_sizes(case.before.texts.get(INDEX, ""), budget)
    over = _excess(index_sizes(text or "", budget), was, budget)
    if text is None or edit is None or over is None:
        return
    known = {said(line) for each in case.edits.values() for line in each.old.texts}
    pointing = {pointer.line for pointer in pointers(text)}
    ranked = sorted((n in pointing, said(edit.new.texts[n]) in known, -n) for n in edit.added)
    order = [-each[-1] for each in ranked]

    def without(count: int) -> str:
        out = {*order[:count]}
        return "\n".join(row for n, row in enumerate(text.split("\n")) if n not in out)

    def fits(count: int) -> bool:
        return _excess(index_sizes(without(count), budget), was, budget) is None

    count = bisect_left(range(len(order)), True, key=fits)
    yield from (Objection(INDEX, over, (number,)) for number in order[:count])
    if case.stern and not fits(count):
        yield Objection(INDEX, over)
    for path in unreachable({**case.after.texts, INDEX: without(count)}):
        if path not in case.before.tree.files:
            yield Objection(path, f"its pointer is held out: {over}")


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


RULES = (
    _checked("file"),
    _checked("text", only_text),
    Rule("pinned", "pinned notes and `team/` stay as they are", pinned_stay),
    Rule("line-end", "lines end as they did", lines_end_as_before),
    _checked("secret", no_new_secret),
    _checked("frontmatter", frontmatter_is_valid),
    _checked("relative-date"),
    Rule("grounded", "what a model wrote was said, or stands in what it read", grounded),
    Rule("tainted", "nothing comes that only a tool returned", untainted),
    Rule("vanished", "what a model took out it retired, a few entries at most", nothing_vanishes),
    Rule("gone", "few entries go unless merged or superseded with a source", little_is_gone),
    _checked("pointer", pointers_resolve),
    _checked("reachable", notes_are_reached),
    _checked("budget", index_fits),
)
