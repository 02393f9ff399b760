"""What the worker tells the process that started it: progress, and one last event."""

from __future__ import annotations

import threading
from collections.abc import Mapping
from typing import IO, Any

from dreamd.engine.model import wire

_LARGE = ("messages", "seen", "calls")
_PATIENCE = 0.3  # seconds that the last word waits for one that is being written


class Events:
    """The pipe to the launching process; whole messages only, and none after the last."""

    def __init__(self, stream: IO[bytes]) -> None:
        self._stream = stream
        self._lock = threading.Lock()
        self._is_over = False

    def tell(self, event: Mapping[str, Any]) -> None:
        """Send an event, unless the last one is out.

        Raises:
            OSError: nobody listens any more.
        """
        with self._lock:
            if not self._is_over:
                wire.send(self._stream, event)

    def end(self, event: Mapping[str, Any]) -> bool:
        """Send the last event, of any thread the first to do so; say whether it went out.

        What would make it too large is left out: first the conversation, then what was seen, in
        the end what was called: then nothing counts as retired or read, and the notes still speak.
        """
        if not self._lock.acquire(timeout=_PATIENCE):
            return False  # nobody reads what is being written
        try:
            if self._is_over:
                return False
            self._is_over = True
            for number in range(len(_LARGE) + 1):
                try:
                    wire.send(self._stream, {**event, **{name: [] for name in _LARGE[:number]}})
                except wire.WireError:
                    continue
                except (OSError, ValueError):
                    return False
                return True
            return False
        finally:
            self._lock.release()
