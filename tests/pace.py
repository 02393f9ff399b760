"""How much work a block does: function calls, which no machine changes, and CPU seconds.

With DREAMD_BENCH=1 a bound in seconds is the figure itself, for a quiet machine. Otherwise it only
catches what grows out of hand: `SLACK` times as much is allowed, on whatever runs beside.
"""

import os
import sys
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

SLACK = 8


class Calls:
    """How many functions a block called, in Python or in C; whole once the block is over."""

    __slots__ = ("count",)

    def __init__(self) -> None:
        self.count = 0


@contextmanager
def calls() -> Iterator[Calls]:
    """Count the calls of a block on this thread: the same figure on every machine."""
    made = Calls()

    def heard(_frame: object, event: str, _arg: object) -> None:
        if event.endswith("call"):
            made.count += 1

    before = sys.getprofile()
    sys.setprofile(heard)
    try:
        yield made
    finally:
        sys.setprofile(before)


def allowed(seconds: float) -> float:
    """CPU seconds a block may take here, where so many are its bound on a quiet machine."""
    return seconds if os.environ.get("DREAMD_BENCH") else SLACK * seconds


def patient(seconds: float) -> float:
    """Seconds a wait may take here, where so many are promised on a quiet machine."""
    return seconds if os.environ.get("DREAMD_BENCH") else seconds + 15


def until(is_so: Callable[[], bool], seconds: float = 60) -> None:
    """Wait for something, so long at most."""
    end = time.monotonic() + seconds
    while not is_so():
        assert time.monotonic() < end
        time.sleep(0.02)


@contextmanager
def within(seconds: float) -> Iterator[None]:
    """Let a block take the CPU seconds that are `allowed` and no more."""
    started = time.process_time()
    yield
    took = time.process_time() - started
    assert took < allowed(seconds), f"{took:.2f} s of CPU, where {allowed(seconds):.2f} are allowed"
