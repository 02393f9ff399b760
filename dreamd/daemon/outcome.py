"""What a child's end means: a pure rule over its exit status and what it said."""

from __future__ import annotations

import json
import signal
from enum import Enum, auto

from msgspec import Struct

from dreamd.domain.receipt import Outcome

_STOPPED = 130  # what a command that was interrupted ends with


class Result(Enum):
    """What follows from how a dream ended."""

    SUCCESS = auto()
    NEITHER = auto()  # busy, skipped, or stopped by us: no dream, and no failure
    FAILURE = auto()


class Ending(Struct, frozen=True):
    """How a dream ended, in a clause; `is_wreck` where it may have left something undone."""

    result: Result
    sentence: str
    is_wreck: bool = False


def ending(
    status: int, said: str, complained: str, *, is_stopping: bool, is_over_time: bool
) -> Ending:
    """Return what a child's end means.

    Args:
        status: its exit status, negative for the signal that killed it.
        said: its stdout, one JSON object where it came to an end by itself.
        complained: the last line of its stderr.
        is_stopping: it was told to end because the daemon ends.
        is_over_time: it was told to end because it took too long.
    """
    told = _object(said)
    outcome, reason = told.get("outcome"), str(told.get("reason") or complained)
    if status == 0 and outcome in {Outcome.DREAMT, Outcome.PROPOSED}:
        dream = f" (dream {told['dream']}, {_seconds(told)})" if told.get("dream") else ""
        return Ending(Result.SUCCESS, f"{outcome}: {reason}{dream}")
    if outcome in {Outcome.SKIPPED, Outcome.BUSY}:
        return Ending(Result.NEITHER, f"{outcome}: {reason.removeprefix('busy: ')}")
    if is_stopping and status == _STOPPED:
        return Ending(Result.NEITHER, "stopped, and taken back")
    if is_stopping and status in {-signal.SIGTERM, -signal.SIGKILL}:
        return Ending(Result.NEITHER, "killed; what it left is cleared up at the next start", True)
    if is_over_time:
        return Ending(Result.FAILURE, "failed: it took too long and was ended", is_wreck=status < 0)
    if status < 0:
        return Ending(Result.FAILURE, f"failed: its process was killed by {_name(-status)}", True)
    if status == 0 and not told:
        return Ending(Result.FAILURE, "failed: it gave no answer")
    word = outcome if outcome == Outcome.REFUSED else "failed"
    reason = reason.removeprefix("refused: ")
    return Ending(Result.FAILURE, f"{word}: {reason or f'it ended with status {status}'}")


def _object(said: str) -> dict[str, object]:
    try:
        found = json.loads(said)
    except (ValueError, RecursionError):
        return {}
    return found if isinstance(found, dict) else {}


def _seconds(told: dict[str, object]) -> str:
    took = told.get("seconds")
    return f"{took:.1f} s" if isinstance(took, int | float) else "no time told"


def _name(number: int) -> str:
    try:
        return signal.Signals(number).name
    except ValueError:
        return f"signal {number}"
