"""Ends the worker from outside its main thread: at a signal, the deadline, a death beside it."""

from __future__ import annotations

import contextlib
import os
import select
import signal
import threading
import time
from collections.abc import Callable
from enum import Enum

_LOOK = 0.5  # seconds between two looks at who the parent is (a Mac signals no parent's death)
_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP)


class Cause(Enum):
    """Why the worker ends early."""

    SIGNAL = "aborted"
    LATE = "late"
    ORPHAN = "orphaned"
    HELPLESS = "left without one of its walled processes"


class Watch:
    """A thread that calls `act` once, at the first cause there is.

    The main thread may be deep in a call that no signal interrupts for long: looking up a name,
    a handshake, a write to a full pipe. The interpreter writes the signal's number into a pipe
    whatever the main thread does, and this thread waits at its other end.
    """

    def __init__(
        self, act: Callable[[Cause], None], *, until: float, is_helpless: Callable[[], bool]
    ) -> None:
        self._act = act
        self._is_helpless = is_helpless
        self._parent = os.getppid()
        self.until = until  # a reading of the monotonic clock; may be moved
        self._told, self._tell = os.pipe()
        os.set_blocking(self._tell, False)
        signal.set_wakeup_fd(self._tell, warn_on_full_buffer=False)
        for number in _SIGNALS:
            signal.signal(number, lambda *_: None)
        threading.Thread(target=self._wait, name="watch", daemon=True).start()

    def _wait(self) -> None:
        while True:
            left = self.until - time.monotonic()
            with contextlib.suppress(InterruptedError):
                if select.select([self._told], [], [], max(0.0, min(left, _LOOK)))[0]:
                    numbers = os.read(self._told, 64)
                    if any(number in numbers for number in _SIGNALS):
                        return self._act(Cause.SIGNAL)
            if os.getppid() != self._parent:
                return self._act(Cause.ORPHAN)
            if self._is_helpless():
                return self._act(Cause.HELPLESS)
            if time.monotonic() >= self.until:
                return self._act(Cause.LATE)
