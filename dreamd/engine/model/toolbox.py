"""Carry out tool calls: on the notes in memory, or by the reader, and keep account."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec.structs import replace

from dreamd.domain.cost import money
from dreamd.domain.receipt import Phase
from dreamd.engine.model.digest.notes import Lines, shown
from dreamd.engine.model.reader import ReaderProcess
from dreamd.engine.model.spending import SessionBudget
from dreamd.engine.model.tools import BY_NAME
from dreamd.engine.model.tools.dispatch import Answer, answered
from dreamd.engine.model.tools.notes import Changed, Notes
from dreamd.engine.model.tools.open import absolute, inside
from dreamd.engine.rules.requests import Request
from dreamd.errors import RefusedError
from dreamd.text.words import plural

_MOST_SEEN = 4 * 1024 * 1024  # characters of results kept to judge what is grounded
_REFUSAL = 500  # characters on arguments that are none
_LOOKING_AT_PATHS = ("Read", "Grep", "Glob")
_NOUNS = {"Bash": "command", "Sessions": "session"}
_ON_DISK = "\n[Your changes of notes are not on disk yet: Read and Grep show them, Bash does not.]"


class Toolbox:
    """Sends each call where its tool works.

    `notes` are as they are now, `seen` is what the model was shown that it did not write itself,
    `counts` how often each tool was called, `faults` how often which tool met a fault of its own,
    and where. `asked` is what people asked to be remembered. A lost reader ends the session.
    """

    def __init__(self, reader: ReaderProcess, notes: Notes, asked: Sequence[Request] = ()) -> None:
        self._reader = reader
        self._asked = asked
        self.notes = notes
        self.seen: list[str] = []
        self.counts: Counter[str] = Counter()
        self.faults: Counter[tuple[str, str]] = Counter()
        self._room = _MOST_SEEN
        self._has_changed = False

    def call(self, call: Mapping[str, Any]) -> Answer:
        """Carry out a `tool_use` block; a call that cannot be is answered, not raised.

        Raises:
            ReaderLostError: the reader is gone, or did not answer in time.
        """
        name = call.get("name")
        tool = BY_NAME.get(str(name))
        if tool is None:
            known = ", ".join(BY_NAME)
            return Answer(f"There is no tool {name!s:.60} here; call one of {known}.", True)
        self.counts[tool.name] += 1
        try:
            arguments = tool.checked(call["input"])
        except RefusedError as error:
            return Answer(str(error)[:_REFUSAL], is_error=True)
        if tool.home == "notes":
            answer = answered(tool.name, arguments, self.notes)
            if isinstance(answer, Changed):
                self._has_changed |= answer.notes is not self.notes
                self.notes = answer.notes
        else:
            answer = self._reader.ask(tool.name, arguments, self.notes.now)
            if self._is_source(tool.name, arguments, answer):
                self.seen.append(answer.text[: self._room])
                self._room -= len(self.seen[-1])
            if tool.name == "Bash" and self._has_changed:
                answer = replace(answer, text=answer.text + _ON_DISK)
        if answer.fault:
            self.faults[tool.name, answer.fault] += 1
        return answer

    def unwritten(self) -> tuple[str, ...]:
        """Return what was asked to be remembered and stands in no note now, with its day."""
        lines = Lines(self.notes.now) if self._asked else None
        return tuple(
            shown(f'"{each.text}" ({each.said.day or "no day"})')
            for each in self._asked
            if lines is not None and not lines.say(each.text)
        )

    def _is_source(self, name: str, arguments: Mapping[str, Any], answer: Answer) -> bool:
        """Say whether a result is a source: it holds nothing that the model wrote in this session.

        What Sessions shows is known as what was said.
        """
        if answer.is_error or name == "Sessions":
            return False
        said = arguments.get("file_path") or arguments.get("path")
        if not self._has_changed or name not in _LOOKING_AT_PATHS or not said:
            return not self._has_changed
        memory = self.notes.memory
        path = absolute(said, memory)
        is_around = memory.resolve().is_relative_to(path.resolve())
        return not is_around and inside(path, memory) is None


def so_far(phase: Phase, tools: Toolbox, budget: SessionBudget) -> str:
    """Return how far a session is: `2/4 · 7 greps · 2 notes edited · 11.2k tokens · $0.01`."""
    parts = [f"{list(Phase).index(phase) + 1}/{len(Phase)}"]
    parts += [plural(n, _NOUNS.get(tool, tool.lower())) for tool, n in tools.counts.items()]
    if edited := len(tools.notes.edits):
        parts.append(f"{plural(edited, 'note')} edited")
    parts.append(f"{budget.spent.all / 1000:.1f}k tokens")
    if budget.price is not None:
        parts.append(money(budget.spent.dollars(budget.price)))
    return " · ".join(parts)
