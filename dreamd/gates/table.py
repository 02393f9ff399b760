"""The gates of a store: one table, cheapest first, and the one function that asks them."""

from __future__ import annotations

import contextlib
import os
import stat
from collections.abc import Callable, Sequence
from datetime import timedelta
from pathlib import Path
from typing import Any

from msgspec import Struct

from dreamd.domain.lease import Standing
from dreamd.domain.settings import Gates, Settings, hours_of_day
from dreamd.domain.store import Store
from dreamd.domain.verdict import Verdict
from dreamd.errors import HostError
from dreamd.gates import passes, pause, rules
from dreamd.gates.rules import Last, Ruling, Spent
from dreamd.gates.scan import Sessions, scan
from dreamd.gates.wording import MINUTE, SECOND
from dreamd.host import clock, files, laptop
from dreamd.host.laptop import Client
from dreamd.text.names import LOCK_NAME

Key = tuple[int, int, int, int] | None  # mtime, size, mode and inode of the lock


class Kept(Struct, frozen=True):
    """A no that stays as it is from one moment to another, unless the lock changes."""

    since: int
    until: int
    lock: Key
    verdict: Verdict


class Context(Struct):
    """What the gates of one store read, each thing only when a gate asks for it.

    A process that stays keeps it from one asking to the next, and in it the last no: a typical
    turn is a look at that and one at the lock. It is for one thread.
    """

    store: Store
    settings: Settings
    folders: Callable[[], Sequence[Path]]  # the transcript folders of this memory
    standing: Callable[[], Standing]  # who holds the lock (`lock.standing`)
    spent: Callable[[], Spent | None]  # None where a dream costs nothing, or nobody knows
    clients: Callable[[], Sequence[Client]]  # the sessions that are alive
    current: frozenset[str] = frozenset()  # sessions that ask, which do not count
    now: int = 0
    lock: Key = None
    last: Last = Last()
    sessions: Sessions | None = None  # once this asking has looked at them
    kept: Kept | None = None

    def failed(self, reason: str = "") -> None:
        """Pause after a dream that failed; for this process also where the disk refuses."""
        limits, now = self.settings.gates, clock.now_ns()
        made = pause.failed(self.store, limits, reason)
        verdict = _verdict("throttle", rules.rested(made, limits, now))
        with contextlib.suppress(HostError):  # whoever asks next meets it, too
            self.kept = Kept(now, made.until, _key(self.store), verdict)

    def succeeded(self) -> None:
        """End the pause, after a dream that succeeded."""
        self.kept = None
        pause.cleared(self.store)


def _key(store: Store) -> Key:
    """Return what tells one state of the lock from another; None where there is no lock."""
    path = f"{store.memory}/{LOCK_NAME}"
    try:
        seen = os.lstat(path)
    except (FileNotFoundError, NotADirectoryError):
        return None
    except OSError as error:
        with files.faults("look at the lock", Path(path)):
            raise error from None
    return seen.st_mtime_ns, seen.st_size, seen.st_mode, seen.st_ino


def _last(context: Context) -> Last:
    """Read the stamp of the lock; only a body asks for more."""
    context.lock = _key(context.store)
    stamp, size, mode, _ = context.lock or (None, 0, stat.S_IFREG, 0)
    if size == 0 and stat.S_ISREG(mode):
        context.last = Last(stamp)
        return context.last
    standing = context.standing()
    true = None if standing.consolidated is None else clock.to_ns(standing.consolidated)
    if standing.from_future and standing.interrupted is None:
        true = stamp
    holder = "" if standing.holder is None else standing.holder.by
    interrupted = "" if standing.interrupted is None else standing.interrupted.dream
    context.last = Last(true, holder, interrupted)
    return context.last


