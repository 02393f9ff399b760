"""One section of the first message: a heading of ours, data between marks, what did not fit."""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from heapq import heapify, heappop, heappush

from msgspec import Struct

from dreamd.engine.model.page import size
from dreamd.text.late import late
from dreamd.text.words import plural

TAG = "material"
_GAP = r"[\s\u200c\u200d]*"  # what may stand inside a mark and still look like one
_FORGED = late(
    rf"[<\uff1c\ufe64\u2039\u3008\u27e8\u276c](?={_GAP}[/\uff0f\u2044\u2215\\]?{_GAP}"
    + _GAP.join(TAG)
    + ")",
    re.IGNORECASE,
)
# Control characters, and what has no width or turns the direction of text, hide words from a
# reader; joiners are kept, for words and emoji need them, and so is what Markdown needs.
_HIDDEN = late(
    r"\x1b\[[0-?]*[ -/]*[@-~]|[\x00-\x08\x0b-\x1f\x7f-\x9f\xad\u061c\u115f\u1160\u17b4\u17b5"
    r"\u180b-\u180f\u200b\u200e\u200f\u202a-\u202e\u2060-\u206f\u3164\ufeff\uffa0\ufff0-\ufffb"
    r"\ud800-\udfff\U000e0000-\U000e0fff]"
)
_BREAKS = late("[\u2028\u2029\x85\v\f]")
_SLACK = 8  # bytes by which one count of rows is written longer than another


def shown(text: str) -> str:
    """Return a text as data on one line: nothing hidden in it, and no mark that ends the data."""
    if text.isascii() and text.isprintable() and "<" not in text:
        return text
    return _FORGED.sub("&lt;", _HIDDEN.sub("", _BREAKS.sub(" ", text).replace("\n", " ")))


class Section(Struct, frozen=True):
    """Rows of data, best first, and the words around them.

    `rows` went through `shown`. `lead` says what they are. `rest` says, of how many rows are
    shown, how to get the others. Of the room a section gets a share by its `weight`.
    """

    part: str
    weight: int
    lead: str
    rows: Sequence[str]
    rest: Callable[[int], str]

    def written(self, count: int) -> str:
        """Return the section with its first rows; nothing without one."""
        return self._framed(self.rows[:count], self.rest(count)) if count else ""

    @property
    def frame(self) -> int:
        """The bytes around its rows, at most."""
        rests = [self.rest(count) for count in (0, len(self.rows) // 2, len(self.rows))]
        return size(self._framed((), max(rests, key=size))) + 1 + _SLACK

    def _framed(self, rows: Sequence[str], rest: str) -> str:
        marks = (f'<{TAG} part="{self.part}">', f"</{TAG}>")
        return "\n".join([self.lead, marks[0], *rows, marks[1], *([rest] if rest else []), ""])


def remaining(rows: Sequence[str], noun: str, how: str) -> Callable[[int], str]:
    """Return what says how many rows are not shown; nothing where all are."""
    return lambda count: f"{plural(len(rows) - count, noun)}{how}" if count < len(rows) else ""


def written(sections: Sequence[Section], room: int) -> list[str]:
    """Return every section, all together in at most so many bytes.

    The next row is always that of the section that has the least for its weight, until it has no
    more, or the row does not fit.
    """
    counts = [0] * len(sections)
    waiting = [(0.0, at) for at, each in enumerate(sections) if each.rows]
    heapify(waiting)
    while waiting:
        used, at = heappop(waiting)
        section, count = sections[at], counts[at]
        cost = size(section.rows[count]) + 1 + (0 if count else section.frame)
        if cost > room:
            continue
        room -= cost
        counts[at] += 1
        if counts[at] < len(section.rows):
            heappush(waiting, (used + cost / section.weight, at))
    return [each.written(count) for each, count in zip(sections, counts, strict=True)]
