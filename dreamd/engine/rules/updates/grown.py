"""A line that was brought up to date, as it reads so far, by whose words, and what they replace."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date

from dreamd.domain.superseded import is_open
from dreamd.engine.rules.edit import Source
from dreamd.engine.rules.updates.lines import Line


@dataclass(frozen=True, slots=True)
class Grown:
    """`first` is the line as the dream found it, `text` what it says by now, without its prefix.

    `day` is that of the newer words that it begins with, None where it begins with older ones.
    `behind` are the older words, where both would be too long for one line.
    """

    first: Line
    text: str
    source: Source
    day: date | None
    behind: str = ""

    @property
    def is_open(self) -> bool:
        """Whether it was this dream that left open what holds."""
        return is_open(self.text) and not is_open(self.first.text)

    @property
    def rows(self) -> tuple[str, ...]:
        """The rows that stand in its place, the newest words first."""
        texts = (self.text, self.behind) if self.behind else (self.text,)
        return tuple(self.first.prefix + text for text in texts)


@dataclass(frozen=True, slots=True)
class Old:
    """What is replaced: the sentence of a line that says it, and how that calls it."""

    line: int
    said: str
    sentence: str
