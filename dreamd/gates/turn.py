"""One asking of the gates, and what a gate is: one costly read with one pure rule."""

from __future__ import annotations

import os
from collections.abc import Callable, Collection, Sequence
from pathlib import Path

from msgspec import Struct, field

from dreamd.domain.lease import Standing
from dreamd.domain.verdict import Cost, Verdict
from dreamd.gates.readings import Answer, Last, Pause
from dreamd.gates.thresholds import Thresholds
from dreamd.host import clock

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from typing import Any

    from dreamd.gates.surroundings import Surroundings


class Turn(Struct):
    """One asking: where the gates read, and what earlier ones read that later ones need."""

    enabled: bool
    limits: Thresholds
    now: int  # wall time in ns since the epoch
    look: Callable[[], os.stat_result | None]  # the lock; None where there is none
    standing: Callable[[], Standing]
    pause: Callable[[Turn], tuple[Pause | None, Cost]]
    begin: Callable[[Turn], None]  # right before sessions are counted
    folders: Callable[[], Sequence[Path]]
    around: Surroundings
    skip: frozenset[str] = frozenset()
    known: tuple[LockKey, Last] | None = None  # of a lock with a body, at the look before
    last: Last = field(default_factory=Last)
    again: int | None = None  # when sessions may be counted next
    enough: tuple[int | None, frozenset[str]] | None = None  # as `asked`, where there were enough

    @property
    def asked(self) -> tuple[int | None, frozenset[str]]:
        """What a count of sessions hangs on: since when, and which are passed over."""
        return self.last.stamp, self.skip


class LockKey(Struct, frozen=True):
    """What changes whenever somebody writes or stamps the lock."""

    mtime: int
    size: int
    inode: int


class Gate(Struct, frozen=True):
    """One condition for a dream to begin by itself.

    A gate that `rests` looks at what changes by itself: its no is believed for a while.
    """

    name: str
    read: Callable[[Turn], tuple[Any, Cost]]
    rule: Callable[[Any, Thresholds, int], Answer]
    rests: bool = False

    def ask(self, turn: Turn) -> tuple[Verdict, Answer]:
        """Read and judge; the answer says besides how long its words hold."""
        seen, cost = self.read(turn)
        answer = self.rule(seen, turn.limits, turn.now)
        # Rounded up to what a datetime can say, so that asking then is not asking too early.
        again = None if answer.again is None else clock.from_ns(answer.again + 999)
        verdict = Verdict(self.name, answer.is_open, answer.read, cost, answer.opens, again)
        return verdict, answer


def ids(sessions: Collection[str]) -> frozenset[str]:
    """Return ids as a set; a single one may be given as it is."""
    return frozenset((sessions,) if isinstance(sessions, str) else sessions)
