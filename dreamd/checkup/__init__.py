"""The checks behind `doctor`: what each looks at, and what it found."""

from __future__ import annotations

from enum import StrEnum

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


def ok(found: str) -> Result:
    """Return that all is well."""
    return Result(State.OK, found)


def warn(found: str, mend: str) -> Result:
    """Return that something is not as it should be."""
    return Result(State.WARN, found, mend)


def fail(found: str, mend: str) -> Result:
    """Return that something does not work."""
    return Result(State.FAIL, found, mend)
