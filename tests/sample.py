"""How much of a long table of cases a run takes: all with DREAMD_SWEEP=all, else a few."""

from __future__ import annotations

import os
from collections.abc import Iterable
from typing import TypeVar

T = TypeVar("T")
WHOLE = os.environ.get("DREAMD_SWEEP") == "all"  # takes the whole of every table, and big inputs


def sample(cases: Iterable[T]) -> list[T]:
    """Return every case, or the first and the last where the run takes a sample."""
    every = list(cases)
    return every if WHOLE else [every[0], every[-1]]


def rounds(cases: Iterable[T], turn: int, count: int = 2) -> list[T]:
    """Return every case, or a few of them where the run takes a sample, others at each turn."""
    every = list(cases)
    if WHOLE or len(every) <= count:
        return every
    return [every[(turn * count + number) % len(every)] for number in range(count)]


def examples(most: int) -> int:
    """Return how many examples a property is tried on: a sixth of them, or all."""
    return most if WHOLE else max(most // 6, 10)
