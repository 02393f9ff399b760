"""The checks behind `doctor`: what each looks at, and what it found."""

from __future__ import annotations

from enum import StrEnum
from functools import partial

from msgspec import Struct


class State(StrEnum):
    """How much a finding matters."""

    OK = "ok"
    WARN = "warn"  # dreams go on, or go on less well
    FAIL = "fail"  # no dream can begin, or none by itself


class Result(Struct, frozen=True):
    """What one check found, as a clause, and what would mend it where something is to be."""

    state: State
    found: str
    mend: str = ""


ok, warn, fail = (partial(Result, each) for each in State)
