"""Lines by what they tell of which there is one at a time, to be asked what has ended."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterator

from dreamd.engine.rules.updates import scope
from dreamd.engine.rules.updates.held import held
from dreamd.engine.rules.updates.mark import ENDS
from dreamd.engine.rules.updates.slots import TOOL, Held, replaces
from dreamd.engine.rules.updates.turns import Turn


class Holding:
    """Lines with what each tells that somebody has one of at a time."""

    def __init__(self) -> None:
        self._count = 0
        self._held: dict[str, list[tuple[int, str, Held]]] = defaultdict(list)

    def __len__(self) -> int:
        return self._count

    def add(self, text: str) -> None:
        """Let what a line says of today be found under the next number."""
        for sentence in ENDS.split(text):
            for each in held(sentence):
                self._held[each.slot].append((self._count, sentence, each))
        self._count += 1

    def of(self, new: Turn) -> Iterator[tuple[int, str, str]]:
        """Yield the lines that tell what is over: number, what it was, the sentence that says so.

        Of a tool they are only those for the same thing and in the same surroundings; where
        somebody says what there was before, only that is over.
        """
        for number, sentence, each in self._held[new.held.slot]:
            if not replaces(new.held, each):
                continue
            if new.was and new.was.casefold() != each.value:
                continue
            if new.held.slot != TOOL or not scope.differs(new.text, sentence):
                yield number, each.said, sentence