def _quiet(context: Context) -> tuple[int, int] | None:
    """Return the quiet hours that last or come next, by the local time of the moment."""
    hours = hours_of_day(context.settings.gates.quiet)
    if hours is None:
        return None
    begins, ends = hours
    day = clock.local(context.now).date() - timedelta(days=1)
    over_midnight = timedelta(days=ends < begins)
    while (end := clock.at_local(day + over_midnight, ends)) <= context.now:
        day += timedelta(days=1)
    return clock.at_local(day, begins), end


def _sessions(context: Context) -> Sessions:
    """Look at the sessions, once an asking."""
    if context.sessions is None:
        since = rules.believed(context.last.stamp, context.now)
        grace = round(context.settings.gates.grace_seconds * SECOND)
        context.sessions = scan(context.folders(), since, grace, context.current)
    return context.sessions


def _activity(context: Context) -> tuple[Sequence[Client], Sessions] | None:
    if not context.settings.gates.idle_minutes:
        return None
    others = [each for each in context.clients() if each.session not in context.current]
    return others, _sessions(context)


class Gate(Struct, frozen=True):
    """One condition for a dream to begin by itself: one costly read with one pure rule."""

    name: str
    read: Callable[[Context], Any]
    rule: Callable[[Any, Gates, int], Ruling]


GATES = (
    Gate("kill switch", lambda c: c.settings.enabled, rules.switched_on),
    Gate("time", _last, rules.long_enough_ago),  # one stat
    Gate("throttle", lambda c: pause.read(c.store), rules.rested),  # a small file
    Gate("quiet", _quiet, rules.not_quiet),
    Gate("load", lambda c: laptop.load() if c.settings.gates.load else None, rules.not_loaded),
    Gate("passes", lambda c: passes.read(c.store.state), rules.few_passes),  # a small file
    Gate("budget", lambda c: c.spent(), rules.affordable),  # a key and a ledger
    Gate(
        "battery", lambda c: laptop.battery() if c.settings.gates.battery else None, rules.powered
    ),
    Gate("sessions", _sessions, rules.enough_sessions),  # a scan of each folder
    Gate("idle", _activity, rules.idle),  # a file for each client
    Gate("lock", lambda c: c.standing(), rules.nobody_dreams),  # two files, a process
)
_BY_TIME = {"time", "throttle"}  # only time opens them, or a change of the lock
BY_LOOK = {"sessions", "idle"}  # after a no of theirs the sessions are left alone for a while


def ask(context: Context, *, every: bool = False, dry: bool = False) -> list[Verdict]:
    """Ask the gates, cheapest first, up to the first that is closed: the last verdict decides.

    With `every` all of them are asked. Then, and if `dry`, nothing is written.
    """
    now, kept = clock.now_ns(), None if every else context.kept
    if kept and kept.since <= now < kept.until and _key(context.store) == kept.lock:
        return [kept.verdict]
    context.now, context.last, context.sessions, context.kept = now, Last(), None, None
    limits, verdicts = context.settings.gates, []
    for gate in GATES:
        answer = gate.rule(gate.read(context), limits, now)
        verdicts.append(_verdict(gate.name, answer))
        if not answer.is_open and not every:
            _keep(context, verdicts[-1], answer.again or 0, dry=dry)
            break
    return verdicts


def _keep(context: Context, verdict: Verdict, until: int, *, dry: bool) -> None:
    """Keep a no that lasts; one that came of a look at the sessions holds for every process."""
    throttle = context.settings.gates.throttle_minutes
    if verdict.gate in BY_LOOK:
        until = min(until, context.now + round(throttle * MINUTE))
        if throttle and not dry:
            pause.looked(context.store, until, verdict.read)
    elif verdict.gate not in _BY_TIME:
        return
    if not context.last.holder and not context.last.interrupted:
        context.kept = Kept(context.now, until, context.lock, verdict)


def _verdict(gate: str, answer: Ruling) -> Verdict:
    # Rounded up to what a datetime can say, so that asking then is not asking too early.
    again = None if answer.again is None else clock.from_ns(answer.again + 999)
    return Verdict(gate, answer.is_open, answer.read, answer.opens, again)
