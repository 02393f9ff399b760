"""The gates, cheapest first; each pairs one costly read with one pure rule."""

from __future__ import annotations

import os
import stat
from collections.abc import Callable, Collection, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from dreamd.domain.lease import Standing
from dreamd.domain.verdict import Cost, Verdict
from dreamd.gates import rules, sessions
from dreamd.gates.readings import Answer, Last, Pause, Touched
from dreamd.gates.thresholds import Thresholds
from dreamd.host import clock

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from typing import Any

_LOCK_AND_LEASE = Cost(reads=2)


@dataclass(slots=True)
class Turn:
    """One asking: where the gates read, and what earlier ones read that later ones need."""

    enabled: bool
    limits: Thresholds
    now: int  # wall time in ns since the epoch
    look: Callable[[], os.stat_result | None]  # the lock; None where there is none
    standing: Callable[[], Standing]
    pause: Callable[[Turn], tuple[Pause | None, Cost]]
    begin: Callable[[Turn], None]  # right before sessions are counted
    folders: Callable[[], Sequence[Path]]
    skip: frozenset[str] = frozenset()
    known: tuple[LockKey, Last] | None = None  # of a lock with a body, at the look before
    last: Last = field(default_factory=Last)
    again: int | None = None  # when sessions may be counted next


@dataclass(frozen=True, slots=True)
class LockKey:
    """What changes whenever somebody writes or stamps the lock."""

    mtime: int
    size: int
    inode: int


@dataclass(frozen=True, slots=True)
class Gate:
    """One condition for a dream to begin by itself."""

    name: str
    read: Callable[[Turn], tuple[Any, Cost]]
    rule: Callable[[Any, Thresholds, int], Answer]

    def ask(self, turn: Turn) -> tuple[Verdict, Answer]:
        """Read and judge; the answer says besides how long its words hold."""
        seen, cost = self.read(turn)
        answer = self.rule(seen, turn.limits, turn.now)
        # Rounded up to what a datetime can say, so that asking then is not asking too early.
        again = None if answer.again is None else clock.from_ns(answer.again + 999)
        verdict = Verdict(self.name, answer.is_open, answer.read, cost, answer.opens, again)
        return verdict, answer


def _switch(turn: Turn) -> tuple[bool, Cost]:
    return turn.enabled, Cost()


def _last(turn: Turn) -> tuple[Last, Cost]:
    """Read the lock's stamp; only a body asks for more, once for each body and stamp."""
    seen = turn.look()
    cost = Cost(stats=1)
    if seen is None:
        return Last(), cost
    stamp = seen.st_mtime_ns // 1_000 * 1_000  # as a datetime has it
    if seen.st_size == 0 and stat.S_ISREG(seen.st_mode):
        turn.last = Last(stamp)
        return turn.last, cost
    key = LockKey(seen.st_mtime_ns, seen.st_size, seen.st_ino)
    if turn.known is not None and turn.known[0] == key:
        turn.last = turn.known[1]
        return turn.last, cost
    turn.last = _told(turn.standing(), stamp)
    settled = not turn.last.holder and not turn.last.interrupted
    turn.known = (key, turn.last) if settled else None
    return turn.last, Cost(stats=1, reads=_LOCK_AND_LEASE.reads)


def _told(standing: Standing, stamp: int) -> Last:
    interrupted = standing.interrupted
    true = None if standing.consolidated is None else clock.to_ns(standing.consolidated)
    if standing.from_future and interrupted is None:
        true = stamp  # it may become a time while it stands
    return Last(
        stamp=true,
        is_ahead=standing.from_future and interrupted is not None,
        holder="" if standing.holder is None else standing.holder.by,
        is_plain=interrupted is None and true == stamp,
        interrupted="" if interrupted is None else interrupted.dream,
    )


def _pause(turn: Turn) -> tuple[Pause | None, Cost]:
    pause, cost = turn.pause(turn)
    lasts = pause is not None and rules.stands(pause, turn.limits, turn.now)
    turn.again = pause.until if pause is not None and lasts else None
    return pause, cost


def _touched(turn: Turn) -> tuple[Touched, Cost]:
    turn.begin(turn)
    since = rules.since(turn.last, turn.now)
    if turn.limits.sessions == 0:
        return Touched(0, since), Cost()
    return sessions.touched(
        turn.folders(),
        since=since,
        grace=turn.limits.grace,
        enough=turn.limits.sessions,
        skip=turn.skip,
        again=turn.again,
    )


def _standing(turn: Turn) -> tuple[Standing, Cost]:
    return turn.standing(), _LOCK_AND_LEASE


SWITCH = Gate("kill switch", _switch, rules.switched_on)  # in memory
TIME = Gate("time", _last, rules.long_enough_ago)  # one stat
THROTTLE = Gate("throttle", _pause, rules.rested)  # in memory; of a new process, one stat
SESSIONS = Gate("sessions", _touched, rules.enough_sessions)  # a scan of each folder
LOCK = Gate("lock", _standing, rules.nobody_dreams)  # two files, a process

CATALOGUE = (SWITCH, TIME, THROTTLE, SESSIONS, LOCK)


def ids(sessions: Collection[str]) -> frozenset[str]:
    """Return ids as a set; a single one may be given as it is."""
    return frozenset((sessions,) if isinstance(sessions, str) else sessions)
