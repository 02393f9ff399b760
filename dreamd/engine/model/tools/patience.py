"""How long a piece of work may take: an alarm that interrupts a regular expression too."""

from __future__ import annotations

import contextlib
import signal
from collections.abc import Iterator

from dreamd.errors import DreamdError


class OutOfTimeError(DreamdError):
    """The work inside `patience` took too long."""


def _ring(_number: int, _frame: object) -> None:
    raise OutOfTimeError("it took too long")


@contextlib.contextmanager
def patience(seconds: float) -> Iterator[None]:
    """Raise OutOfTimeError inside after so many seconds; in the main thread of a process only.

    The `re` module looks for signals while it backtracks, so a pattern that would never end does.
    """
    former = signal.signal(signal.SIGALRM, _ring)
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, former)
