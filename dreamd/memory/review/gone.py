"""The rules about entries that went: they are said elsewhere, superseded, or few."""

from __future__ import annotations

from collections import Counter, defaultdict
from collections.abc import Iterator
from pathlib import PurePosixPath

from dreamd.memory.lines import said, shown
from dreamd.memory.review.case import Case, Objection
from dreamd.memory.review.standing import LineSupport, codes, entries, numbers
from dreamd.text.markdown.pointers import Pointer, pointers
from dreamd.text.time.relative import relative_phrases

_FEW = 3  # entries; of a small memory a quarter is less than one would take out by hand
_Lost = tuple[PurePosixPath, int]


def nothing_vanishes(case: Case) -> Iterator[Objection]:
    """Every entry is there, alone or in a line that has its values, names and most of its words.

    Else it was retired, which at most a quarter of the entries may be (in a small memory, three);
    those retired last are there again. Engines that only quote are not asked.
    """
    if case.grounding is None:
        return
    out: list[tuple[int, _Lost]] = []
    retired = list(case.report.superseded)
    for path, line in _unsaid(case, is_strict=True):
        entry = (path, shown(case.edits[path].old.texts[line]))
        if entry in retired:
            out.append((retired.index(entry), (path, line)))
        else:
            message = "would be gone, was not retired, and no other line says it"
            yield Objection(path, message, removed=(line,))
    texts = case.before.texts.values() if len(out) > _FEW else ()
    total = sum(len(entries(text)) for text in texts)
    most = max(int(case.after.settings.review.most_gone * total + 1e-9), _FEW)
    for _, (path, line) in sorted(out)[most:]:
        message = f"was retired as one of {len(out)} of {total} entries; {most} may be in one dream"
        yield Objection(path, message, removed=(line,))


def little_is_gone(case: Case) -> Iterator[Objection]:
    """At most 25 % of the entries go without being merged, moved or superseded with a source."""
    superseded = set(case.report.superseded)
    found: dict[PurePosixPath, list[int]] = {}
    for path, line in _unsaid(case, is_strict=False):
        if (path, shown(case.edits[path].old.texts[line])) not in superseded:
            found.setdefault(path, []).append(line)
    number, most = sum(map(len, found.values())), case.after.settings.review.most_gone
    total = 0
    for text in case.before.texts.values():
        total += len(entries(text))
        if number <= most * total:
            return
    for path, removed in found.items():
        message = (
            f"{number} of {total} entries would be gone without standing elsewhere or a source "
            f"({most:.0%} may be); {len(removed)} of them here"
        )
        yield Objection(path, message, removed=removed)


def _unsaid(case: Case, *, is_strict: bool) -> Iterator[_Lost]:
    """Yield the entries that went and that no line says any more, by note and line.

    An entry that pointed to notes may go if no value goes with it: another rule judges whether
    they keep a pointer. With `is_strict` names count as values, and a relative date may become
    the day that it meant.
    """
    missing = list(_missing(case))
    if not missing:
        return
    everything = "\n".join(case.after.texts.values())
    support = LineSupport(everything.split("\n"))
    known, share = numbers(everything), case.after.settings.review.words_kept
    aims = {path: _aims(case, path) for path in {path for path, _ in missing}}
    for path, line in missing:
        text = title = case.edits[path].old.texts[line].decode("utf-8", "surrogateescape")
        led = aims[path].get(line, ())
        for each in reversed(led):
            title = title[: each.start] + each.title + title[each.end :]
        if led and numbers(title) <= known and all(c in everything for c in codes(title)):
            continue
        needed = frozenset[str]()
        if is_strict:
            from dreamd.memory.review.grounding import names_in  # noqa: PLC0415 - 20 ms of patterns

            text = _undated(text)
            needed = names_in(text)
        if not support.holds(text, share, needed):
            yield path, line


def _aims(case: Case, path: PurePosixPath) -> dict[int, list[Pointer]]:
    """Return the pointers of a note that led somewhere, by line."""
    found = defaultdict[int, list[Pointer]](list)
    for pointer in pointers(case.before.texts[path], path):
        if case.before.goal(pointer, path):
            found[pointer.line].append(pointer)
    return found


def _missing(case: Case) -> Iterator[_Lost]:
    """Yield the removed entries that are not there now as often as they were."""
    balance: Counter[bytes] = Counter()
    for edit in case.edits.values():
        balance.update(said(edit.old.texts[n]) for n in edit.removed)
        balance.subtract(said(edit.new.texts[n]) for n in edit.added)
    for path, edit in case.edits.items():
        removed = set(edit.removed)
        for n in entries(case.before.texts.get(path, "")) if removed else ():
            if n in removed and balance[said(edit.old.texts[n])] > 0:
                balance[said(edit.old.texts[n])] -= 1
                yield path, n


def _undated(text: str) -> str:
    """Return a line without its relative dates, if it says anything else."""
    left = text
    for phrase in reversed(relative_phrases(text)):
        left = left[: phrase.start] + left[phrase.end :]
    return left if any(map(str.isalnum, left)) else text
