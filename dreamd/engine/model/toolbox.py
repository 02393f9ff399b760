"""The worker's side of the tools: two walled processes, and what came of the calls."""

from __future__ import annotations

import os
from collections import Counter
from collections.abc import Mapping, Sequence
from typing import Any

from msgspec import Struct, field

from dreamd.engine.model.line import Line
from dreamd.engine.model.tools import Home, Tool
from dreamd.engine.model.wire import WireError

LONGEST_CALL = 150.0  # seconds; a tool that may take long has a shorter limit of its own
_MOST_SEEN = 4 * 1024 * 1024  # characters of results kept to judge what is grounded
_LOOKING_AT_PATHS = ("Read", "Grep", "Glob")


class Answer(Struct, frozen=True):
    """What the model is told of one call, and facts for us; `home` is "" if nobody was asked."""

    text: str
    is_error: bool = False
    facts: Mapping[str, Any] = field(default_factory=dict)
    home: Home | None = None

    @property
    def changed(self) -> bool | None:
        """Whether notes changed; None for a call that only looks, and for a refused one."""
        if self.home != "writer" or self.is_error:
            return None
        return bool(self.facts.get("changed", True))

    @property
    def paths(self) -> tuple[str, ...]:
        """The notes that changed, relative to the memory directory."""
        return tuple(map(str, self.facts.get("paths", ()))) if self.changed else ()


class Toolbox:
    """Sends each call to the process that serves it, and keeps account.

    `calls` are the changes that were made, `seen` what the model was shown, `counts` how often
    each tool was called, `faults` how often which tool met a fault of its own, and where. Nothing
    is restarted: a lost process ends the session.
    """

    def __init__(
        self, tools: Sequence[Tool], lines: Mapping[Home, Line], *, memory: str, stage: str
    ) -> None:
        self._tools = {tool.name: tool for tool in tools}
        self._lines = lines
        self._homes = [os.path.realpath(home) for home in (memory, stage)]
        self._memory = memory
        self.calls: list[dict[str, Any]] = []
        self.seen: list[dict[str, str]] = []
        self.counts: Counter[str] = Counter()
        self.edited: set[str] = set()
        self.faults: Counter[tuple[str, str]] = Counter()
        self._room = _MOST_SEEN

    def call(self, call: Mapping[str, Any], seconds: float) -> Answer:
        """Carry out a `tool_use` block; a call that cannot be is answered, not raised.

        Raises:
            WallsLostError: the process that serves it is gone, or did not answer in time.
        """
        name, arguments = call.get("name"), call.get("input")
        tool = self._tools.get(str(name))
        if tool is None:
            known = ", ".join(self._tools)
            return Answer(f"There is no tool {name!s:.60} here; call one of {known}.", True)
        if not isinstance(arguments, Mapping):
            return Answer(f"The arguments of {tool.name} must be one JSON object.", True)
        self.counts[tool.name] += 1
        try:
            said = self._lines[tool.home].ask(tool.name, arguments, min(seconds, LONGEST_CALL))
        except WireError:
            return Answer("That is too much for one call; split it into several.", True)
        facts = said.get("facts")
        answer = Answer(
            str(said.get("text", "")),
            bool(said.get("is_error")),
            facts if isinstance(facts, Mapping) else {},
            tool.home,
        )
        self._account(tool, call, answer)
        return answer

    def _account(self, tool: Tool, call: Mapping[str, Any], answer: Answer) -> None:
        if fault := answer.facts.get("fault"):
            self.faults[tool.name, str(fault)] += 1
        if answer.changed:
            self.edited.update(answer.paths)
            self.calls.append(
                {
                    "id": call["id"],
                    "tool": tool.name,
                    "arguments": call["input"],
                    "facts": dict(answer.facts),
                }
            )
        elif tool.home == "reader" and not answer.is_error and self._is_from_elsewhere(tool, call):
            text = answer.text[: self._room]
            self._room -= len(text)
            if text:
                self.seen.append({"tool": tool.name, "text": text})

    def _is_from_elsewhere(self, tool: Tool, call: Mapping[str, Any]) -> bool:
        """Say whether a result can hold nothing that the model wrote itself in this session.

        Once it changed a note, what it reads in the notes may be its own words; those must not
        count as a source of what it wrote.
        """
        if not self.calls or tool.name == "Sessions":
            return True
        if tool.name not in _LOOKING_AT_PATHS:
            return False
        said = call["input"].get("file_path") or call["input"].get("path")
        if not isinstance(said, str):
            return False
        path = os.path.realpath(os.path.join(self._memory, os.path.expanduser(said)))  # noqa: PTH111, PTH118
        is_around = any(
            (home + os.sep).startswith(path.rstrip(os.sep) + os.sep) for home in self._homes
        )
        return not is_around and not any(
            os.path.commonpath([home, path]) == home for home in self._homes
        )
