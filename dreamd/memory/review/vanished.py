"""The rule that nothing goes unseen where a model wrote: what it does not retire stands again."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import PurePosixPath

from dreamd.memory.lines import shown
from dreamd.memory.review.case import Case
from dreamd.memory.review.entries import aims_of, missing_entries, points_on
from dreamd.memory.review.hold import Objection
from dreamd.memory.review.standing import LineSupport, entries, numbers
from dreamd.text.time.relative import relative_phrases

_Entry = tuple[PurePosixPath, int]
_FEW = 3  # entries; of a small memory a quarter is less than one would take out by hand


def nothing_vanishes(case: Case) -> Iterator[Objection]:
    """Every entry stands, alone or in a line that has its values and names and most of its words.

    Else it was retired, which at most a quarter of the entries may be (in a small memory, three);
    those retired last stand again. A relative date may go for the day it meant. Engines that only
    quote are not asked.
    """
    if case.grounding is None:
        return
    lost = list(_lost(case))
    if not lost:
        return
    retired: dict[tuple[PurePosixPath, str], int] = {}
    for number, each in enumerate(case.report.superseded):
        retired.setdefault(each, number)
    out: list[tuple[int, _Entry]] = []
    for path, line in lost:
        place = retired.get((path, shown(case.edits[path].old.texts[line])))
        if place is None:
            said = "would be gone, was not retired, and no other line says it"
            yield Objection(path, said, removed=(line,))
        else:
            out.append((place, (path, line)))
    total = sum(len(entries(text)) for text in case.before.texts.values())
    most = max(int(case.settings.review.most_gone * total + 1e-9), _FEW)
    for _, (path, line) in sorted(out)[most:]:
        said = f"was retired as one of {len(out)} of {total} entries; {most} may be in one dream"
        yield Objection(path, said, removed=(line,))


def _lost(case: Case) -> Iterator[_Entry]:
    """Yield the entries that went and that no line says any more, by note and line."""
    missing = missing_entries(case)
    if not missing:
        return
    from dreamd.memory.review.grounding import names_in  # noqa: PLC0415 - 20 ms of patterns

    standing = LineSupport(
        row for text in case.after.texts.values() for row in text.split("\n") if row
    )
    everything = "\n".join(case.after.texts.values())
    known = numbers(everything)
    share = case.settings.review.words_kept
    for path, places in missing.items():
        aims = aims_of(case, path)
        for line in places:
            text = case.edits[path].old.texts[line].decode("utf-8", "surrogateescape")
            if points_on(text, aims.get(line, ()), everything, known):
                continue
            kept = _undated(text)
            if not standing.holds(kept, share, names_in(kept)):
                yield path, line


def _undated(text: str) -> str:
    """Return a line without its relative dates, if it says anything else."""
    left = text
    for phrase in reversed(relative_phrases(text)):
        left = left[: phrase.start] + left[phrase.end :]
    return left if any(map(str.isalnum, left)) else text
