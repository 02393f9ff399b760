"""What wakes the daemon: a signal, a file event, a child's word, or the time."""

from __future__ import annotations

import contextlib
import os
import select
import signal
from collections.abc import Collection, Iterator

_SIGNALS = (signal.SIGTERM, signal.SIGINT, signal.SIGHUP, signal.SIGUSR1, signal.SIGCHLD)


class Wakeup:
    """A pipe with the number of each signal that came, and a 0 for whatever else happened."""

    def __init__(self) -> None:
        self.reading, self.writing = os.pipe()
        for end in (self.reading, self.writing):
            os.set_blocking(end, False)

    def call(self) -> None:
        """Wake who waits, now or at the next wait; for any thread."""
        with contextlib.suppress(BlockingIOError):  # full: it is about to wake
            os.write(self.writing, b"\0")

    def wait(self, nanoseconds: int, descriptors: Collection[int]) -> set[int]:
        """Wait, at most until one of the descriptors can be read; return the signals that came."""
        poll = select.poll()
        for each in (self.reading, *descriptors):
            poll.register(each, select.POLLIN)
        poll.poll(-(-max(nanoseconds, 0) // 1_000_000))  # a moment too early would mean twice
        with contextlib.suppress(BlockingIOError):
            return {each for each in os.read(self.reading, 4_096) if each}
        return set()


@contextlib.contextmanager
def wakeup() -> Iterator[Wakeup]:
    """Take the signals over: from then on one interrupts nothing, but waits until asked for."""
    made = Wakeup()
    before = {each: signal.signal(each, lambda _number, _frame: None) for each in _SIGNALS}
    descriptor = signal.set_wakeup_fd(made.writing, warn_on_full_buffer=False)
    try:
        yield made
    finally:
        signal.set_wakeup_fd(descriptor)
        for each, handler in before.items():
            signal.signal(each, handler)
        os.close(made.reading)
        os.close(made.writing)
