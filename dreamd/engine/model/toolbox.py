"""Carry out tool calls: on the notes in memory, or by the reader, and keep account."""

from __future__ import annotations

import contextlib
import os
import sys
from collections import Counter
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path
from typing import Any, Protocol

import msgspec

from dreamd.engine.model.tools import BY_NAME
from dreamd.engine.model.tools.dispatch import answered
from dreamd.engine.model.tools.notes import Notes, Texts, differing
from dreamd.engine.model.tools.paths import absolute, inside
from dreamd.engine.model.tools.place import Answer, described
from dreamd.errors import RefusedError, SessionError
from dreamd.sandbox.policy import Level, Policy, Role
from dreamd.sandbox.spawn import spawn
from dreamd.text.secrets.secrets import redact

_LONGEST = 150.0  # seconds of a call; a tool that may take long has a shorter limit of its own
_MOST_SEEN = 4 * 1024 * 1024  # characters of results kept to judge what is grounded
_REFUSAL = 500  # characters on arguments that are none
_WORDS = 300  # characters of what a reader says when it fails
_LOOKING_AT_PATHS = ("Read", "Grep", "Glob")
_ON_DISK = "\n[Your changes of notes are not on disk yet: Read and Grep show them, Bash does not.]"


class ReaderLostError(SessionError):
    """The reader died or fell silent; the session cannot go on."""


class Reads(Protocol):
    """What answers the calls that only look."""

    def ask(self, tool: str, arguments: Mapping[str, Any], notes: Texts) -> Answer:
        """Return the answer to one call, with the notes as they are now."""
        ...


class Reader:
    """The confined process that reads; one call at a time.

    Raises:
        WallsError: the walls cannot be had.
    """

    def __init__(
        self, memory: Path, sessions: Sequence[Path], denied: Sequence[str], level: str
    ) -> None:
        policy = Policy(
            role=Role.READER,
            stage=memory,
            denied=tuple(map(Path, denied)),
            level=Level(level),
        )
        place = described(str(memory), list(map(str, sessions)))
        self._helper = spawn([sys.executable, "-m", "dreamd.engine.model.reader", place], policy)
        self._requests = Connection(os.dup(self._helper.stdin.fileno()), readable=False)
        self._answers = Connection(os.dup(self._helper.stdout.fileno()), writable=False)
        self._known: Texts = {}

    def ask(self, tool: str, arguments: Mapping[str, Any], notes: Texts) -> Answer:
        """Return the answer to one call; the reader is told which notes have changed.

        Raises:
            ReaderLostError: it is gone, or has not answered in time.
        """
        fresh = {str(path): notes.get(path) for path in differing(self._known, notes)}
        self._known = notes
        request = {"tool": tool, "arguments": arguments, "notes": fresh}
        try:
            self._requests.send_bytes(msgspec.json.encode(request))
            if not self._answers.poll(_LONGEST):
                raise ReaderLostError("the reader process did not answer in time")
            said = msgspec.json.decode(self._answers.recv_bytes())
        except (EOFError, OSError) as error:
            raise ReaderLostError(self._words()) from error
        return Answer(said["text"], said["is_error"], said["facts"])

    def close(self) -> None:
        """End it, whatever it is doing."""
        with contextlib.suppress(OSError):
            self._helper.stop()

    def _words(self) -> str:
        self._helper.stop()
        lines = self._helper.last_words().splitlines()
        said = f": {redact(lines[-1])[:_WORDS]}" if lines else ""
        return f"the reader process ended{said}"


class Toolbox:
    """Sends each call where its tool works.

    `notes` are as they are now, `seen` is what the model was shown that it did not write itself,
    `counts` how often each tool was called, `faults` how often which tool met a fault of its own,
    and where. A lost reader ends the session.
    """

    def __init__(self, reader: Reads, notes: Notes) -> None:
        self._reader = reader
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
            if answer.notes is not None:
                self._has_changed |= answer.notes is not self.notes
                self.notes = answer.notes
        else:
            answer = self._reader.ask(tool.name, arguments, self.notes.now)
            self._see(tool.name, arguments, answer)
            if tool.name == "Bash" and self._has_changed:
                answer = Answer(answer.text + _ON_DISK, answer.is_error, answer.facts)
        if fault := answer.facts.get("fault"):
            self.faults[tool.name, str(fault)] += 1
        return answer

    def _see(self, name: str, arguments: Any, answer: Answer) -> None:
        """Keep a result as a source, unless it may hold what the model wrote in this session.

        What Sessions shows is known as what was said.
        """
        if answer.is_error or name == "Sessions":
            return
        if self._has_changed and not self._is_elsewhere(name, arguments):
            return
        self.seen.append(answer.text[: self._room])
        self._room -= len(self.seen[-1])

    def _is_elsewhere(self, name: str, arguments: Mapping[str, Any]) -> bool:
        said = arguments.get("file_path") or arguments.get("path")
        if name not in _LOOKING_AT_PATHS or not said:
            return False
        memory = self.notes.memory
        path = absolute(said, memory)
        is_around = memory.resolve().is_relative_to(path.resolve())
        return not is_around and inside(path, memory) is None
