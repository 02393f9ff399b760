"""A note, and a tree, put together again without what is held out."""

from __future__ import annotations

from collections.abc import Iterator
from collections.abc import Set as AbstractSet

from dreamd.domain.tree import Entry
from dreamd.memory.lines import Hunk, Row
from dreamd.memory.review.case import Edit


def is_line_for_line(hunk: Hunk) -> bool:
    """Whether as many lines came as went, so that each is taken to replace one."""
    return hunk.stop - hunk.start == hunk.last - hunk.first


def woven(edit: Edit, out: AbstractSet[int], back: AbstractSet[int]) -> Iterator[Row]:
    """Yield the lines of a note with their ends: without `out`, with `back` at their places."""
    at = 0
    for hunk in (*edit.hunks, Hunk(0, 0, len(edit.new.texts), len(edit.new.texts))):
        yield from zip(edit.new.texts[at : hunk.first], edit.new.ends[at : hunk.first], strict=True)
        old = [n for n in range(hunk.start, hunk.stop) if n in back]
        new = [n for n in range(hunk.first, hunk.last) if n not in out]
        if is_line_for_line(hunk):
            order = [(n - hunk.start, 0, n) for n in old] + [(n - hunk.first, 1, n) for n in new]
        else:
            order = [(0, 0, n) for n in old] + [(1, 1, n) for n in new]
        for _, side, n in sorted(order):
            lines = (edit.old, edit.new)[side]
            yield lines.texts[n], lines.ends[n]
        at = hunk.last


def entry_without(edit: Edit, out: AbstractSet[int], back: AbstractSet[int]) -> Entry | None:
    """Return a note without the added lines `out` and with the removed lines `back`."""
    if not out and not back:
        return edit.now
    rows = list(woven(edit, out, back))
    if edit.was is not None and tuple(text for text, _ in rows) == edit.old.texts:
        return edit.was
    end = next((end for end in (*edit.old.ends, *edit.new.ends) if end), b"\n")
    rows[:-1] = [(text, one or end) for text, one in rows[:-1]]
    now = edit.now or edit.was
    if now is None:
        return None
    return Entry(b"".join(map(b"".join, rows)), now.mode, now.mtime_ns)
