"""Whether a statement stands in the notes in its own words, and in which line."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass

from dreamd.domain.prose.appraising import without_appraisals
from dreamd.domain.prose.labelled import LABEL
from dreamd.engine.rules.promote.talk import spoken


@dataclass(frozen=True, slots=True)
class Standing:
    """Notes as statements are looked for in them: a capital tells nothing apart.

    `talk` has by who spoke the lines that may hold more than one statement, with what they say.
    """

    whole: str
    talk: Mapping[str, list[tuple[str, str]]]

    @classmethod
    def of(cls, texts: Iterable[str]) -> Standing:
        """Return some notes, or lines, to look in."""
        whole = "\n".join(texts)
        talk: dict[str, list[tuple[str, str]]] = defaultdict(list)
        for row in whole.split("\n"):
            if found := spoken(row):
                talk[found.name].append((row, found.said.casefold()))
        return cls(whole.casefold(), talk)

    def has(self, statement: str) -> bool:
        """Whether a statement stands there, or of a chat what it tells, by who said it."""
        words = statement.rstrip(".!?").casefold()
        return words in self.whole or self.row(statement) is not None

    def row(self, statement: str) -> str | None:
        """Return the line that has what a statement of a chat tells, maybe among others."""
        label = LABEL.match(statement)
        rows = self.talk.get(label["name"], []) if label else []
        if not label or not rows:
            return None
        told = without_appraisals(statement)[label.end() :].rstrip(".!?").casefold()
        return next((row for row, said in rows if told in said), None)
