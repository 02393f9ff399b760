"""The line to a helper process: a question, its answer, and a deadline for both."""

from __future__ import annotations

import json
import os
import select
import time
from collections.abc import Mapping
from typing import Any

from dreamd.engine.model import wire
from dreamd.errors import SessionError

_CHUNK = 1 << 16


class WallsLostError(SessionError):
    """A helper died, fell silent, or spoke out of turn; the session cannot go on."""


class Line:
    """Two pipes of one helper; requests are answered in order, one at a time."""

    def __init__(self, name: str, requests: int, answers: int) -> None:
        self._name = name
        self._requests, self._answers = requests, answers
        os.set_blocking(requests, False)
        os.set_blocking(answers, False)
        self._number = 0

    def ask(self, tool: str, arguments: Mapping[str, Any], seconds: float) -> dict[str, Any]:
        """Return what the helper answers to one call.

        Raises:
            WireError: the call is too large to be sent; nothing was.
            WallsLostError: the helper is gone, or has not answered in time.
        """
        self._number += 1
        over = time.monotonic() + seconds
        self._write(wire.packed({"id": self._number, "tool": tool, "arguments": arguments}), over)
        size = int.from_bytes(self._read(4, over))
        if size > wire.MOST:
            raise WallsLostError(f"the {self._name} process answered with {size:,} bytes")
        try:
            answer = json.loads(self._read(size, over))
        except ValueError as error:
            raise WallsLostError(f"the {self._name} process answered no JSON") from error
        if not isinstance(answer, dict) or answer.get("id") != self._number:
            raise WallsLostError(f"the {self._name} process answered another question")
        return answer

    def _write(self, data: bytes, over: float) -> None:
        rest = memoryview(data)
        while rest:
            self._wait(self._requests, select.POLLOUT, over)
            try:
                rest = rest[os.write(self._requests, rest) :]
            except BlockingIOError:
                continue
            except OSError as error:
                raise WallsLostError(f"the {self._name} process ended") from error

    def _read(self, size: int, over: float) -> bytes:
        parts: list[bytes] = []
        while size:
            self._wait(self._answers, select.POLLIN, over)
            try:
                part = os.read(self._answers, min(size, _CHUNK))
            except BlockingIOError:
                continue
            except OSError as error:
                raise WallsLostError(f"the {self._name} process ended") from error
            if not part:
                raise WallsLostError(f"the {self._name} process ended")
            parts.append(part)
            size -= len(part)
        return b"".join(parts)

    def _wait(self, descriptor: int, event: int, over: float) -> None:
        poll = select.poll()
        poll.register(descriptor, event)
        if not poll.poll(max(0.0, over - time.monotonic()) * 1000):
            raise WallsLostError(f"the {self._name} process did not answer in time")
