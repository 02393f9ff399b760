"""An alarm by the clock that also runs while the machine sleeps, so that waking up sets it off."""

from __future__ import annotations

import contextlib
import ctypes
import os
import sys

_BOOTTIME, _ABSOLUTE = 7, 1  # CLOCK_BOOTTIME, TFD_TIMER_ABSTIME (timerfd_create(2))
_SECOND = 1_000_000_000


class Alarm:
    """A descriptor that can be read from once a moment has come (timerfd_create(2)).

    A wait of poll(2) does not count the time asleep: one of a minute may end a minute after the
    machine was woken. Where the system has no such alarm (macOS), there is no descriptor.
    """

    def __init__(self) -> None:
        self._descriptor = -1
        if sys.platform == "linux":
            self._library = ctypes.CDLL(None, use_errno=True)
            flags = os.O_NONBLOCK | os.O_CLOEXEC
            self._descriptor = int(self._library.timerfd_create(_BOOTTIME, flags))

    def descriptors(self) -> tuple[int, ...]:
        """Return its descriptor, if it has one."""
        return () if self._descriptor < 0 else (self._descriptor,)

    def set(self, moment: int) -> None:
        """Let it go off at a moment in ns since boot, at once where that is past."""
        if self._descriptor < 0:
            return
        seconds, rest = divmod(max(moment, 1), _SECOND)  # 0 would switch it off
        when = (ctypes.c_long * 4)(0, 0, seconds, rest)
        self._library.timerfd_settime(self._descriptor, _ABSOLUTE, ctypes.byref(when), None)

    def clear(self) -> None:
        """Let it be silent until it goes off again."""
        if self._descriptor >= 0:
            with contextlib.suppress(BlockingIOError):
                os.read(self._descriptor, 8)

    def close(self) -> None:
        """Give the descriptor back; called again it does nothing."""
        if self._descriptor >= 0:
            os.close(self._descriptor)
            self._descriptor = -1
