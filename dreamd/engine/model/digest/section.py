"""One section of the first message: a heading of ours, data between marks, what did not fit."""

from __future__ import annotations

from collections.abc import Callable, Sequence

from msgspec import Struct

from dreamd.engine.model.digest.budget import fitting, size
from dreamd.engine.model.digest.fence import fenced


class Section(Struct, frozen=True):
    """Rows of data, best first, and the words around them.

    `rows` went through `fence.shown`. `lead` says what they are. `rest` says, of how many rows
    are shown, how to get the others, and says nothing where all are.
    """

    part: str
    lead: str
    rows: Sequence[str]
    rest: Callable[[int], str]

    def within(self, room: int) -> str:
        """Return the section in at most so many bytes; nothing where not even one row fits."""
        if not self.rows:
            return ""
        whole = self._written(len(self.rows))
        if size(whole) <= room:
            return whole
        longest = max(size(self.rest(count)) for count in (0, len(self.rows) // 2))
        frame = size(self._written(0)) - size(self.rest(0)) + longest + _SLACK
        count = min(fitting(self.rows, room - frame), len(self.rows) - 1)
        while count > 0 and size(text := self._written(count)) > room:
            count -= 1
        return text if count > 0 else ""

    def _written(self, count: int) -> str:
        rest = self.rest(count) if count < len(self.rows) else ""
        parts = [self.lead, *fenced(self.part, self.rows[:count]), *([rest] if rest else []), ""]
        return "\n".join(parts)


_SLACK = 8  # bytes by which one count of rows is written longer than another
