"""What wakes the daemon: a signal, a file event, a child's word, or the time."""

from __future__ import annotations

import contextlib
import os
import select
import signal
from collections.abc import Collection
from types import FrameType, TracebackType
from typing import Self

from dreamd.host.alarm import Alarm

_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGCHLD)


class Wakeup:
    """Signals as bytes in a pipe, beside descriptors to wait for; to be used by `with`.

    From then on a signal interrupts nothing: it waits until it is asked for.
    """

    def __init__(self) -> None:
        self._reading, self._writing = os.pipe()
        for end in (self._reading, self._writing):
            os.set_blocking(end, False)
        self._alarm = Alarm()

    def __enter__(self) -> Self:
        """Take the signals over."""
        self._before = {each: signal.signal(each, _nothing) for each in _SIGNALS}
        self._fd_before = signal.set_wakeup_fd(self._writing, warn_on_full_buffer=False)
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """Give them back."""
        signal.set_wakeup_fd(self._fd_before)
        for each, handler in self._before.items():
            signal.signal(each, handler)
        os.close(self._reading)
        os.close(self._writing)
        self._alarm.close()

    def wait(
        self, nanoseconds: int, moment: int, descriptors: Collection[int]
    ) -> tuple[set[int], set[int]]:
        """Wait; return the signals that came, and what can be read from.

        Args:
            nanoseconds: for at most so long, not counting time asleep.
            moment: and at most until then, in ns since boot: whoever slept past it is woken.
            descriptors: and at most until one of these can be read from.
        """
        self._alarm.set(moment)
        poll = select.poll()
        for each in (self._reading, *self._alarm.descriptors(), *descriptors):
            poll.register(each, select.POLLIN)
        # Rounded up: waking a moment too early would mean waking twice.
        ready = {each for each, _ in poll.poll(-(-max(nanoseconds, 0) // 1_000_000))}
        came: set[int] = set()
        if self._reading in ready:
            with contextlib.suppress(BlockingIOError):
                came = set(os.read(self._reading, 4_096))
        self._alarm.clear()
        return came, ready.intersection(descriptors)


def _nothing(_number: int, _frame: FrameType | None) -> None:
    """Let the signal be one that is caught, so that its number goes into the pipe."""
