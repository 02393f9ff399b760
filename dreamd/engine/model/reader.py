"""The confined process that reads for a session: files, sessions, commands, and the notes.

`python -m dreamd.engine.model.reader SESSIONS… POLICY`: folders of transcripts, and the policy as
JSON, which `spawn` adds. A request is a JSON object `{"tool", "arguments", "notes"}`, of which
`notes` are those that changed since the last one; an `Answer` comes back. Messages are framed by
`multiprocessing`.
"""

from __future__ import annotations

import contextlib
import os
import sys
from collections.abc import Mapping, Sequence
from multiprocessing.connection import Connection
from pathlib import Path, PurePosixPath
from typing import Any

import msgspec

from dreamd.engine.model.tools.dispatch import Answer, answered
from dreamd.engine.model.tools.open import ReadingPlace
from dreamd.errors import SessionError
from dreamd.sandbox.confine import confine
from dreamd.sandbox.denied import DenyList
from dreamd.sandbox.policy import Level, Policy
from dreamd.sandbox.spawn import spawn
from dreamd.text.secrets.secrets import redact

_LONGEST = 150.0  # seconds of a call; a tool that may take long has a shorter limit of its own
_WORDS = 300  # characters of what a reader says when it fails


class ReaderCall(msgspec.Struct):
    """One call, with the notes that changed since the last one; None for one that is gone."""

    tool: str
    arguments: Mapping[str, Any]
    notes: Mapping[str, str | None]


class ReaderProcess:
    """Our end of the confined process; one call at a time. WallsError where walls cannot be had."""

    def __init__(
        self, memory: Path, sessions: Sequence[Path], denied: Sequence[str], level: str
    ) -> None:
        memory = Path(os.path.abspath(memory))  # noqa: PTH100 - without following links
        policy = Policy(memory, tuple(map(Path, denied)), Level(level))
        argv = [sys.executable, "-m", "dreamd.engine.model.reader", *map(str, sessions)]
        self._helper = spawn(argv, policy)
        self._requests = Connection(os.dup(self._helper.stdin.fileno()), readable=False)
        self._answers = Connection(os.dup(self._helper.stdout.fileno()), writable=False)
        self._known: Mapping[PurePosixPath, str] = {}

    def ask(
        self, tool: str, arguments: Mapping[str, Any], notes: Mapping[PurePosixPath, str]
    ) -> Answer:
        """Return the answer to one call; the reader is told which notes have changed.

        Raises:
            SessionError: it is gone, or has not answered in time.
        """
        known, self._known = self._known, notes
        fresh = {str(each): notes.get(each) for each, _ in known.items() ^ notes.items()}
        try:
            self._requests.send_bytes(msgspec.json.encode(ReaderCall(tool, arguments, fresh)))
            if not self._answers.poll(_LONGEST):
                raise SessionError("the reader process did not answer in time")
            return msgspec.json.decode(self._answers.recv_bytes(), type=Answer)
        except (EOFError, OSError) as error:
            self._helper.stop()
            lines = self._helper.last_words().splitlines()
            said = f": {redact(lines[-1])[:_WORDS]}" if lines else ""
            raise SessionError(f"the reader process ended{said}") from error

    def close(self) -> None:
        """End it, whatever it is doing."""
        with contextlib.suppress(OSError):
            self._helper.stop()


def main(argv: list[str]) -> int:
    """Confine this process, then serve calls until the other end closes; return 0.

    WallsError where the walls that the policy asks for cannot be had; nothing was served then.
    """
    policy = Policy.from_json(argv[-1])
    confine(policy)
    requests, answers = (Connection(os.dup(number)) for number in (0, 1))
    nothing = os.open(os.devnull, os.O_RDONLY)  # no child and no print can use the pipes
    os.dup2(nothing, 0)
    os.dup2(2, 1)
    sessions = tuple(map(Path, argv[1:-1]))
    place = ReadingPlace(policy.stage, sessions, DenyList.of(policy.denied), policy.level)
    while True:
        try:
            request = msgspec.json.decode(requests.recv_bytes(), type=ReaderCall)
        except EOFError:
            return 0
        for name, text in request.notes.items():
            if text is None:
                place.notes.pop(PurePosixPath(name), None)
            else:
                place.notes[PurePosixPath(name)] = text
        answer = answered(request.tool, request.arguments, place)
        answers.send_bytes(msgspec.json.encode(answer))


if __name__ == "__main__":
    sys.exit(main(sys.argv))
