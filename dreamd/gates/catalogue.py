"""The gates, cheapest first; each pairs one costly read with one pure rule."""

from __future__ import annotations

import importlib
import stat

from dreamd.domain.lease import Standing
from dreamd.domain.verdict import Cost
from dreamd.gates import rules
from dreamd.gates.readings import Last, Pause, Touched
from dreamd.gates.turn import Gate, LockKey, Turn
from dreamd.host import clock

TYPE_CHECKING = False  # importing `typing` would cost a short command 5 % of its time
if TYPE_CHECKING:
    from collections.abc import Callable
    from typing import Any

_LOCK_AND_LEASE = Cost(reads=2)


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
    since = rules.since(turn.last, turn.now)
    if turn.enough == turn.asked:
        return Touched(turn.limits.sessions, since), Cost()
    turn.begin(turn)
    if turn.limits.sessions == 0:
        return Touched(0, since), Cost()
    from dreamd.gates import sessions  # noqa: PLC0415 - most turns end at the gates before

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


def _of(module: str, function: str) -> Callable[..., Any]:
    """Return a function of a module here, which is imported when it is called.

    Most turns end at the gates before these, and the imports would cost a hook 2 ms each time.
    """

    def call(*given: Any) -> Any:
        return getattr(importlib.import_module(module), function)(*given)

    return call


def _momentary(name: str, read: str, rule: str, module: str = "dreamd.gates.moment") -> Gate:
    return Gate(name, _of("dreamd.gates.laptop", read), _of(module, rule), rests=True)


# The moment: after what a typical turn ends at, and before what is counted leaves its mark.
QUIET = _momentary("quiet", "hours", "not_quiet")  # a stat of the time zone
LOAD = _momentary("load", "load", "not_loaded")  # a file
PRESSURE = _momentary("pressure", "pressure", "not_pressed")  # a file
PASSES = _momentary("passes", "passes", "few_passes")  # a file
BUDGET = _momentary("budget", "day", "affordable")  # a key and a ledger
NETWORK = _momentary("network", "network", "connected")  # a key and two files
POWER = _momentary("power", "power", "powered")  # a folder, and some files in each of it
# who is working: a file for each client, a look at each session
IDLE = _momentary("idle", "leisure", "at_leisure", "dreamd.gates.leisure")

CATALOGUE = (
    *(SWITCH, TIME, THROTTLE),
    *(QUIET, LOAD, PRESSURE, PASSES, BUDGET, NETWORK, POWER),
    *(SESSIONS, IDLE, LOCK),
)
